//! Twin of `laperm/management_unit`: the Kernel Management Unit whose device kernels wait in bound
//! pools (LaPerm, section IV-C; `docs/laperm.md`, rule 14).
//!
//! Undefined, and not to be compared: what is so of its parts.

use super::super::kmu::{KernelAdmission, KernelAdmissionInputs};
use super::{BoundPools, BoundPoolsInputs, LapermConfig};
use crate::port::{Activity, KernelLaunch, QueuePlace, RecordFetch};

/// Input ports of [`ManagementUnit`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementUnitInputs {
    /// Those of every such unit; its `device_fetched` does not matter.
    pub entries: KernelAdmissionInputs,
    /// The pool that the kernel joins which a block launches.
    pub device_launch: Option<QueuePlace>,
}

/// Output ports of [`ManagementUnit`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementUnitOutputs {
    /// What goes to the Kernel Distributor: the record, else the accepted host kernel.
    pub offer: Option<KernelLaunch>,
    /// A host kernel is accepted in this cycle if it is offered.
    pub host_ready: bool,
    /// One bit a hardware work queue: its head may be offered.
    pub inspect: u32,
    /// The record that is asked for.
    pub fetch: Option<RecordFetch>,
    /// The pool of that record; zero without one, and for a suspended kernel.
    pub fetch_place: QueuePlace,
}

/// What every such unit has, and the bound pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManagementUnit {
    entries: KernelAdmission,
    pools: BoundPools,
}

impl ManagementUnit {
    /// The unit of a GPU with `smx` SMXs: empty pools, and queues that are all inspected.
    pub fn new(config: &LapermConfig, smx: usize) -> Self {
        Self { entries: KernelAdmission::new(), pools: BoundPools::new(config, smx) }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ManagementUnitInputs) -> ManagementUnitOutputs {
        let entries = self.entries.evaluate(&inputs.entries);
        let search = BoundPoolsInputs { search: entries.device_turn, ..Default::default() };
        let found = self.pools.evaluate(&search).fetch;
        let of_block = found.map(|(_, index)| RecordFetch { suspended: false, index });
        ManagementUnitOutputs {
            offer: entries.offer,
            host_ready: entries.host_ready,
            inspect: entries.inspect,
            fetch: entries.suspended.or(of_block),
            fetch_place: found.map_or(QueuePlace::default(), |(place, _)| place),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ManagementUnitInputs) -> Activity {
        let search = self.entries.evaluate(&inputs.entries).device_turn;
        let pools_inputs =
            BoundPoolsInputs { reset: inputs.entries.reset, launch: inputs.device_launch, search };
        let device_fetched = self.pools.evaluate(&pools_inputs).fetch.is_some();
        let entries_inputs = KernelAdmissionInputs { device_fetched, ..inputs.entries.clone() };
        let entries = self.entries.clock(&entries_inputs);
        let pools = self.pools.clock(&pools_inputs);
        Activity::any([entries, pools])
    }

    /// What waits, for the report of a stuck run.
    pub(in super::super) fn explain(&self) -> String {
        self.entries.explain(self.pools.waiting())
    }
}

#[cfg(test)]
mod tests;
