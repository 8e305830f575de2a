//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Walsh`](super::Walsh).
    WalshOptions of "walsh" {
        /// Values of the signal and of the filter, as a binary logarithm.
        log2: 14 in 2..=24,
    }
}

/// The largest tile's values, as a binary logarithm.
const TILE: u32 = 11;

impl WalshOptions {
    /// Values of a tile, as a binary logarithm: what steps by twos leave.
    pub(super) fn tile(&self) -> u32 {
        self.log2 - 2 * self.log2.saturating_sub(TILE).div_ceil(2)
    }
}
