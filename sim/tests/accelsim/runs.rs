//! Runs as Accel-Sim's were set.

use std::path::Path;

use blockyard_sim::gpu::{config::GpuConfig, Gpu};
use blockyard_sim::run::{observer::Nobody, run, RunOptions};
use blockyard_sim::sched::{self, Composition};
use blockyard_sim::stats::{ExecutionStats, Stats};
use blockyard_sim::workload::trace;

/// Cycles and counts of the trace in `folder` on the preset that stands for Accel-Sim's
/// configuration `config`, with its way of issuing blocks.
pub fn ours(config: &str, folder: &Path) -> (u64, ExecutionStats) {
    let config = GpuConfig::preset(&format!("accelsim-{config}")).unwrap();
    let program = trace::open(&folder.join("kernelslist.g")).unwrap();
    let scheduler: Composition = "rr-gpgpusim".parse().unwrap();
    let mut twin = sched::build(&scheduler, config.smx.count as usize, config.limits());
    let mut gpu = Gpu::new(config, Box::new(program)).unwrap();
    let options = RunOptions { rules: (&scheduler).into(), ..RunOptions::default() };
    let summary = run(&mut gpu, &mut *twin, &options, &mut Nobody).unwrap();
    let stats = Stats::new(&gpu, &summary);
    (summary.cycles, stats.execution.expect("traces execute instructions"))
}

/// How far `ours` is from `theirs`, in per cent.
pub fn error(ours: u64, theirs: u64) -> f64 {
    100.0 * (ours as f64 - theirs as f64) / theirs as f64
}
