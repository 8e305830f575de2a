//! Twin of `dtbl/group_sequence`: the part of the SMX scheduler's control registers (SSCR) that
//! belongs to the group being distributed (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: `at`, `grid` and `after` without `ready`; everything after a
//! `fetched` that was not asked for, a `step` without `ready`, a `done` without a `step`, a `done`
//! in a cycle with `linked`, or a `reference` that changes before `done`.

use super::super::activity;
use crate::port::{Activity, Dim3, FetchedGroup, GroupReference};

/// Input ports of [`GroupSequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSequenceInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// There is a head, and its native blocks are all distributed.
    pub distributing: bool,
    /// The head's NAGEI.
    pub reference: Option<GroupReference>,
    /// Extent of that group, if it is in the table.
    pub on_chip_grid: Dim3,
    /// The group after it, if it is in the table.
    pub on_chip_next: Option<GroupReference>,
    /// `fetched`, `fetched_grid` and `fetched_next`: its information comes from memory.
    pub fetched: Option<FetchedGroup>,
    /// A group is linked behind `reference` in this cycle.
    pub linked: bool,
    /// That group.
    pub link_next: Option<GroupReference>,
    /// The next block of `reference` is dispatched in this cycle.
    pub step: bool,
    /// It was the last one.
    pub done: bool,
}

/// Output ports of [`GroupSequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSequenceOutputs {
    /// There is a block to dispatch.
    pub ready: bool,
    /// NextBL: its index in the group.
    pub at: Dim3,
    /// Extent of the group.
    pub grid: Dim3,
    /// The group after it.
    pub after: Option<GroupReference>,
    /// `fetch` and `fetch_pointer`: its information is asked of memory.
    pub fetch: Option<u32>,
}

/// NextBL, and what is known of a group in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSequence {
    at: Dim3,
    asked: bool,
    fetched: Option<FetchedGroup>,
    /// The link that was made behind a group in memory while it was the head's next: memory may
    /// have been read before.
    kept: Option<GroupReference>,
}

impl GroupSequence {
    /// Registers at the first block of a group that was not asked for.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupSequenceInputs) -> GroupSequenceOutputs {
        let mut outputs = GroupSequenceOutputs { at: self.at, ..Default::default() };
        let Some(reference) = inputs.reference.filter(|_| inputs.distributing) else {
            return outputs;
        };
        if let Some(pointer) = reference.pointer() {
            if let Some(group) = self.fetched {
                outputs.ready = true;
                outputs.grid = group.grid;
                outputs.after = self.kept.or(group.next);
            }
            outputs.fetch = Some(pointer).filter(|_| !self.asked);
        } else {
            outputs.ready = true;
            outputs.grid = inputs.on_chip_grid;
            outputs.after = inputs.on_chip_next;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupSequenceInputs) -> Activity {
        let before = self.clone();
        let outputs = self.evaluate(inputs);
        self.asked |= outputs.fetch.is_some();
        self.fetched = self.fetched.or(inputs.fetched);
        if inputs.linked && inputs.reference.is_some_and(|group| group.pointer().is_some()) {
            self.kept = inputs.link_next;
        }
        if inputs.step {
            self.at = following(self.at, outputs.grid);
        }
        if inputs.done || inputs.reset {
            *self = Self::new();
        }
        activity(*self != before)
    }

    /// Whether the group's information is on its way from memory.
    pub(super) fn awaits_memory(&self) -> bool {
        self.asked && self.fetched.is_none()
    }
}

/// The block after `at`: x fastest, then y, then z.
fn following(at: Dim3, grid: Dim3) -> Dim3 {
    let Dim3 { x, y, z } = at;
    if x + 1 < grid.x {
        Dim3::new(x + 1, y, z)
    } else if y + 1 < grid.y {
        Dim3::new(0, y + 1, z)
    } else {
        Dim3::new(0, 0, z + 1)
    }
}

#[cfg(test)]
mod tests;
