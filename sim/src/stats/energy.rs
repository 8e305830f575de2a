//! Dynamic energy: how often each priced event happened, times the preset's table.

use serde::Serialize;

use super::{ExecutionStats, InstructionStats};
use crate::gpu::config::EnergyConfig;

/// How often each event of the energy table happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnergyCounts {
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Cycles in which SMXs had blocks.
    pub busy_cycles: u64,
    /// Those of each unit.
    pub instructions: InstructionStats,
    /// Accesses of shared memory, bank conflicts included.
    pub shared: u64,
    /// Accesses of constant memory.
    pub constant: u64,
    /// Look-ups of L1s: loads, stores, and forwarded loads that they answer; those of texture
    /// caches.
    pub l1: u64,
    /// Sectors looked up in the L2.
    pub l2: u64,
    /// Flits times hops.
    pub flit_hops: u64,
    /// DRAM rows opened.
    pub dram_activates: u64,
    /// Bursts read.
    pub dram_reads: u64,
    /// Bursts written.
    pub dram_writes: u64,
}

/// Dynamic energy by component, in nanojoules: the estimate of `docs/statistics.md`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EnergyStats {
    /// Fetch, decode and scheduling.
    pub instructions: f64,
    /// Pipelines of SMXs that have blocks.
    pub pipeline: f64,
    /// Register files.
    pub registers: f64,
    /// Execution units.
    pub units: f64,
    /// Constant memory.
    pub constant: f64,
    /// Shared memory: IKRA's scratchpad.
    pub shared_memory: f64,
    /// First-level data caches, and texture caches.
    pub l1: f64,
    /// The L2.
    pub l2: f64,
    /// The network.
    pub network: f64,
    /// Opening and closing DRAM rows.
    pub dram_activate: f64,
    /// Reading bursts.
    pub dram_read: f64,
    /// Writing bursts.
    pub dram_write: f64,
    /// All components together.
    pub total: f64,
}

impl EnergyCounts {
    pub(super) fn new(stats: &ExecutionStats) -> Self {
        Self {
            warp_instructions: stats.warp_instructions,
            busy_cycles: stats.activity.busy_cycles(),
            instructions: stats.instructions,
            shared: stats.load_store.shared,
            constant: stats.load_store.constant,
            l1: stats.l1.accesses
                + stats.l1.stores
                + stats.texture_cache.as_ref().map_or(0, |textures| textures.accesses)
                + stats.coherence.map_or(0, |coherence| coherence.remote_hits),
            l2: stats.l2.accesses,
            flit_hops: stats.traffic.flit_hops,
            dram_activates: stats.dram.activates,
            dram_reads: stats.dram.reads,
            dram_writes: stats.dram.writes,
        }
    }
}

impl EnergyStats {
    /// The energy of `counts` by the preset's table.
    pub fn new(counts: &EnergyCounts, table: &EnergyConfig) -> Self {
        // Picojoules become nanojoules.
        let energy = |count: u64, each: f64| count as f64 * each / 1000.0;
        let by_unit = counts.instructions;
        let mut stats = Self {
            instructions: energy(counts.warp_instructions, table.instruction),
            pipeline: energy(counts.busy_cycles, table.busy),
            registers: energy(counts.warp_instructions, table.registers),
            units: energy(by_unit.integer, table.integer)
                + energy(by_unit.single, table.single)
                + energy(by_unit.double, table.double)
                + energy(by_unit.special, table.special)
                + energy(by_unit.tensor, table.tensor),
            constant: energy(counts.constant, table.constant),
            shared_memory: energy(counts.shared, table.shared),
            l1: energy(counts.l1, table.l1),
            l2: energy(counts.l2, table.l2),
            network: energy(counts.flit_hops, table.flit_hop),
            dram_activate: energy(counts.dram_activates, table.dram_activate),
            dram_read: energy(counts.dram_reads, table.dram_read),
            dram_write: energy(counts.dram_writes, table.dram_write),
            total: 0.0,
        };
        stats.total = stats.components().iter().map(|(_, energy)| energy).sum();
        stats
    }

    /// Every component by the name of its key, in the order of the JSON; the total is not one.
    pub fn components(&self) -> [(&'static str, f64); 12] {
        [
            ("instructions", self.instructions),
            ("pipeline", self.pipeline),
            ("registers", self.registers),
            ("units", self.units),
            ("constant", self.constant),
            ("shared_memory", self.shared_memory),
            ("l1", self.l1),
            ("l2", self.l2),
            ("network", self.network),
            ("dram_activate", self.dram_activate),
            ("dram_read", self.dram_read),
            ("dram_write", self.dram_write),
        ]
    }

    /// What IKRA calls GPU core+: pipeline, register file, units, instruction and constant caches.
    pub fn core(&self) -> f64 {
        self.instructions + self.pipeline + self.registers + self.units + self.constant
    }

    /// All of DRAM.
    pub fn dram(&self) -> f64 {
        self.dram_activate + self.dram_read + self.dram_write
    }
}
