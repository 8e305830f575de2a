//! Which hardware a composition has.

use super::ports;
use blockyard_rtl::claso::Levels;
use blockyard_rtl::dispatch::RoundRobinScheduler;
use blockyard_rtl::dtbl::DtblScheduler;
use blockyard_rtl::dyncta::Thresholds;
use blockyard_rtl::gate::GateKind;
use blockyard_rtl::gpgpusim::GpgpuSimScheduler;
use blockyard_rtl::ikra::{
    ChunkScheduler, FourLevelScheduler, RelatedScheduler, StaticScheduler, StealScheduler,
    Stealing, TwoLevelScheduler, WhenFull,
};
use blockyard_rtl::kmu::CdpScheduler;
use blockyard_rtl::laperm::{Division, LinkedScheduler, PriorityScheduler, ShiftingScheduler};
use blockyard_rtl::port::Limits;
use blockyard_rtl::schedulers::{connected, SchedulerModule, MAX_SMX};
use blockyard_rtl::srtf::{AdaptiveScheduler, MpmaxScheduler, Shortest, ShortestScheduler};
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
    /// Every scheduler is built for one to [`MAX_SMX`] SMXs.
    #[error("there is no hardware for {0} SMXs: expected 1 to {MAX_SMX}")]
    Smx(usize),
    /// The thread block control registers are built for 1 to 32 slots of an SMX.
    #[error("that hardware is built for 1 to {MAX_SLOTS} thread-block slots, not for {0}")]
    Slots(u32),
    /// An oracle is told what no hardware can know.
    #[error("there is no hardware for {0}: the run times that it needs come from outside")]
    #[diagnostic(help("use --engine golden"))]
    Oracle(String),
    /// The scheduler has no place for what is put over it.
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
    if !(1..=MAX_SMX).contains(&smx) {
        return Err(RtlError::Smx(smx));
    }
    let slots = limits.thread_block_slots;
    let named_slots = launch == LaunchMode::Dtbl
        || matches!(composition.source, Source::Laperm(_) | Source::Srtf(_));
    if named_slots && !(1..=MAX_SLOTS).contains(&slots) {
        return Err(RtlError::Slots(slots));
    }
    let limits = ports::limits(limits);
    let gates: Vec<GateKind> = composition.gates.iter().map(|one| gate(one, limits)).collect();
    let refused = || {
        let over = match launch {
            LaunchMode::Flat => "",
            LaunchMode::Cdp => " with --launch cdp",
            LaunchMode::Dtbl => " with --launch dtbl",
        };
        RtlError::Composition(format!("{composition}{over}"))
    };
    match (&composition.source, launch) {
        (Source::RoundRobin, LaunchMode::Cdp) => {
            return Ok(connected(CdpScheduler::new(smx, limits, &gates)));
        }
        (Source::RoundRobin, LaunchMode::Dtbl) => {
            return Ok(connected(DtblScheduler::new(smx, limits, table as usize, &gates)));
        }
        (Source::RoundRobin, LaunchMode::Flat) => {
            return Ok(connected(RoundRobinScheduler::new(smx, limits, false, &gates)));
        }
        (Source::Laperm(config), _) => return Ok(laperm(config, launch, smx, limits, &gates)),
        (Source::Oracle(_), _) => return Err(RtlError::Oracle(composition.to_string())),
        _ => {}
    }
    let nested = matches!(&composition.source, Source::Ikra(config) if config.nesting().is_some());
    if launch != LaunchMode::Flat && !nested {
        return Err(refused());
    }
    match &composition.source {
        Source::RestartingRoundRobin => {
            Ok(connected(RoundRobinScheduler::new(smx, limits, true, &gates)))
        }
        Source::GpgpuSim => Ok(connected(GpgpuSimScheduler::new(smx, limits, &gates))),
        Source::Ikra(config) => ikra(config, smx, limits, &gates).ok_or_else(refused),
        Source::Mpmax => Ok(connected(MpmaxScheduler::new(smx, limits, &gates))),
        Source::Srtf(config) if config.policy == Policy::Adaptive => {
            Ok(connected(AdaptiveScheduler::new(smx, limits, shortest(config), &gates)))
        }
        Source::Srtf(config) => {
            Ok(connected(ShortestScheduler::new(smx, limits, shortest(config), &gates)))
        }
        Source::RoundRobin | Source::Laperm(_) | Source::Oracle(_) => Err(refused()),
    }
}

/// LaPerm: one hardware for every launch mode, but for the size of its queues.
fn laperm(
    config: &LapermConfig,
    launch: LaunchMode,
    smx: usize,
    limits: Limits,
    gates: &[GateKind],
) -> Box<dyn SchedulerModule> {
    let parameters = PriorityScheduler {
        division: Division { cluster: config.cluster_size(smx), levels: config.levels.into() },
        entries: config.queue_entries(smx, launch == LaunchMode::Dtbl),
        adaptive: config.binding == Binding::Adaptive,
    };
    match config.queue {
        QueueKind::Linked => connected(LinkedScheduler::new(smx, limits, parameters, gates)),
        QueueKind::Shifting => connected(ShiftingScheduler::new(smx, limits, parameters, gates)),
    }
}

/// IKRA; `None` for nesting levels with what only stealing without them has.
fn ikra(
    config: &IkraConfig,
    smx: usize,
    limits: Limits,
    gates: &[GateKind],
) -> Option<Box<dyn SchedulerModule>> {
    Some(match config {
        IkraConfig::Chunk => connected(ChunkScheduler::new(smx, limits, gates)),
        IkraConfig::Reset | IkraConfig::Flip => {
            connected(StaticScheduler::new(smx, limits, config.flips(), gates))
        }
        IkraConfig::Steal(config) => {
            let stealing = stealing(config);
            let plain = stealing.latency == 0 && stealing.when_full == WhenFull::Reinitialise;
            let entries = stealing.entries;
            match config.nesting.map(ikra::Nesting::levels) {
                Some(2) if plain => connected(TwoLevelScheduler::new(smx, limits, entries, gates)),
                Some(4) if plain => connected(FourLevelScheduler::new(smx, limits, entries, gates)),
                Some(_) => return None,
                None if config.relations => {
                    connected(RelatedScheduler::new(smx, limits, stealing, gates))
                }
                None => connected(StealScheduler::new(smx, limits, stealing, gates)),
            }
        }
    })
}

fn gate(gate: &Gate, limits: Limits) -> GateKind {
    match gate {
        Gate::Claso(claso) => GateKind::Claso(levels(claso)),
        Gate::Dyncta(dyncta) => {
            GateKind::Dyncta { slots: limits.slots, thresholds: thresholds(dyncta) }
        }
    }
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
