//! What a dump costs: whole runs of the `blockyard` binary, breadth-first search in lockstep,
//! without a dump, with one of the texts alone, of the scheduler, and of everything, as VCD and as
//! FST.
//!
//! Beside criterion's times it prints, for each dump, how many times as long as the run without it
//! takes (the median of runs that take turns), and how large it is.

use criterion::{criterion_group, criterion_main, Criterion};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Schedulers, and how launches reach them.
const RUNS: [(&str, &str); 3] = [("rr", "flat"), ("rr", "dtbl"), ("laperm/adaptive-bind", "dtbl")];

/// All of a scheduler.
const SCHEDULER: [&str; 2] = ["--wave-scope", "dispatcher"];

/// Runs that take turns: on a machine that others share, the medians of a few scatter by a fifth.
const TURNS: usize = 41;

struct Dump {
    name: &'static str,
    args: Vec<String>,
    file: Option<&'static str>,
}

fn dumps() -> Vec<Dump> {
    let dump = |name, file: &'static str, scope: &[&str]| {
        let args = ["--wave", file].into_iter().chain(scope.iter().copied());
        Dump { name, args: args.map(str::to_owned).collect(), file: Some(file) }
    };
    vec![
        Dump { name: "no dump", args: Vec::new(), file: None },
        dump("story", "story.vcd", &["--wave-scope", "story"]),
        dump("scheduler, VCD", "scheduler.vcd", &SCHEDULER),
        dump("scheduler, FST", "scheduler.fst", &SCHEDULER),
        dump("all, VCD", "all.vcd", &[]),
        dump("all, FST", "all.fst", &[]),
    ]
}

/// One run in `folder`.
fn run(folder: &Path, (scheduler, launch): (&str, &str), dump: &Dump) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_blockyard"));
    command
        .args(["run", "--workload", "bfs", "--set", "graph.kind=rmat", "--set", "graph.scale=12"])
        .args(["--gpu", "k20c", "--scheduler", scheduler, "--launch", launch])
        .args(&dump.args)
        .current_dir(folder)
        .stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the binary starts");
    assert!(status.success(), "{scheduler} {launch}: {status}");
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

fn cost(criterion: &mut Criterion) {
    for of in RUNS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dumps = dumps();
        let mut times = vec![Vec::new(); dumps.len()];
        for _ in 0..TURNS {
            for (dump, times) in dumps.iter().zip(&mut times) {
                times.push(run(folder.path(), of, dump));
            }
        }
        let medians: Vec<f64> = times.into_iter().map(median).collect();
        let name = format!("{} --launch {}", of.0, of.1);
        for (dump, time) in dumps.iter().zip(&medians) {
            let size = dump.file.and_then(|file| std::fs::metadata(folder.path().join(file)).ok());
            let size = size.map_or(0, |file| file.len());
            println!("{name}, {}: {:.2} x, {size} bytes", dump.name, time / medians[0]);
        }
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for dump in &dumps {
            group.bench_function(dump.name, |bencher| {
                bencher.iter(|| run(folder.path(), of, dump));
            });
        }
    }
}

criterion_group!(benches, cost);
criterion_main!(benches);
