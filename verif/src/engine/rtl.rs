//! The hardware behind the scheduler's port.

use super::hardware::{rtl_module, RtlError};
use super::module_ports;
use super::tap::{CycleCounter, Tap};
use blockyard_rtl::activity::{self, Moment};
use blockyard_rtl::condition::ignored;
use blockyard_rtl::module::{clock_edge, settle};
use blockyard_rtl::schedulers::SchedulerModule;
use blockyard_sim::port::{
    Activity, FloorPlan, GroupStorage, Inputs, LaunchMode, Outputs, Scheduler, SmxLimits,
};
use blockyard_sim::sched::Composition;

/// Cycles of reset before the first one of a run: registers hold nothing before a clock edge.
pub const RESET_CYCLES: usize = 2;

/// A [`SchedulerModule`] as a [`Scheduler`]: one settled evaluation and one clock edge a cycle.
pub struct RtlScheduler {
    module: Box<dyn SchedulerModule>,
    counter: CycleCounter,
    tap: Option<Box<dyn Tap>>,
    remembered: Moment,
}

impl RtlScheduler {
    /// The engine over a module, reset and before its first cycle.
    pub fn new(module: Box<dyn SchedulerModule>) -> Self {
        let mut engine = Self {
            module,
            counter: CycleCounter::default(),
            tap: None,
            remembered: activity::remember(),
        };
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
        storage: impl Into<GroupStorage>,
        plan: impl Into<FloorPlan>,
        limits: SmxLimits,
    ) -> Result<Self, RtlError> {
        Ok(Self::new(rtl_module(composition, launch, storage, plan, limits)?))
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

    fn reset(&mut self) {
        self.module.drive_reset(true);
        for _ in 0..RESET_CYCLES {
            settle(&mut *self.module);
            clock_edge(&mut *self.module);
        }
        self.module.drive_reset(false);
        settle(&mut *self.module);
    }
}

impl Scheduler for RtlScheduler {
    fn smx(&self) -> usize {
        self.module.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        assert_eq!(inputs.finished.len(), self.smx(), "one completion port an SMX");
        module_ports::drive(&mut *self.module, inputs);
        // Who looks at all signals sees them all as they are.
        match self.tap {
            Some(_) => ignored(|| settle(&mut *self.module)),
            None => settle(&mut *self.module),
        }
        module_ports::read(&*self.module, inputs, outputs);
        if let Some(tap) = &mut self.tap {
            tap.sample(self.counter.now(), self.module.as_module());
        }
        self.counter.advance();
        let before = activity::count();
        clock_edge(&mut *self.module);
        Activity::from(activity::count() != before)
    }

    fn remember(&mut self) {
        self.remembered = activity::remember();
    }

    fn is_back(&self) -> bool {
        self.remembered.is_back()
    }
}
