//! Twin of `laperm/selector`: which SMX is visited, and where its candidate comes from (LaPerm,
//! section IV-C and figure 6; `docs/laperm.md`, rules 10, 11 and 13).
//!
//! Undefined, and not to be compared: `refused` without a candidate.

use super::super::SmxMask;
use super::cover;
use super::{Binding, LapermConfig};
use crate::cover::{counting, met, when};
use crate::port::Activity;

/// Input ports of [`Selector`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectorInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// Queue 0 has a head.
    pub zero: bool,
    /// One bit a priority queue: it has a head.
    pub heads: SmxMask,
    /// The candidate fits, and a gate refuses it.
    pub refused: bool,
}

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// Stage 1: the priority queue of the visited SMX, which has this number.
    Own(usize),
    /// Stage 2: queue 0.
    Zero,
    /// Stage 3: this priority queue of other SMXs.
    Backup(usize),
}

/// Output ports of [`Selector`]; they depend on all inputs but `refused`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectorOutputs {
    /// `turn`: the SMX that is visited if any queue has a head. State alone.
    pub turn: usize,
    /// Its candidate; none without a head, or when the visited SMX may take none.
    pub candidate: Option<Candidate>,
}

/// What is known of an SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Smx {
    /// Its next visit looks at nothing of its own queue.
    refused: bool,
    /// The recorded backup queue.
    backup: Option<usize>,
    /// A gate refused what that queue gave since it was recorded.
    backup_refused: bool,
}

/// The turn, and what is known of each SMX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    adaptive: bool,
    /// SMXs of a queue.
    cluster: usize,
    queues: usize,
    turn: usize,
    smxs: Vec<Smx>,
}

impl Selector {
    /// A selector of `smx` SMXs that visits SMX 0 first.
    pub fn new(config: &LapermConfig, smx: usize) -> Self {
        Self {
            adaptive: config.binding == Binding::Adaptive,
            cluster: config.cluster_size(smx),
            queues: config.queues(smx),
            turn: 0,
            smxs: vec![Smx::default(); smx],
        }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &SelectorInputs) -> SelectorOutputs {
        let own = self.turn / self.cluster;
        let candidate = if inputs.heads[own] && !self.smxs[self.turn].refused {
            Some(Candidate::Own(own))
        } else if inputs.zero {
            Some(Candidate::Zero)
        } else if self.adaptive {
            self.backup(own, inputs.heads).map(Candidate::Backup)
        } else {
            None
        };
        SelectorOutputs { turn: self.turn, candidate }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SelectorInputs) -> Activity {
        if inputs.reset {
            let changed = self.turn != 0 || self.smxs.iter().any(|smx| *smx != Smx::default());
            self.turn = 0;
            self.smxs.fill(Smx::default());
            return Activity::from(changed);
        }
        if !inputs.zero && !inputs.heads.any() {
            return Activity::Quiet;
        }
        let SelectorOutputs { turn, candidate } = self.evaluate(inputs);
        if counting() {
            self.cover(inputs, candidate);
        }
        let smx = &mut self.smxs[turn];
        let before = *smx;
        smx.refused = matches!(candidate, Some(Candidate::Own(_))) && inputs.refused;
        if let Some(Candidate::Backup(queue)) = candidate {
            smx.backup = Some(queue);
            smx.backup_refused = inputs.refused;
        }
        let changed = before != *smx;
        self.turn = (turn + 1) % self.smxs.len();
        Activity::from(changed || self.turn != turn)
    }

    /// Which stage the visit ends in, and what a gate says.
    fn cover(&self, inputs: &SelectorInputs, candidate: Option<Candidate>) {
        let Smx { refused, backup, backup_refused } = self.smxs[self.turn];
        when(refused && inputs.heads[self.turn / self.cluster], &cover::SKIPPED);
        match candidate {
            None => met(&cover::NOBODY),
            Some(Candidate::Zero) => met(&cover::ZERO),
            Some(Candidate::Own(_)) => {
                met(&cover::OWN);
                when(inputs.refused, &cover::REFUSED_OWN);
            }
            Some(Candidate::Backup(queue)) => {
                when(inputs.refused, &cover::REFUSED_BACKUP);
                met(match (backup == Some(queue), backup_refused) {
                    (false, _) => &cover::BACKUP_OTHER,
                    (true, false) => &cover::BACKUP_RECORDED,
                    (true, true) => &cover::BACKUP_AGAIN,
                });
            }
        }
    }

    /// The backup queue of the visited SMX, whose own queue is `own`.
    fn backup(&self, own: usize, heads: SmxMask) -> Option<usize> {
        let Smx { backup, backup_refused, .. } = self.smxs[self.turn];
        if let Some(recorded) = backup.filter(|&queue| heads[queue] && !backup_refused) {
            return Some(recorded);
        }
        let last = backup.unwrap_or(own);
        let others = (1..=self.queues).map(|step| (last + step) % self.queues);
        others.filter(|&queue| queue != own).find(|&queue| heads[queue])
    }
}

#[cfg(test)]
mod tests;
