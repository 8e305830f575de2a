//! What the regression runs.

mod concurrent;
mod launches;
mod priorities;
mod reuse;

use super::{Case, CaseContext, Outcome, Suite, Verdict};
use crate::engine::Mismatch;
use crate::mismatch;
use crate::random_lockstep::{RandomFailure, RandomLockstep};
use crate::replay::{self, Check, ReplayOutcome};
use crate::scenarios;
use crate::session::{Engine, Report, Session, SessionError, Workload};
use crate::traffic::Intensity;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::{LaunchMode, SmxLimits};
use blockyard_sim::workload::bfs::BfsOptions;
use blockyard_sim::workload::graph::{Csr, GraphSpec};
use std::rc::Rc;

/// The schedulers that every suite covers.
const SCHEDULERS: [&str; 9] = [
    "rr",
    "rr+claso",
    "rr+claso(pa=2,pl=0)",
    "rr+claso(pa=1,pl=2)",
    "rr+claso(pa=9,pl=9)",
    "rr-gpgpusim",
    "rr+dyncta",
    "rr+dyncta(period=64,idle=3,low=8,high=16)",
    "rr+dyncta+claso",
];

/// Numbers of SMXs: one, the papers', powers of two and their neighbours.
const SMX_COUNTS: [usize; 9] = [1, 3, 4, 13, 14, 15, 16, 30, 32];

/// Cycles of one random case between two looks at the stop flag.
const STRETCH: u64 = 50_000;

/// All suites: `quick` is the default one.
pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "quick".to_owned(),
            description: "every scheduler in lockstep on every workload, replay in Icarus; the default".to_owned(),
            cases: cases(Extent { random_cycles: 40_000, graph_scale: 10, full_replay: false }),
        },
        Suite {
            name: "full".to_owned(),
            description: "as quick, longer and larger: over 20 million random lockstep cycles, replay in Verilator".to_owned(),
            cases: cases(Extent { random_cycles: 200_000, graph_scale: 13, full_replay: true }),
        },
    ]
}

/// How much a suite does.
#[derive(Clone, Copy)]
struct Extent {
    /// Cycles of each random lockstep case.
    random_cycles: u64,
    /// Logarithm of the number of vertices of the generated graphs.
    graph_scale: u32,
    /// Whether every configuration is replayed in every simulator.
    full_replay: bool,
}

fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for scheduler in SCHEDULERS {
        for smx in SMX_COUNTS {
            for (name, intensity) in [
                ("dense", Intensity::DENSE),
                ("mixed", Intensity::MIXED),
                ("sparse", Intensity::SPARSE),
            ] {
                let weight = extent.random_cycles * smx as u64 / 10_000 + 1;
                let id = format!("lockstep/{scheduler}/n{smx}/{name}");
                cases.push(Case::new(id, weight as u32, move |context| {
                    let flat = (LaunchMode::Flat, 1);
                    random(context, scheduler, flat, smx, intensity, extent.random_cycles)
                }));
            }
        }
        for scenario in scenarios::names() {
            let id = format!("scenario/{scenario}/{scheduler}");
            cases.push(Case::new(id, 1, move |context| {
                session(context, scheduler, LaunchMode::Flat, "c2050", |_| {
                    Ok(Workload::Scenario(Rc::new(scenarios::load(scenario)?)))
                })
            }));
        }
        for preset in GpuConfig::names() {
            for kind in ["rmat", "grid", "uniform"] {
                let id = format!("bfs/{kind}/{preset}/{scheduler}");
                let weight = 1 << (extent.graph_scale - 8);
                cases.push(Case::new(id, weight, move |context| {
                    let seed = context.seed;
                    session(context, scheduler, LaunchMode::Flat, preset, move |_| {
                        bfs(kind, extent.graph_scale, seed)
                    })
                }));
            }
        }
    }
    cases.extend(launches::cases(extent));
    cases.extend(priorities::cases(extent));
    cases.extend(reuse::cases(extent));
    cases.extend(concurrent::cases(extent));
    cases.extend(replays(extent.full_replay));
    cases
}

/// Lockstep on random traffic.
fn random(
    context: &CaseContext,
    scheduler: &str,
    (launch, table): (LaunchMode, u32),
    smx: usize,
    intensity: Intensity,
    cycles: u64,
) -> Outcome {
    let composition = scheduler.parse().expect("the suite names known schedulers");
    let limits = SmxLimits {
        threads: 1536,
        registers: 32_768,
        shared_memory: 49_152,
        thread_block_slots: 8,
    };
    let mut done = 0;
    let mut case = RandomLockstep {
        composition,
        smx,
        limits,
        launch,
        table,
        intensity,
        seed: context.seed,
        cycles,
    };
    while done < cycles {
        if context.stop.is_raised() {
            return Outcome::not_run();
        }
        case.cycles = STRETCH.min(cycles - done);
        match case.run() {
            Ok(_) => done += case.cycles,
            Err(RandomFailure::Mismatch(found)) => return differs(&found, done),
            Err(RandomFailure::Invariant { cycle, message }) => {
                return Outcome::failed(format!("invariant broken\ncycle {cycle}: {message}"), done)
            }
            Err(error) => return Outcome::failed(error.to_string(), done),
        }
        case.seed = case.seed.wrapping_add(1);
    }
    Outcome::passed(done)
}

