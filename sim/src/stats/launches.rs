//! What blocks launched from the device.

use serde::Serialize;

use super::kernel::KernelStats;
use super::ratio::ratio;
use crate::gpu::device::LaunchCounts;

/// Figures of launches from the device (DTBL, sections 4.2 and 5.2.B).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LaunchStats {
    /// Device kernels, those that groups became included.
    pub device_kernels: u64,
    /// Aggregated groups that threads launched.
    pub groups: u64,
    /// Groups that were coalesced to a kernel.
    pub coalesced: u64,
    /// Groups that became device kernels because no kernel was eligible.
    pub fallbacks: u64,
    /// Coalesced groups by groups, `null` without groups.
    pub match_rate: Option<f64>,
    /// Coalesced groups with their information in the Aggregated Group Table or a priority queue.
    pub on_chip: u64,
    /// Coalesced groups whose entry of the table was taken, or whose queue was full: their
    /// information is in memory.
    pub overflows: u64,
    /// Device kernels and groups that were put into an overflow queue in memory (LaPerm, section
    /// IV-E).
    pub spills: u64,
    /// Device kernels and groups that were taken back from there.
    pub refills: u64,
    /// Threads of a device kernel or a group, average over launches.
    pub average_threads: Option<f64>,
    /// Blocks that were launched from the device and have been dispatched.
    pub child_blocks: u64,
    /// Of these, dispatched to the SMX of their direct parent.
    pub on_parent_smx: u64,
    /// Of these, dispatched to an SMX outside of the cluster of their direct parent: what LaPerm's
    /// third stage takes (section IV-C).
    pub outside_cluster: u64,
    /// Kernels that have dispatched a block and not finished, of the 32 that the Kernel Distributor
    /// has entries for (DTBL, section 2.2), average over the cycles of the run.
    pub executing_kernels: f64,
    /// Cycles from the API call to the first block, average over launches.
    pub average_wait: Option<f64>,
    /// Most bytes of global memory that were reserved for pending launches in a cycle.
    pub pending_bytes_peak: u64,
    /// The same, average over the cycles of the run.
    pub pending_bytes_average: f64,
    /// The same, summed over the cycles of the run.
    pub pending_byte_cycles: u128,
}

impl LaunchStats {
    /// Of a run of `cycles` cycles with these counts and kernels; `None` when nothing was launched.
    pub(super) fn new(counts: &LaunchCounts, kernels: &[KernelStats], cycles: u64) -> Option<Self> {
        if counts.kernels == 0 && counts.groups == 0 {
            return None;
        }
        let coalesced = counts.on_chip + counts.in_memory;
        let launches = counts.kernels + counts.groups - counts.fallbacks;
        let executing: u64 = kernels.iter().map(|kernel| kernel.executes(cycles)).sum();
        let (pending_bytes_peak, pending_byte_cycles) = counts.pending.until(cycles);
        Some(Self {
            device_kernels: counts.kernels,
            groups: counts.groups,
            coalesced,
            fallbacks: counts.fallbacks,
            match_rate: ratio(coalesced, counts.groups),
            on_chip: counts.on_chip,
            overflows: counts.in_memory,
            spills: counts.spills,
            refills: counts.refills,
            average_threads: ratio(counts.threads, launches),
            child_blocks: counts.child_blocks,
            on_parent_smx: counts.on_parent_smx,
            outside_cluster: counts.outside_cluster,
            executing_kernels: executing as f64 / cycles as f64,
            average_wait: ratio(counts.waited_cycles, counts.started),
            pending_bytes_peak,
            pending_bytes_average: pending_byte_cycles as f64 / cycles as f64,
            pending_byte_cycles,
        })
    }
}
