//! Twin of `dispatch/fcfs_control`: kernels in order of arrival, and the bit that marks each of
//! them while it has blocks to dispatch (DTBL, sections 2.2 and 4.2).
//!
//! Undefined, and not to be compared: what follows an `unmark` without a head, or a `mark` of an
//! entry that is marked (unless it is the head and unmarked in the same cycle).

use crate::port::{Activity, KernelEntry};
use std::collections::VecDeque;

/// Input ports of [`FcfsControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry to append.
    pub mark: Option<KernelEntry>,
    /// Removes the head.
    pub unmark: bool,
}

/// Output ports of [`FcfsControl`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControlOutputs {
    /// `head_valid` and `head`: the entry that was marked first.
    pub head: Option<KernelEntry>,
    /// One bit an entry.
    pub marked: u32,
}

/// The queue; an entry is marked while it is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControl {
    queue: VecDeque<KernelEntry>,
}

impl FcfsControl {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &FcfsControlInputs) -> FcfsControlOutputs {
        FcfsControlOutputs {
            head: self.queue.front().copied(),
            marked: self.queue.iter().fold(0, |bits, k| bits | 1 << k.index()),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FcfsControlInputs) -> Activity {
        if inputs.reset {
            let changed = !self.queue.is_empty();
            self.queue.clear();
            return Activity::from(changed);
        }
        let removed = if inputs.unmark { self.queue.pop_front() } else { None };
        self.queue.extend(inputs.mark);
        // The one way to store what was there: the only marked entry leaves and returns.
        let same = removed == inputs.mark && self.queue.len() <= 1;
        Activity::from(!same && (removed.is_some() || inputs.mark.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(k: u8) -> FcfsControlInputs {
        FcfsControlInputs { mark: Some(KernelEntry(k)), ..FcfsControlInputs::default() }
    }

    fn unmark() -> FcfsControlInputs {
        FcfsControlInputs { unmark: true, ..FcfsControlInputs::default() }
    }

    /// Head and marks in a cycle with these inputs, which must not matter.
    fn state(fcfs: &FcfsControl) -> (Option<u8>, u32) {
        let outputs = fcfs.evaluate(&FcfsControlInputs::default());
        assert_eq!(outputs, fcfs.evaluate(&FcfsControlInputs { unmark: true, ..mark(9) }));
        (outputs.head.map(|k| k.0), outputs.marked)
    }

    #[test]
    fn the_head_is_the_oldest_marked_entry() {
        let mut fcfs = FcfsControl::new();
        assert_eq!(state(&fcfs), (None, 0));
        for k in [3, 0, 31] {
            assert_eq!(fcfs.clock(&mark(k)), Activity::Busy);
        }
        assert_eq!(state(&fcfs), (Some(3), 1 << 3 | 1 | 1 << 31));
        fcfs.clock(&unmark());
        assert_eq!(state(&fcfs), (Some(0), 1 | 1 << 31));
        fcfs.clock(&unmark());
        assert_eq!(state(&fcfs), (Some(31), 1 << 31));
        fcfs.clock(&unmark());
        assert_eq!(state(&fcfs), (None, 0));
    }

    #[test]
    fn marking_and_unmarking_in_one_cycle_both_take_effect() {
        let mut fcfs = FcfsControl::new();
        fcfs.clock(&mark(5));
        assert_eq!(fcfs.clock(&FcfsControlInputs { unmark: true, ..mark(6) }), Activity::Busy);
        assert_eq!(state(&fcfs), (Some(6), 1 << 6));
    }

    #[test]
    fn the_only_entry_marked_again_as_it_leaves_is_quiet() {
        let mut fcfs = FcfsControl::new();
        fcfs.clock(&mark(5));
        let both = FcfsControlInputs { unmark: true, ..mark(5) };
        assert_eq!(fcfs.clock(&both), Activity::Quiet);
        assert_eq!(state(&fcfs), (Some(5), 1 << 5));
        fcfs.clock(&mark(6));
        assert_eq!(fcfs.clock(&both), Activity::Busy, "it goes behind entry 6");
        assert_eq!(state(&fcfs), (Some(6), 1 << 5 | 1 << 6));
    }

    #[test]
    fn all_thirty_two_entries_can_be_marked() {
        let mut fcfs = FcfsControl::new();
        for k in 0..32 {
            fcfs.clock(&mark(k));
        }
        assert_eq!(state(&fcfs), (Some(0), u32::MAX));
    }

    #[test]
    fn nothing_marked_and_nothing_unmarked_is_quiet() {
        let mut fcfs = FcfsControl::new();
        assert_eq!(fcfs.clock(&FcfsControlInputs::default()), Activity::Quiet);
        fcfs.clock(&mark(1));
        assert_eq!(fcfs.clock(&FcfsControlInputs::default()), Activity::Quiet);
    }

    #[test]
    fn reset_empties_the_queue_whatever_else_the_cycle_carries() {
        let mut fcfs = FcfsControl::new();
        fcfs.clock(&mark(1));
        let reset = FcfsControlInputs { reset: true, ..mark(2) };
        assert_eq!(fcfs.clock(&reset), Activity::Busy);
        assert_eq!(state(&fcfs), (None, 0));
        assert_eq!(fcfs.clock(&reset), Activity::Quiet);
    }
}
