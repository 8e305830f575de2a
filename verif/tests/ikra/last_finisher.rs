//! Rationale: 1. the state is one of N SMXs; every mask of completions meets every state for N up to 4.
//! 2. N = 1, 3, 15, 16 and 32.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::ikra::LastFinisher;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::sched::{ikra as twin, mask};
use rand::RngExt;
use twin::{LastFinisherInputs as Inputs, LastFinisherOutputs as Outputs};

impl<const N: usize> Twinned for LastFinisher<N> {
    type Twin = twin::LastFinisher;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.finished.next = U::new(mask::to_bits(inputs.finished).into());
    }
    fn observe(&self) -> Outputs {
        Outputs { first: self.first.val().index() }
    }
    twin_calls!();
}

fn finished(bits: u32) -> Inputs {
    Inputs { finished: mask::from_bits(bits), reset: false }
}

fn lockstep<const N: usize>() -> Lockstep<LastFinisher<N>> {
    Lockstep::new(LastFinisher::new(), twin::LastFinisher::new(N))
}

fn exhaust<const N: usize>() {
    let mut last = lockstep::<N>();
    assert_eq!(last.cycle(&finished(0)).first, 0, "before any");
    for state in 0..N {
        for bits in 0..1u32 << N {
            last.cycle(&finished(1 << state));
            assert_eq!(last.cycle(&finished(bits)).first, (state + 1) % N);
            let highest = if bits == 0 { state } else { bits.ilog2() as usize };
            assert_eq!(last.cycle(&finished(0)).first, (highest + 1) % N, "{bits:b}");
        }
    }
}

fn sample<const N: usize>() {
    let (mut last, mut random) = (lockstep::<N>(), random(N as u64));
    for _ in 0..3_000 {
        let bits = random.random::<u32>() & random.random::<u32>() & U::<N>::MASK as u32;
        let reset = random.random_range(0..100) == 0;
        last.cycle(&Inputs { reset, ..finished(bits) });
    }
}

#[test]
fn the_highest_numbered_of_those_that_finish_in_a_cycle_counts_as_the_last() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
}

#[test]
fn hardware_and_twin_agree_on_random_completions() {
    sample::<1>();
    sample::<3>();
    sample::<15>();
    sample::<16>();
    sample::<32>();
}
