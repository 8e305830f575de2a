//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Srad2`](super::Srad2).
    Srad2Options of "srad2" {
        /// Points along a row of the image.
        width: 96 in 0..=4096,
        /// Rows.
        height: 64 in 0..=4096,
        /// Steps, two launches each.
        steps: 2 in 0..=1_000,
    }
}