fn differs(found: &Mismatch, cycles: u64) -> Outcome {
    let port = found.difference.port.split('[').next().unwrap_or_default();
    let text = format!("mismatch on {port}\ncycle {}: {}", found.cycle, found.difference);
    Outcome::failed(text, cycles)
}

/// A workload in lockstep, with and without skipping: the same log and the same statistics.
fn session(
    context: &CaseContext,
    scheduler: &str,
    launch: LaunchMode,
    preset: &str,
    workload: impl Fn(&mut GpuConfig) -> Result<Workload, InputError>,
) -> Outcome {
    let build = || -> Result<Session, InputError> {
        let mut gpu = GpuConfig::preset(preset)?;
        let workload = workload(&mut gpu)?;
        if let Workload::Scenario(scenario) = &workload {
            scenario.configure(&mut gpu)?;
        }
        Ok(Session {
            scheduler: scheduler.parse().expect("the suite names known schedulers"),
            engine: Engine::Lockstep,
            gpu,
            workload,
            launch,
            seed: context.seed,
            skip: true,
            max_cycles: Some(100_000_000),
            faults: Vec::new(),
        })
    };
    let mut session = match build() {
        Ok(session) => session,
        Err(error) => return Outcome::failed(error.to_string(), 0),
    };
    let skipping = match session.run(None) {
        Ok(report) => report,
        Err(error) => return failure(context, &session, error),
    };
    if context.stop.is_raised() {
        return Outcome::not_run();
    }
    session.skip = false;
    session.engine = Engine::Golden;
    match session.run(None) {
        Ok(stepping) => compare(&skipping, &stepping),
        Err(error) => failure(context, &session, error),
    }
}

fn compare(skipping: &Report, stepping: &Report) -> Outcome {
    let cycles = skipping.summary.cycles;
    if skipping.dispatch_log != stepping.dispatch_log {
        return Outcome::failed("skipping quiet cycles changes the dispatch log", cycles);
    }
    if skipping.stats != stepping.stats {
        return Outcome::failed("skipping quiet cycles changes the statistics", cycles);
    }
    Outcome::passed(cycles)
}

fn failure(context: &CaseContext, session: &Session, error: SessionError) -> Outcome {
    let SessionError::Mismatch(found) = error else {
        return Outcome::failed(error.to_string(), 0);
    };
    let mut outcome = differs(&found, found.cycle);
    let written = context.make_out().map_err(|error| error.to_string()).and_then(|folder| {
        mismatch::report(
            session,
            &found,
            folder,
            "the command that the regression prints for this case",
        )
        .map_err(|error| error.to_string())
    });
    if let Verdict::Failed { message, artefacts, .. } = &mut outcome.verdict {
        match written {
            Ok(written) => *artefacts = written.files,
            Err(error) => *message += &format!("\nno report: {error}"),
        }
    }
    outcome
}

fn bfs(kind: &str, scale: u32, seed: u64) -> Result<Workload, InputError> {
    Ok(Workload::Bfs { csr: graph(kind, scale, seed)?, options: BfsOptions::default() })
}

/// A generated graph.
fn graph(kind: &str, scale: u32, seed: u64) -> Result<Csr, InputError> {
    let mut spec = GraphSpec::default();
    let side = 1u32 << (scale / 2);
    let settings = match kind {
        "rmat" => vec![("graph.scale", scale), ("graph.edge_factor", 8)],
        "grid" => vec![("graph.width", side), ("graph.height", side)],
        _ => vec![("graph.vertices", 1 << scale), ("graph.edges", 6 << scale)],
    };
    let refused = |error: &dyn std::fmt::Display| InputError::new(error.to_string());
    spec.set("graph.kind", kind).map_err(|error| refused(&error))?;
    for (key, value) in settings {
        spec.set(key, &value.to_string()).map_err(|error| refused(&error))?;
    }
    let graph = spec.build(seed).map_err(|error| refused(&error))?;
    Ok(graph.csr)
}

/// The exported Verilog in other simulators.
fn replays(full: bool) -> impl Iterator<Item = Case> {
    let cycles = if full { 20_000 } else { 2_000 };
    let cases = replay::cases().into_iter().filter(move |case| full || is_quick(case.check));
    cases.map(move |case| {
        let (id, weight) = (case.id.clone(), weight(case.check));
        Case::new(id, weight, move |context| {
            let folder = match context.make_out() {
                Ok(folder) => folder,
                Err(error) => return Outcome::failed(format!("no folder\n{error}"), 0),
            };
            match case.run(context.seed, cycles, folder) {
                ReplayOutcome::Passed { cycles } => Outcome::passed(cycles as u64),
                ReplayOutcome::Skipped(reason) => {
                    Outcome::skipped(reason.trim_start_matches("skipped: "))
                }
                ReplayOutcome::Failed(_) if context.stop.is_raised() => Outcome::not_run(),
                ReplayOutcome::Failed(message) => Outcome::failed(message, 0),
            }
        })
    })
}

/// Builds of Verilator and statistics of Yosys take longer than all else.
fn is_quick(check: Check) -> bool {
    matches!(check, Check::Icarus | Check::Lint)
}

fn weight(check: Check) -> u32 {
    match check {
        Check::Lint => 2,
        Check::Icarus => 4,
        Check::Yosys => 10,
        Check::Verilator => 40,
    }
}
