//! What a run did, as JSON: the same run gives the same bytes, skipping or not.

use serde::Serialize;

use crate::gpu::kernel::Kernel;
use crate::gpu::Gpu;
use crate::run::Summary;

/// Figures of a finished run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// Cycles in all.
    pub cycles: u64,
    /// One entry an SMX.
    pub smx: Vec<SmxStats>,
    /// One entry a kernel instance, in order of launch.
    pub kernels: Vec<KernelStats>,
    /// Only when the kernels executed instructions.
    #[serde(flatten)]
    pub execution: Option<ExecutionStats>,
}

/// Figures of one SMX.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SmxStats {
    /// Cycles with at least one resident block.
    pub busy_cycles: u64,
    /// The others.
    pub idle_cycles: u64,
    /// Blocks dispatched to it.
    pub thread_blocks: u64,
}

/// Figures of one kernel instance; cycles are `null` for what did not happen (an empty grid has no
/// dispatch).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KernelStats {
    /// The kernel's name.
    pub name: String,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
    /// The cycle of the host's launch.
    pub arrive: u64,
    /// The cycle in which the Kernel Distributor accepted it.
    pub distributed: Option<u64>,
    /// The cycle of its first dispatch.
    pub first_dispatch: Option<u64>,
    /// The cycle in which its bit of `finished_kernels` was high.
    pub finish: Option<u64>,
}

/// Figures of executed instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExecutionStats {
    /// Instructions times active lanes, a cycle: GPGPU-Sim's measure.
    pub ipc: f64,
    /// Instructions issued, one a warp.
    pub warp_instructions: u64,
    /// Instructions issued times active lanes.
    pub thread_instructions: u64,
    /// All first-level caches together.
    pub l1: CacheStats,
    /// The shared cache.
    pub l2: CacheStats,
    /// The memory.
    pub dram: DramStats,
}

/// Figures of a cache; accesses are transactions of 128 bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheStats {
    /// Accesses that can hit: loads in an L1, loads and stores in the L2.
    pub accesses: u64,
    /// Those whose line was present.
    pub hits: u64,
    /// Those that joined a request on its way; neither a hit nor another miss.
    pub merged: u64,
    /// Hits by accesses, `null` without accesses.
    pub hit_rate: Option<f64>,
}

/// Figures of the memory, in lines of 128 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DramStats {
    /// Reads and writes.
    pub accesses: u64,
    /// Lines read.
    pub reads: u64,
    /// Lines written back.
    pub writes: u64,
}

impl Stats {
    /// The figures of `gpu` after a run.
    pub fn new(gpu: &Gpu, summary: &Summary) -> Self {
        let cycles = summary.cycles;
        let smx = gpu.smxs().iter().map(|smx| {
            let counts = smx.counts(cycles);
            SmxStats {
                busy_cycles: counts.busy_cycles,
                idle_cycles: cycles - counts.busy_cycles,
                thread_blocks: counts.thread_blocks,
            }
        });
        Self {
            cycles,
            smx: smx.collect(),
            kernels: gpu.kernels().iter().map(KernelStats::new).collect(),
            execution: ExecutionStats::new(gpu, cycles),
        }
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
}

impl KernelStats {
    fn new(kernel: &Kernel) -> Self {
        Self {
            name: kernel.name.to_string(),
            instance: kernel.instance,
            arrive: kernel.arrive,
            distributed: kernel.distributed,
            first_dispatch: kernel.first_dispatch,
            finish: kernel.finish,
        }
    }
}

impl ExecutionStats {
    fn new(gpu: &Gpu, cycles: u64) -> Option<Self> {
        let (mut warp_instructions, mut thread_instructions) = (0, 0);
        let (mut loads, mut hits, mut merged) = (0, 0, 0);
        let (mut reads, mut writes) = (0, 0);
        for smx in gpu.smxs() {
            let counts = smx.counts(cycles);
            warp_instructions += counts.warp_instructions;
            thread_instructions += counts.thread_instructions;
            let l1 = counts.l1;
            loads += l1.hits + l1.misses + l1.merged;
            hits += l1.hits;
            merged += l1.merged;
        }
        if warp_instructions == 0 {
            return None;
        }
        let l2 = gpu.memory().l2_counts();
        for channel in gpu.memory().dram().counts() {
            reads += channel.reads;
            writes += channel.writes;
        }
        Some(Self {
            ipc: thread_instructions as f64 / cycles as f64,
            warp_instructions,
            thread_instructions,
            l1: CacheStats::new(loads, hits, merged),
            l2: CacheStats::new(l2.hits + l2.misses + l2.merged, l2.hits, l2.merged),
            dram: DramStats { accesses: reads + writes, reads, writes },
        })
    }
}

impl CacheStats {
    fn new(accesses: u64, hits: u64, merged: u64) -> Self {
        let hit_rate = (accesses > 0).then(|| hits as f64 / accesses as f64);
        Self { accesses, hits, merged, hit_rate }
    }
}

#[cfg(test)]
mod tests;
