//! Settings.

use crate::options::{options, MAX_BLOCK};

/// Where bodies are: see [`BhtOptions::points`].
pub(super) const PLUMMER: u32 = 0;

options! {
    /// Settings of [`Bht`](super::Bht).
    BhtOptions of "bht" {
        /// Bodies.
        bodies: 600 in 0..=1_048_576,
        /// How bodies are distributed: by Plummer's model of star clusters, or uniformly in a cube.
        points("plummer", "uniform"): 0 in 0..=1,
        /// From which ratio of its side to its distance on a cell is opened, in percent.
        theta: 50 in 1..=1000,
        /// Most bodies of a cell that is not split.
        leaf: 32 in 1..=1024,
        /// Most bodies of a leaf that a thread sums itself, under CDP and DTBL.
        threshold: 8 in 0..=MAX_BLOCK,
        /// Threads of a block.
        block: 32 in 1..=MAX_BLOCK,
        /// Threads of a child's block.
        child_block: 32 in 1..=MAX_BLOCK,
    }
}
