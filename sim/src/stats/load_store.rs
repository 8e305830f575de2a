//! Load/store units.

use serde::Serialize;

use super::ratio::sum;
use crate::gpu::smx::SmxCounts;

/// Figures of load/store units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadStoreStats {
    /// Accesses of shared memory: one for each cycle that an instruction takes there.
    pub shared: u64,
    /// Those of them that only bank conflicts cost: all but the first of each instruction.
    pub bank_conflicts: u64,
    /// Accesses of constant memory, one an instruction.
    pub constant: u64,
    /// Accesses of global memory that went to the L2 themselves: loads and atomics past the L1, and
    /// stores that were passed on.
    pub past_l1: u64,
    /// Cycles in which the first access in line could not be made: no miss register, no way, no
    /// room to wait, or a full store buffer.
    pub stall_cycles: u64,
}

impl LoadStoreStats {
    /// Of the SMXs with these counts together.
    pub(super) fn new(smxs: &[SmxCounts]) -> Self {
        Self {
            shared: sum(smxs, |smx| smx.load_store.shared),
            bank_conflicts: sum(smxs, |smx| smx.load_store.conflicts),
            constant: sum(smxs, |smx| smx.load_store.constant),
            past_l1: sum(smxs, |smx| smx.load_store.past_l1),
            stall_cycles: sum(smxs, |smx| smx.load_store.stalls),
        }
    }
}
