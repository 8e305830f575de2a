//! What an SMX does with its cycles, counted between the events that change it.

use crate::port::CoreSample;

/// Largest count that a sample carries: 12 bits.
const LARGEST_SAMPLE: u64 = (1 << 12) - 1;

/// What an SMX does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has no resident block.
    Idle,
    /// It issues an instruction.
    Issue,
    /// No warp can issue: all that have not exited wait for data from memory (or for warps that do,
    /// at a barrier).
    Memory,
    /// No warp can issue: one waits for the result of an earlier instruction.
    Scoreboard,
    /// No warp can issue: one has its operands but no unit, no room in the load/store unit, or no
    /// instruction in its buffer.
    Pipeline,
}

/// Number of [`State`]s.
const STATES: usize = 5;

/// Cycles by state, and integrals over cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    cycles: [u64; STATES],
    /// Sum over all cycles of the warps that have not exited.
    pub warp_cycles: u64,
    /// Sum over all cycles of the resident blocks.
    pub block_cycles: u64,
    /// Sum over all cycles of those that are paused.
    pub paused_cycles: u64,
}

impl Activity {
    /// Cycles spent in `state`.
    pub fn of(&self, state: State) -> u64 {
        self.cycles[state as usize]
    }

    /// The performance counters of the cycles counted here and not in `before`, which is an earlier
    /// count of the same SMX. A cycle without a resident block is an idle one: no warp is there
    /// that could issue.
    pub fn sample_since(&self, before: &Activity) -> CoreSample {
        let since = |states: &[State]| {
            let cycles: u64 = states.iter().map(|&state| self.of(state) - before.of(state)).sum();
            cycles.min(LARGEST_SAMPLE) as u16
        };
        CoreSample {
            idle: since(&[State::Idle, State::Scoreboard, State::Pipeline]),
            memory: since(&[State::Memory]),
        }
    }
}

/// What is on an SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupied {
    /// Warps that have not exited.
    pub warps: u32,
    /// Resident blocks.
    pub blocks: u32,
    /// Those of them that are paused.
    pub paused: u32,
}

/// Counts the cycles of one SMX.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Cycles before this one are counted by state.
    until: u64,
    state: State,
    /// Cycles before this one are counted by warps and blocks, which change less often.
    occupied_until: u64,
    occupied: Occupied,
    counts: Activity,
}

impl Default for Meter {
    /// Idle since cycle 0.
    fn default() -> Self {
        Self {
            until: 0,
            state: State::Idle,
            occupied_until: 0,
            occupied: Occupied::default(),
            counts: Activity::default(),
        }
    }
}

impl Meter {
    /// From `cycle` on the SMX is in `state`, and that is on it.
    #[inline]
    pub fn set(&mut self, cycle: u64, state: State, occupied: Occupied) {
        if state != self.state {
            self.count(cycle);
            self.state = state;
        }
        if occupied != self.occupied {
            self.count_occupied(cycle);
            self.occupied = occupied;
        }
    }

    /// In `cycle`, whose predecessors are in the state set last, an instruction issues.
    #[inline]
    pub fn issue(&mut self, cycle: u64) {
        self.count(cycle);
        if self.until == cycle {
            self.counts.cycles[State::Issue as usize] += 1;
            self.until = cycle + 1;
        }
    }

    /// The counts of all cycles before `cycle`.
    pub fn counts(&self, cycle: u64) -> Activity {
        let mut meter = *self;
        meter.count(cycle);
        meter.count_occupied(cycle);
        meter.counts
    }

    #[inline]
    fn count(&mut self, cycle: u64) {
        self.counts.cycles[self.state as usize] += cycle.saturating_sub(self.until);
        self.until = self.until.max(cycle);
    }

    #[inline]
    fn count_occupied(&mut self, cycle: u64) {
        // A cycle in which an instruction has issued is over.
        let until = self.until.max(cycle);
        let cycles = until - self.occupied_until;
        let Occupied { warps, blocks, paused } = self.occupied;
        self.counts.warp_cycles += cycles * u64::from(warps);
        self.counts.block_cycles += cycles * u64::from(blocks);
        self.counts.paused_cycles += cycles * u64::from(paused);
        self.occupied_until = until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(warps: u32, blocks: u32) -> Occupied {
        Occupied { warps, blocks, paused: 0 }
    }

    #[test]
    fn every_cycle_counts_once_in_the_state_it_was_in() {
        let mut meter = Meter::default();
        meter.set(10, State::Memory, on(3, 1));
        meter.issue(14);
        meter.set(15, State::Scoreboard, on(2, 1));
        let counts = meter.counts(20);
        let states = [State::Idle, State::Memory, State::Issue, State::Scoreboard];
        assert_eq!(states.map(|state| counts.of(state)), [10, 4, 1, 5]);
        assert_eq!(counts.warp_cycles, 5 * 3 + 5 * 2);
        assert_eq!(counts.block_cycles, 10);
    }

    #[test]
    fn paused_blocks_are_counted_as_long_as_they_are() {
        let mut meter = Meter::default();
        meter.set(10, State::Memory, on(4, 3));
        meter.set(12, State::Memory, Occupied { paused: 2, ..on(4, 3) });
        meter.set(15, State::Pipeline, Occupied { paused: 1, ..on(4, 3) });
        let counts = meter.counts(17);
        assert_eq!((counts.paused_cycles, counts.block_cycles), (2 * 3 + 2, 7 * 3));
    }

    #[test]
    fn a_sample_counts_waiting_for_memory_apart_and_issuing_not_at_all() {
        let mut meter = Meter::default();
        meter.set(10, State::Memory, on(3, 1));
        meter.issue(14);
        meter.set(15, State::Scoreboard, on(2, 1));
        meter.set(17, State::Pipeline, on(2, 1));
        let all = meter.counts(20).sample_since(&Activity::default());
        assert_eq!(all, CoreSample { idle: 10 + 2 + 3, memory: 4 });
        let later = meter.counts(20).sample_since(&meter.counts(18));
        assert_eq!(later, CoreSample { idle: 2, memory: 0 });
    }

    #[test]
    fn a_sample_saturates_at_twelve_bits() {
        let sample = |idle, memory| {
            let mut meter = Meter::default();
            meter.set(idle, State::Memory, on(1, 1));
            meter.counts(idle + memory).sample_since(&Activity::default())
        };
        assert_eq!(sample(4095, 4094), CoreSample { idle: 4095, memory: 4094 });
        assert_eq!(sample(4096, 70_000), CoreSample { idle: 4095, memory: 4095 });
    }

    #[test]
    fn two_issues_in_a_cycle_are_one_cycle() {
        let mut meter = Meter::default();
        meter.issue(0);
        meter.issue(0);
        meter.issue(1);
        assert_eq!(meter.counts(2).of(State::Issue), 2);
    }
}
