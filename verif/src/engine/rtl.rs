//! The hardware behind the scheduler's port.

use super::tap::{CycleCounter, Tap};
use super::{group_ports, ports, priority_ports};
use blockyard_rtl::activity;
use blockyard_rtl::claso::Levels;
use blockyard_rtl::dyncta::Thresholds;
use blockyard_rtl::ikra::{Relation, Stealing, WhenFull};
use blockyard_rtl::laperm::{Division, PriorityScheduler};
use blockyard_rtl::module::{clock_edge, settle};
use blockyard_rtl::schedulers::{
    self, SchedulerModule, EVERY_SMX, LAPERM_SMX, PAPER_SMX, RELATED_SMX,
};
use blockyard_rtl::srtf::Shortest;
use blockyard_rtl::word::U;
use blockyard_sim::port::{
    Activity, DeviceInputs, DeviceOutputs, Inputs, KernelLaunch, LaunchMode, Outputs, RecordFetch,
    Scheduler, SmxLimits,
};
use blockyard_sim::sched::composition::{Gate, Source};
use blockyard_sim::sched::dyncta::DynctaConfig;
use blockyard_sim::sched::ikra::{self, IkraConfig, StealConfig};
use blockyard_sim::sched::laperm::{Binding, LapermConfig, QueueKind};
use blockyard_sim::sched::srtf::{Policy, SrtfConfig};
use blockyard_sim::sched::{claso, Composition};

/// Most thread-block slots of an SMX that DTBL's control registers can name.
pub const MAX_SLOTS: u32 = 32;

/// Why there is no hardware for a composition.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RtlError {
    /// Every scheduler is built for some numbers of SMXs.
    #[error("there is no hardware of {of} for {smx} SMXs")]
    #[diagnostic(help("use --engine golden, or one of {built:?} SMXs"))]
    Smx {
        /// The composition.
        of: String,
        /// SMXs.
        smx: usize,
        /// Numbers for which it is built.
        built: &'static [usize],
    },
    /// The thread block control registers are built for 1 to 32 slots of an SMX.
    #[error("that hardware is built for 1 to {MAX_SLOTS} thread-block slots, not for {0}")]
    Slots(u32),
    /// LaPerm's hardware is built for some numbers of SMXs and queues.
    #[error("there is no hardware of LaPerm for {smx} SMXs in clusters of {cluster}")]
    #[diagnostic(help(
        "use --engine golden, or one of {LAPERM_SMX:?} SMXs in clusters of 1, 2 or all of them"
    ))]
    Clusters {
        /// SMXs.
        smx: usize,
        /// Of them in a cluster.
        cluster: usize,
    },
    /// An oracle is told what no hardware can know.
    #[error("there is no hardware for {0}: the run times that it needs come from outside")]
    #[diagnostic(help("use --engine golden"))]
    Oracle(String),
    /// The composition has more gates than the hardware can chain.
    #[error("there is no hardware for {0}")]
    #[diagnostic(help("use --engine golden, or a composition of `blockyard list modules`"))]
    Composition(String),
}

/// The top module of a composition, connected; `launch` says how device launches reach it, and `table`
/// how many entries its Aggregated Group Table has.
///
/// # Errors
/// When there is no hardware for that composition or that many SMXs or slots.
pub fn rtl_module(
    composition: &Composition,
    launch: LaunchMode,
    table: u32,
    smx: usize,
    limits: SmxLimits,
) -> Result<Box<dyn SchedulerModule>, RtlError> {
    let slots = limits.thread_block_slots;
    let prioritized = matches!(composition.source, Source::Laperm(_));
    let timed = matches!(composition.source, Source::Srtf(_));
    if (launch == LaunchMode::Dtbl || prioritized || timed) && !(1..=MAX_SLOTS).contains(&slots) {
        return Err(RtlError::Slots(slots));
    }
    if let Source::Laperm(config) = &composition.source {
        return laperm(composition, config, launch, smx, limits);
    }
    let flat = launch == LaunchMode::Flat && composition.gates.is_empty();
    let (module, built) = match &composition.source {
        Source::Ikra(config) if flat => ikra(config, smx, limits),
        Source::RestartingRoundRobin if flat => {
            (schedulers::round_robin_restarting(smx, ports::limits(limits)), PAPER_SMX)
        }
        Source::Mpmax if flat => (schedulers::mpmax(smx, ports::limits(limits)), PAPER_SMX),
        Source::Srtf(config) if flat => {
            let adaptive = config.policy == Policy::Adaptive;
            (schedulers::srtf(smx, ports::limits(limits), shortest(config), adaptive), PAPER_SMX)
        }
        Source::Oracle(_) => return Err(RtlError::Oracle(composition.to_string())),
        _ => (over_baseline(composition, launch, table, smx, limits)?, EVERY_SMX),
    };
    module.ok_or_else(|| RtlError::Smx { of: composition.to_string(), smx, built })
}

/// What is built over the baseline.
fn over_baseline(
    composition: &Composition,
    launch: LaunchMode,
    table: u32,
    smx: usize,
    limits: SmxLimits,
) -> Result<Option<Box<dyn SchedulerModule>>, RtlError> {
    match launch {
        LaunchMode::Flat => flat(composition, smx, limits),
        LaunchMode::Cdp => cdp(composition, smx, limits),
        LaunchMode::Dtbl => dtbl(composition, table, smx, limits),
    }
}

