//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT, MAX_SIDE};

options! {
    /// Settings of [`Pre`](super::Pre).
    PreOptions of "pre" {
        /// Users.
        users: 120 in 0..=MAX_SIDE,
        /// Items that they may rate.
        items: 210 in 0..=MAX_SIDE,
        /// Ratings of all users together.
        ratings: 3000 in 0..=MAX_COUNT,
        /// Every which item the one most like it is sought for, beginning with the first.
        every: 1 in 1..=MAX_SIDE,
        /// Most users of an item whose ratings a thread looks at.
        part: 8 in 1..=MAX_SIDE,
        /// Most pairs that a thread adds itself, under CDP and DTBL.
        threshold: 32 in 0..=MAX_COUNT,
        /// Threads of a block.
        block: 32 in 1..=MAX_BLOCK,
        /// Threads of a child's block.
        child_block: 128 in 1..=MAX_BLOCK,
    }
}

impl PreOptions {
    /// The item of each row of the result.
    pub(super) fn asked(&self) -> impl Iterator<Item = u32> {
        (0..self.items).step_by(self.every as usize)
    }
}
