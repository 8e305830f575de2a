//! Settings.

use crate::options::{options, MAX_BLOCK};

options! {
    /// Settings of [`Sha1`](super::Sha1).
    Sha1Options of "sha1" {
        /// Messages, a thread each.
        messages: 1024 in 0..=1 << 18,
        /// Chunks of 64 bytes of a message.
        chunks: 3 in 0..=128,
        /// Threads of a block.
        block: 64 in 1..=MAX_BLOCK,
    }
}
