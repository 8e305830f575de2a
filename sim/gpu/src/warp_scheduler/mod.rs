//! Warp schedulers: which of the ready warps issues.

mod cta_aware;
mod greedy_then_oldest;
mod loose_round_robin;
mod two_level;

pub use cta_aware::{CtaAware, CtaGroups};
pub use greedy_then_oldest::GreedyThenOldest;
pub use loose_round_robin::LooseRoundRobin;
pub use two_level::TwoLevel;

use super::config::{WarpConfig, WarpPolicy};

/// What a scheduler knows when it chooses.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    /// The warp slots that can issue in this cycle, one bit each; at least one.
    pub ready: u64,
    /// For each slot the order in which its warp started, the oldest lowest.
    pub ages: &'a [u64],
    /// The slots of this scheduler whose warps have not exited.
    pub alive: u64,
    /// The slots whose next instruction waits for a value from memory.
    pub wait_for_memory: u64,
    /// The slots whose warps wait at a barrier.
    pub at_barrier: u64,
    /// For each slot the thread-block slot of its warp.
    pub block_slots: &'a [u8],
    /// For each thread-block slot the group of its block, the one that has priority lowest.
    pub block_groups: &'a [u64],
}

impl Candidates<'_> {
    /// The slots of this scheduler whose warps wait neither for memory nor at a barrier; all ready
    /// ones are among them.
    pub fn active(&self) -> u64 {
        self.alive & !(self.wait_for_memory | self.at_barrier)
    }
}

/// Chooses among the warps of one scheduler.
pub trait WarpScheduler {
    /// The warp slot that issues in this cycle, one of [`Candidates::ready`].
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize;
}

/// A scheduler of any policy; the larger ones lie elsewhere, so that those of an SMX are side by
/// side.
#[derive(Debug)]
pub enum AnyWarpScheduler {
    /// Loose round robin.
    LooseRoundRobin(LooseRoundRobin),
    /// Greedy then oldest.
    GreedyThenOldest(GreedyThenOldest),
    /// Two-level round robin.
    TwoLevel(Box<TwoLevel>),
    /// CTA-aware scheduling.
    CtaAware(Box<CtaAware>),
}

impl AnyWarpScheduler {
    /// A scheduler of the given policy, as after reset.
    pub fn new(config: &WarpConfig) -> Self {
        match config.policy {
            WarpPolicy::LooseRoundRobin => Self::LooseRoundRobin(LooseRoundRobin::default()),
            WarpPolicy::GreedyThenOldest => Self::GreedyThenOldest(GreedyThenOldest::default()),
            WarpPolicy::TwoLevel => {
                Self::TwoLevel(Box::new(TwoLevel::new(config.schedulers, config.group)))
            }
            WarpPolicy::CtaAware | WarpPolicy::CtaAwareBanks => Self::CtaAware(Box::default()),
        }
    }
}

impl WarpScheduler for AnyWarpScheduler {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        match self {
            Self::LooseRoundRobin(scheduler) => scheduler.pick(candidates),
            Self::GreedyThenOldest(scheduler) => scheduler.pick(candidates),
            Self::TwoLevel(scheduler) => scheduler.pick(candidates),
            Self::CtaAware(scheduler) => scheduler.pick(candidates),
        }
    }
}

/// The first slot in `set`, which is not empty, from `first` on, after slot 63 from slot 0.
#[inline]
fn next_from(set: u64, first: u32) -> u32 {
    (first + set.rotate_right(first).trailing_zeros()) % 64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Candidates;

    /// Candidates of warps that all belong to one block and are all ready.
    pub fn candidates(ready: u64, ages: &[u64]) -> Candidates<'_> {
        Candidates {
            ready,
            ages,
            alive: ready,
            wait_for_memory: 0,
            at_barrier: 0,
            block_slots: &[0; 64],
            block_groups: &[0],
        }
    }
}
