//! Twin of `partitions/control` (`docs/partitions.md`, rules 3 to 5): a queue of kernels in order
//! of arrival for each partition, and whose turn it is.
//!
//! Undefined, and not to be compared: what follows a `mark` of an entry that is marked (unless it
//! is the head and unmarked in the same cycle).

use super::cover;
use crate::cover::when;
use crate::dispatch::{FcfsControl, FcfsControlInputs, FcfsControlOutputs};
use crate::mask::round;
use crate::port::{Activity, FloorPlan, KernelEntry};

/// Input ports of [`Control`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry to append.
    pub mark: Option<KernelEntry>,
    /// Its partition, 3 bits; one that there is not counts as the last one. Only with `mark`.
    pub partition: u8,
    /// Removes the head that is shown, if any.
    pub unmark: bool,
}

/// Output ports of [`Control`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlOutputs {
    /// `head_valid` and `head`: of the partition that has the turn, the entry that was marked
    /// first.
    pub head: Option<KernelEntry>,
    /// The partition that has the turn, a one-hot port; `None` without a head.
    pub turn: Option<usize>,
    /// One bit an entry.
    pub marked: u32,
}

/// The queues by partition, and the turn; an entry is marked while it is in a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    queues: Vec<FcfsControl>,
    /// The partition that is asked first.
    pointer: usize,
}

impl Control {
    /// That many empty queues.
    ///
    /// # Panics
    /// When there are not 1 to [`FloorPlan::MOST_PARTITIONS`] partitions.
    pub fn new(partitions: usize) -> Self {
        let most = FloorPlan::MOST_PARTITIONS;
        assert!((1..=most).contains(&partitions), "{partitions} partitions: expected 1 to {most}");
        Self { queues: vec![FcfsControl::new(); partitions], pointer: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &ControlInputs) -> ControlOutputs {
        let turn = self.turn();
        ControlOutputs {
            head: turn.and_then(|partition| self.head_of(partition)),
            turn,
            marked: self.queues.iter().fold(0, |marked, queue| marked | shown(queue).marked),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ControlInputs) -> Activity {
        let ControlInputs { reset, mark, partition, unmark } = *inputs;
        let (turn, pointer) = (self.turn(), self.pointer);
        let last = self.queues.len() - 1;
        let marks = usize::from(partition).min(last);
        when(!reset && mark.is_some() && usize::from(partition) > last, &cover::BEYOND);
        let mut activity = Activity::Quiet;
        for (partition, queue) in self.queues.iter_mut().enumerate() {
            let mark = mark.filter(|_| partition == marks);
            let unmark = unmark && Some(partition) == turn;
            activity |= queue.clock(&FcfsControlInputs { reset, mark, unmark });
        }
        if reset {
            self.pointer = 0;
        } else if let Some(turn) = turn {
            when(turn < pointer, &cover::WRAPS);
            when(turn != pointer, &cover::SKIPS);
            self.pointer = if turn == last { 0 } else { turn + 1 };
        }
        activity |= self.pointer != pointer;
        activity
    }

    /// The head of a partition.
    pub(crate) fn head_of(&self, partition: usize) -> Option<KernelEntry> {
        shown(&self.queues[partition]).head
    }

    /// Of those whose queue is not empty the first one at or after the pointer.
    fn turn(&self) -> Option<usize> {
        round(self.pointer, self.queues.len()).find(|&partition| self.head_of(partition).is_some())
    }
}

fn shown(queue: &FcfsControl) -> FcfsControlOutputs {
    queue.evaluate(&FcfsControlInputs::default())
}

#[cfg(test)]
mod tests;
