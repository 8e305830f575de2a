//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Dct`](super::Dct).
    DctOptions of "dct" {
        /// Whether points become coefficients, or coefficients points.
        direction("encode", "decode"): 0 in 0..=1,
        /// Blocks along x, of 32 points each.
        columns: 6 in 0..=256,
        /// Blocks along y, of 16 points each.
        rows: 8 in 0..=512,
    }
}
