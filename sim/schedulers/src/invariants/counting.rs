//! When blocks of groups in the Aggregated Group Table are counted, and which SMXs get none
//! meanwhile (rule 11b of `docs/dtbl.md`).

use std::collections::VecDeque;

use crate::port::GroupReference;

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct Counting {
    slots: usize,
    /// For each SMX the groups of blocks that ended there, the oldest first.
    queues: Vec<VecDeque<GroupReference>>,
    /// How many there were at the start of the cycle.
    waiting: Vec<usize>,
    /// The SMX that is looked at first.
    first: usize,
    /// The group of which a block is counted in the next cycle.
    served: Option<GroupReference>,
}

impl Counting {
    pub(super) fn new(smx: usize, slots: usize) -> Self {
        Self {
            slots,
            queues: vec![VecDeque::new(); smx],
            waiting: vec![0; smx],
            first: 0,
            served: None,
        }
    }

    /// A cycle begins; returns the group of which a block is counted in it.
    pub(super) fn begin(&mut self) -> Option<GroupReference> {
        self.waiting = self.queues.iter().map(VecDeque::len).collect();
        let counted = self.served.take();
        let smxs = self.queues.len();
        let mut round = (self.first..smxs).chain(0..self.first);
        if let Some(smx) = round.find(|smx| !self.queues[*smx].is_empty()) {
            self.served = self.queues[smx].pop_front();
            self.first = (smx + 1) % smxs;
        }
        counted
    }

    /// Whether blocks are to be counted, or were at the start of the cycle.
    pub(super) fn is_busy(&self) -> bool {
        let queued = self.queues.iter().any(|queue| !queue.is_empty());
        queued || self.served.is_some() || self.waiting.iter().any(|&waiting| waiting > 0)
    }

    /// A block of this group ends in the cycle, which has begun.
    pub(super) fn end(&mut self, smx: usize, group: GroupReference) {
        self.queues[smx].push_back(group);
    }

    /// Whether a block may go to this SMX.
    pub(super) fn check(&self, smx: usize) -> Result<(), String> {
        let (waiting, slots) = (self.waiting[smx], self.slots);
        if waiting < slots {
            return Ok(());
        }
        Err(format!(
            "SMX {smx} of {slots} slots receives a block while {waiting} are to be counted"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(index: u32) -> GroupReference {
        GroupReference::on_chip(index)
    }

    #[test]
    fn a_block_is_counted_two_cycles_after_its_end() {
        let mut counting = Counting::new(2, 2);
        assert_eq!(counting.begin(), None);
        counting.end(1, group(7));
        assert_eq!(counting.begin(), None, "it is served");
        assert_eq!(counting.begin(), Some(group(7)));
        assert_eq!(counting.begin(), None);
    }

    #[test]
    fn smxs_are_served_one_a_cycle_in_turn() {
        let mut counting = Counting::new(3, 2);
        for of_cycle in [[0, 1, 2], [3, 4, 5]] {
            counting.begin();
            for (smx, index) in of_cycle.into_iter().enumerate() {
                counting.end(smx, group(index));
            }
        }
        // In the second of these cycles the block of SMX 0 was served.
        let counted: Vec<_> = (0..8).map(|_| counting.begin()).collect();
        let expected = [0, 1, 2, 3, 4, 5].map(|index| Some(group(index)));
        assert_eq!(counted[..6], expected);
        assert_eq!(counted[6..], [None; 2]);
    }

    #[test]
    fn an_smx_with_as_many_blocks_as_slots_at_the_start_of_the_cycle_gets_none() {
        let mut counting = Counting::new(2, 1);
        counting.begin();
        counting.end(0, group(0));
        counting.end(1, group(1));
        assert_eq!(counting.check(0), Ok(()), "they come in this cycle");
        counting.begin();
        let expected = "SMX 0 of 1 slots receives a block while 1 are to be counted";
        assert_eq!(counting.check(0), Err(expected.to_owned()), "though it is served");
        assert!(counting.check(1).is_err());
        counting.begin();
        assert_eq!((counting.check(0).is_ok(), counting.check(1).is_ok()), (true, false));
        counting.begin();
        assert_eq!(counting.check(1), Ok(()));
    }
}
