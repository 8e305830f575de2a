//! The figures of one run from which everything that the papers compare follows.

use super::by_time::ByTime;
use super::programs::ProgramTimes;
use crate::session::Report;
use blockyard_sim::stats::ExecutionStats;
use serde::{Deserialize, Serialize};

/// See the module. What a run has not is `None`: launches under `flat`, say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Cycles in all.
    pub cycles: u64,
    /// Instructions of all threads by cycles.
    pub ipc: f64,
    /// Cycles in which an SMX had no block, of all SMXs: CLASO's idle cycles (section 2.2).
    pub idle_cycles: u64,
    /// These by all cycles of all SMXs.
    pub idle_share: f64,
    /// Cycles in which an SMX issued nothing and a warp waited for a result that does not come from
    /// memory, of all SMXs: CLASO's scoreboard conflicts (section 4.1).
    pub scoreboard_conflicts: u64,
    /// Dynamic energy in nJ, without that of DRAM: IKRA's (section 5.2).
    pub energy_nj: f64,
    /// Flits in the network.
    pub flits: u64,
    /// Hits of loads in the L1s by loads.
    pub l1_hit_rate: Option<f64>,
    /// Hits in the L2 by accesses.
    pub l2_hit_rate: Option<f64>,
    /// Active threads of a warp instruction by 32.
    pub warp_activity: Option<f64>,
    /// DRAM accesses by cycles in which one was pending.
    pub dram_efficiency: Option<f64>,
    /// Resident warps by the most that can be.
    pub occupancy: Option<f64>,
    /// Kernels and groups that blocks launched.
    pub launches: u64,
    /// Threads of one of them, on average.
    pub threads_per_launch: Option<f64>,
    /// Cycles from a launch to its first block, on average.
    pub waiting: Option<f64>,
    /// Bytes that pending launches reserve, times cycles.
    pub pending_byte_cycles: f64,
    /// Groups that were coalesced, by groups.
    pub match_rate: Option<f64>,
    /// Coalesced groups that found their entry of the table taken.
    pub overflows: u64,
    /// Blocks that were launched from the device and ran on their parent's SMX, by all of them.
    pub on_parent_smx: Option<f64>,
    /// Blocks that ran outside the SMXs of their queue (LaPerm's third stage), by all of them.
    pub outside_cluster: Option<f64>,
    /// Of workloads that run together, each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramTimes>,
    /// What blocks share with their relatives, if it was looked for.
    pub shared: Option<Shared>,
    /// What SMXs execute and are served over time, if it was counted.
    pub by_time: Option<ByTime>,
}

/// Lines that blocks share with their relatives, by those that they touch (LaPerm, section III-A).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// Child blocks with the block that launched them.
    pub parent_child: Option<f64>,
    /// A child block with its siblings.
    pub child_sibling: Option<f64>,
    /// A parent block with the other parent blocks.
    pub parent_parents: Option<f64>,
}

impl Measured {
    /// The figures of a run.
    pub fn of(report: &Report) -> Self {
        let stats = &report.stats;
        let execution = stats.execution.as_ref();
        let launches = stats.launches.as_ref();
        let idle_cycles = stats.smx.iter().map(|smx| smx.idle_cycles).sum();
        Self {
            cycles: stats.cycles,
            ipc: execution.map_or(0.0, |execution| execution.ipc),
            idle_cycles,
            idle_share: share(idle_cycles, stats.cycles * stats.smx.len() as u64).unwrap_or(0.0),
            scoreboard_conflicts: execution
                .map_or(0, |execution| execution.activity.scoreboard_stall_cycles),
            energy_nj: execution.map_or(0.0, energy_without_dram),
            flits: execution.map_or(0, |execution| execution.traffic.flits),
            l1_hit_rate: execution.and_then(|execution| execution.l1.hit_rate),
            l2_hit_rate: execution.and_then(|execution| execution.l2.hit_rate),
            warp_activity: execution.and_then(|execution| execution.activity.warp_activity),
            dram_efficiency: execution.and_then(|execution| execution.dram.efficiency),
            occupancy: execution.and_then(|execution| execution.activity.warp_occupancy),
            launches: launches.map_or(0, |l| l.device_kernels + l.coalesced),
            threads_per_launch: launches.and_then(|launches| launches.average_threads),
            waiting: launches.and_then(|launches| launches.average_wait),
            pending_byte_cycles: launches
                .map_or(0.0, |launches| launches.pending_byte_cycles as f64),
            match_rate: launches.and_then(|launches| launches.match_rate),
            overflows: launches.map_or(0, |launches| launches.overflows),
            on_parent_smx: launches.and_then(|l| share(l.on_parent_smx, l.child_blocks)),
            outside_cluster: launches.and_then(|l| share(l.outside_cluster, l.child_blocks)),
            programs: Vec::new(),
            shared: stats.footprint.as_ref().map(|footprint| Shared {
                parent_child: footprint.parent_child,
                child_sibling: footprint.child_sibling,
                parent_parents: footprint.parent_parents,
            }),
            by_time: ByTime::of(stats),
        }
    }
}

/// Dynamic energy in nJ, of all but DRAM.
pub fn energy_without_dram(execution: &ExecutionStats) -> f64 {
    let energy = &execution.energy_nj;
    energy.total - energy.dram_activate - energy.dram_read - energy.dram_write
}

fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}
