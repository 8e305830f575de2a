//! Launches from the device: the rules of the Kernel Management Unit (`docs/dtbl.md`).

use crate::port::{Inputs, KernelEntry, Outputs, RecordFetch, KERNEL_ENTRIES, WORK_QUEUES};

/// A pool of pending kernels.
#[derive(Default)]
struct Pool {
    /// Number of its first record.
    first: u32,
    records: u32,
}

/// See the module.
#[derive(Default)]
pub(super) struct Management {
    /// Entries of the Kernel Distributor that are occupied or promised.
    promised: usize,
    /// The entry of the kernel of each work queue that is in the Kernel Distributor.
    queues: [Option<KernelEntry>; WORK_QUEUES],
    suspended: Pool,
    device: Pool,
}

impl Management {
    /// Rule 5: whether a kernel of the host may enter.
    pub(super) fn takes_host_kernel(&self, inputs: &Inputs) -> bool {
        let queue = usize::from(inputs.device.queue);
        self.promised < KERNEL_ENTRIES
            && inputs.device.record.is_none()
            && self.queues.get(queue).is_some_and(Option::is_none)
    }

    /// Checks one cycle; `free` is the lowest free entry.
    pub(super) fn check(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        free: Option<usize>,
    ) -> Result<(), String> {
        let running = |queue: &usize| self.queues[*queue].is_some();
        let busy: u32 = (0..WORK_QUEUES).filter(running).map(|queue| 1 << queue).sum();
        let device = &outputs.device;
        if device.inspect != !busy {
            return Err(format!(
                "inspect is {:#010x}, the queues without a running kernel are {:#010x}",
                device.inspect, !busy
            ));
        }
        let queue = inputs.device.queue;
        if inputs.launch.is_some() && busy >> queue & 1 == 1 {
            return Err(format!("the host offers the head of queue {queue}, whose kernel runs"));
        }
        let entry = device.record_entry.map(KernelEntry::index);
        let expected = free.filter(|_| inputs.device.record.is_some());
        if entry != expected || inputs.device.record.is_some() && entry.is_none() {
            return Err(format!(
                "a record takes entry {entry:?}, the lowest free one is {expected:?}"
            ));
        }
        let expected = self.fetch(inputs, outputs);
        if device.fetch_record != expected {
            let got = device.fetch_record;
            let promised = self.promised;
            return Err(format!(
                "fetch_record is {got:?}, not {expected:?}, with {promised} entries promised"
            ));
        }
        Ok(())
    }

    /// Rules 3 and 4: what is fetched in this cycle.
    fn fetch(&self, inputs: &Inputs, outputs: &Outputs) -> Option<RecordFetch> {
        let accepted = inputs.launch.is_some() && outputs.launch_ready.is_some();
        if self.promised + usize::from(accepted) >= KERNEL_ENTRIES {
            return None;
        }
        if self.suspended.records > 0 || inputs.device.suspend {
            return Some(RecordFetch { suspended: true, index: self.suspended.first });
        }
        let any = self.device.records > 0 || inputs.device.launch;
        any.then_some(RecordFetch { suspended: false, index: self.device.first })
    }

    /// The clock edge.
    pub(super) fn clock(&mut self, inputs: &Inputs, outputs: &Outputs) {
        self.device.records += u32::from(inputs.device.launch);
        self.suspended.records += u32::from(inputs.device.suspend);
        if let Some(fetch) = outputs.device.fetch_record {
            let pool = if fetch.suspended { &mut self.suspended } else { &mut self.device };
            pool.records -= 1;
            pool.first = pool.first.wrapping_add(1);
            self.promised += 1;
        }
        for queue in &mut self.queues {
            let finished = |entry: KernelEntry| outputs.finished_kernels >> entry.index() & 1 == 1;
            *queue = queue.filter(|entry| !finished(*entry));
        }
        self.promised -= outputs.finished_kernels.count_ones() as usize;
        if let (Some(_), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            self.promised += 1;
            self.queues[usize::from(inputs.device.queue)] = Some(entry);
        }
    }
}
