//! Settings.

use crate::options::{options, MAX_COUNT};

options! {
    /// Settings of [`Scan`](super::Scan).
    ScanOptions of "scan" {
        /// Words.
        count: 20_000 in 0..=MAX_COUNT,
    }
}
