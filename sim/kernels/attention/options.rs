//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Attention`](super::Attention).
    AttentionOptions of "attention" {
        /// Heads; each is a row of blocks.
        heads: 8 in 0..=1024,
        /// Queries, and as many keys and values, of each head.
        length: 128 in 0..=16_384,
    }
}
