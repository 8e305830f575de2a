//! The hardware behind the scheduler's port.

use super::counts::with_smx_count;
use super::ports;
use super::tap::{CycleCounter, Tap};
use blockyard_rtl::activity;
use blockyard_rtl::claso::{Levels, RoundRobinClasoScheduler};
use blockyard_rtl::dispatch::{Context, Dispatch, Launch, RoundRobinScheduler};
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_rtl::prim::Tagged;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler, SmxLimits, MAX_SMX};
use blockyard_sim::sched::composition::{Gate, Source};
use blockyard_sim::sched::Composition;

/// Why there is no hardware for a composition.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RtlError {
    /// The modules are built for 1 to [`MAX_SMX`] SMXs.
    #[error("the hardware is built for 1 to {MAX_SMX} SMXs, not for {0}")]
    Smx(usize),
    /// The composition has more gates than the hardware can chain.
    #[error("there is no hardware for {0}")]
    #[diagnostic(help("use --engine golden, or a composition of `blockyard list modules`"))]
    Composition(String),
}

/// A whole scheduler in hardware: a top module with the ports of the cycle contract.
pub trait SchedulerModule: Module {
    /// The same as a plain module.
    fn as_module(&self) -> &dyn Module;
    /// SMXs that it serves.
    fn smx(&self) -> usize;
    /// Drives the launch port.
    fn set_launch(&mut self, launch: Launch);
    /// Drives the lookup port.
    fn set_lookup(&mut self, lookup: Tagged);
    /// Drives the completion port of one SMX.
    fn set_finished_kernel(&mut self, smx: usize, entry: U<5>);
    /// Drives the valid bits of the completion ports, bit `s` for SMX `s`.
    fn set_finished(&mut self, mask: u64);
    /// The free entry, if there is one.
    fn launch_ready(&self) -> (bool, U<5>);
    /// The dispatch port of one SMX.
    fn dispatch(&self, smx: usize) -> Dispatch;
    /// One bit for each entry that has ended.
    fn finished_kernels(&self) -> u64;
    /// Answer of the lookup port.
    fn context(&self) -> (bool, Context);
}

macro_rules! scheduler_module {
    ($($module:ident),*) => {$(
        impl<const N: usize> SchedulerModule for $module<N> {
            fn as_module(&self) -> &dyn Module {
                self
            }
            fn smx(&self) -> usize {
                N
            }
            fn set_launch(&mut self, launch: Launch) {
                self.launch.next = launch;
            }
            fn set_lookup(&mut self, lookup: Tagged) {
                self.lookup.next = lookup;
            }
            fn set_finished_kernel(&mut self, smx: usize, entry: U<5>) {
                self.finished_kernel[smx].next = entry;
            }
            fn set_finished(&mut self, mask: u64) {
                self.finished.next = U::new(mask);
            }
            fn launch_ready(&self) -> (bool, U<5>) {
                (self.launch_ready.val(), self.launch_entry.val())
            }
            fn dispatch(&self, smx: usize) -> Dispatch {
                self.dispatch[smx].val()
            }
            fn finished_kernels(&self) -> u64 {
                self.finished_kernels.val().raw()
            }
            fn context(&self) -> (bool, Context) {
                (self.context_valid.val(), self.kernel_context.val())
            }
        }
    )*};
}
scheduler_module!(RoundRobinScheduler, RoundRobinClasoScheduler);

/// The top module of a composition, connected.
///
/// # Errors
/// When there is no hardware for that composition or that many SMXs.
pub fn rtl_module(
    composition: &Composition,
    smx: usize,
    limits: SmxLimits,
) -> Result<Box<dyn SchedulerModule>, RtlError> {
    let limits = ports::limits(limits);
    let module = match (composition.source, composition.gates.as_slice()) {
        (Source::RoundRobin, []) => {
            with_smx_count!(smx, N => boxed(RoundRobinScheduler::<N>::new(limits)))
        }
        (Source::RoundRobin, [Gate::Claso(levels)]) => {
            let levels = Levels { active: levels.active.get().into(), loose: levels.loose.into() };
            with_smx_count!(smx, N => boxed(RoundRobinClasoScheduler::<N>::new(limits, levels)))
        }
        _ => return Err(RtlError::Composition(composition.to_string())),
    };
    module.ok_or(RtlError::Smx(smx))
}

fn boxed<M: SchedulerModule + 'static>(mut module: M) -> Box<dyn SchedulerModule> {
    module.connect_all();
    Box::new(module)
}

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

    /// The engine of a composition.
    ///
    /// # Errors
    /// See [`rtl_module`].
    pub fn build(
        composition: &Composition,
        smx: usize,
        limits: SmxLimits,
    ) -> Result<Self, RtlError> {
        Ok(Self::new(rtl_module(composition, smx, limits)?))
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
        self.module.set_lookup(ports::tagged(inputs.lookup));
        let mut mask = 0;
        for (smx, finished) in inputs.finished.iter().enumerate() {
            if let Some(entry) = finished {
                mask |= 1 << smx;
                self.module.set_finished_kernel(smx, U::new(entry.0.into()));
            }
        }
        // A kernel number without its valid bit means nothing and is left as it is.
        if mask != self.finished {
            self.module.set_finished(mask);
            self.finished = mask;
        }
    }

    fn read(&self, outputs: &mut Outputs) {
        let (ready, entry) = self.module.launch_ready();
        outputs.launch_ready = ready.then(|| ports::entry(entry));
        outputs.finished_kernels = self.module.finished_kernels() as u32;
        let (valid, context) = self.module.context();
        outputs.context = ports::context(valid, context);
        outputs.dispatch.resize(self.module.smx(), None);
        for (smx, dispatch) in outputs.dispatch.iter_mut().enumerate() {
            *dispatch = ports::dispatch(self.module.dispatch(smx));
        }
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
        self.read(outputs);
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
