//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Amr`](super::Amr).
    AmrOptions of "amr" {
        /// Cells of a row of the initial grid.
        width: 48 in 0..=MAX_SIDE,
        /// Rows.
        height: 32 in 0..=MAX_SIDE,
        /// Hot spots.
        spots: 4 in 0..=100_000,
        /// Deviation of the bell of a spot, in hundredths of a cell of the initial grid.
        radius: 250 in 1..=100_000,
        /// Levels of finer cells below the initial grid.
        levels: 3 in 0..=4,
        /// Cells along a side of a block of finer cells.
        refine: 4 in 2..=16,
        /// Energy in whose neighbourhood a cell is hot, in hundredths of the peak of one spot.
        threshold: 50 in 0..=10_000,
        /// How far from it the energy of a hot cell of the initial grid may be, in such hundredths;
        /// that of a finer cell is `refine` times nearer, level by level.
        band: 20 in 0..=10_000,
    }
}

impl AmrOptions {
    /// Side of a cell of the initial grid, in units of the smallest cells.
    pub(super) fn whole(&self) -> u32 {
        self.refine.pow(self.levels)
    }

    /// Cells of a block.
    pub(super) fn cells(&self) -> u32 {
        self.refine * self.refine
    }
}
