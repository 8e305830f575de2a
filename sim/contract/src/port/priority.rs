//! What crosses when the scheduler has priority queues: who launches, where units wait, and what
//! the overflow queues in global memory hold (LaPerm, section IV).
//!
//! All of it is at rest under other schedulers. The meaning of every field, cycle by cycle, is on
//! `docs/laperm.md`.

use super::{Dim3, GroupReference, KernelEntry};

/// Most levels of child blocks (LaPerm's L).
pub const MAX_LEVELS: u8 = 8;

/// The block that launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parent {
    /// The SMX on which it runs.
    pub smx: u8,
    /// Its priority level, 0 (host kernels) to [`MAX_LEVELS`].
    pub level: u8,
}

/// One level of the priority queue of an SMX or cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueuePlace {
    /// The queue's number.
    pub queue: u8,
    /// The level, 1 to [`MAX_LEVELS`]; 0 stands for queue 0.
    pub level: u8,
}

/// An entry of a priority queue: a device kernel or an aggregated group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct QueueEntry {
    /// The kernel's entry in the Kernel Distributor.
    pub kernel: KernelEntry,
    /// The group, or none for a device kernel's own blocks.
    pub group: Option<GroupReference>,
    /// Its extent in thread blocks.
    pub grid: Dim3,
}

/// A unit that an overflow queue in memory takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spill {
    /// Which overflow queue.
    pub place: QueuePlace,
    /// Its number in that queue, counted from the first one ever put there.
    pub index: u32,
    /// What is put there.
    pub entry: QueueEntry,
}

/// A unit that is asked of an overflow queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntryFetch {
    /// Which overflow queue.
    pub place: QueuePlace,
    /// Its number in that queue.
    pub index: u32,
}

/// A unit that comes back from an overflow queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Refill {
    /// Where it comes from.
    pub place: QueuePlace,
    /// What was put there.
    pub entry: QueueEntry,
}

/// Who launches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParentInputs {
    /// Who launches the kernel of [`super::ManagementInputs::device_launch`].
    pub launch_parent: Parent,
    /// Where the kernel of [`super::ManagementInputs::record`] was fetched from; level 0 for a
    /// kernel that was suspended.
    pub record_place: QueuePlace,
}

/// Where launched kernels wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParentOutputs {
    /// Into which pool the record of [`super::ManagementInputs::device_launch`] is put; zero
    /// without one.
    pub launch_place: QueuePlace,
    /// The pool that [`super::ManagementOutputs::fetch_record`] names; zero without a fetch, and
    /// for a kernel that was suspended.
    pub fetch_place: QueuePlace,
}

/// What priority queues see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueInputs {
    /// Who launches the group of [`super::GroupInputs::group`].
    pub group_parent: Parent,
    /// A unit comes back from memory; it stays until [`QueueOutputs::refill_taken`].
    pub refill: Option<Refill>,
}

/// What priority queues say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueOutputs {
    /// The priority level of the block that is dispatched in this cycle; zero without one, and
    /// under IKRA, where several may be: the level of a block is that of its kernel's pool.
    pub level: u8,
    /// A unit is put into an overflow queue.
    pub spill: Option<Spill>,
    /// A unit is asked of an overflow queue; it comes as [`QueueInputs::refill`].
    pub fetch_entry: Option<EntryFetch>,
    /// The unit at [`QueueInputs::refill`] is taken.
    pub refill_taken: bool,
}
