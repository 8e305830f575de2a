//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Digits`](super::Digits).
    DigitsOptions of "digits" {
        /// Images.
        images: 5 in 0..=1024,
    }
}
