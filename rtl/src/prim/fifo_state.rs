//! The state of a queue.

use crate::prelude::*;

/// Where a queue begins and ends: one register record.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct FifoState {
    /// Place of the oldest word.
    pub head: U<8>,
    /// Words stored.
    pub count: U<9>,
}
