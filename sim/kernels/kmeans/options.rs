//! Settings.

use crate::options::{options, MAX_BLOCK};

options! {
    /// Settings of [`Kmeans`](super::Kmeans).
    KmeansOptions of "kmeans" {
        /// Points, a thread each.
        points: 4096 in 0..=1 << 18,
        /// Numbers of a point.
        features: 34 in 1..=128,
        /// Centres.
        clusters: 5 in 1..=16,
        /// How often points look for the nearest centre.
        steps: 2 in 0..=1_000,
        /// Threads of a block.
        block: 256 in 1..=MAX_BLOCK,
    }
}
