//! What a machine's scheduler sees in a cycle.

use super::super::super::super::super::tests::harness::grid;
use super::super::plan::{Call, HostKernel, Origin};
use super::{inspect, Machine, Record, Resident, Unit};
use crate::port::*;

impl Machine<'_> {
    pub(super) fn inputs(&mut self) -> Inputs {
        let mut inputs = Inputs::idle(self.plan.smx);
        let sampling = self.plan.sampling.as_ref();
        inputs.samples = sampling.and_then(|of| of.samples(self.cycle, self.plan.smx));
        let running = inspect(&self.work_queues);
        let arrived =
            |h: &(usize, HostKernel)| h.1.arrive <= self.cycle && running >> h.1.queue & 1 == 1;
        if let Some((_, host)) = self.hosts.iter().find(|host| arrived(host)) {
            inputs.launch = Some(KernelLaunch { entry_pc: host.entry_pc, ..grid(host.grid) });
            inputs.device.management.work_queue = host.queue;
        }
        let ports = &mut inputs.device;
        if let Some((_, record)) = self.suspended.pop_front_if(|(at, _)| *at <= self.cycle) {
            ports.management.suspend = true;
            self.pools.entry((true, record.place)).or_default().push(record);
            self.pending += 1;
        }
        if self.plan.launch == LaunchMode::Cdp {
            while let Some((&(at, number), &parent)) = self.calls.first_key_value() {
                if at > self.cycle {
                    break;
                }
                self.calls.pop_first();
                let Call { entry_pc, ref grids, .. } = self.plan.calls[number];
                for (which, &extent) in grids.iter().enumerate() {
                    self.call(entry_pc, extent, parent, Origin::Called(number, which));
                }
            }
        }
        if let Some(&(record, parent)) = self.launches.front() {
            (ports.management.device_launch, ports.parents.launch_parent) = (true, parent);
            self.pools.entry((false, record.place)).or_default().push(record);
            self.pending += 1;
        }
        if let Some((_, record)) = self.records.front().filter(|(at, _)| *at <= self.cycle) {
            (ports.management.record, ports.parents.record_place) =
                (Some(record.launch), record.place);
        }
        if self.plan.launch == LaunchMode::Dtbl {
            let call = self.calls.first_key_value().filter(|((at, _), _)| *at <= self.cycle);
            ports.groups.command = call.map(|(&(_, number), _)| {
                let Call { entry_pc, wait, ref grids, .. } = self.plan.calls[number];
                let groups = grids.len() as u8;
                AggregationCommand { entry_pc, block: Dim3::new(1, 1, 1), groups, wait }
            });
            let late =
                self.plan.late_groups > 0 && self.cycle.is_multiple_of(self.plan.late_groups);
            if let Some((_, group, parent, _)) = self.groups_due.front().filter(|_| !late) {
                (ports.groups.group, ports.queues.group_parent) = (Some(*group), *parent);
            }
        }
        if let Some(&(_, unit)) = self.refills.front().filter(|(at, _)| *at <= self.cycle) {
            let Unit { place, entry, .. } = self.units[unit];
            let place = place.expect("a unit of a priority queue");
            ports.queues.refill = Some(Refill { place, entry });
        }
        self.end_blocks(&mut inputs);
        self.look_up(&mut inputs);
        inputs
    }

    /// A block launches a kernel.
    pub(super) fn call(&mut self, entry_pc: u32, extent: Dim3, parent: Parent, origin: Origin) {
        let queue = usize::from(parent.smx) / self.plan.config.cluster_size(self.plan.smx);
        let level = (parent.level + 1).min(self.plan.config.levels);
        let place = QueuePlace { queue: queue as u8, level };
        let launch = KernelLaunch { entry_pc, ..grid(extent) };
        self.launches.push_back((Record { launch, origin, place }, parent));
    }

    /// Blocks that end: at most one an SMX.
    fn end_blocks(&mut self, inputs: &mut Inputs) {
        inputs.finished_slots = vec![63; self.plan.smx];
        for (smx, residents) in self.residents.iter_mut().enumerate() {
            let Some(first) = residents.iter().position(|r| r.end <= self.cycle) else {
                continue;
            };
            let Resident { unit, slot, .. } = residents.remove(first);
            // The registers know the kernel better than the SMX.
            let entry = self.units[unit].entry.kernel;
            inputs.finished[smx] = Some(KernelEntry(31 - entry.0));
            inputs.finished_slots[smx] = slot;
            self.units[unit].running -= 1;
        }
    }

    /// An SMX asks for the context of one of the blocks that are running.
    fn look_up(&self, inputs: &mut Inputs) {
        let running: Vec<_> = self.residents.iter().flatten().collect();
        if let Some(resident) = running.get(self.cycle as usize % running.len().max(1)) {
            let entry = self.units[resident.unit].entry;
            (inputs.lookup, inputs.device.groups.lookup_group) = (Some(entry.kernel), entry.group);
        }
    }
}
