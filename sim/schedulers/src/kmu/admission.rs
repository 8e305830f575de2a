//! The part of every Kernel Management Unit that does not depend on how kernels launched by blocks
//! wait: work queues, suspended kernels, and which entries of the Kernel Distributor are spoken for
//! (`docs/dtbl.md`, rules 1 and 3 to 5).
//!
//! Undefined, and not to be compared: everything after a `record` that was not fetched, a
//! `finished_kernels` bit of an entry that no kernel was let into, or a `device_fetched` without
//! `device_turn`.

use super::cover;
use super::{PendingPool, PendingPoolInputs, WorkQueues, WorkQueuesInputs};
use crate::cover::{counting, when};
use crate::dependent;
use crate::port::{Activity, KernelEntry, KernelLaunch, RecordFetch, KERNEL_ENTRIES, WORK_QUEUES};

/// Input ports of [`KernelAdmission`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelAdmissionInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernel that the host offers.
    pub launch: Option<KernelLaunch>,
    /// The hardware work queue that it is the head of; 5 bits.
    pub queue: u8,
    /// A suspended kernel joins its pool.
    pub suspend: bool,
    /// A record that was fetched reaches the Kernel Distributor.
    pub record: Option<KernelLaunch>,
    /// One bit an entry of the Kernel Distributor: it is released at the end of this cycle.
    pub finished_kernels: u32,
    /// The entry that an offer takes.
    pub launch_entry: KernelEntry,
    /// The record of a kernel launched by a block is fetched in this cycle.
    pub device_fetched: bool,
}

/// Output ports of [`KernelAdmission`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelAdmissionOutputs {
    /// What goes to the Kernel Distributor: the record, else the accepted host kernel.
    pub offer: Option<KernelLaunch>,
    /// A host kernel is accepted in this cycle if it is offered.
    pub host_ready: bool,
    /// One bit a hardware work queue: its head may be offered.
    pub inspect: u32,
    /// The record of a suspended kernel is asked for.
    pub suspended: Option<RecordFetch>,
    /// The record of a kernel launched by a block may be asked for: an entry can be promised, and
    /// no suspended kernel gets it.
    pub device_turn: bool,
}

/// The queues, the pool of suspended kernels, and the number of entries that are spoken for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelAdmission {
    queues: WorkQueues,
    suspended: PendingPool,
    /// Entries of the Kernel Distributor that are occupied, or that a record on its way will take.
    promised: usize,
}

impl KernelAdmission {
    /// No promise, and queues that are all inspected.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelAdmissionInputs) -> KernelAdmissionOutputs {
        let inspect = self.queues.evaluate(&WorkQueuesInputs::default()).inspect;
        let inspected = inspect >> (usize::from(inputs.queue) % WORK_QUEUES) & 1 == 1;
        // A kernel that follows another one need not wait for it.
        let follows = inputs.launch.is_some_and(|launch| launch.follows.is_some());
        let host_ready =
            self.promised < KERNEL_ENTRIES && inputs.record.is_none() && (inspected || follows);
        let host = inputs.launch.filter(|_| host_ready);

        // The host's kernel of this cycle is counted before the fetch.
        let left = self.promised + usize::from(host.is_some()) < KERNEL_ENTRIES;
        let put = PendingPoolInputs { push: inputs.suspend, ..Default::default() };
        let suspended = self.suspended.evaluate(&put);
        let fetch = RecordFetch { suspended: true, index: suspended.first };
        KernelAdmissionOutputs {
            offer: inputs.record.or(host),
            host_ready,
            inspect,
            suspended: (left && suspended.any).then_some(fetch),
            device_turn: left && !suspended.any,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelAdmissionInputs) -> Activity {
        let KernelAdmissionInputs { reset, finished_kernels, .. } = *inputs;
        let outputs = self.evaluate(inputs);
        let accepted = inputs.launch.is_some() && outputs.host_ready;
        if counting() && !reset {
            self.cover(inputs, &outputs, accepted);
        }
        let fetched = outputs.suspended.is_some() || inputs.device_fetched;
        let queues = self.queues.clock(&WorkQueuesInputs {
            reset,
            accepted: accepted.then_some(inputs.queue),
            accepted_entry: inputs.launch_entry,
            finished_kernels,
        });
        let suspended = self.suspended.clock(&PendingPoolInputs {
            reset,
            push: inputs.suspend,
            pop: outputs.suspended.is_some(),
        });
        let before = self.promised;
        self.promised += usize::from(accepted) + usize::from(fetched);
        self.promised = self.promised.saturating_sub(finished_kernels.count_ones() as usize);
        if reset {
            self.promised = 0;
        }
        Activity::any([queues, suspended, (self.promised != before).into()])
    }

    /// Who waits for what in this cycle.
    fn cover(
        &self,
        inputs: &KernelAdmissionInputs,
        outputs: &KernelAdmissionOutputs,
        accepted: bool,
    ) {
        let full = self.promised == KERNEL_ENTRIES;
        let inspected = outputs.inspect >> (usize::from(inputs.queue) % WORK_QUEUES) & 1 == 1;
        when(accepted && !inspected, &dependent::cover::BEHIND);
        let waits = inputs.launch.is_some() && !accepted;
        when(waits && full, &cover::HOST_WAITS_FULL);
        when(waits && inputs.record.is_some(), &cover::HOST_WAITS_RECORD);
        when(waits && !full && inputs.record.is_none(), &cover::HOST_WAITS_QUEUE);
        let before = self.suspended.waiting() > 0;
        let suspended = before || inputs.suspend;
        let last = accepted && self.promised + 1 == KERNEL_ENTRIES;
        when(last && suspended, &cover::HOST_TAKES_LAST);
        let fetched = outputs.suspended.is_some();
        when(fetched, &cover::SUSPENDED);
        when(fetched && !before, &cover::PUT_AND_FETCHED);
        when(!fetched && suspended, &cover::NO_ENTRY);
    }

    /// What waits, for the report of a stuck run; `device` kernels launched by blocks are pending.
    pub(in super::super) fn explain(&self, device: u32) -> String {
        format!(
            "the Kernel Management Unit: {} entries occupied or promised, {} work queues wait for \
             their head, {device} device and {} suspended kernels pending",
            self.promised,
            self.queues.waiting(),
            self.suspended.waiting()
        )
    }
}

#[cfg(test)]
mod tests;
