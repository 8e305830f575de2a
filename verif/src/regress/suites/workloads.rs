//! Workloads on the GPU, in lockstep, and again without skipping quiet cycles: in the quick suite
//! as far as [`Extent::skip_from`].
//!
//! Schedulers that launch nothing from the device run the papers' worked examples, searches over
//! generated graphs and benchmarks of CLASO, IKRA and SRTF; the others run graph workloads with
//! dynamic expansion, and benchmarks of DTBL and LaPerm; SRTF's policies run pairs of its kernels,
//! too. The quick suite does not multiply that by presets and modes: which of them a case has turns
//! with the scheduler's place in the list, so that every preset meets every kind of graph, and
//! every workload every launch mode.

use super::schedulers::{schedulers, Mode, Scheduler, Subject, CDP, DTBL, FLAT};
use super::{differs, Extent};
use crate::regress::{Case, CaseContext, Outcome, StopFlag};
use crate::reproduce::benchmarks::{self, Benchmark, Size};
use crate::scenarios;
use crate::session::{Engine, Report, Session, SessionError, Workload, ONE_THREAD};
use blockyard_kernels::graphs::GraphSettings;
use blockyard_kernels::together::Member;
use blockyard_kernels::{KernelSettings, KernelWorkload};
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::observer::Observer;
use blockyard_sim::workload::graph::{Csr, GraphSpec};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::rc::Rc;

const GRAPHS: [&str; 3] = ["rmat", "grid", "uniform"];

/// The workloads over graphs of DTBL and LaPerm, whose busy vertices launch. Independent sets and
/// PageRank launch in the same way.
const EXPANSIONS: [&str; 3] = ["bfs", "sssp", "clr"];

/// The GPU for what one is enough for.
const PRESET: &str = "k20c";

/// Most SMXs of a preset on which searches run: hardware of more takes minutes for each.
const MOST_SMX: u32 = 16;

/// What a scheduler that takes device kernels alone runs in the quick suite, beside a search or
/// shortest paths: nested IKRA, of which each home runs one after the other, takes minutes for a
/// benchmark of many launches. LaPerm's shifting queue, which takes a cycle for each unit that
/// moves, takes half of one.
const FEW_LAUNCHES: [&str; 2] = ["join", "pre"];

/// The policies that choose among kernels.
const SRTF: [&str; 3] = ["mpmax", "srtf", "srtf/adaptive"];

/// The GPU of SRTF's Table 4.
const PAIRS_PRESET: &str = "gtx480";

/// Cycles from the first kernel of a pair to the second one: `erc.stagger`.
const STAGGER: u64 = 75;

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    // Schedulers that run what launches nothing, so far: as many as benchmarks, and more.
    let mut flat = 0;
    let schedulers = schedulers();
    let benchmarks: Vec<Benchmark> =
        benchmarks::dtbl(Size::Reduced).into_iter().filter(|b| !b.walks_graph()).collect();
    let mut met = BTreeSet::new();
    for (place, scheduler) in schedulers.iter().enumerate() {
        if scheduler.runs(FLAT) {
            cases.extend(
                scenarios::names().map(|name| scenario(scheduler.under(FLAT), name, extent)),
            );
            cases.extend(searches(scheduler.under(FLAT), place, extent));
            let kernels = benchmarks::flat_kernels();
            let own = flat % kernels.len();
            flat += 1;
            let of = kernels.into_iter().enumerate();
            let of = of.filter(|(number, _)| extent.whole || *number == own);
            cases.extend(of.map(|(_, of)| benchmark(scheduler.under(FLAT), of, extent)));
        }
        let modes: Vec<Mode> =
            [CDP, DTBL].into_iter().filter(|&mode| scheduler.runs(mode)).collect();
        for (at, workload) in EXPANSIONS.into_iter().enumerate() {
            // Colouring launches the most.
            let count = if scheduler.takes_groups() { EXPANSIONS.len() } else { 2 };
            let own = (place % count, place / count % modes.len().max(1));
            for (number, &mode) in modes.iter().enumerate() {
                if extent.whole || (at, number) == own {
                    cases.push(expansion(scheduler.under(mode), workload, extent));
                }
            }
        }
        let hurries = modes.len() > 1 && !scheduler.name.contains("queue=shifting");
        let few = |at: &usize| hurries || FEW_LAUNCHES.contains(&&*benchmarks[*at].workload);
        let quick: Vec<usize> = (0..benchmarks.len()).filter(few).collect();
        let own = quick[place % quick.len()];
        for (at, of) in benchmarks.iter().enumerate() {
            for (number, &mode) in modes.iter().enumerate() {
                let turn = (place / benchmarks.len() + at) % modes.len();
                if extent.whole || (at, number) == (own, turn) {
                    cases.push(benchmark(scheduler.under(mode), of.clone(), extent));
                    met.insert((at, mode.name));
                }
            }
        }
    }
    cases.extend(pairs(&schedulers, extent));
    // What the turns have left out.
    let takes_both = |scheduler: &&Scheduler| scheduler.runs(CDP) && scheduler.runs(DTBL);
    let first = schedulers.iter().find(takes_both).expect("the baseline does");
    for (at, of) in benchmarks.iter().enumerate() {
        let left = [CDP, DTBL].into_iter().filter(|mode| !met.contains(&(at, mode.name)));
        cases.extend(left.map(|mode| benchmark(first.under(mode), of.clone(), extent)));
    }
    cases
}

