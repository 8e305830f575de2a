//! The state of a queue.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::word::U;
use rust_hdl::prelude::*;

/// Where a queue begins and ends: one register record.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct FifoState {
    /// Place of the oldest word.
    pub head: U<8>,
    /// Words stored.
    pub count: U<9>,
}
crate::fields!(FifoState { head, count });
