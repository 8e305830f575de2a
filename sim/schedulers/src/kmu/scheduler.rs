//! Twin of `kmu/scheduler`: an SMX scheduler behind the Kernel Management Unit.
//!
//! Latency: a host kernel takes as many cycles as without the unit; device launch to fetch of its
//! record 0 cycles when an entry is free; record to first dispatch 1 cycle.

use super::super::{Gates, Twin};
use super::{ManagementUnit, ManagementUnitInputs};
use crate::port::{Activity, DeviceOutputs, Inputs, Outputs, Scheduler};

/// The unit, and the scheduler whose Kernel Distributor it fills.
#[derive(Clone, Debug, PartialEq)]
pub struct KmuScheduler<T> {
    unit: ManagementUnit,
    inner: T,
    /// What reaches the inner scheduler in this cycle.
    inputs: Inputs,
}

impl<T: Twin> KmuScheduler<T> {
    /// The unit after reset, in front of a scheduler after reset.
    pub(in super::super) fn new(inner: T) -> Self {
        let inputs = Inputs::idle(inner.smx());
        Self { unit: ManagementUnit::new(), inner, inputs }
    }
}

impl<T: Twin> Scheduler for KmuScheduler<T> {
    fn smx(&self) -> usize {
        self.inner.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let mut unit_inputs = ManagementUnitInputs {
            reset: inputs.reset,
            launch: inputs.launch,
            queue: inputs.device.management.work_queue,
            device_launch: inputs.device.management.device_launch,
            suspend: inputs.device.management.suspend,
            record: inputs.device.management.record,
            ..Default::default()
        };
        let decided = self.unit.evaluate(&unit_inputs);

        // The scheduler behind the unit sees one launch port.
        self.inputs.clone_from(inputs);
        self.inputs.launch = decided.offer;
        outputs.device = DeviceOutputs::default();
        let inner = self.inner.cycle(&self.inputs, outputs);
        let entry = outputs.launch_ready;
        if !inputs.reset {
            outputs.launch_ready = entry.filter(|_| decided.host_ready);
            outputs.device.management.record_entry =
                entry.filter(|_| inputs.device.management.record.is_some());
            outputs.device.management.inspect = decided.inspect;
            outputs.device.management.fetch_record = decided.fetch;
        }

        // The clock edge.
        unit_inputs.launch_entry = entry.unwrap_or_default();
        unit_inputs.finished_kernels = outputs.finished_kernels;
        let unit = self.unit.clock(&unit_inputs);
        Activity::any([inner, unit])
    }

    fn explain(&self) -> String {
        format!("{}\n{}", self.unit.explain(), self.inner.explain())
    }
}

impl<T: Twin> Twin for KmuScheduler<T> {
    fn gates_mut(&mut self) -> &mut Gates {
        self.inner.gates_mut()
    }

    fn running_limits(&mut self) -> Vec<u8> {
        self.inner.running_limits()
    }
}

#[cfg(test)]
mod tests;
