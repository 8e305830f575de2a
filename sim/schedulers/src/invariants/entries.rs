//! What the Kernel Distributor says from its state alone.

use super::{EntryRule, Invariants};
use crate::port::{DeviceOutputs, Inputs, KernelContext, KernelEntry, KernelLaunch, Outputs};

impl Invariants {
    /// What depends on the state alone: `launch_ready`, `finished_kernels`, `context`.
    pub(super) fn check_entries(&self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let rule = self.rules.entries;
        let free = match rule {
            EntryRule::LowestFree | EntryRule::LowestOfEight => {
                self.entries[..rule.entries()].iter().position(Option::is_none)
            }
            EntryRule::Ring => self.entries[self.next_entry].is_none().then_some(self.next_entry),
        };
        let ready = outputs.launch_ready.map(KernelEntry::index);
        let record = match &self.priority {
            Some(priority) => priority.takes_record(inputs),
            None => inputs.device.management.record.is_some(),
        };
        let management = self.management.as_ref();
        let takes = management.is_none_or(|kmu| kmu.takes_host_kernel(inputs, record));
        if ready != free.filter(|_| takes) {
            return Err(format!(
                "launch_ready is {ready:?}, {} is {free:?}{}",
                match rule {
                    EntryRule::LowestFree => "the lowest free entry",
                    EntryRule::LowestOfEight => "the lowest free entry of eight",
                    EntryRule::Ring => "the next entry of the ring",
                },
                if takes { "" } else { ", but no kernel of the host may enter" }
            ));
        }
        match &self.management {
            Some(management) => management.check(inputs, outputs, free, record)?,
            None if outputs.device != DeviceOutputs::default() => {
                return Err(format!(
                    "launches from the device in their absence: {:?}",
                    outputs.device
                ));
            }
            None => {}
        }
        for (entry, occupant) in self.entries.iter().enumerate() {
            if outputs.finished_kernels >> entry & 1 == 0 {
                continue;
            }
            let Some(occupant) = occupant else {
                return Err(format!("entry {entry} reported as finished, but it is free"));
            };
            if inputs.device.groups.keep >> entry & 1 == 1 {
                return Err(format!("entry {entry} reported as finished while it is kept"));
            }
            let left = occupant.left();
            if left > 0 || occupant.running > 0 {
                let running = occupant.running;
                return Err(format!(
                    "entry {entry} reported as finished with {left} blocks not distributed and {running} in execution"
                ));
            }
        }
        if let Some(triggers) = &self.triggers {
            triggers.check_finished(outputs.finished_kernels)?;
        }
        let Some(entry) = inputs.lookup else {
            return Ok(());
        };
        let group = inputs.device.groups.lookup_group;
        let expected = self.entries[entry.index()].as_ref().map(|occupant| {
            let KernelLaunch { entry_pc, parameter_address, block, .. } = occupant.launch;
            let of_group =
                self.groups.as_ref().zip(group).map(|(rules, group)| rules.parameters(group));
            let parameter_address = of_group.unwrap_or(parameter_address);
            KernelContext { entry_pc, parameter_address, block }
        });
        if outputs.context != expected {
            let got = &outputs.context;
            return Err(format!("context of entry {}: {got:?}, not {expected:?}", entry.0));
        }
        Ok(())
    }
}
