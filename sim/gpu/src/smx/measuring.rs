//! What an SMX counts of what it does.

use super::activity::{Occupied, State};
use super::{Smx, SmxCounts};
use crate::memory::FirstLevel;
use crate::port::CoreSample;

impl Smx {
    /// What it did up to `cycle`, not included.
    pub fn counts(&self, cycle: u64) -> SmxCounts {
        let activity = self.meter.counts(cycle);
        SmxCounts {
            busy_cycles: cycle - activity.of(State::Idle),
            unit_instructions: self.units.issued(),
            activity,
            fetch: self.fetch.counts,
            load_store: self.load_store.counts,
            coherence: self.load_store.coherence,
            l1: self.load_store.l1.counts,
            constant_cache: self.load_store.read_only_counts(FirstLevel::Constant),
            texture_cache: self.load_store.read_only_counts(FirstLevel::Texture),
            ..self.counts
        }
    }

    /// What it counted from the cycle of the last sample on (at first from cycle 0) up to `cycle`,
    /// not included.
    pub fn take_sample(&mut self, cycle: u64) -> CoreSample {
        let activity = self.meter.counts(cycle);
        let before = std::mem::replace(&mut self.sampled, activity);
        activity.sample_since(&before)
    }

    /// From `cycle` on it does what its state says.
    #[inline]
    pub(super) fn measure(&mut self, cycle: u64) {
        let occupied = Occupied {
            warps: self.alive_warps,
            blocks: self.resident,
            paused: self.pausing.blocks,
        };
        self.meter.set(cycle, self.state(), occupied);
    }

    #[inline]
    fn state(&self) -> State {
        if self.resident == 0 {
            return State::Idle;
        }
        // Paused warps are as if they were not there.
        let running = self.alive & !self.pausing.warps;
        if self.ready & !self.pausing.warps != 0 || running == 0 {
            return State::Pipeline;
        }
        let waiting = running & !self.at_barrier;
        if waiting & !self.warps.wait_for_memory == 0 {
            return State::Memory;
        }
        State::Scoreboard
    }
}
