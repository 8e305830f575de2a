//! An event with the entry that it concerns.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::word::U;
use rust_hdl::prelude::*;

/// An event that names an entry of a table.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tagged {
    /// Whether the event happens.
    pub valid: Bit,
    /// The entry that it concerns.
    pub entry: U<5>,
}
crate::fields!(Tagged { valid, entry });
