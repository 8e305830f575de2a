//! The words of priority queues.

use crate::port::BlockId;
use crate::prelude::*;

/// The block that launches; 9 bits up to 32 SMXs.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Parent {
    /// The SMX on which it runs.
    pub smx: Word,
    /// Its level, 0 to 8.
    pub level: U<4>,
}

impl Parent {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { smx: Word::id(smxs, 0), level: U::new(0) }
    }
}

/// One level of a queue; 9 bits up to 32 SMXs. The number of a queue is as wide as that of an SMX, however
/// many SMXs share one.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The queue's number.
    pub queue: Word,
    /// The level, 1 to 8; 0 stands for queue 0.
    pub level: U<4>,
}

impl Place {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { queue: Word::id(smxs, 0), level: U::new(0) }
    }
}

/// A device kernel or an aggregated group in a queue; 100 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueEntry {
    /// The kernel's entry.
    pub kernel: U<5>,
    /// The reference of the group; all ones for a device kernel.
    pub group: U<32>,
    /// Its extent in thread blocks.
    pub grid: BlockId,
}

/// The first unit of a queue.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueHead {
    /// What it is.
    pub entry: QueueEntry,
    /// Its level.
    pub level: U<4>,
    /// Its next block.
    pub at: BlockId,
    /// That block is its last.
    pub ends: Bit,
    /// It has no blocks.
    pub empty: Bit,
}

/// A unit that an overflow queue takes; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Spill {
    /// Whether there is one.
    pub valid: Bit,
    /// Which overflow queue.
    pub place: Place,
    /// Its number in that queue.
    pub index: U<32>,
    /// What it is.
    pub entry: QueueEntry,
}

impl Spill {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self {
            valid: false,
            place: Place::none(smxs),
            index: U::new(0),
            entry: QueueEntry::default(),
        }
    }
}

/// A unit that is asked of an overflow queue; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct EntryFetch {
    /// Whether one is asked for.
    pub valid: Bit,
    /// Which overflow queue.
    pub place: Place,
    /// Its number in that queue.
    pub index: U<32>,
}

impl EntryFetch {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { valid: false, place: Place::none(smxs), index: U::new(0) }
    }
}

/// A unit that comes back from an overflow queue.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Refill {
    /// Whether one is there.
    pub valid: Bit,
    /// Where it comes from.
    pub place: Place,
    /// What it is.
    pub entry: QueueEntry,
}

impl Refill {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { valid: false, place: Place::none(smxs), entry: QueueEntry::default() }
    }
}

/// Whether a queue takes a new unit.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueStatus {
    /// It can begin an insertion.
    pub ready: Bit,
    /// All its entries are taken or promised.
    pub full: Bit,
    /// One bit for each rank (8 - level) of which units are in memory or on their way from there.
    pub behind: U<8>,
}

/// The backup queue of an SMX; 6 bits up to 32 SMXs.
#[derive(Record, Clone, Copy, Debug, PartialEq)]
pub struct Backup {
    /// One was chosen.
    pub recorded: Bit,
    /// Which one; valid with `recorded`.
    pub queue: Word,
}

impl Backup {
    /// All zeros, for `smxs` SMXs.
    pub fn none(smxs: usize) -> Self {
        Self { recorded: false, queue: Word::id(smxs, 0) }
    }
}

/// Bits of a word with one for each of `queues` queues: 32 up to 32 of them, as many as a number of 5 bits
/// names.
pub(super) const fn queue_bits(queues: usize) -> usize {
    if queues < 32 {
        32
    } else {
        queues
    }
}
