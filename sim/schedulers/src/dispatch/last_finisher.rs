//! Twin of `dispatch/last_finisher`: behind which SMX the next kernel begins (`docs/ikra.md`, rule
//! 4; the paper, sections 2.2 and 4.1).
//!
//! Undefined, and not to be compared: nothing.

use super::super::SmxMask;
use crate::port::Activity;

/// Input ports of [`LastFinisher`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastFinisherInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
}

/// Output ports of [`LastFinisher`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastFinisherOutputs {
    /// The SMX after the one that finished last; 0 before any.
    pub first: usize,
}

/// The SMX behind the one that finished last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastFinisher {
    smx: usize,
    first: usize,
}

impl LastFinisher {
    /// For `smx` SMXs, on which nothing has finished.
    pub fn new(smx: usize) -> Self {
        Self { smx, first: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &LastFinisherInputs) -> LastFinisherOutputs {
        LastFinisherOutputs { first: self.first }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &LastFinisherInputs) -> Activity {
        let before = self.first;
        if inputs.reset {
            self.first = 0;
        } else if let Some(highest) = inputs.finished.last_one() {
            self.first = (highest + 1) % self.smx;
        }
        Activity::from(self.first != before)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;

    fn finished(smxs: &[usize]) -> LastFinisherInputs {
        LastFinisherInputs { reset: false, finished: mask::of(smxs.iter().copied()) }
    }

    fn first(finisher: &LastFinisher) -> usize {
        let first = finisher.evaluate(&finished(&[])).first;
        assert_eq!(finisher.evaluate(&finished(&[0])).first, first, "state alone");
        first
    }

    #[test]
    fn the_smx_after_the_highest_one_that_reports_is_first_from_the_next_cycle_on() {
        let mut finisher = LastFinisher::new(5);
        assert_eq!(first(&finisher), 0);
        for (smxs, then) in [(&[2][..], 3), (&[3, 0], 4), (&[0], 1), (&[1, 2, 3, 4], 0)] {
            finisher.clock(&finished(smxs));
            assert_eq!(first(&finisher), then, "{smxs:?}");
        }
    }

    #[test]
    fn the_last_smx_is_followed_by_smx_0_for_every_number_of_smxs() {
        for smx in SMXS {
            let mut finisher = LastFinisher::new(smx);
            finisher.clock(&finished(&[smx - 1]));
            assert_eq!(first(&finisher), 0, "{smx} SMXs");
            if smx > 1 {
                finisher.clock(&finished(&[smx - 2]));
                assert_eq!(first(&finisher), smx - 1, "{smx} SMXs");
            }
        }
    }

    #[test]
    fn a_cycle_without_a_completion_changes_nothing() {
        let mut finisher = LastFinisher::new(4);
        finisher.clock(&finished(&[1]));
        assert_eq!(finisher.clock(&finished(&[])), Activity::Quiet);
        assert_eq!(finisher.clock(&finished(&[1, 0])), Activity::Quiet);
        assert_eq!(first(&finisher), 2);
    }

    #[test]
    fn reset_returns_to_smx_0_whatever_ends() {
        let mut finisher = LastFinisher::new(4);
        finisher.clock(&finished(&[1]));
        let reset = LastFinisherInputs { reset: true, ..finished(&[2]) };
        assert_eq!(finisher.clock(&reset), Activity::Busy);
        assert_eq!(first(&finisher), 0);
        assert_eq!(finisher.clock(&reset), Activity::Quiet);
    }
}
