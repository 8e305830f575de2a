//! Notices that a scheduler only turns: that it is back where it was, although it stored something in every cycle.
//!
//! ```text
//!   cycle      c     c+1    ...   c+P   c+P+1 ...
//!   inputs     I      I            I      I           the same, and nothing has an effect
//!   state      s  ->  s1 -> ... -> s  ->  s1 -> ...   so the cycles after c+P are those after c, while I stays
//! ```
//!
//! A state is remembered and compared with each one that follows. It may be one of a way that leads to the turning
//! (a search that ends); so it is given up for a newer one when it has not come back after a while, which
//! doubles each time (R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980).

use crate::port::Scheduler;

/// Cycles of the same inputs before the first state is remembered: most often something happens before.
const SETTLED: u64 = 2;

/// See the module.
pub struct Recurrence {
    /// What every scheduler that goes once round its SMXs is back after.
    round: u64,
    /// Cycles in a row with the same inputs and without an effect.
    same: u64,
    /// Cycles since the scheduler was told to remember its state.
    since: u64,
    /// Cycles after which it is given up.
    patience: u64,
    /// The period, from the cycle on in which it is found, as long as the inputs are the same.
    found: Option<u64>,
}

impl Recurrence {
    /// Of a scheduler of `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        Self { round: smx as u64, same: 0, since: 0, patience: 0, found: None }
    }

    /// A cycle had an effect: what comes after it begins anew.
    pub fn interrupted(&mut self) {
        (self.same, self.found) = (0, None);
    }

    /// After a busy cycle without an effect: after how many cycles the scheduler is back where it was, if it is.
    /// `stays` says whether its inputs are those of the cycle before.
    pub fn period(&mut self, scheduler: &mut dyn Scheduler, stays: bool) -> Option<u64> {
        if !stays {
            self.interrupted();
        }
        self.same += 1;
        if self.same < SETTLED || self.found.is_some() {
            return self.found;
        }
        if self.same == SETTLED {
            self.patience = self.round;
            self.remember(scheduler);
            return None;
        }
        self.since += 1;
        if scheduler.is_back() {
            self.found = Some(self.since);
        } else if self.since >= self.patience {
            self.patience *= 2;
            self.remember(scheduler);
        }
        self.found
    }

    fn remember(&mut self, scheduler: &mut dyn Scheduler) {
        scheduler.remember();
        self.since = 0;
    }
}
