//! IKRA with nesting levels: where launches wait, and which kernels may run at once
//! (`docs/ikra.md`, rules 20 to 23), from what has gone through the ports alone. That every block
//! runs once, and a kernel does not end before its blocks, holds for every policy.

use super::entering;
use crate::ikra::Nesting;
use crate::port::{
    Dispatch, Inputs, KernelEntry, Outputs, ParentOutputs, QueueOutputs, QueuePlace,
};

/// A kernel that has not finished.
#[derive(Clone, PartialEq)]
struct Resident {
    entry: KernelEntry,
    /// Home and level; level 0 for a host kernel.
    place: QueuePlace,
    /// It has none, so that it takes no place.
    empty: bool,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct NestingRules {
    nesting: Nesting,
    /// In order of arrival.
    kernels: Vec<Resident>,
}

impl NestingRules {
    /// No kernels.
    pub(super) fn new(nesting: Nesting) -> Self {
        Self { nesting, kernels: Vec::new() }
    }

    /// Checks one cycle, and the clock edge.
    pub(super) fn check(&mut self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let (parents, queues) = (&outputs.device.parents, &outputs.device.queues);
        let parent = inputs.device.parents.launch_parent;
        let launched = inputs.device.management.device_launch.then(|| self.nesting.place(parent));
        // Which record is asked for is a matter of the Kernel Management Unit.
        let launch_place = launched.unwrap_or_default();
        let expected = ParentOutputs { launch_place, fetch_place: parents.fetch_place };
        if (parents, queues) != (&expected, &QueueOutputs::default()) {
            return Err(format!(
                "of levels the scheduler says {parents:?} and {queues:?}, not {expected:?} alone"
            ));
        }
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(Dispatch { kernel, .. }) = dispatch {
                self.runs(*kernel).map_err(|why| {
                    format!("SMX {smx} receives a block of entry {}, {why}", kernel.0)
                })?;
            }
        }
        self.kernels.retain(|of| outputs.finished_kernels >> of.entry.index() & 1 == 0);
        let record = outputs.device.management.record_entry;
        for (launch, entry) in entering(inputs, outputs) {
            let host = QueuePlace::default();
            let from = inputs.device.parents.record_place;
            let place = if record == Some(entry) { from } else { host };
            self.kernels.push(Resident { entry, place, empty: launch.blocks == 0 });
        }
        Ok(())
    }

    /// Whether the kernel in `entry` may have begun; the error says what keeps it.
    fn runs(&self, entry: KernelEntry) -> Result<(), String> {
        let is = |of: &Resident| of.entry == entry;
        let Some(kernel) = self.kernels.iter().position(is) else {
            return Err("which is free".to_owned());
        };
        let host = self.kernels[kernel].place.level == 0;
        // Kernels that must have begun before it or have ended: for a host kernel all older ones
        // have ended, device kernels leave their line in order.
        let line = &self.kernels[..=kernel];
        let mut line =
            line.iter().filter(|of| (of.place.level == 0) == host && (host || !of.empty));
        let mut begun: Vec<&Resident> = Vec::new();
        line.try_for_each(|of| {
            let before = begun.iter().find(|before| host || before.place == of.place);
            if let Some(before) = before {
                let older = before.entry.0;
                return Err(format!("but that of entry {older} has not finished"));
            }
            begun.push(of);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
