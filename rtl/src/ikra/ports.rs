//! The words that IKRA's modules pass on and store.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::dispatch::{BlockId, Needs};
use crate::word::U;
use rust_hdl::prelude::*;

/// What is known of a kernel beside its context; 140 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Kernel {
    /// Extent of its grid in thread blocks.
    pub grid: BlockId,
    /// Thread blocks in all.
    pub blocks: U<31>,
    /// What each block takes.
    pub needs: Needs,
}
crate::from_bits!(Kernel { grid, blocks, needs });

/// What a full steal queue leads to (section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// The next kernel assigns chunks anew.
    Reinitialise,
    /// Its SMX steals no more.
    Stop,
}

/// Parameters of stealing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stealing {
    /// Entries of a steal queue: a power of two from 2 to 32.
    pub entries: usize,
    /// Cycles that a message takes beside one, at most 31.
    pub latency: u64,
    /// What a full queue leads to.
    pub when_full: WhenFull,
}
