//! Twin of `dtbl/ended_blocks`: the queues in which blocks of groups on chip wait after their end
//! until they are counted, one a cycle (`docs/dtbl.md`, rule 11b).
//!
//! Undefined, and not to be compared: what follows more blocks that end on an SMX than it has
//! slots, or that it received while it was crowded.

use super::super::mask::round;
use super::super::{PerSmx, SmxMask};
use super::cover;
use crate::cover::{counting, when};
use crate::port::Activity;
use std::collections::VecDeque;

/// Input ports of [`EndedBlocks`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedBlocksInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs on which a block of a group in the table ended in the cycle before.
    pub ended: SmxMask,
    /// For each of those, the group's entry; 11 bits.
    pub ended_index: PerSmx<u32>,
}

/// Output ports of [`EndedBlocks`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedBlocksOutputs {
    /// The group's entry of the block that leaves its queue in this cycle; 11 bits.
    pub served: Option<u32>,
    /// The SMXs whose queue holds as many blocks as they have slots, or more.
    pub crowded: SmxMask,
}

/// The queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedBlocks {
    slots: usize,
    /// For each SMX the entries of the groups whose blocks ended there, the oldest first.
    queues: Vec<VecDeque<u32>>,
    /// The SMX that is looked at first.
    pointer: usize,
}

impl EndedBlocks {
    /// Empty queues for `smx` SMXs (up to [`crate::port::MAX_SMX`]) of `slots` slots each.
    pub fn new(smx: usize, slots: u32) -> Self {
        Self { slots: slots as usize, queues: vec![VecDeque::new(); smx], pointer: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &EndedBlocksInputs) -> EndedBlocksOutputs {
        let mut crowded = SmxMask::ZERO;
        for (smx, queue) in self.queues.iter().enumerate() {
            crowded.set(smx, queue.len() + usize::from(inputs.ended[smx]) >= self.slots);
        }
        let served = self.served(inputs).map(|smx| {
            self.queues[smx].front().copied().unwrap_or_else(|| inputs.ended_index[smx])
        });
        EndedBlocksOutputs { served, crowded }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &EndedBlocksInputs) -> Activity {
        if inputs.reset {
            let changed = self.pointer != 0 || self.queues.iter().any(|queue| !queue.is_empty());
            self.pointer = 0;
            self.queues.iter_mut().for_each(VecDeque::clear);
            return Activity::from(changed);
        }
        let before = self.pointer;
        let served = self.served(inputs);
        // What comes and is served at once leaves nothing but the pointer.
        let at_once = served.is_some_and(|smx| self.queues[smx].is_empty());
        for smx in inputs.ended.iter_ones() {
            self.queues[smx].push_back(inputs.ended_index[smx]);
        }
        if counting() {
            when(self.queues.iter().any(|queue| queue.len() > 1), &cover::QUEUED);
        }
        if let Some(smx) = served {
            self.queues[smx].pop_front();
            self.pointer = (smx + 1) % self.queues.len();
        }
        let leaves = served.is_some() && !at_once;
        let enters = inputs.ended.count_ones() > usize::from(at_once);
        Activity::from(self.pointer != before || leaves || enters)
    }

    /// The SMX whose oldest block leaves its queue, one that comes in this cycle among them.
    fn served(&self, inputs: &EndedBlocksInputs) -> Option<usize> {
        let waits = |smx: &usize| !self.queues[*smx].is_empty() || inputs.ended[*smx];
        round(self.pointer, self.queues.len()).find(waits)
    }
}

#[cfg(test)]
mod tests;
