//! The ports of a whole scheduler, by the groups of the cycle contract.
//!
//! Whoever drives or reads a scheduler takes the groups apart field by field, so that a port that is forgotten
//! does not compile. A group that a scheduler does not have is `None`, or a row of no ports.

use crate::dtbl::{Command, FetchedGroup, Group, GroupDispatch, LinkWrite, Outcome};
use crate::ikra::Relation;
use crate::laperm::{EntryFetch, Parent, Place, Refill, Spill};
use crate::port::{Context, Dispatch, Launch};
use crate::prelude::*;
use crate::prim::Tagged;

/// The input ports.
pub struct InputPorts<'a> {
    /// Of the host.
    pub host: HostInputs<'a>,
    /// Blocks that end.
    pub completions: CompletionInputs<'a>,
    /// What SMXs count, for schedulers that sample it.
    pub samples: Option<SampleInputs<'a>>,
    /// The number of the cycle, for schedulers that measure time.
    pub clock: Option<&'a mut Signal<In, U<40>>>,
    /// The relation of the offered kernel to an earlier one, for schedulers that follow it.
    pub relation: Option<&'a mut Signal<In, Relation>>,
    /// Of the Kernel Management Unit.
    pub management: Option<ManagementInputs<'a>>,
    /// Of aggregated groups.
    pub groups: Option<GroupInputs<'a>>,
    /// Who launches kernels.
    pub parents: Option<ParentInputs<'a>>,
    /// Of priority queues.
    pub queues: Option<QueueInputs<'a>>,
}

/// What the host drives, and the SMXs' lookups.
pub struct HostInputs<'a> {
    /// A kernel is offered.
    pub launch: &'a mut Signal<In, Launch>,
    /// An SMX asks for a kernel's context.
    pub lookup: &'a mut Signal<In, Tagged>,
}

/// Blocks that end.
pub struct CompletionInputs<'a> {
    /// One bit for each SMX: a block ends there.
    pub finished: &'a mut Signal<In, Mask>,
    /// For each SMX, whose block it is; no ports where the scheduler knows it by the slot or has one kernel.
    pub kernel: &'a mut [Signal<In, U<5>>],
    /// For each SMX, its slot; no ports where blocks have no control registers.
    pub slot: &'a mut [Signal<In, U<5>>],
}

/// What SMXs counted in a period.
pub struct SampleInputs<'a> {
    /// The counts are valid.
    pub valid: &'a mut Signal<In, Bit>,
    /// For each SMX, idle cycles.
    pub idle: &'a mut [Signal<In, U<12>>],
    /// For each SMX, cycles in which it waited for memory.
    pub memory: &'a mut [Signal<In, U<12>>],
}

/// What the Kernel Management Unit sees.
pub struct ManagementInputs<'a> {
    /// The queue of the launch port.
    pub work_queue: &'a mut Signal<In, U<5>>,
    /// A device kernel joins its pool.
    pub device_launch: &'a mut Signal<In, Bit>,
    /// A suspended kernel joins its pool.
    pub suspend: &'a mut Signal<In, Bit>,
    /// The record that arrives.
    pub record: &'a mut Signal<In, Launch>,
}

/// What the coalescer sees, and the group of a lookup.
pub struct GroupInputs<'a> {
    /// The group of the lookup port.
    pub lookup_group: &'a mut Signal<In, U<32>>,
    /// The command that is offered.
    pub command: &'a mut Signal<In, Command>,
    /// Its next group.
    pub group: &'a mut Signal<In, Group>,
    /// The information that was fetched; `None` where groups wait in priority queues.
    pub fetched: Option<&'a mut Signal<In, FetchedGroup>>,
}

/// Who launches kernels.
pub struct ParentInputs<'a> {
    /// Who launches the device kernel.
    pub launch_parent: &'a mut Signal<In, Parent>,
    /// The pool of the record.
    pub record_place: &'a mut Signal<In, Place>,
}

