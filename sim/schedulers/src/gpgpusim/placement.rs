//! Twin of `gpgpusim/placement`: which SMXs are served in a cycle, and in which order (rule 2).
//!
//! Undefined, and not to be compared: nothing.

use super::super::mask::round;
use super::super::{PerSmx, SmxMask};
use crate::port::Activity;

/// Input ports of [`Placement`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs that have room and are below the cap.
    pub request: SmxMask,
    /// How many blocks may go in this cycle, 0 to the number of SMXs.
    pub budget: usize,
}

/// Output ports of [`Placement`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementOutputs {
    /// The SMXs that receive a block.
    pub grant: SmxMask,
    /// For each of those, which one it is in the order of visit, from 0; 0 for all others.
    pub position: PerSmx<usize>,
    /// How many are granted.
    pub granted: usize,
    /// The pointer: the SMX that is visited first. Depends on the state alone.
    pub first: usize,
}

/// The pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    smx: usize,
    first: usize,
}

impl Placement {
    /// A placement on `smx` SMXs (at least one) that begins at SMX 0.
    pub fn new(smx: usize) -> Self {
        Self { smx, first: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &PlacementInputs) -> PlacementOutputs {
        let mut outputs = PlacementOutputs { first: self.first, ..Default::default() };
        for smx in self.served(inputs) {
            outputs.grant.set(smx, true);
            outputs.position[smx] = outputs.granted;
            outputs.granted += 1;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PlacementInputs) -> Activity {
        let before = self.first;
        if inputs.reset {
            self.first = 0;
        } else if let Some(last) = self.served(inputs).last() {
            self.first = (last + 1) % self.smx;
        }
        Activity::from(self.first != before)
    }

    /// In the order of visit.
    fn served<'a>(&self, inputs: &'a PlacementInputs) -> impl Iterator<Item = usize> + 'a {
        round(self.first, self.smx).filter(|&smx| inputs.request[smx]).take(inputs.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::dispatch::{RoundRobin, RoundRobinInputs};
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;
    use crate::port::MAX_SMX;
    use proptest::prelude::*;

    fn ask(request: u64, budget: usize) -> PlacementInputs {
        asked(SmxMask::from_words([request, 0, 0]), budget)
    }

    fn asked(request: SmxMask, budget: usize) -> PlacementInputs {
        PlacementInputs { request, budget, reset: false }
    }

    /// A placement on `smx` SMXs whose pointer is `first`.
    fn at(smx: usize, first: usize) -> Placement {
        let mut placement = Placement::new(smx);
        placement.clock(&asked(mask::of([(first + smx - 1) % smx]), 1));
        assert_eq!(placement.evaluate(&ask(0, 0)).first, first);
        placement
    }

    #[test]
    fn smxs_are_served_from_the_pointer_upwards_and_wrap() {
        let mut placement = at(5, 3);
        let outputs = placement.evaluate(&ask(0b11011, 3));
        assert_eq!(outputs.grant, mask::of([3, 4, 0]));
        assert_eq!(outputs.position, [2, 0, 0, 0, 1].into_iter().collect());
        assert_eq!((outputs.granted, outputs.first), (3, 3));
        assert_eq!(placement.clock(&ask(0b11011, 3)), Activity::Busy);
        assert_eq!(placement, at(5, 1), "behind SMX 0, the last one served");
    }

    #[test]
    fn a_budget_of_nothing_and_a_request_of_nobody_leave_the_pointer() {
        for inputs in [ask(0b1111, 0), ask(0, 32)] {
            let mut placement = at(4, 2);
            let nothing = PlacementOutputs { first: 2, ..Default::default() };
            assert_eq!(placement.evaluate(&inputs), nothing);
            assert_eq!(placement.clock(&inputs), Activity::Quiet);
        }
    }

    #[test]
    fn a_whole_round_returns_the_pointer_to_where_it_was() {
        for smx in SMXS {
            let all = asked(mask::of(0..smx), smx);
            let mut placement = at(smx, smx / 2);
            let outputs = placement.evaluate(&all);
            assert_eq!(outputs.granted, smx);
            assert_eq!(outputs.position[smx / 2], 0);
            assert_eq!(outputs.position[(smx / 2 + smx - 1) % smx], smx - 1);
            assert_eq!(placement.clock(&all), Activity::Quiet);
        }
    }

    #[test]
    fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
        let mut placement = at(4, 2);
        let reset = PlacementInputs { reset: true, ..ask(0b0100, 4) };
        assert_eq!(placement.clock(&reset), Activity::Busy);
        assert_eq!(placement, Placement::new(4));
        assert_eq!(placement.clock(&reset), Activity::Quiet);
    }

    proptest! {
        #[test]
        fn one_cycle_serves_whom_round_robin_serves_in_as_many_cycles(
            smx in prop_oneof![1usize..=32, prop::sample::select(&SMXS[..])], first in 0..MAX_SMX,
            request in any::<[u64; 2]>(), budget in prop_oneof![0usize..=32, 0..=MAX_SMX],
        ) {
            let request = SmxMask::from_words([request[0], request[1], request[0] >> 48]);
            let request = request & mask::of(0..smx);
            let mut placement = at(smx, first % smx);
            let mut one_by_one = RoundRobin::new(smx);
            one_by_one.clock(&RoundRobinInputs {
                request: mask::of([(first % smx + smx - 1) % smx]),
                ..Default::default()
            });
            let outputs = placement.evaluate(&asked(request, budget));
            let mut left = request;
            for position in 0..outputs.granted {
                let inputs = RoundRobinInputs { request: left, ..Default::default() };
                let smx = one_by_one.evaluate(&inputs).grant.first_one().unwrap();
                one_by_one.clock(&inputs);
                left.set(smx, false);
                prop_assert!(outputs.grant[smx]);
                prop_assert_eq!(outputs.position[smx], position);
            }
            prop_assert_eq!(outputs.granted, budget.min(request.count_ones()));
            prop_assert_eq!(outputs.grant.count_ones(), outputs.granted);
            placement.clock(&asked(request, budget));
            let nobody = RoundRobinInputs::default();
            prop_assert_eq!(placement.evaluate(&ask(0, 0)).first, one_by_one.evaluate(&nobody).first);
        }
    }
}
