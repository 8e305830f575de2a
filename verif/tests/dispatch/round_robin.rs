//! Rationale: 1. the state is a pointer below N; every pointer meets every request for N up to 5.
//! 2. N = 1, 2, 3, a power of two, and numbers that are none, up to 32.

use crate::harness::{random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dispatch::RoundRobin;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::{dispatch as twin, mask};
use rand::RngExt;
use twin::{RoundRobinInputs as Inputs, RoundRobinOutputs as Outputs};

impl<const N: usize> Twinned for RoundRobin<N> {
    type Twin = twin::RoundRobin;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.request.next = U::new(mask::to_bits(inputs.request).into());
        self.restart.next = ports::tagged(inputs.restart.map(|smx| KernelEntry(smx as u8)));
    }
    fn observe(&self) -> Outputs {
        Outputs {
            grant: mask::from_bits(self.grant.val().raw() as u32),
            first: self.first.val().index(),
        }
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

fn placement<const N: usize>() -> Lockstep<RoundRobin<N>> {
    Lockstep::new(RoundRobin::new(), twin::RoundRobin::new(N))
}

fn request(bits: u32) -> Inputs {
    Inputs { request: mask::from_bits(bits), ..Inputs::default() }
}

/// One cycle; who is granted, and the pointer.
#[track_caller]
fn step<const N: usize>(
    placement: &mut Lockstep<RoundRobin<N>>,
    bits: u32,
) -> (Option<usize>, usize) {
    let outputs = placement.cycle(&request(bits));
    (outputs.grant.first_one(), outputs.first)
}

fn exhaust<const N: usize>() {
    let mut placement = placement::<N>();
    for first in 0..N {
        for bits in 0..1 << N {
            // A grant of the SMX before brings the pointer to `first`.
            step(&mut placement, 1 << ((first + N - 1) % N));
            let expected = (first..N).chain(0..first).find(|smx| bits >> smx & 1 == 1);
            assert_eq!(step(&mut placement, bits), (expected, first), "N {N}, request {bits:b}");
            let behind = expected.map_or(first, |smx| if smx == N - 1 { 0 } else { smx + 1 });
            assert_eq!(step(&mut placement, 0), (None, behind), "N {N}, request {bits:b}");
        }
    }
}

fn sample<const N: usize>() {
    let mut placement = placement::<N>();
    let mut random = random(N as u64);
    for _ in 0..5_000 {
        let all = U::<N>::MASK as u32;
        let bits = random.random::<u32>() & random.random::<u32>() & random.random::<u32>() & all;
        let reset = random.random_range(0..100) == 0;
        let restarts = random.random_bool(0.1);
        let restart = restarts.then(|| random.random_range(0..N));
        placement.cycle(&Inputs { reset, restart, ..request(bits) });
    }
}

#[test]
fn every_pointer_and_request_of_up_to_five_smxs_obeys_the_rule() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
    exhaust::<5>();
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    sample::<1>();
    sample::<3>();
    sample::<13>();
    sample::<16>();
    sample::<30>();
    sample::<32>();
}

#[test]
fn a_single_smx_is_granted_every_time() {
    let mut placement = placement::<1>();
    for _ in 0..3 {
        assert_eq!(step(&mut placement, 1), (Some(0), 0));
        assert_eq!(step(&mut placement, 0), (None, 0));
    }
}

#[test]
fn thirteen_smxs_are_served_in_turn_and_the_thirteenth_is_followed_by_the_first() {
    let mut placement = placement::<13>();
    for turn in 0..40 {
        assert_eq!(step(&mut placement, 0x1fff), (Some(turn % 13), turn % 13));
    }
}

#[test]
fn the_pointer_stays_without_a_grant_and_moves_behind_the_one_that_is_granted() {
    let mut placement = placement::<4>();
    step(&mut placement, 0b0010);
    for _ in 0..3 {
        assert_eq!(step(&mut placement, 0), (None, 2));
    }
    assert_eq!(step(&mut placement, 0b0001), (Some(0), 2), "wraps past 2 and 3");
    assert_eq!(step(&mut placement, 0), (None, 1));
}

#[test]
fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
    let mut placement = placement::<4>();
    step(&mut placement, 0b0100);
    placement.cycle(&Inputs { reset: true, ..request(0b1000) });
    assert_eq!(step(&mut placement, 0b1001), (Some(0), 0));
}

#[test]
fn a_restart_moves_the_pointer_whoever_is_granted() {
    let mut placement = placement::<4>();
    let restart = Inputs { restart: Some(3), ..request(0b0001) };
    assert_eq!(mask::to_bits(placement.cycle(&restart).grant), 0b0001);
    assert_eq!(placement.cycle(&request(0)).first, 3);
    assert_eq!(placement.cycle(&Inputs { restart: Some(1), ..request(0) }).first, 3);
    assert_eq!(placement.cycle(&request(0)).first, 1);
}
