//! The words that IKRA's modules pass on and store.

use crate::port::{BlockId, Needs};
use crate::prelude::*;

/// Bits of a mask of homes: 32 up to as many SMXs, as the papers' GPUs have, then one for each SMX.
pub const fn home_bits(smxs: usize) -> usize {
    if smxs < 32 {
        32
    } else {
        smxs
    }
}

/// What is known of a kernel beside its context; 140 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Kernel {
    /// Extent of its grid in thread blocks.
    pub grid: BlockId,
    /// Thread blocks in all.
    pub blocks: U<31>,
    /// What each block takes.
    pub needs: Needs,
}

/// Which earlier kernel's blocks a kernel's own depend on (section 8; rule 14 of `docs/ikra.md`):
/// block `i` on block `ratio * i + offset`.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
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

/// Layouts of a kernel (rules 15 and 16 of `docs/ikra.md`).
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Layouts {
    /// That of the kernel that begins, or else runs.
    pub used: U<2>,
    /// The one whose direction was the one before; looked at when a kernel begins.
    pub source: U<2>,
    /// There is one; else the kernel runs forward.
    pub known: Bit,
}

impl Layouts {
    /// Those of schedulers that keep one layout: after reset its direction is as if there were
    /// none.
    pub const ONE: Self = Self { used: U::new(0), source: U::new(0), known: true };
}

/// A chunk that follows from an earlier kernel's (rule 18 of `docs/ikra.md`).
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct DerivedChunk {
    /// There is one.
    pub valid: Bit,
    /// Its first linear id.
    pub first: U<31>,
    /// It has no block.
    pub vacant: Bit,
}

/// A home that something has; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Home {
    /// It has one.
    pub valid: Bit,
    /// The SMX that it is.
    pub home: Word,
}

impl Home {
    /// Nothing, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { valid: false, home: Word::id(smxs, 0) }
    }
}

/// A stolen block of a nesting level (rules 26 and 27 of `docs/ikra.md`); all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Loot {
    /// Whether there is one.
    pub valid: Bit,
    /// The home of its kernel; zero at level 0, which has none.
    pub home: Word,
    /// Its kernel's entry.
    pub kernel: U<5>,
    /// Which one.
    pub block: BlockId,
}

impl Loot {
    /// No block, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { valid: false, home: Word::id(smxs, 0), kernel: U::new(0), block: BlockId::default() }
    }
}

/// What queues need to know of the device kernel that runs, or last ran, at a home and level; 52
/// bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tenancy {
    /// Its direction.
    pub forward: Bit,
    /// Its entry.
    pub kernel: U<5>,
    /// What each of its blocks takes.
    pub needs: Needs,
}

/// What all blocks that are left of a chunk or queue have in common; zero when nothing is left.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Stake {
    /// The home of their kernel.
    pub home: Word,
    /// Its entry.
    pub kernel: U<5>,
    /// What each of them takes.
    pub needs: Needs,
}

impl Stake {
    /// Nothing left, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { home: Word::id(smxs, 0), kernel: U::new(0), needs: Needs::default() }
    }
}

/// What an SMX runs next of its levels from 1 on; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
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

/// Where a device kernel that waits belongs; 12 bits up to 32 SMXs.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Ticket {
    /// Its entry.
    pub kernel: U<5>,
    /// The SMX of the block that launched it.
    pub home: Word,
    /// Its level, from 1 on.
    pub level: U<2>,
}

impl Ticket {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { kernel: U::new(0), home: Word::id(smxs, 0), level: U::new(0) }
    }
}

/// The device kernel that begins next; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct ChildKernel {
    /// There is one, and it has blocks.
    pub valid: Bit,
    /// Its entry.
    pub kernel: U<5>,
    /// The SMX of the block that launched it.
    pub home: Word,
    /// Its level, from 1 on.
    pub level: U<2>,
    /// Extent of its grid in thread blocks.
    pub grid: BlockId,
    /// What each block takes.
    pub needs: Needs,
}

impl ChildKernel {
    /// No kernel, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self {
            valid: false,
            kernel: U::new(0),
            home: Word::id(smxs, 0),
            level: U::new(0),
            grid: BlockId::default(),
            needs: Needs::default(),
        }
    }
}

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
    /// An SMX steals once its own work is executed, not already once it is dispatched.
    pub executed: bool,
}
