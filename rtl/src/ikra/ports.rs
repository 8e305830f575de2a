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
crate::fields!(Kernel { grid, blocks, needs });

/// Which earlier kernel's blocks a kernel's own depend on (section 8; rule 14 of `docs/ikra.md`): block `i` on block
/// `ratio * i + offset`.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Relation {
    /// How many kernels back, less one.
    pub back: U<2>,
    /// At least 1.
    pub ratio: U<16>,
    /// Magnitude of the offset.
    pub offset: U<31>,
    /// The offset is below zero.
    pub negative: Bit,
}
crate::fields!(Relation { back, ratio, offset, negative });

/// Layouts of a kernel (rules 15 and 16 of `docs/ikra.md`).
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Layouts {
    /// That of the kernel that begins, or else runs.
    pub used: U<2>,
    /// The one whose direction was the one before; looked at when a kernel begins.
    pub source: U<2>,
    /// There is one; else the kernel runs forward.
    pub known: Bit,
}
crate::fields!(Layouts { used, source, known });

impl Layouts {
    /// Those of schedulers that keep one layout: after reset its direction is as if there were none.
    pub const ONE: Self = Self { used: U::new(0), source: U::new(0), known: true };
}

/// A chunk that follows from an earlier kernel's (rule 18 of `docs/ikra.md`).
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct DerivedChunk {
    /// There is one.
    pub valid: Bit,
    /// Its first linear id.
    pub first: U<31>,
    /// It has no block.
    pub vacant: Bit,
}
crate::fields!(DerivedChunk { valid, first, vacant });

/// A home that something has; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Home {
    /// It has one.
    pub valid: Bit,
    /// The SMX that it is.
    pub home: U<5>,
}
crate::fields!(Home { valid, home });

/// A stolen block of a nesting level (rules 26 and 27 of `docs/ikra.md`); all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Loot {
    /// Whether there is one.
    pub valid: Bit,
    /// The home of its kernel; zero at level 0, which has none.
    pub home: U<5>,
    /// Its kernel's entry.
    pub kernel: U<5>,
    /// Which one.
    pub block: BlockId,
}
crate::fields!(Loot { valid, home, kernel, block });

/// What queues need to know of the device kernel that runs, or last ran, at a home and level; 52 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tenancy {
    /// Its direction.
    pub forward: Bit,
    /// Its entry.
    pub kernel: U<5>,
    /// What each of its blocks takes.
    pub needs: Needs,
}
crate::fields!(Tenancy { forward, kernel, needs });

/// What all blocks that are left of a chunk or queue have in common; zero when nothing is left.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Stake {
    /// The home of their kernel.
    pub home: U<5>,
    /// Its entry.
    pub kernel: U<5>,
    /// What each of them takes.
    pub needs: Needs,
}
crate::fields!(Stake { home, kernel, needs });

/// What an SMX runs next of its levels from 1 on; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// Something is left.
    pub valid: Bit,
    /// The level, from 1 on.
    pub level: U<2>,
    /// The kernel's entry.
    pub kernel: U<5>,
    /// The block.
    pub block: BlockId,
    /// What it takes.
    pub needs: Needs,
}
crate::fields!(Choice { valid, level, kernel, block, needs });

/// Where a device kernel that waits belongs; 12 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticket {
    /// Its entry.
    pub kernel: U<5>,
    /// The SMX of the block that launched it.
    pub home: U<5>,
    /// Its level, from 1 on.
    pub level: U<2>,
}
crate::fields!(Ticket { kernel, home, level });

/// The device kernel that begins next; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct ChildKernel {
    /// There is one, and it has blocks.
    pub valid: Bit,
    /// Its entry.
    pub kernel: U<5>,
    /// The SMX of the block that launched it.
    pub home: U<5>,
    /// Its level, from 1 on.
    pub level: U<2>,
    /// Extent of its grid in thread blocks.
    pub grid: BlockId,
    /// What each block takes.
    pub needs: Needs,
}
crate::fields!(ChildKernel { valid, kernel, home, level, grid, needs });

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
