//! How fast the behavioural GPU runs instruction traces: whole runs of the `blockyard` binary,
//! start and reading of the trace included, as warp instructions a second (criterion's `elem/s`);
//! how the rate changes with thread blocks and SMXs; and the peak memory of each run.
//!
//! `cargo bench -p blockyard --bench gpu` makes its traces with `../shared/tools/gen_trace.py`;
//! where that or `python3` is absent it says so and measures nothing.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const GENERATOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/tools/gen_trace.py");

/// SMXs of the preset that everything runs on.
const SMXS: u32 = 13;

/// A trace in a folder of its own.
struct Trace {
    folder: TempDir,
    warp_instructions: u64,
}

impl Trace {
    /// `blocks` thread blocks of the generator's `kind`. An error says why there is no trace.
    fn generate(kind: &str, blocks: u32) -> Result<Self, String> {
        if !Path::new(GENERATOR).exists() {
            return Err("../shared/tools/gen_trace.py is absent".to_owned());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let made = Command::new("python3")
            .arg(GENERATOR)
            .args([kind, &blocks.to_string()])
            .arg(folder.path())
            .stdout(Stdio::null())
            .status()
            .map_err(|error| format!("python3: {error}"))?;
        if !made.success() {
            return Err(format!("{GENERATOR}: {made}"));
        }
        let counts = std::fs::read_to_string(folder.path().join("stats.txt"))
            .map_err(|error| format!("stats.txt: {error}"))?;
        let count = counts.split_whitespace().find_map(|word| word.strip_prefix("warp_insts="));
        let warp_instructions = count.and_then(|count| count.parse().ok());
        let missing = || format!("stats.txt without warp_insts: {counts}");
        Ok(Self { warp_instructions: warp_instructions.ok_or_else(missing)?, folder })
    }

    /// A run of it, golden, `rr`, on `smx` SMXs of a K20c.
    fn run(&self, smx: u32) -> Command {
        let list: PathBuf = self.folder.path().join("kernelslist.g");
        let mut command = Command::new(env!("CARGO_BIN_EXE_blockyard"));
        command
            .args(["run", "--engine", "golden", "--scheduler", "rr", "--gpu", "k20c"])
            .args(["--set", &format!("smx.count={smx}"), "--trace"])
            .arg(list)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Peak resident memory of a run in KiB, where the system tells it.
    fn peak_memory(&self, smx: u32) -> Option<u64> {
        let mut child = self.run(smx).spawn().expect("the binary starts");
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        // The high-water mark is gone with the process: what was seen last counts.
        while child.try_wait().expect("a child to wait for").is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let seen = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            peak = peak.max(seen);
            std::thread::sleep(Duration::from_millis(1));
        }
        peak
    }
}

/// One trace on some numbers of SMXs.
fn measure(criterion: &mut Criterion, kind: &str, blocks: u32, smxs: &[u32]) {
    let trace = match Trace::generate(kind, blocks) {
        Ok(trace) => trace,
        Err(message) => return println!("skipped: {kind} {blocks}: {message}"),
    };
    let mut group = criterion.benchmark_group(kind);
    group.throughput(Throughput::Elements(trace.warp_instructions)).sample_size(10);
    for &smx in smxs {
        let name = format!("{blocks} blocks/{smx} SMXs");
        match trace.peak_memory(smx) {
            Some(kib) => println!("{kind}/{name}: peak memory {:.1} MiB", kib as f64 / 1024.0),
            None => println!("{kind}/{name}: peak memory unknown"),
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let status = trace.run(smx).status().expect("the binary starts");
                assert!(status.success(), "{kind} {blocks} on {smx} SMXs: {status}");
            });
        });
    }
}

/// Coalesced and streaming: issue and the trace take most of the time.
fn vecadd(criterion: &mut Criterion) {
    for blocks in [60, 600] {
        measure(criterion, "vecadd", blocks, &[SMXS]);
    }
    measure(criterion, "vecadd", 6000, &[1, 8, SMXS, 30]);
}

/// 32 lines a load: caches, network and DRAM take most of it.
fn irregular(criterion: &mut Criterion) {
    measure(criterion, "irregular", 60, &[SMXS]);
    measure(criterion, "irregular", 600, &[1, 8, SMXS, 30]);
}

criterion_group!(benches, vecadd, irregular);
criterion_main!(benches);
