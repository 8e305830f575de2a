//! An event with what it concerns.

use crate::prelude::*;

/// An event that names an entry of a table.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tagged {
    /// Whether the event happens.
    pub valid: Bit,
    /// The entry that it concerns.
    pub entry: U<5>,
}

/// An event that names an SMX.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct TaggedSmx {
    /// Whether the event happens.
    pub valid: Bit,
    /// The SMX that it concerns.
    pub smx: Word,
}

impl TaggedSmx {
    /// No event, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { valid: false, smx: Word::id(smxs, 0) }
    }
}