fn scenario(subject: Subject, name: &'static str, extent: Extent) -> Case {
    Case::new(format!("scenario/{name}/{}", subject.scheduler), 1, move |context| {
        session(context, (subject, extent), PRESET, || {
            Ok(Workload::Scenario(Rc::new(scenarios::load(name)?)))
        })
    })
}

fn searches(subject: Subject, place: usize, extent: Extent) -> Vec<Case> {
    let small = |name: &&str| GpuConfig::preset(name).is_ok_and(|gpu| gpu.smx.count <= MOST_SMX);
    let presets: Vec<&str> = GpuConfig::names().filter(small).collect();
    let scale = extent.graph_scale;
    let mut cases = Vec::new();
    for (at, kind) in GRAPHS.into_iter().enumerate() {
        for (number, &preset) in presets.iter().enumerate() {
            let own = (place % GRAPHS.len(), place / GRAPHS.len() % presets.len());
            if !extent.whole && (at, number) != own {
                continue;
            }
            let id = format!("bfs/{kind}/{preset}/{}", subject.scheduler);
            cases.push(Case::new(id, 10 << (scale - 8), move |context| {
                let seed = context.seed;
                session(context, (subject, extent), preset, move || {
                    graph_workload("bfs", kind, scale, seed)
                })
            }));
        }
    }
    cases
}

/// A graph workload whose busy vertices launch their neighbours.
fn expansion(subject: Subject, workload: &'static str, extent: Extent) -> Case {
    let scale = if workload == "clr" { extent.colouring_scale } else { extent.graph_scale };
    let id = format!("expansion/{workload}/{}/{}", subject.mode.name, subject.scheduler);
    Case::new(id, 100 << (extent.graph_scale - 8), move |context| {
        let seed = context.seed;
        session(context, (subject, extent), PRESET, move || {
            graph_workload(workload, "rmat", scale, seed)
        })
    })
}

/// Pairs of SRTF's kernels, for which its policies are: in the quick suite each kernel is the first
/// of one.
fn pairs(schedulers: &[Scheduler], extent: Extent) -> Vec<Case> {
    let kernels = benchmarks::srtf(Size::Reduced);
    let count = kernels.len();
    let mut cases = Vec::new();
    for (place, name) in SRTF.into_iter().enumerate() {
        let scheduler = schedulers.iter().find(|known| known.name == name);
        let scheduler = scheduler.expect("the families have these for suites");
        for (number, first) in kernels.iter().enumerate() {
            let own = number % SRTF.len() == place;
            for apart in (1..count).filter(|&apart| extent.whole || own && apart == SRTF.len()) {
                let second = kernels[(number + apart) % count].clone();
                cases.push(pair(scheduler.under(FLAT), [first.clone(), second], extent));
            }
        }
    }
    cases
}

fn pair(subject: Subject, [first, second]: [Benchmark; 2], extent: Extent) -> Case {
    let id = format!("pair/{}+{}/{}", first.name, second.name, subject.scheduler);
    Case::new(id, 100, move |context| {
        session(context, (subject, extent), PAIRS_PRESET, || {
            let [first, second] = [kernel(&first)?, kernel(&second)?];
            let second = Member { workload: second, arrive: STAGGER };
            Ok(Workload::Together(vec![Member { workload: first, arrive: 0 }, second]))
        })
    })
}

