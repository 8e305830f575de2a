//! The hardware behind the scheduler's port.

use super::hardware::{rtl_module, RtlError};
use super::tap::{CycleCounter, Tap};
use super::{group_ports, ports, priority_ports};
use blockyard_rtl::activity;
use blockyard_rtl::ikra::Relation;
use blockyard_rtl::module::{clock_edge, settle};
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_rtl::word::U;
use blockyard_sim::port::{
    Activity, DeviceInputs, DeviceOutputs, Inputs, KernelLaunch, LaunchMode, Outputs, RecordFetch,
    Scheduler, SmxLimits,
};
use blockyard_sim::sched::Composition;

/// A [`SchedulerModule`] as a [`Scheduler`]: one settled evaluation and one clock edge a cycle.
pub struct RtlScheduler {
    module: Box<dyn SchedulerModule>,
    counter: CycleCounter,
    tap: Option<Box<dyn Tap>>,
    finished: u64,
}

impl RtlScheduler {
    /// The engine over a module, reset and before its first cycle.
    pub fn new(module: Box<dyn SchedulerModule>) -> Self {
        let mut engine = Self { module, counter: CycleCounter::default(), tap: None, finished: 0 };
        engine.reset();
        engine
    }

    /// The engine of a composition to which nothing is launched from the device.
    ///
    /// # Errors
    /// See [`rtl_module`].
    pub fn build(
        composition: &Composition,
        smx: usize,
        limits: SmxLimits,
    ) -> Result<Self, RtlError> {
        Self::build_for(composition, LaunchMode::Flat, 1, smx, limits)
    }

    /// The engine of a composition; see [`rtl_module`].
    ///
    /// # Errors
    /// See [`rtl_module`].
    pub fn build_for(
        composition: &Composition,
        launch: LaunchMode,
        table: u32,
        smx: usize,
        limits: SmxLimits,
    ) -> Result<Self, RtlError> {
        Ok(Self::new(rtl_module(composition, launch, table, smx, limits)?))
    }

    /// Lets `tap` see every evaluated cycle.
    pub fn watch(&mut self, tap: Box<dyn Tap>) {
        self.tap = Some(tap);
    }

    /// The number of the current cycle; the engine counts what it evaluates, and whoever skips
    /// cycles tells the counter.
    pub fn counter(&self) -> CycleCounter {
        self.counter.clone()
    }

    /// The hardware.
    pub fn module(&self) -> &dyn SchedulerModule {
        &*self.module
    }

    /// Two clock cycles of reset: registers hold nothing before the first edge.
    fn reset(&mut self) {
        self.module.drive_reset(true);
        for _ in 0..2 {
            settle(&mut *self.module);
            clock_edge(&mut *self.module);
        }
        self.module.drive_reset(false);
        settle(&mut *self.module);
    }

    fn drive(&mut self, inputs: &Inputs) {
        self.module.drive_reset(inputs.reset);
        self.module.set_launch(ports::launch(inputs.launch.as_ref()));
        self.module.set_relation(relation(inputs.launch.as_ref()));
        self.module.set_lookup(ports::tagged(inputs.lookup));
        let mut mask = 0;
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = finished {
                mask |= 1 << smx;
                self.module.set_finished_kernel(smx, U::new(entry.0.into()));
            }
        }
        self.module.set_sample(inputs.samples.is_some());
        for (smx, sample) in inputs.samples.iter().flatten().enumerate() {
            let (idle, memory) = ports::counts(*sample);
            self.module.set_counts(smx, idle, memory);
        }
        self.module.set_clock(U::wrap(inputs.clock.unwrap_or_default()));
        for (smx, &slot) in inputs.device.slots.iter().enumerate() {
            if mask >> smx & 1 == 1 {
                self.module.set_finished_slot(smx, U::new(slot.into()));
            }
        }
        if self.module.management().is_some() {
            self.drive_device(&inputs.device);
        }
        // A kernel number without its valid bit means nothing and is left as it is.
        if mask != self.finished {
            self.module.set_finished(mask);
            self.finished = mask;
        }
    }

    fn drive_device(&mut self, device: &DeviceInputs) {
        let record = ports::launch(device.record.as_ref());
        self.module.set_management(
            U::new(device.queue.into()),
            device.launch,
            device.suspend,
            record,
        );
        self.module.set_lookup_group(ports::reference(device.lookup_group));
        self.module.set_priority(priority_ports::inputs(&device.priority));
        self.module.set_groups(
            ports::command(device.command.as_ref()),
            group_ports::group(device.group.as_ref()),
            group_ports::fetched(device.fetched.as_ref()),
        );
    }

    fn read_device(&self, mut record: bool, entry: U<5>, outputs: &mut DeviceOutputs) {
        if let Some(priority) = self.module.priority() {
            record = priority.record_taken;
            outputs.priority = priority_ports::outputs(priority);
        }
        if let Some(management) = self.module.management() {
            outputs.inspect = management.inspect as u32;
            outputs.record_entry = record.then(|| ports::entry(entry));
            outputs.fetch_record = management.fetch.then_some(RecordFetch {
                suspended: management.fetch_suspended,
                index: management.fetch_index as u32,
            });
        }
        if let Some(groups) = self.module.groups() {
            outputs.command_ready = groups.command_ready;
            outputs.group_taken = group_ports::outcome(groups.outcome);
            outputs.fetch_group = groups.fetch.map(|pointer| pointer.raw() as u32);
            outputs.link_write = group_ports::link_write(groups.link_write);
        }
    }

    fn read(&self, inputs: &Inputs, outputs: &mut Outputs) {
        let (ready, entry) = self.module.launch_ready();
        outputs.launch_ready = ready.then(|| ports::entry(entry));
        outputs.finished_kernels = self.module.finished_kernels() as u32;
        let (valid, context) = self.module.context();
        outputs.context = ports::context(valid, context);
        outputs.dispatch.resize(self.module.smx(), None);
        for (smx, dispatch) in outputs.dispatch.iter_mut().enumerate() {
            let (slot, group) = self.module.placed(smx);
            *dispatch = ports::dispatch(self.module.dispatch(smx))
                .map(|block| group_ports::placed(block, slot, group));
        }
        self.read_device(inputs.device.record.is_some(), entry, &mut outputs.device);
    }
}

impl Scheduler for RtlScheduler {
    fn smx(&self) -> usize {
        self.module.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        assert_eq!(inputs.finished.len(), self.smx(), "one completion port an SMX");
        self.drive(inputs);
        settle(&mut *self.module);
        self.read(inputs, outputs);
        if let Some(tap) = &mut self.tap {
            tap.sample(self.counter.now(), self.module.as_module());
        }
        self.counter.advance();
        let before = activity::count();
        clock_edge(&mut *self.module);
        if activity::count() == before {
            Activity::Quiet
        } else {
            Activity::Busy
        }
    }
}

/// The relation of the kernel that is offered; all zeros without one.
fn relation(kernel: Option<&KernelLaunch>) -> Relation {
    let Some(relation) = kernel.map(|kernel| kernel.relation) else {
        return Relation::default();
    };
    Relation {
        back: U::new(u64::from(relation.back) - 1),
        ratio: U::new(relation.ratio.into()),
        offset: U::new(relation.offset.unsigned_abs().into()),
        negative: relation.offset < 0,
    }
}
