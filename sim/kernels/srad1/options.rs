//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Srad1`](super::Srad1).
    Srad1Options of "srad1" {
        /// Points along a row of the image.
        width: 100 in 0..=4096,
        /// Rows.
        height: 80 in 0..=4096,
        /// Steps.
        steps: 2 in 0..=1_000,
    }
}
