//! Rationale: 1. the state is a pointer below N; every pointer meets every request for N up to 5.
//! 2. N = 1, 2, 3, a power of two, and numbers that are none, up to 32, and
//! masks of several words: 33, 65 and 132.

use crate::harness::{mask, random, Lockstep, Twinned};
use blockyard_rtl::dispatch::RoundRobin;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::Word;
use blockyard_sim::port::Activity;
use blockyard_sim::sched::dispatch as twin;
use rand::RngExt;
use twin::{RoundRobinInputs as Inputs, RoundRobinOutputs as Outputs};

impl Twinned for RoundRobin {
    type Twin = twin::RoundRobin;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.request, inputs.request);
        self.restart.next.valid = inputs.restart.is_some();
        let bits = self.restart.next.smx.bits();
        self.restart.next.smx = Word::new(bits, inputs.restart.unwrap_or(0) as u64);
    }
    fn observe(&self) -> Outputs {
        Outputs { grant: mask::from_rtl(self.grant.val()), first: self.first.val().index() }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn placement(smxs: usize) -> Lockstep<RoundRobin> {
    Lockstep::new(RoundRobin::new(smxs), twin::RoundRobin::new(smxs))
}

fn request(bits: u32) -> Inputs {
    Inputs { request: mask::from_bits(bits), ..Inputs::default() }
}

/// One cycle; who is granted, and the pointer.
#[track_caller]
fn step(placement: &mut Lockstep<RoundRobin>, bits: u32) -> (Option<usize>, usize) {
    let outputs = placement.cycle(&request(bits));
    (outputs.grant.first_one(), outputs.first)
}

fn exhaust(smxs: usize) {
    let mut placement = placement(smxs);
    for first in 0..smxs {
        for bits in 0..1 << smxs {
            // A grant of the SMX before brings the pointer to `first`.
            step(&mut placement, 1 << ((first + smxs - 1) % smxs));
            let expected = (first..smxs).chain(0..first).find(|smx| bits >> smx & 1 == 1);
            assert_eq!(
                step(&mut placement, bits),
                (expected, first),
                "{smxs} SMXs, request {bits:b}"
            );
            let behind = expected.map_or(first, |smx| if smx == smxs - 1 { 0 } else { smx + 1 });
            assert_eq!(step(&mut placement, 0), (None, behind), "{smxs} SMXs, request {bits:b}");
        }
    }
}

fn sample(smxs: usize) {
    let mut placement = placement(smxs);
    let mut random = random(smxs as u64);
    for _ in 0..5_000 {
        let mut requesters = || mask::random_smxs(smxs, &mut random);
        let request = requesters() & requesters() & requesters();
        let reset = random.random_range(0..100) == 0;
        let restarts = random.random_bool(0.1);
        let restart = restarts.then(|| random.random_range(0..smxs));
        placement.cycle(&Inputs { reset, restart, request });
    }
}

#[test]
fn every_pointer_and_request_of_up_to_five_smxs_obeys_the_rule() {
    for smxs in 1..=5 {
        exhaust(smxs);
    }
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    for smxs in [1, 3, 13, 16, 30, 32, 33, 65, 132] {
        sample(smxs);
    }
}

#[test]
fn a_single_smx_is_granted_every_time() {
    let mut placement = placement(1);
    for _ in 0..3 {
        assert_eq!(step(&mut placement, 1), (Some(0), 0));
        assert_eq!(step(&mut placement, 0), (None, 0));
    }
}

#[test]
fn thirteen_smxs_are_served_in_turn_and_the_thirteenth_is_followed_by_the_first() {
    let mut placement = placement(13);
    for turn in 0..40 {
        assert_eq!(step(&mut placement, 0x1fff), (Some(turn % 13), turn % 13));
    }
}

#[test]
fn the_pointer_stays_without_a_grant_and_moves_behind_the_one_that_is_granted() {
    let mut placement = placement(4);
    step(&mut placement, 0b0010);
    for _ in 0..3 {
        assert_eq!(step(&mut placement, 0), (None, 2));
    }
    assert_eq!(step(&mut placement, 0b0001), (Some(0), 2), "wraps past 2 and 3");
    assert_eq!(step(&mut placement, 0), (None, 1));
}

#[test]
fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
    let mut placement = placement(4);
    step(&mut placement, 0b0100);
    placement.cycle(&Inputs { reset: true, ..request(0b1000) });
    assert_eq!(step(&mut placement, 0b1001), (Some(0), 0));
}

#[test]
fn a_restart_moves_the_pointer_whoever_is_granted() {
    let mut placement = placement(4);
    let restart = Inputs { restart: Some(3), ..request(0b0001) };
    assert_eq!(mask::to_bits(placement.cycle(&restart).grant), 0b0001);
    assert_eq!(placement.cycle(&request(0)).first, 3);
    assert_eq!(placement.cycle(&Inputs { restart: Some(1), ..request(0) }).first, 3);
    assert_eq!(placement.cycle(&request(0)).first, 1);
}
