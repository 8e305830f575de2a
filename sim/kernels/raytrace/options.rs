//! Settings.

use super::scene::BALLS;
use crate::options::options;

options! {
    /// Settings of [`Raytrace`](super::Raytrace).
    RaytraceOptions of "raytrace" {
        /// Points along a row of the picture.
        width: 96 in 0..=4096,
        /// Rows.
        height: 72 in 0..=4096,
        /// Balls.
        balls: 16 in 0..=BALLS,
        /// How often a ray is followed further.
        bounces: 5 in 0..=64,
    }
}
