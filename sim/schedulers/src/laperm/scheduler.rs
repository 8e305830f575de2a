//! Twin of `laperm/linked_scheduler` and `laperm/shifting_scheduler`: the dispatcher of this folder
//! behind the Kernel Management Unit with bound pools; the same under every launch mode.
//!
//! Latency: a host kernel takes as many cycles as without the unit; device launch to fetch of its
//! record 1 cycle and one for each level above its own; record to first dispatch 1 cycle at the
//! earliest.

use super::super::kmu::KernelAdmissionInputs;
use super::super::{AdmissionGate, Gates, Twin};
use super::{Dispatcher, LapermConfig, ManagementUnit, ManagementUnitInputs};
use crate::port::{Activity, Inputs, Outputs, Scheduler, SmxLimits};

/// The unit, and the dispatcher whose Kernel Distributor it fills.
#[derive(Clone, Debug, PartialEq)]
pub struct LapermScheduler {
    dispatcher: Dispatcher,
    unit: ManagementUnit,
    /// What reaches the dispatcher in this cycle.
    inputs: Inputs,
}

impl LapermScheduler {
    /// The whole of LaPerm after reset, for `smx` SMXs; `groups` when aggregated groups are
    /// launched.
    ///
    /// # Panics
    /// As [`Dispatcher::new`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        config: LapermConfig,
        groups: bool,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        Self {
            unit: ManagementUnit::new(&config, smx),
            dispatcher: Dispatcher::new(smx, limits, config, groups, gates),
            inputs: Inputs::idle(smx),
        }
    }
}

impl Scheduler for LapermScheduler {
    fn smx(&self) -> usize {
        self.dispatcher.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        // A record that is not accepted is not there for the unit.
        let record =
            inputs.device.management.record.filter(|_| self.dispatcher.accepts_record(inputs));
        let parent = inputs.device.parents.launch_parent;
        let device_launch =
            inputs.device.management.device_launch.then(|| self.dispatcher.place(parent));
        let mut unit_inputs = ManagementUnitInputs {
            entries: KernelAdmissionInputs {
                reset: inputs.reset,
                launch: inputs.launch,
                queue: inputs.device.management.work_queue,
                suspend: inputs.device.management.suspend,
                record,
                ..Default::default()
            },
            device_launch,
        };
        let decided = self.unit.evaluate(&unit_inputs);

        // The dispatcher sees one launch port.
        self.inputs.clone_from(inputs);
        self.inputs.launch = decided.offer;
        self.inputs.device.management.record = record;
        let dispatcher = self.dispatcher.cycle(&self.inputs, outputs);
        let entry = outputs.launch_ready;
        if !inputs.reset {
            outputs.launch_ready = entry.filter(|_| decided.host_ready);
            outputs.device.management.record_entry = entry.filter(|_| record.is_some());
            outputs.device.management.inspect = decided.inspect;
            outputs.device.management.fetch_record = decided.fetch;
            outputs.device.parents.fetch_place = decided.fetch_place;
            outputs.device.parents.launch_place = device_launch.unwrap_or_default();
        }

        // The clock edge.
        unit_inputs.entries.launch_entry = entry.unwrap_or_default();
        unit_inputs.entries.finished_kernels = outputs.finished_kernels;
        let unit = self.unit.clock(&unit_inputs);
        Activity::any([dispatcher, unit])
    }

    fn explain(&self) -> String {
        format!("{}\n{}", self.unit.explain(), self.dispatcher.explain())
    }
}

impl Twin for LapermScheduler {
    fn gates_mut(&mut self) -> &mut Gates {
        self.dispatcher.gates_mut()
    }
}

#[cfg(test)]
mod tests;
