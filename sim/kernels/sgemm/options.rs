//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Sgemm`](super::Sgemm).
    SgemmOptions of "sgemm" {
        /// Rows of the product.
        rows: 200 in 0..=MAX_SIDE,
        /// Columns of the product.
        columns: 130 in 0..=MAX_SIDE,
        /// The factors' common side.
        inner: 40 in 0..=MAX_SIDE,
    }
}
