//! Whole runs against the cycles and counts that Accel-Sim gave for the same traces.
//!
//! The data are outside of the repository; where they are absent, these tests say so and pass.

mod shared;

use std::collections::BTreeMap;
use std::path::Path;

use blockyard_sim::gpu::{config::GpuConfig, Gpu};
use blockyard_sim::run::{observer::Nobody, run, RunOptions};
use blockyard_sim::sched::{self, Composition};
use blockyard_sim::stats::{ExecutionStats, Stats};
use blockyard_sim::workload::trace;

/// Most that the mean of all errors of the cycles may be, in per cent.
const MEAN: f64 = 15.0;

/// Most that a single error may be.
const WORST: f64 = 30.0;

/// One line of `expected.csv`.
struct Expected {
    config: String,
    trace: String,
    counts: BTreeMap<String, u64>,
}

impl Expected {
    fn all(folder: &Path) -> Vec<Self> {
        let mut reader = csv::Reader::from_path(folder.join("expected.csv")).unwrap();
        let columns = reader.headers().unwrap().clone();
        let line = |record: csv::StringRecord| Self {
            config: record[0].to_owned(),
            trace: record[1].to_owned(),
            counts: columns
                .iter()
                .zip(&record)
                .skip(2)
                .map(|(column, value)| (column.to_owned(), value.parse().unwrap()))
                .collect(),
        };
        reader.records().map(|record| line(record.unwrap())).collect()
    }

    /// The cycles and counts of the same run on ours.
    fn run(&self, folder: &Path) -> (u64, ExecutionStats) {
        let config = GpuConfig::preset(&format!("accelsim-{}", self.config)).unwrap();
        let program = trace::open(&folder.join(&self.trace).join("kernelslist.g")).unwrap();
        let scheduler: Composition = "rr-gpgpusim".parse().unwrap();
        let mut twin = sched::build(&scheduler, config.smx.count as usize, config.limits());
        let mut gpu = Gpu::new(config, Box::new(program)).unwrap();
        let options = RunOptions { rules: (&scheduler).into(), ..RunOptions::default() };
        let summary = run(&mut gpu, &mut *twin, &options, &mut Nobody).unwrap();
        let stats = Stats::new(&gpu, &summary);
        (summary.cycles, stats.execution.expect("traces execute instructions"))
    }
}

#[test]
fn cycles_are_accel_sims_within_15_per_cent_on_average_and_30_at_worst() {
    let Some(folder) = shared::data("accelsim") else {
        return;
    };
    let plot = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accelsim-correlation.csv");
    let mut csv = csv::Writer::from_path(&plot).unwrap();
    csv.write_record(["config", "trace", "accelsim_cycles", "blockyard_cycles", "error_percent"])
        .unwrap();
    println!("config  trace               Accel-Sim  Blockyard    error");
    let mut errors = Vec::new();
    for expected in Expected::all(&folder) {
        let (config, trace, theirs) =
            (&expected.config, &expected.trace, expected.counts["cycles"]);
        let (cycles, stats) = expected.run(&folder);
        let error = 100.0 * (cycles as f64 - theirs as f64) / theirs as f64;
        println!("{config:7} {trace:19} {theirs:9} {cycles:10} {error:+7.2} %");
        let record =
            [config, trace, &theirs.to_string(), &cycles.to_string(), &format!("{error:.3}")];
        csv.write_record(record).unwrap();
        let instructions = expected.counts["thread_instructions"];
        assert_eq!(stats.thread_instructions, instructions, "{config} {trace}");
        assert!(error.abs() <= WORST, "{config} {trace}: {error:+.2} %");
        errors.push(error.abs());
    }
    csv.flush().unwrap();
    assert!(!errors.is_empty(), "expected.csv has lines");
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    println!("mean absolute error {mean:.2} %; correlation plot: {}", plot.display());
    assert!(mean <= MEAN, "mean absolute error {mean:.2} %");
}

/// Traces in which the order of accesses decides what hits, so that these counts may differ by 7 %. Those of
/// all others follow from the trace alone, and may not.
const ORDER_MATTERS: [&str; 3] = ["irregular-30", "irregular-small-60", "reuse-90"];

fn assert_count(what: &str, ours: u64, theirs: u64, slack: f64) {
    assert!(
        (ours as f64 - theirs as f64).abs() <= slack * theirs as f64,
        "{what}: {ours}, but Accel-Sim has {theirs}"
    );
}

#[test]
fn caches_and_dram_are_accessed_as_in_accel_sim() {
    let Some(folder) = shared::data("accelsim") else {
        return;
    };
    for expected in Expected::all(&folder) {
        let (_, stats) = expected.run(&folder);
        // GPGPU-Sim counts the stores of an L1 among its accesses and misses.
        let [accesses, misses] = if expected.config == "gtx480" {
            let l1 = &stats.l1;
            [l1.accesses + l1.stores, l1.misses + l1.stores]
        } else {
            [0, 0]
        };
        let slack = if ORDER_MATTERS.contains(&expected.trace.as_str()) { 0.07 } else { 0.0 };
        for (column, ours, slack) in [
            ("l1_accesses", accesses, 0.0),
            ("l1_misses", misses, slack),
            ("l2_accesses", stats.l2.accesses, slack),
            ("l2_misses", stats.l2.misses, slack),
            ("dram_reads", stats.dram.reads, slack),
            // What is written back, and which row is open, always follows from the order.
            ("dram_writes", stats.dram.writes, 0.2),
            ("dram_activates", stats.dram.activates, 0.2),
        ] {
            let what = format!("{} {}: {column}", expected.config, expected.trace);
            assert_count(&what, ours, expected.counts[column], slack);
        }
    }
}
