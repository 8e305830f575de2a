//! What crosses the ports in a cycle on behalf of launches from the device.

use super::pool::Record;
use crate::diagnostic::InputError;
use crate::port::{
    DeviceInputs, DeviceOutputs, DevicePorts, GroupInputs, GroupMemoryInputs, GroupMemoryOutputs,
    GroupOutcome, GroupOutputs, Inputs, KernelEntry, ManagementInputs, ManagementOutputs, Outputs,
    ParentInputs, ParentOutputs, QueueInputs, QueueOutputs,
};
use crate::Gpu;

impl Gpu {
    /// The device's part of what the scheduler sees in `cycle`.
    pub(crate) fn device_inputs(&self, cycle: u64, inputs: &mut DeviceInputs) {
        let device = &self.device;
        if !device.ports.launches() {
            return;
        }
        let DeviceInputs { management, groups, group_memory, parents, queues } = inputs;
        let launched = device.pools.launch();
        let record = device.pools.record(cycle);
        *management = ManagementInputs {
            work_queue: self.streams.queue().unwrap_or(0),
            device_launch: launched.is_some(),
            suspend: device.pools.suspended().is_some(),
            record: record.map(|(_, record)| match record {
                Record::Kernel(kernel) => self.kernels[kernel].launch,
                Record::Block(number) => self.record_of(number),
            }),
        };
        if matches!(device.ports.device, DevicePorts::Nested | DevicePorts::Priority) {
            let parent = launched.and_then(|kernel| self.kernels[kernel].parent);
            *parents = ParentInputs {
                launch_parent: parent.unwrap_or_default(),
                record_place: record.map(|(place, _)| place).unwrap_or_default(),
            };
        }
        if matches!(device.ports.device, DevicePorts::Groups | DevicePorts::Priority) {
            *groups = GroupInputs {
                lookup_group: device.lookup_group,
                command: device.commands.command(cycle),
                group: device.commands.group(),
                keep: self.kept(),
            };
            *group_memory = GroupMemoryInputs { fetched: device.memory.answer(cycle) };
        }
        if device.ports.device == DevicePorts::Priority {
            *queues = QueueInputs {
                group_parent: device.commands.group_parent(),
                refill: device.overflow.refill(cycle),
            };
        }
    }

    /// Does what the scheduler decided in `cycle` on launches, before anything is dispatched.
    pub(crate) fn device_outputs(
        &mut self,
        cycle: u64,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<(), InputError> {
        let inputs = &inputs.device;
        let DeviceOutputs { management, groups, group_memory, parents, queues } = &outputs.device;
        // The streams know which queue heads may be offered.
        let ManagementOutputs { inspect: _, record_entry, fetch_record } = *management;
        let GroupOutputs { command_ready, group_taken } = *groups;
        let GroupMemoryOutputs { fetch_group, link_write } = *group_memory;
        let ParentOutputs { launch_place, fetch_place } = *parents;
        // The level is that of a dispatch.
        let QueueOutputs { level: _, spill, fetch_entry, refill_taken } = *queues;
        if !self.device.ports.launches() {
            return Ok(());
        }
        if let (Some(_), Some(entry)) = (inputs.management.record, record_entry) {
            match self.device.pools.distributed().expect("its record was at the port") {
                Record::Kernel(kernel) => {
                    self.distribute(kernel, entry, cycle);
                    self.kernels[kernel].level = inputs.parents.record_place.level;
                }
                Record::Block(number) => {
                    let kernel = self.device.suspended.enter(number, entry);
                    self.entries[entry.index()] = Some(kernel);
                    self.kernels[kernel].entries += 1;
                }
            }
        }
        if inputs.management.suspend {
            self.device.pools.put_suspended();
        }
        if inputs.management.device_launch {
            self.device.pools.launched(launch_place);
        }
        if let Some(fetch) = fetch_record {
            let arrival = cycle + self.device.dispatch;
            if fetch.suspended {
                self.device.pools.fetch_suspended(fetch.index, arrival);
            } else {
                self.device.pools.fetch(fetch_place, fetch.index, arrival);
            }
        }
        if refill_taken {
            self.device.overflow.taken();
            self.device.counts.refills += 1;
        }
        if let Some(spill) = spill {
            self.device.overflow.put(spill);
            self.device.counts.spills += 1;
        }
        if let Some(fetch) = fetch_entry {
            self.device.overflow.fetch(fetch, cycle);
        }
        if inputs.group_memory.fetched.is_some() {
            self.device.memory.answered();
        }
        match group_taken {
            Some(GroupOutcome::Coalesced { kernel, reference }) => {
                let group = self.device.commands.coalesced();
                let on_chip = match self.device.ports.device {
                    DevicePorts::Priority => spill.is_none(),
                    _ => reference.index().is_some(),
                };
                self.coalesce(kernel, group, reference, on_chip)?;
            }
            Some(GroupOutcome::NoEligibleKernel) => {
                if let Some(command) = self.device.commands.no_eligible_kernel() {
                    self.fall_back(command, cycle);
                }
            }
            None => {}
        }
        // After the group that it links is known.
        if let Some(link) = link_write {
            self.device.memory.link(link.pointer, link.next);
        }
        if let Some(place) = fetch_group {
            self.device.memory.read(place, cycle);
        }
        if inputs.groups.command.is_some() && command_ready {
            self.device.commands.accepted();
        }
        Ok(())
    }

    /// `kernel` is in `entry` of the Kernel Distributor from the next cycle on.
    pub(crate) fn distribute(&mut self, kernel: usize, entry: KernelEntry, cycle: u64) {
        self.entries[entry.index()] = Some(kernel);
        self.kernels[kernel].entry = Some(entry);
        self.kernels[kernel].entries += 1;
        self.kernels[kernel].distributed = Some(cycle);
    }
}
