//! Twin of `kmu/management_unit`: which kernel gets the next entry of the Kernel Distributor
//! (DTBL, sections 2.2 and 2.4).
//!
//! Undefined, and not to be compared: everything after a `record` that was not fetched, or a
//! `finished_kernels` bit of an entry that no kernel was let into.

use super::{KernelAdmission, KernelAdmissionInputs, PendingPool, PendingPoolInputs};
use crate::port::{Activity, KernelEntry, KernelLaunch, RecordFetch};

/// Input ports of [`ManagementUnit`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementUnitInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernel that the host offers.
    pub launch: Option<KernelLaunch>,
    /// The hardware work queue that it is the head of; 5 bits.
    pub queue: u8,
    /// A kernel launched by a block joins its pool.
    pub device_launch: bool,
    /// A suspended kernel joins its pool.
    pub suspend: bool,
    /// A record that was fetched reaches the Kernel Distributor.
    pub record: Option<KernelLaunch>,
    /// One bit an entry of the Kernel Distributor: it is released at the end of this cycle.
    pub finished_kernels: u32,
    /// The entry that an offer takes.
    pub launch_entry: KernelEntry,
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
    /// `fetch`, `fetch_suspended` and `fetch_index`: the record that is asked for.
    pub fetch: Option<RecordFetch>,
}

/// What every such unit has, and the pool of kernels that blocks launched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementUnit {
    entries: KernelAdmission,
    device: PendingPool,
}

impl ManagementUnit {
    /// Empty pools, and queues that are all inspected.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ManagementUnitInputs) -> ManagementUnitOutputs {
        let entries = self.entries.evaluate(&without_pool(inputs));
        let put = PendingPoolInputs { push: inputs.device_launch, ..Default::default() };
        let device = self.device.evaluate(&put);
        let first = RecordFetch { suspended: false, index: device.first };
        let from_device = (entries.device_turn && device.any).then_some(first);
        ManagementUnitOutputs {
            offer: entries.offer,
            host_ready: entries.host_ready,
            inspect: entries.inspect,
            fetch: entries.suspended.or(from_device),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ManagementUnitInputs) -> Activity {
        let device_fetched = self.evaluate(inputs).fetch.is_some_and(|fetch| !fetch.suspended);
        let entries_inputs = KernelAdmissionInputs { device_fetched, ..without_pool(inputs) };
        let entries = self.entries.clock(&entries_inputs);
        let device = self.device.clock(&PendingPoolInputs {
            reset: inputs.reset,
            push: inputs.device_launch,
            pop: device_fetched,
        });
        Activity::any([entries, device])
    }

    /// What waits, for the report of a stuck run.
    pub(super) fn explain(&self) -> String {
        self.entries.explain(self.device.waiting())
    }
}

/// What the part without the pool of device kernels sees, in a cycle that fetches none of them.
fn without_pool(inputs: &ManagementUnitInputs) -> KernelAdmissionInputs {
    let ManagementUnitInputs { reset, launch, queue, suspend, record, .. } = *inputs;
    let ManagementUnitInputs { finished_kernels, launch_entry, .. } = *inputs;
    KernelAdmissionInputs {
        reset,
        launch,
        queue,
        suspend,
        record,
        finished_kernels,
        launch_entry,
        device_fetched: false,
    }
}

#[cfg(test)]
mod tests;
