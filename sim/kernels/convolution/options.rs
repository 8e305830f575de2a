//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Convolution`](super::Convolution).
    ConvolutionOptions of "convolution" {
        /// Points along a row of the picture.
        width: 200 in 0..=MAX_SIDE,
        /// Rows.
        height: 100 in 0..=MAX_SIDE,
    }
}
