//! The traces that came with Accel-Sim's cycles and counts.

use std::collections::BTreeMap;
use std::path::Path;

use blockyard_sim::stats::ExecutionStats;

use crate::{runs, shared};

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
        runs::ours(&self.config, &folder.join(&self.trace))
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
        let error = runs::error(cycles, theirs);
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

/// Runs in which the order of accesses decides what hits, what is written back or which row is
/// open: how far the counts of the caches and the reads of DRAM may be from Accel-Sim's, and its
/// writes and activates. Those of all others follow from the trace alone, and may not.
const ORDER_MATTERS: [(&str, &str, f64, f64); 7] = [
    ("gtx480", "irregular-30", 0.005, 0.08),
    ("k20c", "irregular-30", 0.005, 0.005),
    ("gtx480", "irregular-small-60", 0.005, 0.0),
    ("gtx480", "reuse-90", 0.06, 0.02),
    ("k20c", "vecadd-60", 0.0, 0.1),
    ("gtx480", "vecadd-600", 0.0, 0.07),
    ("k20c", "vecadd-600", 0.0, 0.04),
];

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
        let this = |(config, trace, ..): &&(&str, &str, f64, f64)| {
            (*config, *trace) == (expected.config.as_str(), expected.trace.as_str())
        };
        let (slack, dram) =
            ORDER_MATTERS.iter().find(this).map_or((0.0, 0.0), |&(.., slack, dram)| (slack, dram));
        for (column, ours, slack) in [
            ("l1_accesses", accesses, 0.0),
            ("l1_misses", misses, slack),
            ("l2_accesses", stats.l2.accesses, slack),
            ("l2_misses", stats.l2.misses, slack),
            ("dram_reads", stats.dram.reads, slack),
            ("dram_writes", stats.dram.writes, dram),
            ("dram_activates", stats.dram.activates, dram),
        ] {
            let what = format!("{} {}: {column}", expected.config, expected.trace);
            assert_count(&what, ours, expected.counts[column], slack);
        }
    }
}
