//! Blocks that run and ask for one that has not started (`docs/launch-control.md`).

use super::{Invariants, Issued};
use crate::port::{Inputs, Outputs};

impl Invariants {
    /// Who asks for a block that has not started: only running ones, and nobody gets an answer who has not asked
    /// (`docs/launch-control.md`, rule 2).
    pub(super) fn check_question(&self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let Some(kernel) = inputs.cancel else {
            return match outputs.cancelled {
                None => Ok(()),
                Some(block) => Err(format!("block {block} is cancelled, but nobody asks")),
            };
        };
        if !self.rules.cancels {
            return Err("a block asks a scheduler that does not answer".to_owned());
        }
        let running = self.entries[kernel.index()].as_ref().map_or(0, |occupant| occupant.running);
        if running == 0 {
            return Err(format!("a block of entry {} asks, which has none in execution", kernel.0));
        }
        Ok(())
    }

    /// What a block that asks gets (`docs/launch-control.md`, rules 3 and 4): the next block as long as there is one, which
    /// counts as one that was dispatched but for its SMX.
    pub(super) fn check_answer(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<(), String> {
        let Some(kernel) = inputs.cancel else { return Ok(()) };
        let entry = kernel.0;
        let occupant = self.entries[kernel.index()].as_mut().expect("a block of it asks");
        let Some(block) = outputs.cancelled else {
            return match occupant.left() {
                0 => Ok(()),
                left => Err(format!("no block of entry {entry} is cancelled, but {left} are left")),
            };
        };
        let id = occupant
            .mark(block, None)
            .map_err(|what| format!("the cancelled block {block} of entry {entry} {what}"))?;
        if !self.dispatched.is_empty() {
            return Err(format!("a block is dispatched beside the cancelled one of entry {entry}"));
        }
        // It goes to no SMX; what is checked of it is its place in the order.
        self.dispatched.push(Issued { smx: 0, kernel, id, blocks: 0, resident: 0 });
        Ok(())
    }
}
