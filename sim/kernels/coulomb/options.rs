//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Coulomb`](super::Coulomb).
    CoulombOptions of "coulomb" {
        /// Points along a row of the plane.
        width: 256 in 0..=MAX_SIDE,
        /// Rows.
        height: 64 in 0..=MAX_SIDE,
        /// Charges.
        atoms: 60 in 0..=100_000,
        /// Most of them in constant memory, and so in a launch.
        slice: 4_000 in 1..=4_000,
    }
}
