//! Twin of `dispatch/round_robin`: the next SMX that may receive a block (LaPerm, section II-B).

use super::super::SmxMask;
use crate::port::Activity;

/// Input ports of [`RoundRobin`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundRobinInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs that may receive the block.
    pub request: SmxMask,
    /// The pointer becomes this one at the clock edge, whoever receives a block; only with
    /// `rr(start=last-finished)` (IKRA, section 2.2).
    pub restart: Option<usize>,
}

/// Output ports of [`RoundRobin`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundRobinOutputs {
    /// The SMX that receives it: one bit, or none without a request.
    pub grant: SmxMask,
    /// The pointer: the SMX that is asked first. Depends on the state alone.
    pub first: usize,
}

/// The pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    smx: usize,
    first: usize,
}

impl RoundRobin {
    /// A round robin of `smx` SMXs that begins at SMX 0.
    pub fn new(smx: usize) -> Self {
        Self { smx, first: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &RoundRobinInputs) -> RoundRobinOutputs {
        let mut grant = SmxMask::ZERO;
        if let Some(smx) = self.winner(inputs) {
            grant.set(smx, true);
        }
        RoundRobinOutputs { grant, first: self.first }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &RoundRobinInputs) -> Activity {
        let before = self.first;
        if inputs.reset {
            self.first = 0;
        } else if let Some(first) = inputs.restart {
            self.first = first;
        } else if let Some(smx) = self.winner(inputs) {
            self.first = (smx + 1) % self.smx;
        }
        Activity::from(self.first != before)
    }

    fn winner(&self, inputs: &RoundRobinInputs) -> Option<usize> {
        inputs.request.first_from(self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;

    fn of(request: SmxMask) -> RoundRobinInputs {
        RoundRobinInputs { request, ..RoundRobinInputs::default() }
    }

    fn request(bits: u64) -> RoundRobinInputs {
        of(SmxMask::from_words([bits, 0, 0]))
    }

    /// A round robin of `smx` whose pointer is `first`.
    fn at(smx: usize, first: usize) -> RoundRobin {
        let mut arbiter = RoundRobin::new(smx);
        arbiter.clock(&of(mask::of([(first + smx - 1) % smx])));
        assert_eq!(arbiter.evaluate(&request(0)).first, first);
        arbiter
    }

    #[test]
    fn every_pointer_and_request_of_up_to_six_smxs_obeys_the_rule() {
        for smx in 1..=6 {
            for first in 0..smx {
                for bits in 0..1u64 << smx {
                    let mut arbiter = at(smx, first);
                    let above = bits >> first << first;
                    // The lowest request at or above the pointer, else the lowest one of all.
                    let lowest = if above != 0 { above } else { bits };
                    let expected = lowest & lowest.wrapping_neg();
                    let grant = arbiter.evaluate(&request(bits)).grant;
                    assert_eq!(
                        grant.words(),
                        [expected, 0, 0],
                        "{smx} SMXs, pointer {first}, request {bits:b}"
                    );
                    arbiter.clock(&request(bits));
                    let next = if expected == 0 {
                        first
                    } else {
                        (expected.trailing_zeros() as usize + 1) % smx
                    };
                    assert_eq!(arbiter.evaluate(&request(0)).first, next);
                }
            }
        }
    }

    #[test]
    fn all_requests_are_served_in_turn_and_the_pointer_wraps() {
        for smx in SMXS {
            let mut arbiter = RoundRobin::new(smx);
            let all = of(mask::of(0..smx));
            for turn in 0..2 * smx {
                assert_eq!(arbiter.evaluate(&all).grant, mask::of([turn % smx]));
                arbiter.clock(&all);
            }
        }
    }

    #[test]
    fn a_lone_request_is_granted_from_every_pointer_at_the_edges_of_words() {
        for smx in SMXS {
            for first in 0..smx {
                for asks in [0, 31, 32, 63, 64, 127, 128, 143].into_iter().filter(|s| *s < smx) {
                    let arbiter = at(smx, first);
                    let asked = of(mask::of([asks]));
                    assert_eq!(arbiter.evaluate(&asked).grant, asked.request, "{first} of {smx}");
                }
            }
        }
    }

    #[test]
    fn without_a_request_the_pointer_stays_and_the_cycle_is_quiet() {
        let mut arbiter = at(4, 2);
        assert_eq!(arbiter.clock(&request(0)), Activity::Quiet);
        assert_eq!(arbiter.clock(&request(1 << 1)), Activity::Quiet, "it moves to where it is");
        assert_eq!(arbiter.clock(&request(1 << 2)), Activity::Busy);
    }

    #[test]
    fn a_restart_moves_the_pointer_whoever_is_granted_and_grants_as_without_it() {
        for bits in [0, 1 << 2, 0b1111] {
            let mut arbiter = at(4, 2);
            let restart = RoundRobinInputs { restart: Some(1), ..request(bits) };
            assert_eq!(arbiter.evaluate(&restart), arbiter.evaluate(&request(bits)));
            assert_eq!(arbiter.clock(&restart), Activity::Busy);
            assert_eq!(arbiter, at(4, 1));
            let nothing = RoundRobinInputs { restart: Some(1), ..request(0) };
            assert_eq!(arbiter.clock(&nothing), Activity::Quiet);
            let reset = RoundRobinInputs { reset: true, ..restart };
            assert_eq!(arbiter.clock(&reset), Activity::Busy, "reset goes first");
            assert_eq!(arbiter, at(4, 0));
        }
    }

    #[test]
    fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
        let mut arbiter = at(4, 2);
        let reset = RoundRobinInputs { reset: true, ..request(1 << 2) };
        assert_eq!(arbiter.clock(&reset), Activity::Busy);
        assert_eq!(arbiter, RoundRobin::new(4));
        assert_eq!(arbiter.clock(&reset), Activity::Quiet);
    }
}
