//! What crosses the ports in a cycle on behalf of launches from the device.

use crate::diagnostic::InputError;
use crate::gpu::Gpu;
use crate::port::{
    DevicePorts, GroupOutcome, Inputs, KernelEntry, Outputs, PriorityInputs, QueuePlace,
};

impl Gpu {
    /// The device's part of what the scheduler sees in `cycle`.
    pub(in crate::gpu) fn device_inputs(&self, cycle: u64, inputs: &mut Inputs) {
        let device = &self.device;
        if device.ports == DevicePorts::None {
            return;
        }
        let ports = &mut inputs.device;
        if device.ports == DevicePorts::Timed {
            ports.slots.clear();
            ports.slots.extend(self.smxs.iter().map(|smx| smx.ended_slot().unwrap_or(0)));
            return;
        }
        let launch = device.pools.launch();
        let record = device.pools.record(cycle);
        ports.queue = self.streams.queue().unwrap_or(0);
        ports.launch = launch.is_some();
        ports.record = record.map(|(_, kernel)| self.kernels[kernel].launch);
        if device.ports == DevicePorts::Kernels {
            return;
        }
        let parent = launch.and_then(|kernel| self.kernels[kernel].parent).unwrap_or_default();
        let record_place = record.map_or(QueuePlace::default(), |(place, _)| place);
        if device.ports == DevicePorts::Nested {
            (ports.priority.launch_parent, ports.priority.record_place) = (parent, record_place);
            return;
        }
        ports.command = device.commands.command(cycle);
        ports.group = device.commands.group();
        ports.fetched = device.memory.answer(cycle);
        ports.slots.clear();
        ports.slots.extend(self.smxs.iter().map(|smx| smx.ended_slot().unwrap_or(0)));
        ports.lookup_group = device.lookup_group;
        if device.ports == DevicePorts::Priority {
            ports.priority = PriorityInputs {
                launch_parent: parent,
                record_place,
                group_parent: device.commands.group_parent(),
                refill: device.overflow.refill(cycle),
            };
        }
    }

    /// Does what the scheduler decided in `cycle` on launches, before anything is dispatched.
    pub(in crate::gpu) fn device_outputs(
        &mut self,
        cycle: u64,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<(), InputError> {
        let (inputs, outputs) = (&inputs.device, &outputs.device);
        let priority = &outputs.priority;
        if matches!(self.device.ports, DevicePorts::None | DevicePorts::Timed) {
            return Ok(());
        }
        if let (Some(_), Some(entry)) = (inputs.record, outputs.record_entry) {
            let kernel = self.device.pools.distributed().expect("its record was at the port");
            self.distribute(kernel, entry, cycle);
            self.kernels[kernel].level = inputs.priority.record_place.level;
        }
        if inputs.launch {
            self.device.pools.launched(priority.launch_place);
        }
        if let Some(fetch) = outputs.fetch_record {
            let arrival = cycle + self.device.dispatch;
            self.device.pools.fetch(priority.record_place, fetch.index, arrival);
        }
        if priority.refill_taken {
            self.device.overflow.taken();
            self.device.counts.refills += 1;
        }
        if let Some(spill) = priority.spill {
            self.device.overflow.put(spill);
            self.device.counts.spills += 1;
        }
        if let Some(fetch) = priority.fetch_entry {
            self.device.overflow.fetch(fetch, cycle);
        }
        if inputs.fetched.is_some() {
            self.device.memory.answered();
        }
        match outputs.group_taken {
            Some(GroupOutcome::Coalesced { kernel, reference }) => {
                let group = self.device.commands.coalesced();
                let on_chip = match self.device.ports {
                    DevicePorts::Priority => priority.spill.is_none(),
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
        if let Some(link) = outputs.link_write {
            self.device.memory.link(link.pointer, link.next);
        }
        if let Some(pointer) = outputs.fetch_group {
            self.device.memory.read(pointer, cycle);
        }
        if inputs.command.is_some() && outputs.command_ready {
            self.device.commands.accepted();
        }
        Ok(())
    }

    /// `kernel` is in `entry` of the Kernel Distributor from the next cycle on.
    pub(in crate::gpu) fn distribute(&mut self, kernel: usize, entry: KernelEntry, cycle: u64) {
        self.entries[entry.index()] = Some(kernel);
        self.kernels[kernel].entry = Some(entry);
        self.kernels[kernel].distributed = Some(cycle);
    }
}
