//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Lavamd`](super::Lavamd).
    LavamdOptions of "lavamd" {
        /// Boxes along a side of the cube that they make up.
        boxes: 3 in 0..=16,
    }
}
