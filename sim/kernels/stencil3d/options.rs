//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Stencil3d`](super::Stencil3d).
    Stencil3dOptions of "stencil3d" {
        /// Points along a row of a plane.
        width: 128 in 0..=1024,
        /// Rows of a plane.
        height: 64 in 0..=1024,
        /// Planes.
        depth: 8 in 0..=64,
        /// Steps, a launch each.
        steps: 2 in 0..=10_000,
    }
}
