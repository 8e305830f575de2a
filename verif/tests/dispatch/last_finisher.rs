//! Rationale: 1. the state is one of N SMXs; every mask of completions meets every state for N up
//! to 4.
//! 2. N = 1, 3, 15, 16, 32, 33, 65 and 132.

use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::dispatch::LastFinisher;
use blockyard_rtl::module::Module;
use blockyard_sim::sched::dispatch as twin;
use rand::RngExt;
use twin::{LastFinisherInputs as Inputs, LastFinisherOutputs as Outputs};

impl Twinned for LastFinisher {
    type Twin = twin::LastFinisher;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.finished, inputs.finished);
    }
    fn observe(&self) -> Outputs {
        Outputs { first: self.first.val().index() }
    }
    twin_calls!();
}

fn finished(bits: u32) -> Inputs {
    Inputs { finished: mask::from_bits(bits), reset: false }
}

fn lockstep(smxs: usize) -> Lockstep<LastFinisher> {
    Lockstep::new(LastFinisher::new(smxs), twin::LastFinisher::new(smxs))
}

fn exhaust(smxs: usize) {
    let mut last = lockstep(smxs);
    assert_eq!(last.cycle(&finished(0)).first, 0, "before any");
    for state in 0..smxs {
        for bits in 0..1u32 << smxs {
            last.cycle(&finished(1 << state));
            assert_eq!(last.cycle(&finished(bits)).first, (state + 1) % smxs);
            let highest = if bits == 0 { state } else { bits.ilog2() as usize };
            assert_eq!(last.cycle(&finished(0)).first, (highest + 1) % smxs, "{bits:b}");
        }
    }
}

fn sample(smxs: usize) {
    let (mut last, mut random) = (lockstep(smxs), random(smxs as u64));
    for _ in 0..3_000 {
        // Of many SMXs one of the highest would be the last nearly always.
        let some = mask::all(random.random_range(1..=smxs));
        let finished = some & mask::random_smxs(smxs, &mut random);
        let finished = finished & mask::random_smxs(smxs, &mut random);
        last.cycle(&Inputs { reset: random.random_range(0..100) == 0, finished });
    }
}

#[test]
fn the_highest_numbered_of_those_that_finish_in_a_cycle_counts_as_the_last() {
    exhaust(1);
    exhaust(2);
    exhaust(3);
    exhaust(4);
}

#[test]
fn hardware_and_twin_agree_on_random_completions() {
    sample(1);
    sample(3);
    sample(15);
    sample(16);
    sample(32);
    sample(33);
    sample(65);
    sample(132);
}
