//! What becomes a unit in a cycle, and what memory takes and gives.

use super::super::plan::{Event, HostKernel, Origin};
use super::{Machine, Record, Unit};
use crate::port::*;

impl Machine<'_> {
    /// The kernel or group that enters in this cycle becomes a unit.
    pub(super) fn entering(&mut self, inputs: &Inputs, outputs: &Outputs) -> Option<usize> {
        let (device, out) = (&inputs.device, &outputs.device);
        if let Some(entry) = out.management.record_entry {
            assert!(device.management.record.is_some() && outputs.launch_ready.is_none());
            assert!(device.queues.refill.is_none(), "a refill lets no record in");
            let (_, Record { launch, origin, place }) = self.records.pop_front().unwrap();
            let place = Some(place).filter(|place| place.level > 0);
            if let (true, Some(place)) = (self.strict, place) {
                assert!(self.queues.ready(place) || self.queues.spills(place));
            }
            return Some(self.enter(entry, launch, origin, place));
        }
        if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
            let of_queue =
                |(_, host): &(usize, HostKernel)| host.queue == device.management.work_queue;
            let host = self.hosts.iter().position(of_queue).expect("it was offered");
            let (number, _) = self.hosts.remove(host);
            self.work_queues.insert(entry, device.management.work_queue);
            assert!(out.groups.group_taken.is_none(), "not while a kernel enters");
            return Some(self.enter(entry, launch, Origin::Host(number), None));
        }
        let outcome = out.groups.group_taken?;
        assert!(device.groups.group.is_some() && device.queues.refill.is_none());
        let (entry_pc, group, parent, origin) = self.groups_due.pop_front().expect("it was there");
        let GroupOutcome::Coalesced { kernel, reference } = outcome else {
            self.call(entry_pc, group.grid, parent, origin);
            return None;
        };
        assert_eq!(reference, GroupReference::in_memory(group.pointer));
        assert_eq!(self.kernels[&kernel].entry_pc, entry_pc, "an eligible kernel");
        let queue = usize::from(parent.smx) / self.plan.config.cluster_size(self.plan.smx);
        let level = (parent.level + 1).min(self.plan.config.levels);
        let place = Some(QueuePlace { queue: queue as u8, level });
        let entry = QueueEntry { kernel, group: Some(reference), grid: group.grid };
        Some(self.put(Unit { origin, place, entry, next: 0, running: 0, on_chip: true }))
    }

    fn enter(
        &mut self,
        kernel: KernelEntry,
        launch: KernelLaunch,
        origin: Origin,
        place: Option<QueuePlace>,
    ) -> usize {
        let free = (0..32).map(KernelEntry).find(|entry| !self.kernels.contains_key(entry));
        assert_eq!(Some(kernel), free, "the lowest free entry");
        self.kernels.insert(kernel, launch);
        let entry = QueueEntry { kernel, group: None, grid: launch.grid };
        self.put(Unit { origin, place, entry, next: 0, running: 0, on_chip: true })
    }

    fn put(&mut self, unit: Unit) -> usize {
        assert!(self.units.iter().all(|other| other.origin != unit.origin), "nothing comes twice");
        self.launched += 1;
        self.blocks += unit.entry.grid.volume();
        self.units.push(unit);
        self.units.len() - 1
    }

    /// What enters queues, and what memory takes and gives.
    pub(super) fn edge(&mut self, inputs: &Inputs, outputs: &Outputs, entering: Option<usize>) {
        let (refill, out) = (inputs.device.queues.refill, &outputs.device.queues);
        let spills = match entering.and_then(|unit| self.units[unit].place) {
            Some(place) if self.strict => self.queues.spills(place),
            _ => out.spill.is_some(),
        };
        assert_eq!(out.spill.is_some(), spills, "cycle {}", self.cycle);
        if let Some(spill) = out.spill {
            let number = entering.expect("a new unit");
            let unit = &mut self.units[number];
            unit.on_chip = false;
            assert_eq!((Some(spill.place), spill.entry), (unit.place, unit.entry));
            assert_eq!(spill.index, self.queues.spill(spill.place, number));
            self.events.push((self.cycle, Event::Spill(spill)));
        } else if let (true, Some(number)) = (self.strict, entering) {
            match self.units[number].place {
                None => self.queues.zero.push_back(number),
                Some(place) => {
                    let last = self.cycle + self.queues.insertion(place);
                    self.queues.insert(place, number, last);
                }
            }
        }
        if let Some(Refill { place, .. }) = refill {
            if self.strict {
                assert_eq!(out.refill_taken, self.queues.ready(place), "when it is ready");
            }
        } else {
            assert!(!out.refill_taken);
        }
        if out.refill_taken {
            let (_, number) = self.refills.pop_front().expect("it is at the port");
            self.units[number].on_chip = true;
            let place = self.units[number].place.expect("of a priority queue");
            if self.strict {
                let last = self.cycle + self.queues.insertion(place);
                self.queues.insert(place, number, last);
            }
            self.queues.arrived(place);
        }
        if let Some(EntryFetch { place, .. }) = out.fetch_entry {
            // In order also where the machine does not know the queues.
            let number = self.queues.take_from_memory(place);
            self.refills.push_back((self.cycle + self.plan.refill_latency, number));
        }
    }
}
