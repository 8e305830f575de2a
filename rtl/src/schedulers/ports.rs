//! The ports of a whole scheduler, by the groups of the cycle contract.
//!
//! Whoever drives or reads a scheduler takes the groups apart field by field, so that a port that
//! is forgotten does not compile. A group that a scheduler does not have is `None`, or a row of no
//! ports.

use crate::clusters::ClusterExtent;
use crate::dependent::DependentPorts;
use crate::dtbl::{GroupDispatch, GroupMemoryPorts, GroupPorts};
use crate::gate::SamplePorts;
use crate::ikra::Relation;
use crate::kmu::ManagementPorts;
use crate::laperm::{ParentPorts, QueuePorts};
use crate::port::{CancelPorts, Dispatch, Launch, LaunchPorts, LookupPorts};
use crate::prelude::*;

/// The bundles, to be driven, and the input ports beside them.
pub struct InputPorts<'a> {
    /// Kernels of the host.
    pub launch: &'a mut LaunchPorts,
    /// Contexts that SMXs ask for.
    pub lookup: &'a mut LookupPorts,
    /// Blocks that end.
    pub completions: CompletionInputs<'a>,
    /// What SMXs count, for schedulers that sample it.
    pub samples: Option<&'a mut SamplePorts>,
    /// The number of the cycle, for schedulers that measure time.
    pub clock: Option<&'a mut Signal<In, U<40>>>,
    /// The relation of the offered kernel to an earlier one, for schedulers that follow it.
    pub relation: Option<&'a mut Signal<In, Relation>>,
    /// The clusters of the offered kernel, for schedulers that place them.
    pub cluster: Option<&'a mut Signal<In, ClusterExtent>>,
    /// The priority of the offered kernel, for schedulers that have them.
    pub urgency: Option<&'a mut Signal<In, U<3>>>,
    /// The partition of the offered kernel, for schedulers that have them.
    pub partition: Option<&'a mut Signal<In, U<3>>>,
    /// Whom the offered kernel follows, and blocks that trigger, for schedulers of dependent
    /// kernels.
    pub dependents: Option<&'a mut DependentPorts>,
    /// A running block that asks for another one, for schedulers that answer.
    pub cancels: Option<&'a mut CancelPorts>,
    /// Of the Kernel Management Unit.
    pub management: Option<&'a mut ManagementPorts>,
    /// The record that it fetched; there with `management`.
    pub record: Option<&'a mut Signal<In, Launch>>,
    /// Of aggregated groups.
    pub groups: Option<&'a mut GroupPorts>,
    /// Of groups in memory; `None` where groups wait in priority queues.
    pub group_memory: Option<&'a mut GroupMemoryPorts>,
    /// Who launches kernels, and where these wait.
    pub parents: Option<&'a mut ParentPorts>,
    /// Of priority queues.
    pub queues: Option<&'a mut QueuePorts>,
}

/// Blocks that end.
pub struct CompletionInputs<'a> {
    /// One bit for each SMX: a block ends there.
    pub finished: &'a mut Signal<In, Mask>,
    /// For each SMX, whose block it is; no ports where the scheduler knows it by the slot or has
    /// one kernel.
    pub kernel: &'a mut [Signal<In, U<5>>],
    /// For each SMX, its slot; no ports where blocks have no control registers.
    pub slot: &'a mut [Signal<In, U<5>>],
}

/// The bundles, to be read, and the output ports beside them.
pub struct OutputPorts<'a> {
    /// Kernels of the host.
    pub launch: &'a LaunchPorts,
    /// Contexts that SMXs ask for.
    pub lookup: &'a LookupPorts,
    /// One bit for each entry that has ended.
    pub finished_kernels: &'a Signal<Out, U<32>>,
    /// For each SMX, the block that it receives.
    pub dispatch: DispatchOutputs<'a>,
    /// How many blocks may run, for schedulers that sample what SMXs count; a row of no ports where
    /// none are paused.
    pub samples: Option<&'a SamplePorts>,
    /// A running block that asks for another one, for schedulers that answer.
    pub cancels: Option<&'a CancelPorts>,
    /// Of the Kernel Management Unit.
    pub management: Option<&'a ManagementPorts>,
    /// Of aggregated groups.
    pub groups: Option<&'a GroupPorts>,
    /// Of groups in memory; `None` where groups wait in priority queues.
    pub group_memory: Option<&'a GroupMemoryPorts>,
    /// Who launches kernels, and where these wait.
    pub parents: Option<&'a ParentPorts>,
    /// Of priority queues.
    pub queues: Option<&'a QueuePorts>,
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
