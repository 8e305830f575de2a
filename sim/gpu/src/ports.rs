//! What crosses between the GPU and the scheduler in a cycle.

use crate::diagnostic::InputError;
use crate::port::{Inputs, Outputs, Parent};
use crate::{bits, Gpu};

impl Gpu {
    /// What the scheduler sees in `cycle`, to which [`Gpu::advance`] has moved.
    pub fn inputs(&mut self, cycle: u64, inputs: &mut Inputs) {
        // By name, so that no field is left as it was in the cycle before.
        let Inputs {
            reset,
            launch,
            finished,
            finished_slots,
            triggered,
            cancel,
            lookup,
            clock,
            samples,
            device,
        } = inputs;
        *reset = false;
        *launch = self.streams.offer(cycle).map(|kernel| self.kernels[kernel].launch);
        if let Some(launch) = launch {
            launch.follows = self.follows();
        }
        finished.clear();
        finished.extend(self.smxs.iter().map(|smx| smx.ended().map(|block| block.entry)));
        if self.device.ports().names_slots() {
            finished_slots.clear();
            finished_slots.extend(self.smxs.iter().map(|smx| smx.ended_slot().unwrap_or(0)));
        }
        triggered.clear();
        if self.device.ports().sees_triggers() {
            triggered.extend(self.smxs.iter_mut().map(|smx| {
                let slot = smx.trigger_slot()?;
                Some(smx.block_mut(slot).entry)
            }));
        }
        *cancel = self.question();
        *lookup = self.lookup;
        *clock = None;
        *samples = self.sampling.samples(cycle, &mut self.smxs);
        self.device_inputs(cycle, device);
    }

    /// Does what the scheduler decided in `cycle`. The outputs obey the cycle contract; the run
    /// loop's invariants have made sure of that.
    ///
    /// # Errors
    /// When the host program, or a block, launches a kernel that can never run.
    ///
    /// # Panics
    /// When the outputs break the cycle contract.
    pub fn apply(
        &mut self,
        cycle: u64,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<(), InputError> {
        for (smx, &limit) in self.smxs.iter_mut().zip(&outputs.running_limits) {
            smx.limit_running(limit, &mut self.calendar);
        }
        if inputs.cancel.is_some() && !outputs.cancel_held {
            self.answer(cycle, outputs.cancelled);
        }
        for (smx, triggered) in inputs.triggered.iter().enumerate() {
            if triggered.is_some() {
                self.smxs[smx].take_trigger();
            }
        }
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if finished.is_some() {
                let Self { smxs, memory, calendar, .. } = self;
                let block = smxs[smx].release(memory, calendar).expect("it was reported");
                self.block_left(block);
            }
        }
        for entry in bits(outputs.finished_kernels) {
            self.finish(entry, cycle)?;
        }
        self.wake();
        if let (Some(entry), true) = (outputs.launch_ready, inputs.launch.is_some()) {
            let kernel = self.streams.offer(cycle).expect("it was offered");
            self.kernels[kernel].launch.follows = inputs.launch.and_then(|launch| launch.follows);
            self.kernels[kernel].predecessor = self.streams.followed();
            self.streams.accepted();
            self.distribute(kernel, entry, cycle);
            for copy in std::mem::take(&mut self.kernels[kernel].copies) {
                if self.config.l2.host_copies {
                    self.memory.host_copy(copy.address, copy.bytes, &mut self.calendar);
                }
            }
        }
        self.device_outputs(cycle, inputs, outputs)?;
        self.lookup = None;
        for (smx, dispatch) in outputs.dispatch.iter().enumerate() {
            if let Some(dispatch) = dispatch {
                if self.lookup.is_none() {
                    self.lookup = Some(dispatch.kernel);
                    self.device.look_up(dispatch.group);
                }
                let level = self.level(dispatch, outputs);
                self.start(cycle, Parent { smx: smx as u8, level }, dispatch)?;
            }
        }
        self.device_steps(cycle);
        self.take_failure().map_or(Ok(()), Err)
    }
}
