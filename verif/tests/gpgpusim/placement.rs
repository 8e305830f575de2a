//! Rationale: 1. the state is a pointer below N; every pointer meets every request and budget for N up
//! to 4. 2. N = 1, 2, 3, a power of two, and numbers beside powers of two, up to 32.

use crate::harness::{random, Lockstep, Twinned};
use blockyard_rtl::gpgpusim::Placement;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::Activity;
use blockyard_sim::sched::{gpgpusim as twin, mask};
use rand::RngExt;
use twin::{PlacementInputs as Inputs, PlacementOutputs as Outputs};

impl<const N: usize> Twinned for Placement<N> {
    type Twin = twin::Placement;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.request.next = U::new(mask::to_bits(inputs.request).into());
        self.budget.next = U::new(inputs.budget as u64);
    }
    fn observe(&self) -> Outputs {
        let mut outputs = Outputs {
            grant: mask::from_bits(self.grant.val().raw() as u32),
            granted: self.granted.val().index(),
            first: self.first.val().index(),
            ..Outputs::default()
        };
        for (position, port) in outputs.position.iter_mut().zip(&self.position) {
            *position = port.val().index();
        }
        outputs
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

fn placement<const N: usize>() -> Lockstep<Placement<N>> {
    Lockstep::new(Placement::new(), twin::Placement::new(N))
}

fn ask(request: u32, budget: usize) -> Inputs {
    Inputs { request: mask::from_bits(request), budget, reset: false }
}

/// One cycle; who is served, in the order of visit.
#[track_caller]
fn step<const N: usize>(
    placement: &mut Lockstep<Placement<N>>,
    request: u32,
    budget: usize,
) -> Vec<usize> {
    let outputs = placement.cycle(&ask(request, budget));
    let mut served: Vec<_> = outputs.grant.iter_ones().collect();
    served.sort_by_key(|&smx| outputs.position[smx]);
    let places: Vec<_> = served.iter().map(|&smx| outputs.position[smx]).collect();
    assert_eq!(places, (0..outputs.granted).collect::<Vec<_>>());
    served
}

fn exhaust<const N: usize>() {
    let mut placement = placement::<N>();
    for first in 0..N {
        for request in 0..1u32 << N {
            for budget in (0..=N + 1).chain([32]) {
                // A grant of the SMX before brings the pointer to `first`.
                step(&mut placement, 1 << ((first + N - 1) % N), 1);
                let visit = (first..N).chain(0..first).filter(|smx| request >> smx & 1 == 1);
                let expected: Vec<_> = visit.take(budget).collect();
                assert_eq!(step(&mut placement, request, budget), expected, "N {N}, from {first}");
                let behind = expected.last().map_or(first, |smx| (smx + 1) % N);
                assert_eq!(placement.cycle(&ask(0, budget)).first, behind);
            }
        }
    }
}

fn sample<const N: usize>() {
    let mut placement = placement::<N>();
    let mut random = random(N as u64);
    for _ in 0..5_000 {
        let mut request = random.random::<u32>() & U::<N>::MASK as u32;
        if random.random_bool(0.5) {
            request &= random.random::<u32>() & random.random::<u32>();
        }
        let budget = random.random_range(0..=32);
        let reset = random.random_range(0..100) == 0;
        placement.cycle(&Inputs { reset, ..ask(request, budget) });
    }
}

#[test]
fn every_pointer_request_and_budget_of_up_to_four_smxs_obeys_the_rule() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    sample::<1>();
    sample::<3>();
    sample::<13>();
    sample::<14>();
    sample::<15>();
    sample::<16>();
    sample::<30>();
    sample::<31>();
    sample::<32>();
}

#[test]
fn a_budget_of_one_less_than_the_requests_leaves_out_the_last_one_of_the_round() {
    let mut placement = placement::<15>();
    step(&mut placement, 1 << 6, 1);
    let visit: Vec<_> = (7..15).chain(0..7).collect();
    assert_eq!(step(&mut placement, 0x7fff, 14), visit[..14]);
    assert_eq!(placement.cycle(&ask(0, 0)).first, 6, "SMX 6 is the next one");
    assert_eq!(step(&mut placement, 0x7fff, 15)[0], 6);
    assert_eq!(placement.cycle(&ask(0, 0)).first, 6, "a whole round");
}

#[test]
fn all_32_smxs_are_served_in_one_cycle() {
    let mut placement = placement::<32>();
    step(&mut placement, 1 << 30, 32);
    let outputs = placement.cycle(&ask(u32::MAX, 32));
    assert_eq!((outputs.granted, outputs.position[31], outputs.position[30]), (32, 0, 31));
}

#[test]
fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
    let mut placement = placement::<4>();
    step(&mut placement, 0b0100, 1);
    placement.cycle(&Inputs { reset: true, ..ask(0b1011, 2) });
    assert_eq!(step(&mut placement, 0b1001, 1), [0]);
}
