//! What one SMX did.

use std::slice;

use serde::Serialize;

use super::{ActivityStats, FetchStats, InstructionStats, L1Stats, LoadStoreStats, ReadOnlyStats};
use crate::gpu::config::GpuConfig;
use crate::gpu::smx::SmxCounts;

/// Figures of one SMX.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmxStats {
    /// Cycles with at least one resident block.
    pub busy_cycles: u64,
    /// The others: CLASO's idle cycles (section 2.2, Fig. 2).
    pub idle_cycles: u64,
    /// Blocks dispatched to it.
    pub thread_blocks: u64,
    /// Only when the run executed instructions, on this SMX or another.
    #[serde(flatten)]
    pub execution: Option<SmxExecutionStats>,
}

/// Figures of the instructions of one SMX.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmxExecutionStats {
    /// Instructions that it issued, one a warp.
    pub warp_instructions: u64,
    /// Instructions that it issued times active lanes.
    pub thread_instructions: u64,
    /// Its cycles by what it did with them, and how full it was.
    #[serde(flatten)]
    pub activity: ActivityStats,
    /// Its warp instructions by kind.
    pub instructions: InstructionStats,
    /// Its instruction cache.
    pub fetch: FetchStats,
    /// Its load/store unit.
    pub load_store: LoadStoreStats,
    /// Its first-level data cache.
    pub l1: L1Stats,
    /// Its constant cache; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_cache: Option<ReadOnlyStats>,
    /// Its texture cache; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_cache: Option<ReadOnlyStats>,
}

impl SmxStats {
    pub(super) fn new(counts: &SmxCounts, cycles: u64, executed: bool, config: &GpuConfig) -> Self {
        Self {
            busy_cycles: counts.busy_cycles,
            idle_cycles: cycles - counts.busy_cycles,
            thread_blocks: counts.thread_blocks,
            execution: executed.then(|| SmxExecutionStats::new(counts, cycles, config)),
        }
    }
}

impl SmxExecutionStats {
    fn new(counts: &SmxCounts, cycles: u64, config: &GpuConfig) -> Self {
        let alone = slice::from_ref(counts);
        Self {
            warp_instructions: counts.warp_instructions,
            thread_instructions: counts.thread_instructions,
            activity: ActivityStats::new(alone, cycles, config),
            instructions: InstructionStats::new(alone),
            fetch: FetchStats::new(alone),
            load_store: LoadStoreStats::new(alone),
            l1: L1Stats::new(alone),
            constant_cache: ReadOnlyStats::of_constants(config, alone),
            texture_cache: ReadOnlyStats::of_textures(config, alone),
        }
    }
}
