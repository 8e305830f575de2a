//! Twin of `kmu/management_unit`: which kernel gets the next entry of the Kernel Distributor
//! (DTBL, sections 2.2 and 2.4).
//!
//! Undefined, and not to be compared: everything after a `record` that was not fetched, or a
//! `finished_kernels` bit of an entry that no kernel was let into.

use super::super::activity;
use super::{PendingPool, PendingPoolInputs, WorkQueues, WorkQueuesInputs};
use crate::port::{Activity, KernelEntry, KernelLaunch, RecordFetch, KERNEL_ENTRIES, WORK_QUEUES};

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

/// The queues, the two pools, and the number of entries that are spoken for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementUnit {
    queues: WorkQueues,
    device: PendingPool,
    suspended: PendingPool,
    /// Entries of the Kernel Distributor that are occupied, or that a record on its way will take.
    promised: usize,
}

impl ManagementUnit {
    /// Empty pools, and queues that are all inspected.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ManagementUnitInputs) -> ManagementUnitOutputs {
        let inspect = self.queues.evaluate(&WorkQueuesInputs::default()).inspect;
        let inspected = inspect >> (usize::from(inputs.queue) % WORK_QUEUES) & 1 == 1;
        let host_ready = self.promised < KERNEL_ENTRIES && inputs.record.is_none() && inspected;
        let host = inputs.launch.filter(|_| host_ready);

        // The host's kernel of this cycle is counted before the fetch.
        let promised = self.promised + usize::from(host.is_some());
        let suspended = self.suspended.evaluate(&put(inputs.suspend));
        let device = self.device.evaluate(&put(inputs.device_launch));
        let fetch = if promised >= KERNEL_ENTRIES {
            None
        } else if suspended.any {
            Some(RecordFetch { suspended: true, index: suspended.first })
        } else if device.any {
            Some(RecordFetch { suspended: false, index: device.first })
        } else {
            None
        };
        ManagementUnitOutputs { offer: inputs.record.or(host), host_ready, inspect, fetch }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ManagementUnitInputs) -> Activity {
        let ManagementUnitInputs { reset, finished_kernels, .. } = *inputs;
        let outputs = self.evaluate(inputs);
        let accepted = inputs.launch.is_some() && outputs.host_ready;
        let fetched_from = |suspended| outputs.fetch.is_some_and(|f| f.suspended == suspended);
        let mut changed = false;
        for edge in [
            self.queues.clock(&WorkQueuesInputs {
                reset,
                accepted: accepted.then_some(inputs.queue),
                accepted_entry: inputs.launch_entry,
                finished_kernels,
            }),
            self.suspended.clock(&PendingPoolInputs {
                reset,
                push: inputs.suspend,
                pop: fetched_from(true),
            }),
            self.device.clock(&PendingPoolInputs {
                reset,
                push: inputs.device_launch,
                pop: fetched_from(false),
            }),
        ] {
            changed |= edge == Activity::Busy;
        }
        let before = self.promised;
        self.promised += usize::from(accepted) + usize::from(outputs.fetch.is_some());
        self.promised = self.promised.saturating_sub(finished_kernels.count_ones() as usize);
        if reset {
            self.promised = 0;
        }
        activity(changed || self.promised != before)
    }

    /// What waits, for the report of a stuck run.
    pub(super) fn explain(&self) -> String {
        format!(
            "the Kernel Management Unit: {} entries occupied or promised, {} work queues wait for \
             their head, {} device and {} suspended kernels pending",
            self.promised,
            self.queues.waiting(),
            self.device.waiting(),
            self.suspended.waiting()
        )
    }
}

/// Inputs of a pool, as far as its outputs depend on them.
fn put(push: bool) -> PendingPoolInputs {
    PendingPoolInputs { push, ..Default::default() }
}

#[cfg(test)]
mod tests;
