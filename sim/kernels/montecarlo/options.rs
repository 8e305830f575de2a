//! Settings.

use crate::options::{options, MAX_GRID};

options! {
    /// Settings of [`Montecarlo`](super::Montecarlo).
    MontecarloOptions of "montecarlo" {
        /// Options, a block each.
        options: 256 in 0..=MAX_GRID,
        /// Paths of the price.
        paths: 512 in 0..=1 << 24,
    }
}
