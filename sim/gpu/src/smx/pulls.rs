//! The instructions that warps do next, pulled while SMXs behind issue.
//!
//! A program computes on data when its next instruction is pulled, and what it needs for that has
//! left the processor's caches: thousands of other warps had their turns since. Once some SMXs
//! behind have issued it is known for which warps is pulled, and in which order, so that it can be
//! asked for ahead. Nobody sees the difference: a warp that has issued does not issue again in that
//! cycle, and pulls keep their order.

use std::collections::VecDeque;

use crate::config::{GpuConfig, WarpPolicy};
use crate::prefetch::FEW_SMXS;

/// See the module.
#[derive(Debug)]
pub struct Pulls {
    /// Whether pulls can wait: not where a warp may issue its next instruction in the same cycle,
    /// nor where a scheduler's choice follows what other warps wait for. Where they would gain
    /// nothing they do not.
    can_wait: bool,
    /// Whether they do.
    wait: bool,
    /// Slots of warps and the cycles before which they do not issue again.
    waiting: VecDeque<(u8, u64)>,
}

impl Pulls {
    /// None, of an SMX of a GPU as `config` says.
    pub fn new(config: &GpuConfig) -> Self {
        let by_memory = match config.warp.policy {
            WarpPolicy::LooseRoundRobin | WarpPolicy::GreedyThenOldest => false,
            WarpPolicy::TwoLevel | WarpPolicy::CtaAware | WarpPolicy::CtaAwareBanks => true,
        };
        let one_a_cycle = config.warp.issue_width == 1;
        let can_wait = one_a_cycle && !by_memory && config.smx.count as usize > FEW_SMXS;
        Self { can_wait, wait: false, waiting: VecDeque::new() }
    }

    /// Whether they can wait; from now on they can if `now`.
    #[cfg(test)]
    pub fn can_wait(&mut self, now: bool) -> bool {
        std::mem::replace(&mut self.can_wait, now)
    }

    /// From now on pulls wait, if they can.
    #[inline]
    pub fn begin(&mut self) {
        self.wait = self.can_wait;
    }

    /// From now on they do not.
    #[inline]
    pub fn end(&mut self) {
        self.wait = false;
    }

    /// Whether the pull for the warp in `slot`, which does not issue again before `earliest`, waits.
    #[inline]
    pub fn put_off(&mut self, slot: usize, earliest: u64) -> bool {
        if self.wait {
            self.waiting.push_back((slot as u8, earliest));
        }
        self.wait
    }

    /// The slots of those that wait, in order.
    #[inline]
    pub fn slots(&self) -> impl Iterator<Item = u8> + use<'_> {
        self.waiting.iter().map(|(slot, _)| *slot)
    }

    /// Takes the first one: its slot and the cycle.
    #[inline]
    pub fn take(&mut self) -> Option<(usize, u64)> {
        self.waiting.pop_front().map(|(slot, earliest)| (usize::from(slot), earliest))
    }
}
