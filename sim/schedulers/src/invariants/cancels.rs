//! Blocks that run and ask for one that has not started (`docs/launch-control.md`).

use super::clusters::{blocks_of, in_order, ClusterRules};
use super::{Invariants, Issued};
use crate::port::{Inputs, Outputs};

impl Invariants {
    /// Who asks for a block that has not started: only running ones, and nobody gets an answer who
    /// has not asked (`docs/launch-control.md`, rule 2).
    pub(super) fn check_question(&self, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        let Some(kernel) = inputs.cancel else {
            return match outputs.cancelled {
                None if outputs.cancel_held => {
                    Err("a question is held, but nobody asks".to_owned())
                }
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

    /// What a block that asks gets (`docs/launch-control.md`, rules 3 and 4, 7 to 9): the next
    /// block, or all blocks of the next cluster, as long as there are any, which count as those
    /// that were dispatched but for their SMXs; while a cluster of its kernel is open it waits.
    pub(super) fn check_answer(
        &mut self,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<(), String> {
        let Some(kernel) = inputs.cancel else { return Ok(()) };
        let entry = kernel.0;
        // What is open is of the head, which nothing passes by.
        let is_open = self.clusters.as_ref().and_then(ClusterRules::open) == Some(kernel);
        let occupant = self.entries[kernel.index()].as_mut().expect("a block of it asks");
        let block = match (outputs.cancelled, outputs.cancel_held) {
            (Some(block), true) => {
                return Err(format!("block {block} is cancelled, but the question is held"));
            }
            (Some(block), false) if is_open => {
                return Err(format!(
                    "block {block} is cancelled while a cluster of entry {entry} is open"
                ));
            }
            (Some(block), false) => block,
            (None, true) if is_open => return Ok(()),
            (None, true) => {
                return Err(format!("a question is held, but no cluster of entry {entry} is open"));
            }
            (None, false) => {
                return match occupant.left() {
                    0 => Ok(()),
                    left => {
                        Err(format!("no block of entry {entry} is cancelled, but {left} are left"))
                    }
                };
            }
        };
        if !self.dispatched.is_empty() {
            return Err(format!("a block is dispatched beside the cancelled one of entry {entry}"));
        }
        let whole = self.clusters.as_ref().map(|_| occupant.launch.cluster);
        // It goes to no SMX; what is checked of it is its place in the order.
        let mut last = Issued { smx: 0, kernel, id: 0, blocks: 0, resident: 0 };
        for of_cluster in blocks_of(block, whole.unwrap_or_default()) {
            last.id = occupant.mark(of_cluster, None).map_err(|what| {
                format!("the cancelled block {of_cluster} of entry {entry} {what}")
            })?;
            if whole.is_some() {
                in_order(&last, occupant)?;
            }
        }
        self.dispatched.push(last);
        Ok(())
    }
}
