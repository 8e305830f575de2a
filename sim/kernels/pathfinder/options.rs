//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Pathfinder`](super::Pathfinder).
    PathfinderOptions of "pathfinder" {
        /// Numbers of a row.
        columns: 5000 in 0..=1 << 18,
        /// Rows below the first one.
        rows: 10 in 0..=128,
        /// Rows of a launch, by as many columns on both sides blocks overlap.
        pyramid: 2 in 1..=100,
    }
}
