//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT};

options! {
    /// Settings of [`Join`](super::Join).
    JoinOptions of "join" {
        /// How keys are distributed: all as likely, or, the more so the closer to the middle one.
        keys("uniform", "gaussian"): 0 in 0..=1,
        /// Rows of the left table.
        left: 2_000 in 0..=MAX_COUNT,
        /// Rows of the right table.
        right: 2_000 in 0..=MAX_COUNT,
        /// Different keys that there may be.
        distinct: 200 in 1..=MAX_COUNT,
        /// Rows of the left table that a thread takes.
        part: 8 in 1..=1024,
        /// Most pairs that a thread writes itself where children can be launched: as many as a warp
        /// has lanes.
        threshold: 32 in 0..=MAX_COUNT,
        /// Threads of a block.
        block: 128 in 1..=MAX_BLOCK,
        /// Threads of a child's block: two warps, as in DTBL's section 3.1.
        child_block: 64 in 1..=MAX_BLOCK,
    }
}
