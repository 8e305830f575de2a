//! Rationale: 1. the state is a pointer below N; every pointer meets every request and budget for N
//! up to 4. 2. N = 1, 2, 3, a power of two, and numbers beside powers of two, up to 32, and masks
//! of several words: 33, 65 and 132.

use crate::harness::{drive_word, mask, random, Lockstep, Twinned};
use blockyard_rtl::gpgpusim::Placement;
use blockyard_rtl::module::Module;
use blockyard_sim::port::Activity;
use blockyard_sim::sched::gpgpusim as twin;
use rand::RngExt;
use twin::{PlacementInputs as Inputs, PlacementOutputs as Outputs};

impl Twinned for Placement {
    type Twin = twin::Placement;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.request, inputs.request);
        drive_word(&mut self.budget, inputs.budget);
    }
    fn observe(&self) -> Outputs {
        Outputs {
            grant: mask::from_rtl(self.grant.val()),
            granted: self.granted.val().index(),
            first: self.first.val().index(),
            position: self.position.iter().map(|port| port.val().index()).collect(),
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

fn placement(smxs: usize) -> Lockstep<Placement> {
    Lockstep::new(Placement::new(smxs), twin::Placement::new(smxs))
}

fn ask(request: u32, budget: usize) -> Inputs {
    Inputs { request: mask::from_bits(request), budget, reset: false }
}

/// One cycle; who is served, in the order of visit.
#[track_caller]
fn step(placement: &mut Lockstep<Placement>, request: u32, budget: usize) -> Vec<usize> {
    let outputs = placement.cycle(&ask(request, budget));
    let mut served: Vec<_> = outputs.grant.iter_ones().collect();
    served.sort_by_key(|&smx| outputs.position[smx]);
    let places: Vec<_> = served.iter().map(|&smx| outputs.position[smx]).collect();
    assert_eq!(places, (0..outputs.granted).collect::<Vec<_>>());
    served
}

fn exhaust(smxs: usize) {
    let mut placement = placement(smxs);
    for first in 0..smxs {
        for request in 0..1u32 << smxs {
            for budget in (0..=smxs + 1).chain([32]) {
                // A grant of the SMX before brings the pointer to `first`.
                step(&mut placement, 1 << ((first + smxs - 1) % smxs), 1);
                let visit = (first..smxs).chain(0..first).filter(|smx| request >> smx & 1 == 1);
                let expected: Vec<_> = visit.take(budget).collect();
                assert_eq!(
                    step(&mut placement, request, budget),
                    expected,
                    "{smxs} SMXs, from {first}"
                );
                let behind = expected.last().map_or(first, |smx| (smx + 1) % smxs);
                assert_eq!(placement.cycle(&ask(0, budget)).first, behind);
            }
        }
    }
}

fn sample(smxs: usize) {
    let mut placement = placement(smxs);
    let mut random = random(smxs as u64);
    for _ in 0..5_000 {
        let mut request = mask::random_smxs(smxs, &mut random);
        if random.random_bool(0.5) {
            let mut requesters = || mask::random_smxs(smxs, &mut random);
            request = request & requesters() & requesters();
        }
        let budget = random.random_range(0..=smxs.max(32));
        let reset = random.random_range(0..100) == 0;
        placement.cycle(&Inputs { request, budget, reset });
    }
}

#[test]
fn every_pointer_request_and_budget_of_up_to_four_smxs_obeys_the_rule() {
    for smxs in 1..=4 {
        exhaust(smxs);
    }
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    for smxs in [1, 3, 13, 14, 15, 16, 30, 31, 32, 33, 65, 132] {
        sample(smxs);
    }
}

#[test]
fn a_budget_of_one_less_than_the_requests_leaves_out_the_last_one_of_the_round() {
    let mut placement = placement(15);
    step(&mut placement, 1 << 6, 1);
    let visit: Vec<_> = (7..15).chain(0..7).collect();
    assert_eq!(step(&mut placement, 0x7fff, 14), visit[..14]);
    assert_eq!(placement.cycle(&ask(0, 0)).first, 6, "SMX 6 is the next one");
    assert_eq!(step(&mut placement, 0x7fff, 15)[0], 6);
    assert_eq!(placement.cycle(&ask(0, 0)).first, 6, "a whole round");
}

#[test]
fn all_smxs_are_served_in_one_cycle() {
    for smxs in [32, 33, 65, 132] {
        let mut placement = placement(smxs);
        step(&mut placement, 1 << 30, smxs);
        let all = Inputs { request: mask::all(smxs), budget: smxs, reset: false };
        let outputs = placement.cycle(&all);
        let places = (outputs.position[31], outputs.position[smxs - 1], outputs.position[30]);
        assert_eq!((outputs.granted, places), (smxs, (0, smxs - 32, smxs - 1)));
    }
}

#[test]
fn reset_returns_the_pointer_to_smx_0_whatever_is_requested() {
    let mut placement = placement(4);
    step(&mut placement, 0b0100, 1);
    placement.cycle(&Inputs { reset: true, ..ask(0b1011, 2) });
    assert_eq!(step(&mut placement, 0b1001, 1), [0]);
}