/// LaPerm: one hardware for every launch mode, but for the size of its queues.
fn laperm(
    composition: &Composition,
    config: &LapermConfig,
    launch: LaunchMode,
    smx: usize,
    limits: SmxLimits,
) -> Result<Box<dyn SchedulerModule>, RtlError> {
    let claso = match composition.gates.as_slice() {
        [] => None,
        [Gate::Claso(claso)] => Some(levels(claso)),
        _ => return Err(RtlError::Composition(composition.to_string())),
    };
    let cluster = config.cluster_size(smx);
    let parameters = PriorityScheduler {
        division: Division { cluster, levels: config.levels.into() },
        entries: config.queue_entries(smx, launch == LaunchMode::Dtbl),
        adaptive: config.binding == Binding::Adaptive,
    };
    let linked = config.queue == QueueKind::Linked;
    let module = schedulers::laperm(smx, ports::limits(limits), parameters, linked, claso);
    module.ok_or(RtlError::Clusters { smx, cluster })
}

/// IKRA, which takes neither gates nor launches from the device.
fn ikra(
    config: &IkraConfig,
    smx: usize,
    limits: SmxLimits,
) -> (Option<Box<dyn SchedulerModule>>, &'static [usize]) {
    let limits = ports::limits(limits);
    let module = match config {
        IkraConfig::Chunk => schedulers::ikra_chunk(smx, limits),
        IkraConfig::Reset | IkraConfig::Flip => {
            schedulers::ikra_static(smx, limits, config.flips())
        }
        IkraConfig::Steal(config) if config.relations => {
            return (schedulers::ikra_related(smx, limits, stealing(config)), RELATED_SMX);
        }
        IkraConfig::Steal(config) => schedulers::ikra_steal(smx, limits, stealing(config)),
    };
    (module, PAPER_SMX)
}

/// Behind the Kernel Management Unit.
fn cdp(
    composition: &Composition,
    smx: usize,
    limits: SmxLimits,
) -> Result<Option<Box<dyn SchedulerModule>>, RtlError> {
    let limits = ports::limits(limits);
    match (composition.source, composition.gates.as_slice()) {
        (Source::RoundRobin, []) => Ok(schedulers::cdp(smx, limits)),
        (Source::RoundRobin, [Gate::Claso(claso)]) => {
            Ok(schedulers::cdp_claso(smx, limits, levels(claso)))
        }
        _ => Err(RtlError::Composition(format!("{composition} with --launch cdp"))),
    }
}

/// With aggregated groups.
fn dtbl(
    composition: &Composition,
    table: u32,
    smx: usize,
    limits: SmxLimits,
) -> Result<Option<Box<dyn SchedulerModule>>, RtlError> {
    let (limits, table) = (ports::limits(limits), table as usize);
    match (composition.source, composition.gates.as_slice()) {
        (Source::RoundRobin, []) => Ok(schedulers::dtbl(smx, limits, table)),
        (Source::RoundRobin, [Gate::Claso(claso)]) => {
            Ok(schedulers::dtbl_claso(smx, limits, table, levels(claso)))
        }
        _ => Err(RtlError::Composition(format!("{composition} with --launch dtbl"))),
    }
}

/// Nothing is launched from the device.
fn flat(
    composition: &Composition,
    smx: usize,
    limits: SmxLimits,
) -> Result<Option<Box<dyn SchedulerModule>>, RtlError> {
    let limits = ports::limits(limits);
    Ok(match (composition.source, composition.gates.as_slice()) {
        (Source::RoundRobin, []) => schedulers::round_robin(smx, limits),
        (Source::RoundRobin, [Gate::Claso(claso)]) => {
            schedulers::round_robin_claso(smx, limits, levels(claso))
        }
        (Source::RoundRobin, [Gate::Dyncta(dyncta)]) => {
            schedulers::round_robin_dyncta(smx, limits, thresholds(dyncta))
        }
        (Source::RoundRobin, [Gate::Dyncta(dyncta), Gate::Claso(claso)]) => {
            schedulers::round_robin_dyncta_claso(smx, limits, thresholds(dyncta), levels(claso))
        }
        (Source::GpgpuSim, []) => schedulers::gpgpusim(smx, limits),
        _ => return Err(RtlError::Composition(composition.to_string())),
    })
}

fn levels(claso: &claso::Levels) -> Levels {
    Levels { active: claso.active.get().into(), loose: claso.loose.into() }
}

fn shortest(config: &SrtfConfig) -> Shortest {
    Shortest {
        sample: config.sample.into(),
        limit: config.limit.into(),
        threshold: u64::from(config.threshold) * 256 / 100,
    }
}

fn stealing(config: &StealConfig) -> Stealing {
    Stealing {
        entries: config.queue.into(),
        latency: config.latency.into(),
        when_full: match config.full {
            ikra::WhenFull::Reinitialise => WhenFull::Reinitialise,
            ikra::WhenFull::Stop => WhenFull::Stop,
        },
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

/// The period is the SMX's business: what it counted comes when it ends.
fn thresholds(dyncta: &DynctaConfig) -> Thresholds {
    Thresholds { idle: dyncta.idle.into(), low: dyncta.low.into(), high: dyncta.high.into() }
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