/// The kernel that a benchmark is, on its small input.
fn kernel(benchmark: &Benchmark) -> Result<KernelWorkload, InputError> {
    let mut settings = KernelSettings::default();
    for setting in &benchmark.settings {
        let (key, value) = setting.split_once('=').expect("a key and its value");
        settings.set(key, value).map_err(|error| InputError::new(error.to_string()))?;
    }
    Ok(settings.workload(&benchmark.workload).expect("the table names known workloads"))
}

/// A benchmark that walks no graph, on its small input.
fn benchmark(subject: Subject, benchmark: Benchmark, extent: Extent) -> Case {
    let id = format!("benchmark/{}/{}/{}", benchmark.name, subject.mode.name, subject.scheduler);
    Case::new(id, 100, move |context| {
        session(context, (subject, extent), PRESET, || Ok(Workload::Kernel(kernel(&benchmark)?)))
    })
}

fn graph_workload(name: &str, kind: &str, scale: u32, seed: u64) -> Result<Workload, InputError> {
    let workload =
        GraphSettings::default().workload(name).expect("the suite names known workloads");
    Ok(Workload::Graph { csr: Rc::new(graph(kind, scale, seed)?), workload })
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

/// Threads of the GPU in the second run of a case, one number after the other.
const THREADS: [usize; 3] = [2, 3, 8];

/// A workload in lockstep, then on the golden engine without skipping, as far as the extent says,
/// and on several threads: the same log and the same statistics.
fn session(
    context: &CaseContext,
    (subject, extent): (Subject, Extent),
    preset: &str,
    workload: impl Fn() -> Result<Workload, InputError>,
) -> Outcome {
    let build = || -> Result<Session, InputError> {
        let mut gpu = GpuConfig::preset(preset)?;
        let workload = workload()?;
        if let Workload::Scenario(scenario) = &workload {
            scenario.configure(&mut gpu)?;
        }
        Ok(Session {
            scheduler: subject.scheduler.parse().expect("the suite names known schedulers"),
            engine: Engine::Lockstep,
            gpu,
            workload,
            launch: subject.mode.launch,
            seed: context.seed,
            skip_from: Some(0),
            max_cycles: Some(100_000_000),
            faults: Vec::new(),
            footprint: false,
            intervals: None,
            threads: ONE_THREAD,
        })
    };
    let mut session = match build() {
        Ok(session) => session,
        Err(error) => return Outcome::failed(error.to_string(), 0),
    };
    let mut last = LastCycle::default();
    let skipping = match session.run_watched(None, &StopFlag::new(), &mut last) {
        Ok(report) => report,
        Err(error) => return failure(context, &session, error, &last),
    };
    if context.stop.is_raised() {
        return Outcome::not_run();
    }
    session.skip_from = extent.skip_from;
    session.engine = Engine::Golden;
    let threads = THREADS[context.seed as usize % THREADS.len()];
    session.threads = NonZeroUsize::new(threads).expect("several threads");
    match session.run_watched(None, &StopFlag::new(), &mut last) {
        Ok(stepping) => compare(&skipping, &stepping),
        Err(error) => failure(context, &session, error, &last),
    }
}

fn compare(skipping: &Report, stepping: &Report) -> Outcome {
    let cycles = skipping.summary.cycles;
    if skipping.dispatch_log != stepping.dispatch_log {
        return Outcome::failed(
            "skipping cycles, or several threads, change the dispatch log",
            cycles,
        );
    }
    if skipping.stats != stepping.stats {
        return Outcome::failed(
            "skipping cycles, or several threads, change the statistics",
            cycles,
        );
    }
    Outcome::passed(cycles)
}

/// Of a run that came as far as `last`.
fn failure(
    context: &CaseContext,
    session: &Session,
    error: SessionError,
    last: &LastCycle,
) -> Outcome {
    match error {
        SessionError::Mismatch(found) => differs(context, session, &found, 0, None),
        error => Outcome::failed(error.to_string(), last.cycles),
    }
}

/// Counts the cycles of a run that may fail.
#[derive(Default)]
struct LastCycle {
    cycles: u64,
}

impl Observer for LastCycle {
    fn cycle(&mut self, cycle: u64, _: &Inputs, _: &Outputs) -> ControlFlow<()> {
        self.cycles = cycle + 1;
        ControlFlow::Continue(())
    }
}
