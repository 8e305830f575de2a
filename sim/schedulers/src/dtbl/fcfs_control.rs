//! Twin of `dtbl/fcfs_control`: kernels in the order in which they were marked, and the bit that
//! says whether it is the first time (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: what follows an `unmark` or a `native_done` without a head, a
//! `mark` of an entry that is marked (unless it is the head and unmarked in the same cycle), an
//! `unmark` of a head whose native blocks were never done, or a mark with `again` of an entry
//! whose mark is removed in that cycle; `next_head` of a cycle after which nothing is marked (here
//! none), or of one with reset.

use crate::port::{Activity, KernelEntry};
use std::collections::VecDeque;

/// Input ports of [`FcfsControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The entry to append.
    pub mark: Option<KernelEntry>,
    /// That entry was marked before: its native blocks are all distributed.
    pub again: bool,
    /// Removes the head.
    pub unmark: bool,
    /// The head's last native block is dispatched in this cycle, or its empty grid was seen.
    pub native_done: bool,
}

/// Output ports of [`FcfsControl`]; all but `next_head` depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControlOutputs {
    /// `head_valid` and `head`: the entry that was marked first.
    pub head: Option<KernelEntry>,
    /// The head has native blocks to distribute; low without a head.
    pub head_first: bool,
    /// One bit an entry.
    pub marked: u32,
    /// The head of the next cycle, if there will be one.
    pub next_head: Option<KernelEntry>,
}

/// A marked kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marked {
    entry: KernelEntry,
    first: bool,
}

/// The queue; an entry is marked while it is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FcfsControl {
    queue: VecDeque<Marked>,
}

impl FcfsControl {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &FcfsControlInputs) -> FcfsControlOutputs {
        let head = self.queue.front();
        FcfsControlOutputs {
            head: head.map(|marked| marked.entry),
            head_first: head.is_some_and(|marked| marked.first),
            marked: self.queue.iter().fold(0, |bits, marked| bits | 1 << marked.entry.index()),
            next_head: self.after(inputs).front().map(|marked| marked.entry),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FcfsControlInputs) -> Activity {
        let after = self.after(inputs);
        let changed = self.queue != after;
        self.queue = after;
        Activity::from(changed)
    }

    /// The queue after this cycle.
    fn after(&self, inputs: &FcfsControlInputs) -> VecDeque<Marked> {
        let mut queue = self.queue.clone();
        if let Some(head) = queue.front_mut() {
            head.first &= !inputs.native_done;
        }
        if inputs.unmark {
            queue.pop_front();
        }
        queue.extend(inputs.mark.map(|entry| Marked { entry, first: !inputs.again }));
        if inputs.reset {
            queue.clear();
        }
        queue
    }
}

#[cfg(test)]
mod tests;
