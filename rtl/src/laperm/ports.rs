//! The words of priority queues.

use crate::dtbl::BlockRegister;
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

/// One level of a queue; 9 bits up to 32 SMXs. The number of a queue is as wide as that of an SMX,
/// however many SMXs share one.
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

/// The next block of a queue's first unit.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadBlock {
    /// What its control register would hold.
    pub register: BlockRegister,
    /// The unit's level.
    pub level: U<4>,
    /// It is the unit's last block.
    pub ends: Bit,
    /// The unit has no blocks.
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

port_bundle! {
    /// What the selector sees, and what it chooses (LaPerm, section IV-C).
    pub struct SelectorPorts (smxs: usize, queues: usize) {
        inputs {
            /// One bit for each queue with a head.
            heads: Signal<In, Mask> = Signal::mask(queues),
            /// Queue 0 has a head.
            zero: Signal<In, Bit>,
            /// The candidate fits.
            asked: Signal<In, Bit>,
            /// The gates let it go.
            allowed: Signal<In, Bit>,
        }
        outputs {
            /// The SMX whose turn it is.
            turn: Signal<Out, Word> = Signal::id(smxs),
            /// Its bit; zero when none is visited.
            visited: Signal<Out, Mask> = Signal::mask(smxs),
            /// The candidate is the head of the chosen queue (stage 1 or 3).
            from_queue: Signal<Out, Bit>,
            /// The candidate is the head of queue 0 (stage 2).
            from_zero: Signal<Out, Bit>,
            /// The queue; valid with `from_queue`.
            chosen: Signal<Out, Word> = Signal::id(smxs),
        }
    }
}

port_bundle! {
    /// Who launches device kernels, and where these wait.
    pub struct ParentPorts (smxs: usize) {
        inputs {
            /// Who launches a device kernel; valid with `device_launch`.
            launch_parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
            /// The pool of `record`, level 0 for that of suspended kernels.
            record_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
        }
        outputs {
            /// The pool of the kernel of `device_launch`; zero without one.
            launch_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
            /// The pool of the record that is asked for; zero for that of suspended kernels, and
            /// for none.
            fetch_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
        }
    }
}

port_bundle! {
    /// Priority queues, and the part of them in global memory (LaPerm, section IV).
    pub struct QueuePorts (smxs: usize) {
        inputs {
            /// Who launches `group`.
            group_parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
            /// A unit comes back from memory; it stays until `refill_taken`.
            refill: Signal<In, Refill> = Signal::of(Refill::none(smxs)),
        }
        outputs {
            /// The kernel of `record` enters the Distributor in this cycle.
            record_taken: Signal<Out, Bit>,
            /// The level of the block that is dispatched; zero without one.
            level: Signal<Out, U<4>>,
            /// A unit is put into memory.
            spill: Signal<Out, Spill> = Signal::of(Spill::none(smxs)),
            /// A unit in memory is asked for.
            fetch_entry: Signal<Out, EntryFetch> = Signal::of(EntryFetch::none(smxs)),
            /// The unit at `refill` is taken.
            refill_taken: Signal<Out, Bit>,
        }
    }
}

/// Bits of a word with one for each of `queues` queues: 32 up to 32 of them, as many as a number of
/// 5 bits names.
pub(super) const fn queue_bits(queues: usize) -> usize {
    if queues < 32 {
        32
    } else {
        queues
    }
}
