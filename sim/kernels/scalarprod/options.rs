//! Settings.

use crate::options::{options, MAX_BLOCK, MAX_GRID, MAX_SIDE};

options! {
    /// Settings of [`Scalarprod`](super::Scalarprod).
    ScalarprodOptions of "scalarprod" {
        /// Pairs of vectors.
        vectors: 128 in 0..=MAX_SIDE,
        /// Elements of a vector.
        elements: 512 in 0..=MAX_SIDE,
        /// Most blocks; there are no more than pairs.
        blocks: 128 in 1..=MAX_GRID,
        /// Threads of a block.
        block: 256 in 1..=MAX_BLOCK,
    }
}
