//! Graph workloads in lockstep; their results are checked by the workloads. Under every scheduler
//! on a small graph, and with dynamic expansion on the public ones. DTBL, section 5.2 B: groups
//! wait less than kernels and reserve less memory.

#[path = "../../sim/tests/shared/mod.rs"]
mod shared;

use std::rc::Rc;

use blockyard::family::everything;
use blockyard::session::{Engine, Report, Session, Workload, ONE_THREAD};
use blockyard_kernels::graphs::{GraphSettings, WORKLOADS};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use blockyard_sim::workload::graph::{self, generate, Csr};
use rayon::prelude::*;

/// The workload `name` with `settings` in lockstep on `smxs` SMXs.
fn run(
    (name, settings): (&str, &[(&str, &str)]),
    csr: &Rc<Csr>,
    smxs: u32,
    (scheduler, launch): (&Composition, LaunchMode),
) -> Report {
    let mut all = GraphSettings::default();
    for (key, value) in settings {
        assert_eq!(all.set(&format!("{name}.{key}"), value), Ok(true));
    }
    let mut gpu = GpuConfig::preset("k20c").expect("a preset");
    gpu.set("smx.count", &smxs.to_string()).expect("a key of the GPU");
    let workload = all.workload(name).expect("a workload");
    let session = Session {
        scheduler: scheduler.clone(),
        engine: Engine::Lockstep,
        gpu,
        workload: Workload::Graph { csr: Rc::clone(csr), workload },
        launch,
        seed: 1,
        skip_from: Some(0),
        max_cycles: None,
        faults: Vec::new(),
        footprint: false,
        intervals: None,
        threads: ONE_THREAD,
    };
    let report = session.run(None);
    report.unwrap_or_else(|error| panic!("{name} {scheduler} {launch:?}: {error}"))
}

/// A public graph.
fn load(file: &str) -> Option<Rc<Csr>> {
    let csr = graph::read(&shared::data("graphs")?.join(file)).expect("a graph").csr;
    Some(Rc::new(csr))
}

/// Threads of a vertex each, and more than one block of them; busy vertices are among them.
const SMALL: [(&str, &str); 3] = [("block", "33"), ("threshold", "8"), ("child_block", "7")];

#[test]
fn results_are_right_under_every_scheduler() {
    everything().into_par_iter().for_each(|(scheduler, launch)| {
        let csr = Rc::new(generate::rmat(6, 4, 1));
        for (name, _) in WORKLOADS {
            let report = run((name, &SMALL), &csr, 3, (&scheduler, launch));
            let expanded = report.stats.kernels.iter().any(|k| k.name.ends_with("_expand"));
            assert_eq!(expanded, launch != LaunchMode::Flat, "{name} {scheduler} {launch:?}");
        }
    });
}

#[test]
fn searches_with_dynamic_expansion_run_in_lockstep_and_groups_wait_less_than_kernels() {
    for (file, kind) in [
        ("256_16384.gr", "bfs"),
        ("bcsstk13.mtx", "bfs"),
        ("ca-CondMat.txt", "bfs"),
        ("cit-HepTh.txt", "bfs"),
        ("256_16384.gr", "sssp"),
    ] {
        let Some(csr) = load(file) else { return };
        let settings = if kind == "sssp" { &[("weights", "generated")][..] } else { &[] };
        for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
            let scheduler = scheduler.parse().expect("a known scheduler");
            let [cdp, dtbl] = [LaunchMode::Cdp, LaunchMode::Dtbl].map(|launch| {
                let report = run((kind, settings), &csr, 13, (&scheduler, launch));
                let launches = report.stats.launches.expect("busy vertices launch");
                let wait = launches.average_wait.expect("something was launched");
                // Bytes times cycles: how much memory is reserved for how long.
                let memory = launches.pending_bytes_average * report.summary.cycles as f64;
                (wait, memory, launches)
            });
            assert_eq!(cdp.2.groups, 0);
            assert!(dtbl.2.groups > 0 && dtbl.2.match_rate.is_some(), "{file}: {:?}", dtbl.2);
            assert!(dtbl.0 < cdp.0, "{file}, {kind}, {scheduler}: wait {} and {}", dtbl.0, cdp.0);
            assert!(dtbl.1 < cdp.1, "{file}, {kind}, {scheduler}: memory {} and {}", dtbl.1, cdp.1);
        }
    }
}

#[test]
fn without_busy_vertices_nothing_is_launched_and_the_levels_are_those_of_a_flat_run() {
    let Some(csr) = load("ca-CondMat.txt") else { return };
    let rr = "rr".parse().expect("a known scheduler");
    let levels = [LaunchMode::Flat, LaunchMode::Cdp, LaunchMode::Dtbl].map(|launch| {
        let report = run(("bfs", &[("threshold", "1000000")]), &csr, 13, (&rr, launch));
        assert_eq!(report.stats.launches, None, "{launch:?}");
        // Under DTBL a child is resident that nobody calls.
        report.stats.kernels.iter().filter(|kernel| &*kernel.name == "bfs").count()
    });
    assert!(levels[0] > 3 && levels == [levels[0]; 3], "{levels:?}");
}
