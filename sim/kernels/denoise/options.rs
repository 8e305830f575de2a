//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Denoise`](super::Denoise).
    DenoiseOptions of "denoise" {
        /// Points along a row of the picture.
        width: 60 in 0..=4096,
        /// Rows.
        height: 44 in 0..=4096,
    }
}
