//! Instruction caches, first-level data caches, those for constants and textures, and the L2.

use serde::Serialize;

use super::ratio::{ratio, sum};
use crate::gpu::config::{GpuConfig, ReadOnlyConfig};
use crate::gpu::load_store::ReadOnlyCounts;
use crate::gpu::memory::L2Counts;
use crate::gpu::smx::SmxCounts;

/// Figures of instruction caches; a fetch brings a warp's next instructions. All zero where fetch
/// is not modelled (`fetch.width = 0`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FetchStats {
    /// Fetches. One that misses is made again when its line has come, and counts again.
    pub accesses: u64,
    /// Those that found their line.
    pub hits: u64,
    /// Those that had to wait for it, on its way already or not.
    pub misses: u64,
    /// Hits by accesses, `null` without accesses.
    pub hit_rate: Option<f64>,
}

/// Figures of first-level data caches, in transactions (`l1.transaction` bytes at most). All zero
/// where global memory does not go through them (`l1.global = false`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct L1Stats {
    /// Loads: the accesses that can hit.
    pub accesses: u64,
    /// Those whose sectors were present.
    pub hits: u64,
    /// Those that requested sectors from the L2.
    pub misses: u64,
    /// Those whose missing sectors were all on their way; neither a hit nor another miss.
    pub merged: u64,
    /// Hits by accesses, `null` without accesses.
    pub hit_rate: Option<f64>,
    /// Misses by accesses, `null` without accesses: what GPGPU-Sim prints as a cache's miss rate.
    pub miss_rate: Option<f64>,
    /// Stores that looked up the cache.
    pub stores: u64,
    /// Lines with dirty sectors that had to go to the L2.
    pub write_backs: u64,
}

/// Figures of the caches for constants or for textures, in accesses: of an instruction one for each
/// line, or address, that its lanes touch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadOnlyStats {
    /// Accesses.
    pub accesses: u64,
    /// Those whose line was present.
    pub hits: u64,
    /// Those that requested it from the L2.
    pub misses: u64,
    /// Those whose line was on its way; neither a hit nor another miss.
    pub merged: u64,
    /// Hits by accesses, `null` without accesses.
    pub hit_rate: Option<f64>,
    /// Misses by accesses, `null` without accesses.
    pub miss_rate: Option<f64>,
}

/// Figures of the L2, in sectors (`l2.sector` bytes).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct L2Stats {
    /// Sectors looked up.
    pub accesses: u64,
    /// Those that were present.
    pub hits: u64,
    /// Those that were not: sectors of reads went to DRAM, sectors of writes were allocated
    /// without.
    pub misses: u64,
    /// Those of reads that were on their way from DRAM; neither a hit nor another miss.
    pub merged: u64,
    /// Hits by accesses, `null` without accesses.
    pub hit_rate: Option<f64>,
    /// Misses by accesses, `null` without accesses: what GPGPU-Sim prints as a cache's miss rate.
    pub miss_rate: Option<f64>,
    /// Accesses for loads, atomics and instructions.
    pub reads: u64,
    /// Those of them that were present.
    pub read_hits: u64,
    /// Accesses for stores and write-backs.
    pub writes: u64,
}

impl FetchStats {
    /// Of the SMXs with these counts together.
    pub(super) fn new(smxs: &[SmxCounts]) -> Self {
        let hits = sum(smxs, |smx| smx.fetch.hits);
        let misses = sum(smxs, |smx| smx.fetch.misses);
        let accesses = hits + misses;
        Self { accesses, hits, misses, hit_rate: ratio(hits, accesses) }
    }
}

impl L1Stats {
    /// Of the SMXs with these counts together.
    pub(super) fn new(smxs: &[SmxCounts]) -> Self {
        let hits = sum(smxs, |smx| smx.l1.hits);
        let misses = sum(smxs, |smx| smx.l1.misses);
        let merged = sum(smxs, |smx| smx.l1.merged);
        let accesses = hits + misses + merged;
        Self {
            accesses,
            hits,
            misses,
            merged,
            hit_rate: ratio(hits, accesses),
            miss_rate: ratio(misses, accesses),
            stores: sum(smxs, |smx| smx.l1.stores),
            write_backs: sum(smxs, |smx| smx.l1.write_backs),
        }
    }
}

impl ReadOnlyStats {
    /// Of the caches whose counts `of` gives, together; `None` unless the GPU has them.
    fn new(
        config: &ReadOnlyConfig,
        smxs: &[SmxCounts],
        of: impl Fn(&SmxCounts) -> ReadOnlyCounts,
    ) -> Option<Self> {
        let hits = sum(smxs, |smx| of(smx).hits);
        let misses = sum(smxs, |smx| of(smx).misses);
        let merged = sum(smxs, |smx| of(smx).merged);
        let accesses = hits + misses + merged;
        let (hit_rate, miss_rate) = (ratio(hits, accesses), ratio(misses, accesses));
        let stats = Self { accesses, hits, misses, merged, hit_rate, miss_rate };
        config.is_there().then_some(stats)
    }

    /// Of the constant caches.
    pub(super) fn of_constants(config: &GpuConfig, smxs: &[SmxCounts]) -> Option<Self> {
        Self::new(&config.constant, smxs, |smx| smx.constant_cache)
    }

    /// Of the texture caches.
    pub(super) fn of_textures(config: &GpuConfig, smxs: &[SmxCounts]) -> Option<Self> {
        Self::new(&config.texture, smxs, |smx| smx.texture_cache)
    }
}

impl L2Stats {
    pub(super) fn new(counts: L2Counts) -> Self {
        let L2Counts { hits, misses, merged, reads, read_hits, writes } = counts;
        let accesses = hits + misses + merged;
        let hit_rate = ratio(hits, accesses);
        let miss_rate = ratio(misses, accesses);
        Self { accesses, hits, misses, merged, hit_rate, miss_rate, reads, read_hits, writes }
    }
}
