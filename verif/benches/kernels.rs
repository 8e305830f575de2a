//! What it costs to execute kernels in PTX beside reading the same instructions from a trace: for
//! each kernel, processor time of a timed run by that of the run of its recorded trace (the median
//! of runs that take turns), golden engine, `rr`, `k20c`. Criterion's times are of smaller ones.

use blockyard::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_kernels::KernelSettings;
use blockyard_ptx::functional;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::trace::Record;
use criterion::{criterion_group, criterion_main, Criterion};
use std::path::Path;
use std::time::Instant;

/// Kernels and their settings for criterion; those that take seconds.
const KERNELS: [(&str, &[&str], &[&str]); 5] = [
    ("vecadd", &["vecadd.count=200000"], &["vecadd.count=4000000"]),
    (
        "matmul",
        &["matmul.rows=96", "matmul.columns=96", "matmul.inner=96"],
        &["matmul.rows=320", "matmul.columns=320", "matmul.inner=320"],
    ),
    ("reduce", &["reduce.count=200000"], &["reduce.count=4000000"]),
    ("histogram", &["histogram.count=200000"], &["histogram.count=8000000"]),
    (
        "stencil",
        &["stencil.width=200", "stencil.height=200"],
        &["stencil.width=800", "stencil.height=800", "stencil.steps=3"],
    ),
];

/// Pairs of runs that take turns.
const TURNS: usize = 5;

fn session(workload: Workload) -> Session {
    Session {
        scheduler: "rr".parse().expect("a scheduler"),
        engine: Engine::Golden,
        gpu: GpuConfig::preset("k20c").expect("a preset"),
        workload,
        launch: LaunchMode::Flat,
        seed: 1,
        skip_from: Some(0),
        max_cycles: None,
        faults: Vec::new(),
        footprint: false,
        intervals: None,
        threads: ONE_THREAD,
    }
}

/// Cycles of a run.
fn run(session: &Session) -> u64 {
    session.run(None).expect("it runs").summary.cycles
}

/// Seconds for which this thread has had a processor; where the system does not tell, of the clock.
fn processor_time(start: Instant) -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = said.split(' ').next().and_then(|word| word.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |spent| spent as f64 / 1e9)
}

/// The kernel `name` with `settings`, and the run of its trace in `folder`.
fn pair(name: &str, settings: &[&str], folder: &Path) -> [Session; 2] {
    let mut keys = KernelSettings::default();
    for setting in settings {
        let (key, value) = setting.split_once('=').expect("a setting");
        assert_eq!(keys.set(key, value), Ok(true));
    }
    let workload = keys.workload(name).expect("a kernel");
    let record = Record::new(folder).expect("a folder");
    let program = workload.program(1, LaunchMode::Flat).expect("room");
    functional::run(&mut record.watch(program)).expect("it runs");
    record.finish().expect("it is written");
    [Workload::Kernel(workload), Workload::Trace(folder.join("kernelslist.g"))].map(session)
}

/// Processor time of the first by that of the second.
fn ratio(pair: &[Session; 2]) -> f64 {
    let start = Instant::now();
    let [(cycles, kernel), (read, trace)] = pair.each_ref().map(|session| {
        let begun = processor_time(start);
        (run(session), processor_time(start) - begun)
    });
    assert_eq!(cycles, read, "both are the same run");
    println!("{cycles} cycles: {kernel:.2} s, from the trace {trace:.2} s");
    kernel / trace
}

fn cost(criterion: &mut Criterion) {
    for (name, small, large) in KERNELS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sessions = pair(name, large, &folder.path().join("large"));
        let mut ratios: Vec<f64> = (0..TURNS).map(|_| ratio(&sessions)).collect();
        ratios.sort_by(f64::total_cmp);
        println!("{name}: {:.2} times the run of its trace", ratios[TURNS / 2]);
        let sessions = pair(name, small, &folder.path().join("small"));
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for (what, session) in ["kernel", "trace"].iter().zip(&sessions) {
            group.bench_function(*what, |bencher| bencher.iter(|| run(session)));
        }
    }
}

criterion_group!(benches, cost);
criterion_main!(benches);
