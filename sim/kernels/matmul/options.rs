//! Settings.

use crate::options::{options, MAX_SIDE};

options! {
    /// Settings of [`Matmul`](super::Matmul).
    MatmulOptions of "matmul" {
        /// Rows of the first factor and of the product.
        rows: 56 in 0..=MAX_SIDE,
        /// Columns of the second factor and of the product.
        columns: 56 in 0..=MAX_SIDE,
        /// Columns of the first factor and rows of the second.
        inner: 56 in 0..=MAX_SIDE,
    }
}
