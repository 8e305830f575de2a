//! One run: a workload on a GPU with a scheduler, behind one of the engines.

mod error;

pub use error::SessionError;

use crate::engine::{CycleCounter, Failure, Mismatch, RtlScheduler, Running, Tap};
use crate::regress::StopFlag;
use blockyard_kernels::graphs::GraphWorkload;
use blockyard_kernels::together::{Member, Together};
use blockyard_kernels::KernelWorkload;
use blockyard_ptx::Machine;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::dispatch_log::DispatchLog;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::host::{HostProgram, Products};
use blockyard_sim::gpu::memory::load::RunApart;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::{Inputs, LaunchMode, Outputs, Scheduler};
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::{Nobody, Observer, Observers};
use blockyard_sim::run::{self, RunOptions, Summary};
use blockyard_sim::sched::{self, Composition, Fault};
use blockyard_sim::stats::Stats;
use blockyard_sim::workload::erc::ErcWorkload;
use blockyard_sim::workload::graph::Csr;
use blockyard_sim::workload::ikra::{Benchmark, Ikra, IkraOptions};
use blockyard_sim::workload::kernel_file::KernelFile;
use blockyard_sim::workload::scenario::Scenario;
use blockyard_sim::workload::trace;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;

/// Who decides.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The behavioural twin alone.
    Golden,
    /// The rust-hdl modules alone.
    Rtl,
    /// Both, compared on every output of every cycle.
    #[default]
    Lockstep,
}

/// What the GPU runs.
#[derive(Clone, Debug)]
pub enum Workload {
    /// A scenario file.
    Scenario(Rc<Scenario>),
    /// A kernel in CUDA C over a graph.
    Graph {
        /// The graph.
        csr: Rc<Csr>,
        /// What walks it.
        workload: GraphWorkload,
    },
    /// Kernels of ERCBench.
    Erc(ErcWorkload),
    /// A microbenchmark of IKRA.
    Ikra {
        /// Which one.
        benchmark: Benchmark,
        /// Launches, blocks and data.
        options: IkraOptions,
    },
    /// A kernel in CUDA C.
    Kernel(KernelWorkload),
    /// Several of them, each a program of its own.
    Together(Vec<Member>),
    /// Kernels of a PTX file, as a host file launches them.
    KernelFile(Rc<KernelFile>),
    /// An instruction trace: its `kernelslist.g`, or the file of one kernel.
    Trace(PathBuf),
}

/// Everything that decides what a run does.
#[derive(Clone, Debug)]
pub struct Session {
    /// The scheduler.
    pub scheduler: Composition,
    /// Who decides.
    pub engine: Engine,
    /// The GPU, with all overrides applied.
    pub gpu: GpuConfig,
    /// What it runs.
    pub workload: Workload,
    /// How what blocks launch reaches the scheduler.
    pub launch: LaunchMode,
    /// Decides what is drawn at random.
    pub seed: u64,
    /// The cycle from which on quiet cycles are skipped; `None`: none is.
    pub skip_from: Option<u64>,
    /// Cycles after which the run counts as stuck.
    pub max_cycles: Option<u64>,
    /// Faults to inject into the twin.
    pub faults: Vec<Fault>,
    /// Whether to look for what child blocks share with their relatives.
    pub footprint: bool,
    /// Cycles of the intervals in which SMXs and DRAM are counted, if they are; at least 1.
    pub intervals: Option<u64>,
    /// Threads of the GPU. What a run does and leaves does not depend on it.
    pub threads: NonZeroUsize,
}

/// For a session that runs beside others.
pub const ONE_THREAD: NonZeroUsize = NonZeroUsize::MIN;

/// What a run leaves that ended well, or was stopped: then [`Stats::cut_off`] says so.
#[derive(Clone, Debug)]
pub struct Report {
    /// Cycles in all, evaluated and skipped.
    pub summary: Summary,
    /// The statistics.
    pub stats: Stats,
    /// The dispatch log, as CSV.
    pub dispatch_log: Vec<u8>,
    /// What the user should know beside them.
    pub remark: Option<String>,
}

