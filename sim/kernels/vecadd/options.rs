//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Vecadd`](super::Vecadd).
    VecaddOptions of "vecadd" {
        /// Elements of an array.
        count: 10_000 in 0..=MAX_COUNT,
        /// Threads of a block.
        block: 256 in 1..=MAX_BLOCK,
    }
}