/// What priority queues see.
pub struct QueueInputs<'a> {
    /// Who launches the group.
    pub group_parent: &'a mut Signal<In, Parent>,
    /// A unit that comes back from memory.
    pub refill: &'a mut Signal<In, Refill>,
}

/// The output ports.
pub struct OutputPorts<'a> {
    /// To the host and the SMXs' lookups.
    pub host: HostOutputs<'a>,
    /// For each SMX, the block that it receives.
    pub dispatch: DispatchOutputs<'a>,
    /// Of the Kernel Management Unit.
    pub management: Option<ManagementOutputs<'a>>,
    /// Of aggregated groups.
    pub groups: Option<GroupOutputs<'a>>,
    /// Where launched kernels wait.
    pub parents: Option<ParentOutputs<'a>>,
    /// Of priority queues.
    pub queues: Option<QueueOutputs<'a>>,
}

/// What the host sees, and the answer to a lookup.
pub struct HostOutputs<'a> {
    /// An entry is free.
    pub launch_ready: &'a Signal<Out, Bit>,
    /// Which one.
    pub launch_entry: &'a Signal<Out, U<5>>,
    /// One bit for each entry that has ended.
    pub finished_kernels: &'a Signal<Out, U<32>>,
    /// The lookup names an occupied entry.
    pub context_valid: &'a Signal<Out, Bit>,
    /// Its context.
    pub kernel_context: &'a Signal<Out, Context>,
}

/// Blocks on their way to the SMXs.
pub struct DispatchOutputs<'a> {
    /// For each SMX a native block; no ports where blocks may belong to groups.
    pub native: &'a [Signal<Out, Dispatch>],
    /// For each SMX a block of a kernel or of a group; no ports where there are no groups.
    pub grouped: &'a [Signal<Out, GroupDispatch>],
    /// For each SMX the slot that it takes; no ports where blocks have no control registers.
    pub slot: &'a [Signal<Out, U<5>>],
}

/// What the Kernel Management Unit asks of its queues and pools.
pub struct ManagementOutputs<'a> {
    /// One bit for each hardware work queue: its head may be offered.
    pub inspect: &'a Signal<Out, U<32>>,
    /// A record is asked for.
    pub fetch_record: &'a Signal<Out, Bit>,
    /// From the pool of suspended kernels.
    pub fetch_suspended: &'a Signal<Out, Bit>,
    /// Its place in the pool.
    pub fetch_index: &'a Signal<Out, U<32>>,
}

/// What becomes of groups.
pub struct GroupOutputs<'a> {
    /// A command offered now is accepted.
    pub command_ready: &'a Signal<Out, Bit>,
    /// What becomes of the group that is offered.
    pub outcome: &'a Signal<Out, Outcome>,
    /// What is kept in memory; `None` where groups wait in priority queues.
    pub memory: Option<GroupMemoryOutputs<'a>>,
}

/// What is read and written of groups in memory.
pub struct GroupMemoryOutputs<'a> {
    /// A group's information is asked for.
    pub fetch_group: &'a Signal<Out, Bit>,
    /// Where it is.
    pub fetch_pointer: &'a Signal<Out, U<31>>,
    /// A link that memory keeps.
    pub link_write: &'a Signal<Out, LinkWrite>,
}

/// Where launched kernels wait.
pub struct ParentOutputs<'a> {
    /// The pool of the device kernel.
    pub launch_place: &'a Signal<Out, Place>,
    /// The record enters the Distributor; `None` where it always does.
    pub record_taken: Option<&'a Signal<Out, Bit>>,
    /// The pool of the record that is asked for.
    pub fetch_place: &'a Signal<Out, Place>,
}

/// What priority queues say.
pub struct QueueOutputs<'a> {
    /// The level of the block that is dispatched.
    pub level: &'a Signal<Out, U<4>>,
    /// A unit is put into memory.
    pub spill: &'a Signal<Out, Spill>,
    /// A unit in memory is asked for.
    pub fetch_entry: &'a Signal<Out, EntryFetch>,
    /// The unit that comes back is taken.
    pub refill_taken: &'a Signal<Out, Bit>,
}
