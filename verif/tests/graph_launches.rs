//! Graph workloads with dynamic expansion on the public graphs, twin and hardware in lockstep; their results
//! are checked by the workloads. DTBL, section 5.2 B: groups wait less than kernels and reserve less memory.

#[path = "../../sim/tests/shared/mod.rs"]
mod shared;

use blockyard::session::{Engine, Report, Session, Workload, ONE_THREAD};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::bfs::BfsOptions;
use blockyard_sim::workload::graph;
use blockyard_sim::workload::sssp::SsspOptions;

fn run(workload: Workload, launch: LaunchMode, scheduler: &str) -> Report {
    let session = Session {
        scheduler: scheduler.parse().expect("a known scheduler"),
        engine: Engine::Lockstep,
        gpu: GpuConfig::preset("k20c").expect("a preset"),
        workload,
        launch,
        seed: 1,
        skip: true,
        max_cycles: None,
        faults: Vec::new(),
        threads: ONE_THREAD,
    };
    session.run(None).unwrap_or_else(|error| panic!("{scheduler} {launch:?}: {error}"))
}

/// A public graph as a workload of this kind, with this threshold if one is stated.
fn load(file: &str, kind: &str, threshold: Option<&str>) -> Option<Workload> {
    let csr = graph::read(&shared::data("graphs")?.join(file)).expect("a graph").csr;
    Some(match kind {
        "bfs" => {
            let mut options = BfsOptions::default();
            if let Some(value) = threshold {
                options.set("bfs.threshold", value).expect("a threshold");
            }
            Workload::Bfs { csr, options }
        }
        _ => {
            let mut options = SsspOptions::default();
            options.set("sssp.weights", "generated").expect("a kind of weights");
            Workload::Sssp { csr, options }
        }
    })
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
        for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
            let Some(workload) = load(file, kind, None) else { return };
            let [cdp, dtbl] = [LaunchMode::Cdp, LaunchMode::Dtbl].map(|launch| {
                let report = run(workload.clone(), launch, scheduler);
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
fn a_graph_that_launches_nothing_shows_no_change() {
    let Some(workload) = load("ca-CondMat.txt", "bfs", Some("1000000")) else { return };
    let flat = run(workload.clone(), LaunchMode::Flat, "rr");
    for launch in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let report = run(workload.clone(), launch, "rr");
        assert_eq!(report.dispatch_log, flat.dispatch_log, "{launch:?}");
        assert_eq!(report.summary.cycles, flat.summary.cycles, "{launch:?}");
    }
}
