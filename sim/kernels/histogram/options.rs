//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT, MAX_GRID};

options! {
    /// Settings of [`Histogram`](super::Histogram).
    HistogramOptions of "histogram" {
        /// Bytes to count.
        count: 20_000 in 0..=MAX_COUNT,
        /// Blocks, whose threads take the bytes in turn.
        blocks: 26 in 1..=MAX_GRID,
        /// Threads of a block.
        block: 128 in 1..=MAX_BLOCK,
    }
}
