//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_COUNT, MAX_GRID};

options! {
    /// Settings of [`Blackscholes`](super::Blackscholes).
    BlackscholesOptions of "blackscholes" {
        /// Options.
        count: 20_000 in 0..=MAX_COUNT,
        /// Blocks, whose threads take the options in turn.
        blocks: 480 in 1..=MAX_GRID,
        /// Threads of a block.
        block: 128 in 1..=MAX_BLOCK,
        /// Launches, all of which compute the same.
        launches: 2 in 0..=10_000,
    }
}
