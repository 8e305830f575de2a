//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Sad`](super::Sad).
    SadOptions of "sad" {
        /// Blocks of 4 by 4 points along a row of the picture.
        columns: 11 in 0..=120,
        /// Rows of blocks.
        rows: 9 in 0..=120,
    }
}
