//! Twin of `ikra/steal_queue`: the blocks that one SMX stole, in this kernel and before
//! (`docs/ikra.md`, rules 8, 12 and 13; the paper, section 4.4).
//!
//! Latency: `begins`, `take`, `steal` and `insert` to the outputs 1 cycle, but for `filled`.
//!
//! Undefined, and not to be compared: everything, until the next `begins` with `clear`, after a
//! `take` or `steal` that is not `available`, both of the `last` block, an `insert` while something
//! is `available`, one of the three together with `begins`, or a change of `forward` other than in
//! the cycle after a `begins`; `filled` in a cycle with such an `insert`.

use super::cover;
use crate::cover::when;
use crate::port::{Activity, Dim3};
use std::collections::VecDeque;

/// Input ports of [`StealQueue`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StealQueueInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel begins: nothing of the queue has run.
    pub begins: bool,
    /// With `begins`: the queue is emptied.
    pub clear: bool,
    /// The direction of the kernel that runs; in the cycle of `begins` still the old one.
    pub forward: bool,
    /// The near block that is left is dispatched; only with `available`.
    pub take: bool,
    /// The far block leaves; only with `available`, and with `take` only if not `last`.
    pub steal: bool,
    /// `insert` and `insert_block`: a stolen block enters at the far end, as one that has run; only
    /// when not `available`, without effect when `full`.
    pub insert: Option<Dim3>,
}

/// Output ports of [`StealQueue`]; but for `filled` they depend on the state and `forward`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StealQueueOutputs {
    /// Something is left. State alone.
    pub available: bool,
    /// The near block that is left; zero when nothing is.
    pub next_block: Dim3,
    /// The far block that is left; zero when nothing is.
    pub far_block: Dim3,
    /// One block is left. State alone.
    pub last: bool,
    /// It holds as many blocks as it has entries. State alone.
    pub full: bool,
    /// The insertion of this cycle makes it full.
    pub filled: bool,
}

/// The blocks from bottom to top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StealQueue {
    entries: usize,
    blocks: VecDeque<Dim3>,
    /// How many have run, counted from the near end.
    ran: usize,
}

impl StealQueue {
    /// An empty queue of this many entries.
    pub fn new(entries: usize) -> Self {
        Self { entries, blocks: VecDeque::new(), ran: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &StealQueueInputs) -> StealQueueOutputs {
        let left = self.left();
        // From the near end to the far one.
        let place = |place: usize| match inputs.forward {
            true => self.blocks[place],
            false => self.blocks[self.blocks.len() - 1 - place],
        };
        StealQueueOutputs {
            available: left > 0,
            next_block: if left > 0 { place(self.ran) } else { Dim3::default() },
            far_block: if left > 0 { place(self.blocks.len() - 1) } else { Dim3::default() },
            last: left == 1,
            full: self.blocks.len() == self.entries,
            filled: inputs.insert.is_some() && self.blocks.len() + 1 == self.entries,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &StealQueueInputs) -> Activity {
        let StealQueueInputs { reset, begins, take, steal, insert, .. } = *inputs;
        if !(reset || begins || take || steal || insert.is_some()) {
            return Activity::Quiet;
        }
        let before = self.clone();
        if inputs.reset || inputs.begins && inputs.clear {
            *self = Self::new(self.entries);
        } else if inputs.begins {
            self.ran = 0;
        } else {
            let available = self.left() > 0;
            if inputs.steal && available {
                self.pop_far(inputs.forward);
            }
            if inputs.take && available {
                self.ran += 1;
            }
            when(self.evaluate(inputs).filled, &cover::FILLED);
            if let Some(block) = inputs.insert.filter(|_| self.blocks.len() < self.entries) {
                self.push_far(block, inputs.forward);
                self.ran += 1;
            }
        }
        Activity::from(*self != before)
    }

    /// Whether it holds no block, neither one that has run nor one that has not.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many have not run: those behind the first that ran, from the near end on.
    fn left(&self) -> usize {
        self.blocks.len().saturating_sub(self.ran)
    }

    fn pop_far(&mut self, forward: bool) {
        if forward {
            self.blocks.pop_back();
        } else {
            self.blocks.pop_front();
        }
    }

    fn push_far(&mut self, block: Dim3, forward: bool) {
        if forward {
            self.blocks.push_back(block);
        } else {
            self.blocks.push_front(block);
        }
    }
}

#[cfg(test)]
mod tests;
