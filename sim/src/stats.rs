//! What a run did, as JSON and as a page of text: the same run gives the same bytes, skipping or
//! not. `docs/statistics.md` defines every key.

mod activity;
mod caches;
mod coherence;
mod dram;
mod energy;
mod execution;
mod footprint;
mod intervals;
mod kernel;
mod launches;
mod load_store;
mod locality;
mod multiprogram;
mod network;
mod partitions;
mod ratio;
mod smx;
mod summary;

use serde::Serialize;

pub use activity::{ActivityStats, InstructionStats};
pub use caches::{FetchStats, L1Stats, L2Stats, ReadOnlyStats};
pub use coherence::CoherenceStats;
pub use dram::DramStats;
pub use energy::{EnergyCounts, EnergyStats};
pub use execution::ExecutionStats;
pub use footprint::{FootprintStats, RelativeHitStats};
pub use intervals::{IntervalStats, SmxIntervals};
pub use kernel::KernelStats;
pub use launches::LaunchStats;
pub use load_store::LoadStoreStats;
pub use locality::LocalityStats;
pub use multiprogram::Multiprogram;
pub use network::TrafficStats;
pub use partitions::PartitionStats;
pub use smx::{SmxExecutionStats, SmxStats};

use crate::gpu::smx::SmxCounts;
use crate::gpu::Gpu;
use crate::run::Summary;

/// Figures of a finished run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// Cycles in all.
    pub cycles: u64,
    /// Only of a run that was stopped: the first cycle of which nothing is counted. Kernels and
    /// blocks that had not finished by then are as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<u64>,
    /// One entry an SMX.
    pub smx: Vec<SmxStats>,
    /// One entry a kernel instance, in order of launch.
    pub kernels: Vec<KernelStats>,
    /// One entry a partition; only when the GPU states partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitions: Option<Vec<PartitionStats>>,
    /// Only when blocks launched something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launches: Option<LaunchStats>,
    /// Only when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footprint: Option<FootprintStats>,
    /// Only when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<IntervalStats>,
    /// Only when the kernels executed instructions.
    #[serde(flatten)]
    pub execution: Option<ExecutionStats>,
}

impl Stats {
    /// The figures of `gpu` after a run.
    pub fn new(gpu: &Gpu, summary: &Summary) -> Self {
        let cycles = summary.cycles;
        let counts: Vec<SmxCounts> = gpu.smxs().iter().map(|smx| smx.counts(cycles)).collect();
        let executed = counts.iter().any(|counts| counts.warp_instructions > 0);
        let smx = counts.iter().map(|counts| SmxStats::new(counts, cycles, executed, gpu.config()));
        let kernels: Vec<KernelStats> =
            gpu.kernels().iter().map(|kernel| KernelStats::new(kernel, gpu)).collect();
        Self {
            cycles,
            cut_off: None,
            smx: smx.collect(),
            partitions: PartitionStats::all(gpu),
            launches: LaunchStats::new(gpu.device().counts(), &kernels, cycles),
            kernels,
            footprint: FootprintStats::new(gpu),
            intervals: IntervalStats::new(gpu, cycles),
            execution: executed.then(|| ExecutionStats::new(gpu, &counts, cycles)),
        }
    }

    /// The figures of a run that was stopped.
    pub fn cut_off(gpu: &Gpu, summary: &Summary) -> Self {
        Self { cut_off: Some(summary.cycles), ..Self::new(gpu, summary) }
    }

    /// The figures as JSON, ending in a newline.
    ///
    /// # Panics
    /// Never: the figures are plain numbers and names.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data");
        text.push('\n');
        text
    }

    /// The figures on a page, ending in a newline: run, SMXs, and where instructions were executed
    /// caches, network, DRAM and energy.
    pub fn summary(&self) -> String {
        summary::page(self)
    }
}

#[cfg(test)]
mod tests;
