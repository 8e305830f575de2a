//! The words of priority queues.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::dispatch::BlockId;
use crate::word::U;
use rust_hdl::prelude::*;

/// The block that launches; 9 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Parent {
    /// The SMX on which it runs.
    pub smx: U<5>,
    /// Its level, 0 to 8.
    pub level: U<4>,
}
crate::fields!(Parent { smx, level });

/// One level of a queue; 9 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The queue's number.
    pub queue: U<5>,
    /// The level, 1 to 8; 0 stands for queue 0.
    pub level: U<4>,
}
crate::fields!(Place { queue, level });

/// A device kernel or an aggregated group in a queue; 100 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueEntry {
    /// The kernel's entry.
    pub kernel: U<5>,
    /// The reference of the group; all ones for a device kernel.
    pub group: U<32>,
    /// Its extent in thread blocks.
    pub grid: BlockId,
}
crate::fields!(QueueEntry { kernel, group, grid });

/// The first unit of a queue.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
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
crate::fields!(QueueHead { entry, level, at, ends, empty });

/// A unit that an overflow queue takes; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
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
crate::fields!(Spill { valid, place, index, entry });

/// A unit that is asked of an overflow queue; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct EntryFetch {
    /// Whether one is asked for.
    pub valid: Bit,
    /// Which overflow queue.
    pub place: Place,
    /// Its number in that queue.
    pub index: U<32>,
}
crate::fields!(EntryFetch { valid, place, index });

/// A unit that comes back from an overflow queue.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Refill {
    /// Whether one is there.
    pub valid: Bit,
    /// Where it comes from.
    pub place: Place,
    /// What it is.
    pub entry: QueueEntry,
}
crate::fields!(Refill { valid, place, entry });

/// Whether a queue takes a new unit.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueStatus {
    /// It can begin an insertion.
    pub ready: Bit,
    /// All its entries are taken or promised.
    pub full: Bit,
    /// One bit for each rank (8 - level) of which units are in memory or on their way from there.
    pub behind: U<8>,
}
crate::fields!(QueueStatus { ready, full, behind });

/// The backup queue of an SMX; 6 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Backup {
    /// One was chosen.
    pub recorded: Bit,
    /// Which one; valid with `recorded`.
    pub queue: U<5>,
}
crate::fields!(Backup { recorded, queue });