impl Session {
    /// Runs to the end; `tap` sees the hardware in every evaluated cycle.
    ///
    /// # Errors
    /// Bad input, or the first check that fails.
    ///
    /// # Panics
    /// When there is a tap, but no hardware (the golden engine).
    pub fn run(&self, tap: Option<Box<dyn Tap>>) -> Result<Report, SessionError> {
        self.run_until(tap, &StopFlag::new())
    }

    /// As [`run`](Self::run), unless `stop` is raised on the way: then the report is of what there
    /// is.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_until(
        &self,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
    ) -> Result<Report, SessionError> {
        self.run_watched(tap, stop, &mut Nobody)
    }

    /// As [`run_until`](Self::run_until), while `observer` watches.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
        observer: &mut dyn Observer,
    ) -> Result<Report, SessionError> {
        self.run_for(tap, stop, observer, &mut Products::default())
    }

    /// As [`run_watched`](Self::run_watched); `products` are what the workload leaves, however the
    /// run ends.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_for(
        &self,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
        observer: &mut dyn Observer,
        products: &mut Products,
    ) -> Result<Report, SessionError> {
        self.run_program(self.program()?, tap, stop, observer, products)
    }

    /// As [`run_for`](Self::run_for), of `program`: that of this session, which somebody listens
    /// to.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_program(
        &self,
        program: Box<dyn HostProgram>,
        tap: Option<Box<dyn Tap>>,
        stop: &StopFlag,
        observer: &mut dyn Observer,
        products: &mut Products,
    ) -> Result<Report, SessionError> {
        let mut gpu = Gpu::launching(self.gpu.clone(), self.launch, program)?;
        gpu.drive(self.scheduler.ports(self.launch));
        gpu.sample_every(self.scheduler.sample_period().unwrap_or(0));
        gpu.use_threads(self.threads.get(), RunApart::Measured);
        if self.footprint {
            gpu.look_for_sharing();
        }
        if let Some(length) = self.intervals {
            gpu.count_in_intervals(length);
        }
        let mut engine = self.engine(tap)?;
        let mut log = DispatchLog::new(Vec::new());
        let options = RunOptions {
            skip_from: self.skip_from,
            max_cycles: self.max_cycles,
            rules: (&self.scheduler).into(),
        };
        let result = {
            let mismatch = Rc::clone(&engine.mismatch);
            let (counter, lingers) = (engine.counter, engine.lingers);
            let mut watch = Watch { counter, mismatch, lingers, stop: stop.clone() };
            let mut observers = Observers(vec![&mut watch, &mut log, observer]);
            if let Some(witness) = &mut engine.witness {
                observers.0.push(&mut **witness);
            }
            run::run(&mut gpu, &mut *engine.scheduler, &options, &mut observers)
        };
        *products = gpu.products();
        if let Some(mismatch) = engine.mismatch.borrow_mut().take() {
            return Err(SessionError::Mismatch(mismatch));
        }
        if let (Err(RunError::Stuck { cycle, .. }), Some(witness)) = (&result, &mut engine.witness)
        {
            witness.failed(*cycle, &Failure::Stuck);
        }
        let (summary, stats) = match result {
            Ok(summary) => (summary, Stats::new(&gpu, &summary)),
            Err(RunError::Stopped(summary)) => {
                gpu.halt();
                (summary, Stats::cut_off(&gpu, &summary))
            }
            Err(error) => return Err(SessionError::Run(error)),
        };
        let dispatch_log =
            log.finish().map_err(|error| InputError::new(format!("dispatch log: {error}")))?;
        Ok(Report { summary, stats, dispatch_log, remark: gpu.remark() })
    }

    /// What the GPU's host runs.
    pub(crate) fn program(&self) -> Result<Box<dyn HostProgram>, SessionError> {
        self.program_on(&|_| {})
    }

    /// As [`program`](Self::program); kernels in PTX compute in the memory of a machine that
    /// `prepare` is shown.
    pub(crate) fn program_on(
        &self,
        prepare: &dyn Fn(&Machine),
    ) -> Result<Box<dyn HostProgram>, SessionError> {
        Ok(match &self.workload {
            Workload::Scenario(scenario) => {
                scenario.check(&self.gpu)?;
                Box::new(scenario.program(self.launch, self.seed)?)
            }
            Workload::Graph { csr, workload } => workload.program(csr, self.seed, self.launch)?,
            Workload::Erc(workload) => Box::new(workload.program(self.seed)),
            Workload::Ikra { benchmark, options } => {
                options.check(*benchmark)?;
                Box::new(Ikra::new(*benchmark, options, self.seed))
            }
            Workload::Kernel(workload) => {
                let program = workload.program(self.seed, self.launch)?;
                program.machine().set_gpu(&self.gpu);
                prepare(program.machine());
                program
            }
            Workload::Together(members) => {
                if self.launch != LaunchMode::Flat {
                    let message = "workloads that run together launch nothing from the device";
                    return Err(InputError::new(message).help("expected --launch flat").into());
                }
                let program = Together::new(members, self.seed)?;
                for machine in program.machines() {
                    machine.set_gpu(&self.gpu);
                    prepare(machine);
                }
                Box::new(program)
            }
            Workload::KernelFile(file) => {
                let program = file.host(self.seed)?;
                program.machine().set_gpu(&self.gpu);
                prepare(program.machine());
                Box::new(program)
            }
            Workload::Trace(path) => Box::new(trace::open(path)?),
        })
    }

    /// Whether its scheduler can be had.
    ///
    /// # Errors
    /// It cannot, with the reason.
    pub fn check(&self) -> Result<(), SessionError> {
        self.engine(None).map(|_| ())
    }

    fn engine(&self, tap: Option<Box<dyn Tap>>) -> Result<Running, SessionError> {
        Ok(match self.engine {
            Engine::Golden => {
                assert!(tap.is_none(), "the golden engine has no hardware to look at");
                Running::golden(self.twin()?)
            }
            Engine::Rtl => Running::rtl(self.hardware()?, tap),
            Engine::Lockstep => Running::lockstep(self.twin()?, self.hardware()?, tap),
        })
    }

    fn hardware(&self) -> Result<RtlScheduler, SessionError> {
        let Self { scheduler, launch, gpu, .. } = self;
        let (plan, storage) = (gpu.floor_plan(), gpu.launch.storage());
        // What no engine takes is refused for its reason, and not for want of hardware.
        self.twin()?;
        Ok(RtlScheduler::build_for(scheduler, *launch, storage, plan, gpu.limits())?)
    }

    fn twin(&self) -> Result<Box<dyn Scheduler>, SessionError> {
        let Self { scheduler, launch, faults, .. } = self;
        let (plan, limits) = (self.gpu.floor_plan(), self.gpu.limits());
        let storage = self.gpu.launch.storage();
        Ok(if faults.is_empty() {
            sched::build_for(scheduler, *launch, storage, plan, limits)?
        } else {
            sched::build_faulty_for(scheduler, *launch, storage, plan, limits, faults)?
        })
    }
}

/// Tells the engine what is skipped, and the run loop when the engines differ or the user has had
/// enough.
struct Watch {
    counter: CycleCounter,
    mismatch: Rc<RefCell<Option<Mismatch>>>,
    /// Cycles for which the run goes on after they differ.
    lingers: u64,
    stop: StopFlag,
}

impl Observer for Watch {
    fn cycle(&mut self, cycle: u64, _inputs: &Inputs, _outputs: &Outputs) -> ControlFlow<()> {
        let differ = self.mismatch.borrow();
        if differ.as_ref().is_some_and(|found| cycle - found.cycle >= self.lingers) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn has_had_enough(&self) -> bool {
        self.stop.is_raised()
    }

    fn skipped(&mut self, _from: u64, to: u64) {
        self.counter.skip_to(to);
    }
}
