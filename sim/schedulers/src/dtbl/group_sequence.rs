//! Twin of `dtbl/group_sequence`: the part of the SMX scheduler's control registers (SSCR) that
//! belongs to the group being distributed (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: `at`, `grid` and `after` without `ready`; everything after a
//! `step` without `ready`, a `done` without a `step`, or a `reference` that changes before `done`.

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
    /// That group, if it is in memory and has come from there.
    pub in_memory: Option<FetchedGroup>,
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
}

/// NextBL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSequence {
    at: Dim3,
}

impl GroupSequence {
    /// At the first block of a group.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupSequenceInputs) -> GroupSequenceOutputs {
        let mut outputs = GroupSequenceOutputs { at: self.at, ..Default::default() };
        let Some(reference) = inputs.reference.filter(|_| inputs.distributing) else {
            return outputs;
        };
        let on_chip = FetchedGroup { grid: inputs.on_chip_grid, next: inputs.on_chip_next };
        let group = match reference.index() {
            Some(_) => Some(on_chip),
            None => inputs.in_memory,
        };
        if let Some(FetchedGroup { grid, next }) = group {
            (outputs.ready, outputs.grid, outputs.after) = (true, grid, next);
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupSequenceInputs) -> Activity {
        let before = self.clone();
        let outputs = self.evaluate(inputs);
        if inputs.step {
            self.at = following(self.at, outputs.grid);
        }
        if inputs.done || inputs.reset {
            *self = Self::new();
        }
        Activity::from(*self != before)
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
