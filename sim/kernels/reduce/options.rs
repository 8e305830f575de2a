//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Reduce`](super::Reduce).
    ReduceOptions of "reduce" {
        /// Words to sum up.
        count: 20_000 in 0..=MAX_COUNT,
        /// Threads of a block.
        block: 128 in 1..=MAX_BLOCK,
    }
}

impl ReduceOptions {
    /// Blocks that sum up `words`: one even for none.
    pub(super) fn blocks(&self, words: u32) -> u32 {
        words.div_ceil(2 * self.block).max(1)
    }
}
