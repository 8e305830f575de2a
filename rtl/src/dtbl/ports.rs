//! The words that launches from the device are made of.

use crate::port::{BlockId, Extent};
use crate::prelude::*;

/// The aggregation command of a warp: what its groups have in common; 74 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Whether one is offered.
    pub valid: Bit,
    /// Address of the first instruction.
    pub entry_pc: U<32>,
    /// Extent of a thread block.
    pub block: Extent,
    /// How many groups follow, 1 to 32.
    pub groups: U<6>,
    /// Cycles until their parameters are in place.
    pub wait: U<6>,
}

/// An aggregated group on its way to a kernel.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    /// Whether there is one.
    pub valid: Bit,
    /// The launching thread's number on its SMX.
    pub hardware_thread: U<16>,
    /// Where its information is in global memory; not all ones.
    pub pointer: U<31>,
    /// Address of its parameters.
    pub parameter_address: U<32>,
    /// Its extent in thread blocks; no dimension is zero.
    pub grid: BlockId,
    /// Its thread blocks in all.
    pub blocks: U<31>,
}

/// A group's information as it comes from global memory.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct FetchedGroup {
    /// Whether it comes in this cycle.
    pub valid: Bit,
    /// The group's extent in thread blocks.
    pub grid: BlockId,
    /// The reference of the group after it.
    pub after: U<32>,
}

/// A group of the table of which a block is counted; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Served {
    /// Whether there is one.
    pub valid: Bit,
    /// Its entry.
    pub index: U<11>,
}

/// A group in global memory, by its place in the ring of its kernel's entry; all zeros when not
/// valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct RingPlace {
    /// Whether there is one.
    pub valid: Bit,
    /// The kernel's entry.
    pub kernel: U<5>,
    /// Its number among the groups of that entry that were left in memory, from 0; wraps.
    pub index: U<32>,
}

/// What became of a group; all zeros when none is taken.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The group is taken.
    pub taken: Bit,
    /// It is coalesced to a kernel; otherwise none is eligible.
    pub matched: Bit,
    /// The kernel's entry; zero unless `matched`.
    pub kernel: U<5>,
    /// Where its information is kept; zero unless `matched`.
    pub reference: U<32>,
}

/// A link between two groups that memory keeps; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkWrite {
    /// Whether one is written.
    pub valid: Bit,
    /// Where the information of the earlier group is.
    pub pointer: U<31>,
    /// The reference of the later one.
    pub after: U<32>,
}

/// A thread block control register (TBCR); 100 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockRegister {
    /// KDEI: the kernel's entry.
    pub kernel: U<5>,
    /// AGEI: the reference of the group; all ones for a native block.
    pub group: U<32>,
    /// BLKID: the block's index in its grid or group.
    pub block: BlockId,
}

/// What of a thread block control register is needed a cycle after the block's end; 95 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupBlock {
    /// AGEI, as in [`BlockRegister`].
    pub group: U<32>,
    /// BLKID.
    pub block: BlockId,
}

/// A thread block on its way to an SMX; all zeros when not valid.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupDispatch {
    /// Whether the SMX receives a block.
    pub valid: Bit,
    /// What its control register holds.
    pub register: BlockRegister,
}

port_bundle! {
    /// Groups on their way to kernels, and the group of a lookup (DTBL, sections 4.2 and 4.3).
    pub struct GroupPorts {
        inputs {
            /// The reference of the group of the block that looks its context up, all ones for a
            /// kernel's own.
            lookup_group: Signal<In, U<32>>,
            /// A warp's command is offered; accepted when `command_ready`.
            command: Signal<In, Command>,
            /// The next group of the command in the allocation stage.
            group: Signal<In, Group>,
            /// One bit for each entry: its kernel does not end, whether it has blocks or not.
            keep: Signal<In, U<32>>,
        }
        outputs {
            /// The search stage of the coalescer is free.
            command_ready: Signal<Out, Bit>,
            /// What becomes of `group`.
            outcome: Signal<Out, Outcome>,
        }
    }
}

port_bundle! {
    /// What is read and written of groups in global memory.
    pub struct GroupMemoryPorts {
        inputs {
            /// Information that was asked for arrives, in the order of the requests.
            fetched: Signal<In, FetchedGroup>,
        }
        outputs {
            /// A group's information is asked for.
            fetch_group: Signal<Out, RingPlace>,
            /// A link that memory keeps.
            link_write: Signal<Out, LinkWrite>,
        }
    }
}
