//! Launches from the device: the rules of the Kernel Management Unit (`docs/dtbl.md`).

use super::priority::BoundPools;
use crate::port::{
    Inputs, KernelEntry, KernelLaunch, Outputs, QueuePlace, RecordFetch, KERNEL_ENTRIES,
    WORK_QUEUES,
};

/// A pool of pending kernels.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Pool {
    /// Number of its first record.
    pub(super) first: u32,
    pub(super) records: u32,
}

impl Pool {
    /// The first record is fetched.
    pub(super) fn take(&mut self) {
        self.records -= 1;
        self.first = self.first.wrapping_add(1);
    }
}

/// See the module.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Management {
    /// Entries of the Kernel Distributor that are occupied or promised.
    promised: usize,
    /// The entry of the kernel of each work queue that is in the Kernel Distributor.
    queues: [Option<KernelEntry>; WORK_QUEUES],
    suspended: Pool,
    device: Pool,
    /// Instead of `device`, with priority queues.
    bound: Option<BoundPools>,
}

impl Management {
    /// That of a scheduler with priority queues.
    pub(super) fn bound(pools: BoundPools) -> Self {
        Self { bound: Some(pools), ..Self::default() }
    }

    /// Rule 5: whether a kernel of the host may enter; `record` says whether a record enters.
    pub(super) fn takes_host_kernel(&self, inputs: &Inputs, record: bool) -> bool {
        let queue = usize::from(inputs.device.management.work_queue);
        let follows = inputs.launch.is_some_and(|launch| launch.follows.is_some());
        self.promised < KERNEL_ENTRIES
            && !record
            && self.queues.get(queue).is_some_and(|running| running.is_none() || follows)
    }

    /// Checks one cycle; `free` is the lowest free entry, `record` says whether a record enters.
    pub(super) fn check(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        free: Option<usize>,
        record: bool,
    ) -> Result<(), String> {
        let running = |queue: &usize| self.queues[*queue].is_some();
        let busy: u32 = (0..WORK_QUEUES).filter(running).map(|queue| 1 << queue).sum();
        let device = &outputs.device;
        if device.management.inspect != !busy {
            return Err(format!(
                "inspect is {:#010x}, the queues without a running kernel are {:#010x}",
                device.management.inspect, !busy
            ));
        }
        let queue = inputs.device.management.work_queue;
        let waits = |launch: KernelLaunch| {
            busy >> queue & 1 == 1
                && (launch.follows.is_none() || launch.follows != self.queues[usize::from(queue)])
        };
        if inputs.launch.is_some_and(waits) {
            return Err(format!("the host offers the head of queue {queue}, whose kernel runs"));
        }
        let entry = device.management.record_entry.map(KernelEntry::index);
        let expected = free.filter(|_| record);
        if entry != expected || record && entry.is_none() {
            return Err(format!(
                "a record takes entry {entry:?}, the lowest free one is {expected:?}{}",
                if record { "" } else { ", but none may enter" }
            ));
        }
        let from = inputs.device.parents.record_place;
        let of_block = inputs.device.management.record.is_some() && from.level > 0;
        if of_block && self.bound.as_ref().is_some_and(|pools| !pools.is_on_way(from)) {
            return Err(format!("a record of {from:?} comes that was not asked for"));
        }
        let (expected, place) = self.fetch(inputs, outputs);
        let (got, got_place) = (device.management.fetch_record, device.parents.fetch_place);
        if (got, got_place) != (expected, place) {
            let promised = self.promised;
            return Err(format!(
                "fetch_record is {got:?} of {got_place:?}, not {expected:?} of {place:?}, with {promised} entries promised"
            ));
        }
        Ok(())
    }

    /// Rules 3 and 4: whether an entry can be promised, and whether to a suspended kernel.
    fn promises(&self, inputs: &Inputs, outputs: &Outputs) -> (bool, bool) {
        let accepted = inputs.launch.is_some() && outputs.launch_ready.is_some();
        let room = self.promised + usize::from(accepted) < KERNEL_ENTRIES;
        (room, self.suspended.records > 0 || inputs.device.management.suspend)
    }

    /// What is fetched in this cycle, and from which pool.
    fn fetch(&self, inputs: &Inputs, outputs: &Outputs) -> (Option<RecordFetch>, QueuePlace) {
        let suspended = match self.promises(inputs, outputs) {
            (false, _) => return Default::default(),
            (true, suspended) => suspended,
        };
        if suspended {
            let fetch = RecordFetch { suspended, index: self.suspended.first };
            return (Some(fetch), QueuePlace::default());
        }
        let found = match &self.bound {
            Some(pools) => pools.found(),
            None => {
                let any = self.device.records > 0 || inputs.device.management.device_launch;
                any.then_some((QueuePlace::default(), self.device.first))
            }
        };
        let fetch = found.map(|(_, index)| RecordFetch { suspended, index });
        (fetch, found.map_or(QueuePlace::default(), |(place, _)| place))
    }

    /// The clock edge.
    pub(super) fn clock(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let searches = self.promises(inputs, outputs) == (true, false);
        self.device.records +=
            u32::from(inputs.device.management.device_launch && self.bound.is_none());
        self.suspended.records += u32::from(inputs.device.management.suspend);
        if let Some(fetch) = outputs.device.management.fetch_record {
            if fetch.suspended {
                self.suspended.take();
            } else if self.bound.is_none() {
                self.device.take();
            }
            self.promised += 1;
        }
        if let Some(pools) = &mut self.bound {
            let place = inputs.device.parents.record_place;
            if outputs.device.management.record_entry.is_some() && place.level > 0 {
                pools.entered(place);
            }
            let launched = outputs.device.parents.launch_place;
            pools.clock(searches, inputs.device.management.device_launch.then_some(launched));
        }
        for queue in &mut self.queues {
            let finished = |entry: KernelEntry| outputs.finished_kernels >> entry.index() & 1 == 1;
            *queue = queue.filter(|entry| !finished(*entry));
        }
        self.promised -= outputs.finished_kernels.count_ones() as usize;
        if let (Some(_), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            self.promised += 1;
            self.queues[usize::from(inputs.device.management.work_queue)] = Some(entry);
        }
    }
}
