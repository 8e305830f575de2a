//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Sort`](super::Sort).
    SortOptions of "sort" {
        /// Keys.
        count: 10_000 in 0..=MAX_COUNT,
        /// Most keys of a part that a block sorts without merging.
        leaf: 64 in 1..=4096,
        /// How often the host's parts are halved until they are leaves.
        levels: 3 in 0..=10,
        /// Threads of a block.
        block: 64 in 1..=MAX_BLOCK,
    }
}

impl SortOptions {
    /// Keys of a part that a block of the host's launch sorts.
    pub(super) fn part(&self) -> u32 {
        self.leaf << self.levels
    }
}
