//! Settings.

use crate::options::options;

options! {
    /// Settings of [`Backprop`](super::Backprop).
    BackpropOptions of "backprop" {
        /// Blocks of each launch; each has the weights of 16 inputs.
        blocks: 128 in 0..=65_535,
        /// Steps of learning, on the same inputs.
        steps: 1 in 0..=1_000,
    }
}
