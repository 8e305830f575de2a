//! Warp schedulers: which of the ready warps issues.

mod greedy_then_oldest;
mod loose_round_robin;

pub use greedy_then_oldest::GreedyThenOldest;
pub use loose_round_robin::LooseRoundRobin;

use super::config::WarpPolicy;

/// Chooses among the warps of one scheduler.
pub trait WarpScheduler {
    /// The warp slot that issues in this cycle. `ready` has one bit a warp slot and at least one
    /// bit set; `ages` has for each slot the order in which its warp started, the oldest lowest.
    fn pick(&mut self, ready: u64, ages: &[u64]) -> usize;
}

/// A scheduler of the given policy, as after reset.
pub fn build(policy: WarpPolicy) -> Box<dyn WarpScheduler> {
    match policy {
        WarpPolicy::LooseRoundRobin => Box::new(LooseRoundRobin::default()),
        WarpPolicy::GreedyThenOldest => Box::new(GreedyThenOldest::default()),
    }
}
