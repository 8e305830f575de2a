//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Aes`](super::Aes).
    AesOptions of "aes" {
        /// What is done with the states.
        direction("encrypt", "decrypt"): 0 in 0..=1,
        /// States of 16 bytes; a block has 64 of them.
        states: 4096 in 0..=1 << 22,
    }
}
