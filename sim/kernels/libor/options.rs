//! Settings.

use super::market::STEPS;
use crate::options::options;

options! {
    /// Settings of [`Libor`](super::Libor).
    LiborOptions of "libor" {
        /// Paths of the rates, a thread each.
        paths: 1024 in 0..=1 << 20,
        /// Periods that a path has.
        steps: 8 in 0..=STEPS,
    }
}
