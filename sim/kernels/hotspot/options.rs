//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Hotspot`](super::Hotspot).
    HotspotOptions of "hotspot" {
        /// Points along a row.
        width: 100 in 0..=MAX_SIDE,
        /// Rows.
        height: 60 in 0..=MAX_SIDE,
        /// Steps.
        steps: 5 in 0..=10_000,
        /// Steps of a launch, by as many points on every side blocks overlap.
        pyramid: 2 in 1..=7,
    }
}
