//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Steal`](super::Steal).
    StealOptions of "steal" {
        /// Elements of an array.
        count: 10_000 in 0..=MAX_COUNT,
        /// Threads of a block.
        block: 256 in 1..=MAX_BLOCK,
    }
}
