//! What crosses the ports in a cycle on behalf of launches from the device.

use crate::diagnostic::InputError;
use crate::gpu::Gpu;
use crate::port::{GroupOutcome, Inputs, KernelEntry, LaunchMode, Outputs};

impl Gpu {
    /// The device's part of what the scheduler sees in `cycle`.
    pub(in crate::gpu) fn device_inputs(&self, cycle: u64, inputs: &mut Inputs) {
        let device = &self.device;
        if device.mode == LaunchMode::Flat {
            return;
        }
        let ports = &mut inputs.device;
        ports.queue = self.streams.queue().unwrap_or(0);
        ports.launch = device.pool.launch();
        ports.record = device.pool.record(cycle).map(|kernel| self.kernels[kernel].launch);
        if device.mode == LaunchMode::Dtbl {
            ports.command = device.commands.command(cycle);
            ports.group = device.commands.group();
            ports.fetched = device.memory.answer(cycle);
            ports.slots.clear();
            ports.slots.extend(self.smxs.iter().map(|smx| smx.ended_slot().unwrap_or(0)));
            ports.lookup_group = device.lookup_group;
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
        if self.device.mode == LaunchMode::Flat {
            return Ok(());
        }
        if inputs.record.is_some() {
            let entry = outputs.record_entry.expect("an entry was promised");
            let kernel = self.device.pool.distributed().expect("its record was at the port");
            self.distribute(kernel, entry, cycle);
        }
        if inputs.launch {
            self.device.pool.launched();
        }
        if let Some(fetch) = outputs.fetch_record {
            self.device.pool.fetch(fetch.index, cycle + self.device.dispatch);
        }
        if inputs.fetched.is_some() {
            self.device.memory.answered();
        }
        match outputs.group_taken {
            Some(GroupOutcome::Coalesced { kernel, reference }) => {
                let group = self.device.commands.coalesced();
                self.coalesce(kernel, group, reference)?;
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
