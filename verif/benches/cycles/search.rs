//! Breadth-first search on a generated graph: golden, lockstep, and lockstep without skipping.

use blockyard::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_kernels::bfs::BfsOptions;
use blockyard_kernels::graphs::GraphWorkload;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::graph::{self, GraphSpec};
use criterion::{Criterion, Throughput};
use std::path::Path;
use std::rc::Rc;

/// The graph of the closing note, when it is there; else a generated one of its size.
fn csr() -> graph::Csr {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/graphs/ca-CondMat.txt");
    if let Ok(graph) = graph::read(Path::new(path)) {
        return graph.csr;
    }
    let mut spec = GraphSpec::default();
    for (key, value) in [("graph.kind", "rmat"), ("graph.scale", "15"), ("graph.edge_factor", "3")]
    {
        spec.set(key, value).expect("a valid setting");
    }
    spec.build(1).expect("a valid graph").csr
}

/// Cycles of the GPU a second.
pub fn bench(criterion: &mut Criterion) {
    let csr = Rc::new(csr());
    let session = |engine, skip: bool| Session {
        scheduler: "rr+claso".parse().expect("a known scheduler"),
        engine,
        gpu: GpuConfig::preset("c2050").expect("a known preset"),
        workload: Workload::Graph {
            csr: Rc::clone(&csr),
            workload: GraphWorkload::Bfs(BfsOptions::default()),
        },
        launch: LaunchMode::Flat,
        seed: 1,
        skip_from: skip.then_some(0),
        max_cycles: None,
        faults: Vec::new(),
        footprint: false,
        intervals: None,
        threads: ONE_THREAD,
    };
    let first = session(Engine::Golden, true).run(None).expect("a run").summary;
    println!(
        "bfs: {} cycles, {} evaluated, {} skipped",
        first.cycles, first.evaluated, first.skipped
    );
    let mut group = criterion.benchmark_group("bfs");
    group.throughput(Throughput::Elements(first.cycles)).sample_size(10);
    for (name, engine, skip) in [
        ("golden", Engine::Golden, true),
        ("hardware", Engine::Rtl, true),
        ("lockstep", Engine::Lockstep, true),
        ("lockstep, every cycle", Engine::Lockstep, false),
    ] {
        let session = session(engine, skip);
        group.bench_function(name, |bencher| {
            bencher.iter(|| session.run(None).expect("a run"));
        });
    }
}
