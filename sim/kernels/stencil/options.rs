//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Stencil`](super::Stencil).
    StencilOptions of "stencil" {
        /// Points of a row.
        width: 100 in 0..=MAX_SIDE,
        /// Rows.
        height: 60 in 0..=MAX_SIDE,
        /// Steps, each a launch.
        steps: 3 in 0..=10_000,
    }
}
