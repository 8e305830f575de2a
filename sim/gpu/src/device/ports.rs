//! What crosses the ports in a cycle on behalf of launches from the device.

use crate::diagnostic::InputError;
use crate::port::{
    DeviceInputs, DeviceOutputs, DevicePorts, GroupOutcome, Inputs, KernelEntry, Outputs,
    PriorityInputs, PriorityOutputs, QueuePlace,
};
use crate::Gpu;

impl Gpu {
    /// The device's part of what the scheduler sees in `cycle`.
    pub(crate) fn device_inputs(&self, cycle: u64, inputs: &mut DeviceInputs) {
        let device = &self.device;
        if device.ports == DevicePorts::None {
            return;
        }
        let DeviceInputs {
            queue,
            launch,
            suspend: _, // No kernel is ever suspended.
            record,
            command,
            group,
            fetched,
            slots,
            lookup_group,
            priority,
        } = inputs;
        let mut ended_slots = || {
            slots.clear();
            slots.extend(self.smxs.iter().map(|smx| smx.ended_slot().unwrap_or(0)));
        };
        if device.ports == DevicePorts::Timed {
            return ended_slots();
        }
        let launched = device.pools.launch();
        let fetched_record = device.pools.record(cycle);
        *queue = self.streams.queue().unwrap_or(0);
        *launch = launched.is_some();
        *record = fetched_record.map(|(_, kernel)| self.kernels[kernel].launch);
        if device.ports == DevicePorts::Kernels {
            return;
        }
        let parent = launched.and_then(|kernel| self.kernels[kernel].parent).unwrap_or_default();
        let record_place = fetched_record.map_or(QueuePlace::default(), |(place, _)| place);
        if device.ports == DevicePorts::Nested {
            (priority.launch_parent, priority.record_place) = (parent, record_place);
            return;
        }
        *command = device.commands.command(cycle);
        *group = device.commands.group();
        *fetched = device.memory.answer(cycle);
        ended_slots();
        *lookup_group = device.lookup_group;
        if device.ports == DevicePorts::Priority {
            *priority = PriorityInputs {
                launch_parent: parent,
                record_place,
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
        let DeviceOutputs {
            inspect: _, // The streams know which queue heads may be offered.
            record_entry,
            fetch_record,
            command_ready,
            group_taken,
            fetch_group,
            link_write,
            ref priority,
        } = outputs.device;
        let PriorityOutputs {
            launch_place,
            record_place,
            level: _, // Of a dispatch.
            spill,
            fetch_entry,
            refill_taken,
        } = *priority;
        if matches!(self.device.ports, DevicePorts::None | DevicePorts::Timed) {
            return Ok(());
        }
        if let (Some(_), Some(entry)) = (inputs.record, record_entry) {
            let kernel = self.device.pools.distributed().expect("its record was at the port");
            self.distribute(kernel, entry, cycle);
            self.kernels[kernel].level = inputs.priority.record_place.level;
        }
        if inputs.launch {
            self.device.pools.launched(launch_place);
        }
        if let Some(fetch) = fetch_record {
            let arrival = cycle + self.device.dispatch;
            self.device.pools.fetch(record_place, fetch.index, arrival);
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
        if inputs.fetched.is_some() {
            self.device.memory.answered();
        }
        match group_taken {
            Some(GroupOutcome::Coalesced { kernel, reference }) => {
                let group = self.device.commands.coalesced();
                let on_chip = match self.device.ports {
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
        if let Some(pointer) = fetch_group {
            self.device.memory.read(pointer, cycle);
        }
        if inputs.command.is_some() && command_ready {
            self.device.commands.accepted();
        }
        Ok(())
    }

    /// `kernel` is in `entry` of the Kernel Distributor from the next cycle on.
    pub(crate) fn distribute(&mut self, kernel: usize, entry: KernelEntry, cycle: u64) {
        self.entries[entry.index()] = Some(kernel);
        self.kernels[kernel].entry = Some(entry);
        self.kernels[kernel].distributed = Some(cycle);
    }
}
