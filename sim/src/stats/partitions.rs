//! What each partition of the SMXs was used for (`docs/partitions.md`).

use serde::Serialize;

use super::ratio::{ratio, sum};
use crate::gpu::kernel::Kernel;
use crate::gpu::Gpu;

/// Figures of the kernels of one partition, whichever scheduler placed their blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionStats {
    /// SMXs that it has, some of which other ones may have as well.
    pub smx: u64,
    /// Kernels of it that have finished.
    pub kernels: u64,
    /// Their thread blocks.
    pub thread_blocks: u64,
    /// Cycles from a kernel's arrival to its finish, average over these; `null` without any.
    pub average_turnaround: Option<f64>,
    /// The longest of them; `null` without any.
    pub longest_turnaround: Option<u64>,
}

impl PartitionStats {
    /// One for each partition, where the GPU states any.
    pub(super) fn all(gpu: &Gpu) -> Option<Vec<Self>> {
        let plan = gpu.config().floor_plan();
        let of = |partition: usize| {
            let own = |kernel: &&Kernel| plan.partition_of(kernel.launch.partition) == partition;
            let finished = gpu
                .kernels()
                .iter()
                .filter(own)
                .filter_map(|kernel| Some((kernel.finish? - kernel.arrive, kernel.dispatched)));
            let finished: Vec<(u64, u64)> = finished.collect();
            let kernels = finished.len() as u64;
            Self {
                smx: plan.partitions()[partition].count_ones() as u64,
                kernels,
                thread_blocks: sum(&finished, |(_, blocks)| *blocks),
                average_turnaround: ratio(sum(&finished, |(cycles, _)| *cycles), kernels),
                longest_turnaround: finished.iter().map(|(cycles, _)| *cycles).max(),
            }
        };
        let stated = !gpu.config().smx.partitions.is_empty();
        stated.then(|| (0..plan.partitions().len()).map(of).collect())
    }
}
