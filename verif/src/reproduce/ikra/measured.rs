//! The figures of one run.

use super::Served;
use crate::reproduce::measured::energy_without_dram;
use crate::session::Report;
use blockyard_sim::stats::ExecutionStats;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) cycles: u64,
    /// nJ, without DRAM.
    pub(super) energy: f64,
    pub(super) flits: u64,
    /// Flits after the first kernel.
    pub(super) warm_flits: u64,
    pub(super) served: Served,
}

/// The figures of `whole`; `cold` is its first kernel alone.
pub(super) fn measure(whole: &Report, cold: &Report) -> Measured {
    let execution = whole.stats.execution.as_ref();
    let flits = |report: &Report| {
        report.stats.execution.as_ref().map_or(0, |execution| execution.traffic.flits)
    };
    Measured {
        cycles: whole.stats.cycles,
        energy: execution.map_or(0.0, energy_without_dram),
        flits: flits(whole),
        warm_flits: flits(whole).saturating_sub(flits(cold)),
        served: execution.map_or(Served { l1: 0.0, remote_l1: 0.0, l2: 0.0, memory: 0.0 }, served),
    }
}

/// Of the microbenchmarks, whose loads are of whole lines and whose line has one sector: an L1's
/// transaction is a sector of the L2.
fn served(execution: &ExecutionStats) -> Served {
    let l2 = &execution.l2;
    let hits = execution.l1.hits + execution.l1.merged;
    let remote = execution.coherence.map_or(0, |coherence| coherence.remote_hits);
    let from_l2 = l2.read_hits + l2.merged;
    let memory = l2.reads - from_l2;
    let all = (hits + remote + from_l2 + memory).max(1);
    let share = |count: u64| count as f64 / all as f64;
    Served { l1: share(hits), remote_l1: share(remote), l2: share(from_l2), memory: share(memory) }
}
