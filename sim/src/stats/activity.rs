//! What SMXs do with their cycles, how full they are, and what they issue.

use serde::Serialize;

use super::ratio::{ratio, sum};
use crate::gpu::config::GpuConfig;
use crate::gpu::program::WARP_LANES;
use crate::gpu::smx::activity::State;
use crate::gpu::smx::SmxCounts;

/// Cycles of an SMX, or of all SMXs together, by what they did. With the idle cycles these four
/// make all cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActivityStats {
    /// Cycles in which at least one instruction issued.
    pub issue_cycles: u64,
    /// Cycles in which none issued because every warp waited for data from memory, or at a barrier
    /// for such a warp.
    pub memory_stall_cycles: u64,
    /// Cycles in which none issued and a warp waited for the result of an earlier instruction that
    /// does not come from memory: CLASO's scoreboard conflicts (section 4.1).
    pub scoreboard_stall_cycles: u64,
    /// Cycles in which none issued though a warp had its operands (no unit, no room in the
    /// load/store unit, no instruction in its buffer), or though only blocks were resident whose
    /// warps have exited and whose stores or pipelines drain.
    pub pipeline_stall_cycles: u64,
    /// Active threads of a warp instruction by the 32 of a warp: DTBL's warp activity
    /// (section 5.2.A); `null` without instructions.
    pub warp_activity: Option<f64>,
    /// Warps that have not exited, average over the cycles, by the most that can be resident:
    /// DTBL's SMX occupancy (section 5.2.B).
    pub warp_occupancy: Option<f64>,
    /// The same for thread blocks and their slots.
    pub block_occupancy: Option<f64>,
    /// Paused blocks, summed over the cycles (`docs/dyncta.md`, rule 6); only where blocks were
    /// paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused_block_cycles: Option<u64>,
}

/// Warp instructions by what executes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InstructionStats {
    /// Integer arithmetic, on whichever unit.
    pub integer: u64,
    /// Single precision.
    pub single: u64,
    /// Double precision.
    pub double: u64,
    /// Special functions.
    pub special: u64,
    /// Tensor operations.
    pub tensor: u64,
    /// The others: memory, barriers, exits.
    pub other: u64,
}

impl ActivityStats {
    /// Of the SMXs with these counts, over `cycles` cycles each.
    pub(super) fn new(smxs: &[SmxCounts], cycles: u64, config: &GpuConfig) -> Self {
        let of = |state| sum(smxs, |smx| smx.activity.of(state));
        let all_cycles = cycles * smxs.len() as u64;
        let warp_instructions = sum(smxs, |smx| smx.warp_instructions);
        let thread_instructions = sum(smxs, |smx| smx.thread_instructions);
        let warps = u64::from(config.smx.threads) / WARP_LANES as u64;
        let slots = u64::from(config.smx.thread_block_slots);
        let paused = sum(smxs, |smx| smx.activity.paused_cycles);
        Self {
            issue_cycles: of(State::Issue),
            memory_stall_cycles: of(State::Memory),
            scoreboard_stall_cycles: of(State::Scoreboard),
            pipeline_stall_cycles: of(State::Pipeline),
            warp_activity: ratio(thread_instructions, warp_instructions * WARP_LANES as u64),
            warp_occupancy: ratio(sum(smxs, |smx| smx.activity.warp_cycles), all_cycles * warps),
            block_occupancy: ratio(sum(smxs, |smx| smx.activity.block_cycles), all_cycles * slots),
            paused_block_cycles: (paused > 0).then_some(paused),
        }
    }

    /// Cycles in which SMXs had blocks.
    pub fn busy_cycles(&self) -> u64 {
        self.issue_cycles
            + self.memory_stall_cycles
            + self.scoreboard_stall_cycles
            + self.pipeline_stall_cycles
    }
}

impl InstructionStats {
    /// Of the SMXs with these counts together.
    pub(super) fn new(smxs: &[SmxCounts]) -> Self {
        let unit = |unit: usize| sum(smxs, |smx| smx.unit_instructions[unit]);
        let units = [0, 1, 2, 3, 4].map(unit);
        let [integer, single, double, special, tensor] = units;
        let other = sum(smxs, |smx| smx.warp_instructions) - units.iter().sum::<u64>();
        Self { integer, single, double, special, tensor, other }
    }
}
