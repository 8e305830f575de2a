//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Nearest`](super::Nearest).
    NearestOptions of "nearest" {
        /// Places.
        places: 10_000 in 0..=MAX_COUNT / 2,
        /// Threads of a block.
        block: 256 in 1..=MAX_BLOCK,
    }
}
