//! IKRA in hardware.

use super::{parameters, Workbench};
use crate::engine::{Built, HardwareBuild};
use crate::story::{ikra, nested};
use blockyard_rtl::ikra::{
    ChunkScheduler, FourLevelScheduler, RelatedScheduler, StaticScheduler, StealScheduler,
    Stealing, TwoLevelScheduler, WhenFull,
};
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::ikra::{self as twin, IkraConfig, StealConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let config: &IkraConfig = parameters(source);
        if config.nesting().is_none() {
            build.flat()?;
        }
        let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
        Ok(match config {
            IkraConfig::Chunk => connected(ChunkScheduler::new(smx, limits, gates)),
            IkraConfig::Reset | IkraConfig::Flip => {
                connected(StaticScheduler::new(smx, limits, config.flips(), gates))
            }
            IkraConfig::Steal(config) => steal(config, build)?,
        })
    },
    traffic: |source, traffic, run| {
        let config: &IkraConfig = parameters(source);
        match config.nesting() {
            Some(_) => traffic.nested(run.launch, run.seed).reusing(false, run.seed),
            None => traffic.reusing(config.follows_relations(), run.seed),
        }
    },
    story: |source, _, story| match parameters::<IkraConfig>(source) {
        IkraConfig::Steal(StealConfig { nesting: Some(nesting), .. }) => {
            nested::nested(story, nesting.levels());
        }
        IkraConfig::Steal(_) => ikra::steal(story),
        config => ikra::own_chunks(story, *config == IkraConfig::Chunk),
    },
    budgets: &[
        ("ikra-chunk-denovo15", "ikra/chunk", "denovo15", "flat", &[]),
        ("ikra-reset-denovo15", "ikra/reset", "denovo15", "flat", &[]),
        ("ikra-flip-denovo15", "ikra/flip", "denovo15", "flat", &[]),
        ("ikra-steal-denovo15", "ikra/steal", "denovo15", "flat", &[]),
        ("ikra-steal-nesting-cdp-denovo15", "ikra/steal(nesting=4)", "denovo15", "cdp", &[]),
    ],
};

fn steal(config: &StealConfig, build: &HardwareBuild<'_>) -> Built {
    let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
    let stealing = Stealing {
        entries: config.queue.into(),
        latency: config.latency.into(),
        when_full: match config.full {
            twin::WhenFull::Reinitialise => WhenFull::Reinitialise,
            twin::WhenFull::Stop => WhenFull::Stop,
        },
        executed: config.thief == twin::OwnWork::Executed,
    };
    let entries = stealing.entries;
    Ok(match config.nesting.map(twin::Nesting::levels) {
        Some(_) if config.excluded_by_nesting().is_some() => return Err(build.refused()),
        Some(2) => connected(TwoLevelScheduler::new(smx, limits, entries, gates)),
        Some(_) => connected(FourLevelScheduler::new(smx, limits, entries, gates)),
        None if config.relations => connected(RelatedScheduler::new(smx, limits, stealing, gates)),
        None => connected(StealScheduler::new(smx, limits, stealing, gates)),
    })
}
