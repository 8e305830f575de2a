//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Nw`](super::Nw).
    NwOptions of "nw" {
        /// Tiles of 8 letters of each sequence.
        tiles: 12 in 0..=512,
    }
}
