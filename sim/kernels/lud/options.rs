//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Lud`](super::Lud).
    LudOptions of "lud" {
        /// Tiles of 16 by 16 numbers along a side of the matrix.
        tiles: 5 in 0..=128,
    }
}
