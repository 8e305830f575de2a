//! Rule 11b: which block of a group on chip is counted when, and which SMXs get none meanwhile.

use std::collections::VecDeque;

/// The queues, of numbers of groups.
pub(super) struct Counting {
    slots: usize,
    queues: Vec<VecDeque<usize>>,
    first: usize,
    /// The group of which a block is counted in the next cycle.
    served: Option<usize>,
    /// The SMXs whose queue was too long at the start of the cycle.
    pub(super) crowded: Vec<bool>,
}

impl Counting {
    pub(super) fn new(smx: usize, slots: usize) -> Self {
        let queues = vec![VecDeque::new(); smx];
        Self { slots, queues, first: 0, served: None, crowded: vec![false; smx] }
    }

    /// A cycle begins; returns the group of which a block is counted in it.
    pub(super) fn begin(&mut self) -> Option<usize> {
        self.crowded = self.queues.iter().map(|queue| queue.len() >= self.slots).collect();
        let counted = self.served.take();
        for _ in 0..self.queues.len() {
            // Without a block anywhere this comes back to where it was.
            let smx = self.first;
            self.first = (smx + 1) % self.queues.len();
            self.served = self.queues[smx].pop_front();
            if self.served.is_some() {
                break;
            }
        }
        counted
    }

    /// A block of this group ends in the cycle.
    pub(super) fn ends(&mut self, smx: usize, group: usize) {
        self.queues[smx].push_back(group);
        assert!(self.queues[smx].len() <= 2 * self.slots, "more than twice as many as slots");
    }

    /// Whether every block that ended was counted.
    pub(super) fn is_done(&self) -> bool {
        self.served.is_none() && self.queues.iter().all(VecDeque::is_empty)
    }
}
