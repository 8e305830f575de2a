//! Which hardware a composition has.

use super::ports;
use blockyard_rtl::claso::Levels;
use blockyard_rtl::dyncta::Thresholds;
use blockyard_rtl::ikra::{Stealing, WhenFull};
use blockyard_rtl::laperm::{Division, PriorityScheduler};
use blockyard_rtl::schedulers::{
    self, SchedulerModule, EVERY_SMX, LAPERM_SMX, NESTED_SMX, PAPER_SMX, RELATED_SMX,
};
use blockyard_rtl::srtf::Shortest;
use blockyard_sim::port::{LaunchMode, SmxLimits};
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
        Source::Ikra(config) if config.nesting().is_some() => ikra(config, smx, limits),
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

/// IKRA, which takes no gates, and launches from the device only with nesting levels.
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
        IkraConfig::Steal(config) if config.nesting.is_some() => {
            let levels = config.nesting.map_or(1, ikra::Nesting::levels).into();
            return (schedulers::ikra_nested(smx, levels, limits, stealing(config)), NESTED_SMX);
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

/// The period is the SMX's business: what it counted comes when it ends.
fn thresholds(dyncta: &DynctaConfig) -> Thresholds {
    Thresholds { idle: dyncta.idle.into(), low: dyncta.low.into(), high: dyncta.high.into() }
}
