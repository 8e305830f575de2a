//! Figures of executed instructions, over the whole GPU.

use serde::Serialize;

use super::ratio::sum;
use super::{
    ActivityStats, CoherenceStats, DramStats, EnergyCounts, EnergyStats, FetchStats,
    InstructionStats, L1Stats, L2Stats, LoadStoreStats, LocalityStats, ReadOnlyStats, TrafficStats,
};
use crate::gpu::smx::SmxCounts;
use crate::gpu::Gpu;

/// Figures of executed instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExecutionStats {
    /// Instructions times active lanes, a cycle: GPGPU-Sim's measure.
    pub ipc: f64,
    /// Instructions issued, one a warp.
    pub warp_instructions: u64,
    /// Instructions issued times active lanes.
    pub thread_instructions: u64,
    /// Cycles of all SMXs by what they did with them, and how full they were.
    #[serde(flatten)]
    pub activity: ActivityStats,
    /// Warp instructions by kind.
    pub instructions: InstructionStats,
    /// All instruction caches together.
    pub fetch: FetchStats,
    /// All load/store units together.
    pub load_store: LoadStoreStats,
    /// All first-level caches together.
    pub l1: L1Stats,
    /// All constant caches together; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_cache: Option<ReadOnlyStats>,
    /// All texture caches together; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_cache: Option<ReadOnlyStats>,
    /// The shared cache.
    pub l2: L2Stats,
    /// The network.
    pub traffic: TrafficStats,
    /// What of it crosses domains; only where the memory is in domains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locality: Option<LocalityStats>,
    /// The coherence protocol; only under DeNovo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coherence: Option<CoherenceStats>,
    /// The memory.
    pub dram: DramStats,
    /// Dynamic energy by component.
    pub energy_nj: EnergyStats,
}

impl ExecutionStats {
    pub(super) fn new(gpu: &Gpu, smxs: &[SmxCounts], cycles: u64) -> Self {
        let (config, memory) = (gpu.config(), gpu.memory());
        let channels: Vec<_> = memory.channel_counts().copied().collect();
        let thread_instructions = sum(smxs, |smx| smx.thread_instructions);
        let mut stats = Self {
            ipc: thread_instructions as f64 / cycles as f64,
            warp_instructions: sum(smxs, |smx| smx.warp_instructions),
            thread_instructions,
            activity: ActivityStats::new(smxs, cycles, config),
            instructions: InstructionStats::new(smxs),
            fetch: FetchStats::new(smxs),
            load_store: LoadStoreStats::new(smxs),
            l1: L1Stats::new(smxs),
            constant_cache: ReadOnlyStats::of_constants(config, smxs),
            texture_cache: ReadOnlyStats::of_textures(config, smxs),
            l2: L2Stats::new(memory.l2_counts()),
            traffic: TrafficStats::new(memory.traffic()),
            locality: memory.homes().map(LocalityStats::new),
            coherence: CoherenceStats::new(smxs, config),
            dram: DramStats::new(&channels, cycles, config),
            energy_nj: EnergyStats::default(),
        };
        stats.energy_nj = EnergyStats::new(&EnergyCounts::new(&stats), &config.energy);
        stats
    }
}
