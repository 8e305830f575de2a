//! Rationale: 1. the state is a count an SMX; counts of few blocks meet every limit around them.
//! 2. N = 1, 3, 13, 14, 15, 16, 30, 32, and masks of several words: 33, 65 and 132.

use crate::harness::{mask, random, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::prim::Residents;
use blockyard_rtl::word::U;
use blockyard_sim::port::Activity;
use blockyard_sim::sched::{dispatch as twin, PerSmx};
use rand::RngExt;
use twin::{ResidentsInputs as Inputs, ResidentsOutputs as Outputs};

impl Twinned for Residents {
    type Twin = twin::Residents;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.finished, inputs.finished);
        mask::drive(&mut self.taken, inputs.taken);
        for (smx, port) in self.limit.iter_mut().enumerate() {
            port.next = U::new(inputs.limit[smx].into());
        }
    }
    fn observe(&self) -> Outputs {
        Outputs { below: mask::from_rtl(self.below.val()) }
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

fn residents(smxs: usize) -> Lockstep<Residents> {
    Lockstep::new(Residents::new(smxs), twin::Residents::new(smxs))
}

/// One cycle with the same limit for all; who is below.
#[track_caller]
fn step(residents: &mut Lockstep<Residents>, limit: u32, finished: u32, taken: u32) -> u32 {
    let (finished, taken) = (mask::from_bits(finished), mask::from_bits(taken));
    let inputs = Inputs { finished, taken, limit: PerSmx::all(limit), reset: false };
    mask::to_bits(residents.cycle(&inputs).below)
}

fn sample(smxs: usize) {
    let mut residents = residents(smxs);
    let mut random = random(smxs as u64);
    let mut held = vec![0u32; smxs];
    let (mut below, mut at_limit) = (0, 0);
    for _ in 0..6_000 {
        let mut inputs = Inputs::default();
        for (smx, &held) in held.iter().enumerate() {
            inputs.finished.set(smx, held > 0 && random.random_bool(0.4));
            inputs.taken.set(smx, held < 63 && random.random_bool(0.45));
            inputs.limit[smx] = (held + random.random_range(0..3)).saturating_sub(1).min(63);
        }
        inputs.reset = random.random_range(0..500) == 0;
        let found = residents.cycle(&inputs).below.count_ones();
        below += found;
        at_limit += smxs - found;
        for (smx, held) in held.iter_mut().enumerate() {
            *held += u32::from(inputs.taken[smx]);
            *held -= u32::from(inputs.finished[smx]);
            *held *= u32::from(!inputs.reset);
        }
    }
    assert!(below > 1_000 && at_limit > 1_000, "{below} below, {at_limit} not");
}

#[test]
fn hardware_and_twin_agree_on_random_blocks_and_limits() {
    for smxs in [1, 3, 13, 14, 15, 16, 30, 32, 33, 65, 132] {
        sample(smxs);
    }
}

#[test]
fn an_smx_is_below_a_limit_of_one_more_and_not_of_as_many_up_to_63() {
    let mut residents = residents(2);
    for count in 0..63 {
        assert_eq!(step(&mut residents, count, 0, 0), u32::from(count > 0) << 1, "{count}");
        assert_eq!(step(&mut residents, count + 1, 0, 0b01), 0b11, "{count}");
    }
    assert_eq!(step(&mut residents, 63, 0, 0), 0b10);
}

#[test]
fn a_block_that_ends_does_not_count_in_that_very_cycle_and_may_be_replaced_in_it() {
    let mut residents = residents(3);
    assert_eq!(step(&mut residents, 1, 0, 0b111), 0b111);
    assert_eq!(step(&mut residents, 1, 0b010, 0), 0b010);
    assert_eq!(step(&mut residents, 1, 0b101, 0b001), 0b111);
    assert_eq!(step(&mut residents, 1, 0, 0), 0b110);
}

#[test]
fn all_smxs_end_and_take_in_one_cycle() {
    let mut residents = residents(32);
    assert_eq!(step(&mut residents, 1, 0, u32::MAX), u32::MAX);
    for _ in 0..5 {
        assert_eq!(step(&mut residents, 1, u32::MAX, u32::MAX), u32::MAX);
        assert_eq!(step(&mut residents, 1, 0, 0), 0);
    }
}

#[test]
fn reset_empties_every_smx_whatever_else_the_cycle_carries() {
    let mut residents = residents(4);
    step(&mut residents, 1, 0, 0b1111);
    let (finished, taken) = (mask::from_bits(0b0001), mask::from_bits(0b0110));
    residents.cycle(&Inputs { reset: true, finished, taken, ..Inputs::default() });
    assert_eq!(step(&mut residents, 1, 0, 0), 0b1111);
}
