//! Twin of `dispatch/fcfs_control` with levels (`docs/priority.md`): a queue of kernels in order of
//! arrival for each priority, and the bits that mark them while they have blocks to dispatch.
//!
//! Undefined, and not to be compared: what follows an `unmark` without a head, or a `mark` of an
//! entry that is marked (unless it is the head and unmarked in the same cycle).

use crate::dispatch::{FcfsControl, FcfsControlInputs, FcfsControlOutputs};
use crate::port::{Activity, KernelEntry};

/// Input ports of [`LevelControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry to append.
    pub mark: Option<KernelEntry>,
    /// Its priority, 3 bits; one above the highest level counts as that. Only with `mark`.
    pub level: u8,
    /// Removes the head.
    pub unmark: bool,
}

/// Output ports of [`LevelControl`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelControlOutputs {
    /// `head_valid` and `head`: of the most urgent level that has one, the entry that was marked
    /// first.
    pub head: Option<KernelEntry>,
    /// One bit an entry.
    pub marked: u32,
}

/// The queues by increasing priority; an entry is marked while it is in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelControl {
    levels: Vec<FcfsControl>,
}

impl LevelControl {
    /// Most levels: as many as a launch can tell apart.
    pub const MOST_LEVELS: usize = 8;

    /// That many empty queues; one of them is first come, first served.
    ///
    /// # Panics
    /// When `levels` is not in 1 to [`Self::MOST_LEVELS`].
    pub fn new(levels: usize) -> Self {
        let most = Self::MOST_LEVELS;
        assert!((1..=most).contains(&levels), "{levels} levels: expected 1 to {most}");
        Self { levels: vec![FcfsControl::new(); levels] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &LevelControlInputs) -> LevelControlOutputs {
        let mut outputs = LevelControlOutputs::default();
        for FcfsControlOutputs { head, marked } in self.queues() {
            outputs.head = head.or(outputs.head);
            outputs.marked |= marked;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &LevelControlInputs) -> Activity {
        let LevelControlInputs { reset, mark, level, unmark } = *inputs;
        let marks = usize::from(level).min(self.levels.len() - 1);
        let unmarks = self.queues().rposition(|queue| queue.head.is_some());
        let mut activity = Activity::Quiet;
        for (level, queue) in self.levels.iter_mut().enumerate() {
            let mark = mark.filter(|_| level == marks);
            let unmark = unmark && Some(level) == unmarks;
            activity |= queue.clock(&FcfsControlInputs { reset, mark, unmark });
        }
        activity
    }

    fn queues(
        &self,
    ) -> impl DoubleEndedIterator<Item = FcfsControlOutputs> + ExactSizeIterator + '_ {
        self.levels.iter().map(|queue| queue.evaluate(&FcfsControlInputs::default()))
    }
}

#[cfg(test)]
mod tests;
