//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Nested`](super::Nested).
    NestedOptions of "nested" {
        /// Cells of a row of the map.
        width: 100 in 0..=MAX_SIDE,
        /// Rows.
        height: 60 in 0..=MAX_SIDE,
        /// Rectangles that are drawn on the map, one over the other, each of one value.
        rectangles: 6 in 0..=10_000,
        /// Levels below those squares with which the host begins.
        limit: 3 in 0..=10,
        /// Side of the smallest squares, in cells.
        leaf: 2 in 1..=1024,
        /// Side of a block, in threads.
        block: 8 in 1..=32,
    }
}

impl NestedOptions {
    /// Side of the squares with which the host begins, in cells.
    pub(super) fn side(&self) -> u32 {
        self.leaf << self.limit
    }
}
