//! Twin of `partitions/placement` (`docs/partitions.md`, rule 7): a round robin in each partition.
//!
//! Undefined, and not to be compared: everything when `request` has an SMX and no partition has the
//! turn, or an SMX that is not in the partition that has it.

use crate::port::Activity;
use crate::SmxMask;

/// Input ports of [`Placement`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs of the partition that has the turn that have room and that the gates allow.
    pub request: SmxMask,
    /// The partition that has the turn, a one-hot port; `None` when none has it.
    pub turn: Option<usize>,
}

/// Output ports of [`Placement`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementOutputs {
    /// The SMX that receives the block: one bit, or none without a request.
    pub grant: SmxMask,
    /// The pointer of the partition that has the turn, of partition 0 if none has it. Depends on
    /// `turn` and the state.
    pub first: usize,
}

/// The pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    smx: usize,
    /// Of each partition, the SMX that is asked first.
    first: Vec<usize>,
}

impl Placement {
    /// So many partitions of `smx` SMXs, each of which begins at SMX 0.
    pub fn new(smx: usize, partitions: usize) -> Self {
        Self { smx, first: vec![0; partitions] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &PlacementInputs) -> PlacementOutputs {
        let first = self.first[inputs.turn.unwrap_or(0)];
        let mut grant = SmxMask::ZERO;
        if let Some(smx) = inputs.request.first_from(first) {
            grant.set(smx, true);
        }
        PlacementOutputs { grant, first }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PlacementInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            self.first.fill(0);
        } else if let (Some(turn), Some(smx)) =
            (inputs.turn, self.evaluate(inputs).grant.first_one())
        {
            self.first[turn] = if smx + 1 == self.smx { 0 } else { smx + 1 };
        }
        Activity::from(*self != before)
    }
}

#[cfg(test)]
mod tests;
