use super::*;
use crate::dispatch::{RoundRobin, RoundRobinInputs};
use crate::mask;
use crate::tests::harness::SMXS;

fn asks(turn: usize, smxs: &[usize]) -> PlacementInputs {
    let request = mask::of(smxs.iter().copied());
    PlacementInputs { request, turn: Some(turn), ..PlacementInputs::default() }
}

/// Who is granted, if anyone.
fn granted(placement: &mut Placement, inputs: &PlacementInputs) -> Option<usize> {
    let grant = placement.evaluate(inputs).grant;
    assert!(grant.count_ones() <= 1);
    placement.clock(inputs);
    grant.first_one()
}

#[test]
fn each_partition_goes_round_by_a_pointer_of_its_own() {
    let mut placement = Placement::new(6, 2);
    let (low, high) = (asks(0, &[0, 1, 2]), asks(1, &[1, 2, 5]));
    let order: Vec<_> = [&low, &high, &low, &high, &low, &high, &high, &low]
        .map(|inputs| granted(&mut placement, inputs).unwrap())
        .into();
    assert_eq!(order, [0, 1, 1, 2, 2, 5, 1, 0]);
}

#[test]
fn the_pointer_names_the_smx_after_the_granted_one_also_outside_the_partition() {
    let mut placement = Placement::new(6, 1);
    granted(&mut placement, &asks(0, &[2]));
    assert_eq!(placement.evaluate(&asks(0, &[])).first, 3);
    granted(&mut placement, &asks(0, &[5]));
    assert_eq!(placement.evaluate(&asks(0, &[])).first, 0, "0 after the last one");
}

#[test]
fn without_a_request_nobody_is_granted_and_the_pointers_stay() {
    let mut placement = Placement::new(4, 2);
    granted(&mut placement, &asks(1, &[2]));
    for turn in [None, Some(0), Some(1)] {
        let inputs = PlacementInputs { turn, ..PlacementInputs::default() };
        let expected = if turn == Some(1) { 3 } else { 0 };
        assert_eq!(
            placement.evaluate(&inputs),
            PlacementOutputs { first: expected, ..Default::default() }
        );
        assert_eq!(placement.clock(&inputs), Activity::Quiet);
    }
}

#[test]
fn one_partition_of_all_smxs_is_the_round_robin_at_the_edges_of_words() {
    for smx in SMXS {
        let mut placement = Placement::new(smx, 1);
        let mut round_robin = RoundRobin::new(smx);
        for step in 0..2 * smx {
            let request = mask::of((0..smx).filter(|at| (at * 7 + step) % 3 != 0));
            let inputs = PlacementInputs { request, turn: Some(0), ..Default::default() };
            let round = RoundRobinInputs { request, ..Default::default() };
            let (one, other) = (placement.evaluate(&inputs), round_robin.evaluate(&round));
            assert_eq!((one.grant, one.first), (other.grant, other.first));
            assert_eq!(placement.clock(&inputs), round_robin.clock(&round));
        }
    }
}

#[test]
fn reset_returns_every_pointer_to_smx_0_whatever_is_requested() {
    let mut placement = Placement::new(4, 3);
    for turn in 0..3 {
        granted(&mut placement, &asks(turn, &[turn]));
    }
    let reset = PlacementInputs { reset: true, ..asks(1, &[2]) };
    assert_eq!(placement.clock(&reset), Activity::Busy);
    assert_eq!(placement, Placement::new(4, 3));
    assert_eq!(placement.clock(&reset), Activity::Quiet);
}
