//! Rationale: 1. the state is a limit and a count an SMX; blocks come and go while samples on both
//! sides of every threshold move the limits. 2. N = 1, 3, 13, 14, 15, 16, 30, 32, and masks of
//! several words: 33, 65 and 132; slots from 1 to 63.

use super::thresholds;
use crate::harness::{mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dyncta::Throttle;
use blockyard_rtl::module::Module;
use blockyard_sim::port::{Activity, CoreSample, MAX_SMX};
use blockyard_sim::sched::dyncta as twin;
use blockyard_sim::sched::dyncta::DynctaConfig;
use rand::RngExt;
use twin::{ThrottleInputs as Inputs, ThrottleOutputs as Outputs};

impl Twinned for Throttle {
    type Twin = twin::Throttle;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        mask::drive(&mut self.request, inputs.request);
        mask::drive(&mut self.taken, inputs.taken);
        mask::drive(&mut self.finished, inputs.finished);
        self.sample.next = inputs.sample.is_some();
        for smx in 0..self.idle.len() {
            // Counts that are not valid are whatever they are.
            let sample = inputs.sample.map_or(CoreSample { idle: 4095, memory: 0 }, |all| all[smx]);
            (self.idle[smx].next, self.memory[smx].next) = ports::counts(sample);
        }
    }
    fn observe(&self) -> Outputs {
        let running_limits = self.running_limit.iter().map(|port| port.val().raw() as u8);
        Outputs {
            allow: mask::from_rtl(self.allow.val()),
            running_limits: running_limits.collect(),
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

/// A throttle whose SMXs get one more block from 3 idle cycles or below 4 of memory, and one less
/// from 6 of memory on.
fn throttle(smxs: usize, slots: u32) -> Lockstep<Throttle> {
    let (hardware, config) = thresholds(3, 4, 6);
    let hardware = Throttle::new(smxs, slots.into(), hardware);
    Lockstep::new(hardware, twin::Throttle::new(smxs, slots, config))
}

/// The same, which says how many blocks may run.
fn pausing(smxs: usize, slots: u32) -> Lockstep<Throttle> {
    let (hardware, config) = thresholds(3, 4, 6);
    let config = DynctaConfig { pause: true, ..config };
    let hardware = Throttle::pausing(smxs, slots.into(), hardware);
    Lockstep::new(hardware, twin::Throttle::new(smxs, slots, config))
}

fn sample(idle: u16, memory: u16) -> Inputs {
    Inputs { sample: Some([CoreSample { idle, memory }; MAX_SMX]), ..Inputs::default() }
}

/// One cycle in which all ask; who is allowed of those that there are.
#[track_caller]
fn step(throttle: &mut Lockstep<Throttle>, finished: u32, taken: u32) -> u32 {
    let (finished, taken) = (mask::from_bits(finished), mask::from_bits(taken));
    let request = mask::all(throttle.hardware().idle.len());
    mask::to_bits(throttle.cycle(&Inputs { request, finished, taken, ..Inputs::default() }).allow)
}

/// How many blocks SMX 0 takes one after another until it is refused; they end again.
fn limit(throttle: &mut Lockstep<Throttle>) -> u32 {
    let mut taken = 0;
    while step(throttle, 0, 0) & 1 == 1 {
        step(throttle, 0, 1);
        taken += 1;
    }
    (0..taken).for_each(|_| {
        step(throttle, 1, 0);
    });
    taken
}

fn random_traffic(mut throttle: Lockstep<Throttle>) {
    let smxs = throttle.hardware().idle.len();
    let mut random = random(smxs as u64);
    let mut held = vec![0u32; smxs];
    let (mut allowed, mut refused, mut samples) = (0, 0, 0);
    for _ in 0..6_000 {
        let mut inputs =
            Inputs { request: mask::random_smxs(smxs, &mut random), ..Inputs::default() };
        for (smx, &held) in held.iter().enumerate() {
            inputs.finished.set(smx, held > 0 && random.random_bool(0.3));
        }
        if random.random_bool(0.1) {
            let mut count = |most| random.random_range(0..=most);
            let sample = |_| CoreSample { idle: count(4), memory: count(8) };
            inputs.sample = Some(std::array::from_fn(sample));
            samples += 1;
        }
        let allow = throttle.peek(&inputs).allow;
        inputs.taken = allow & mask::random_smxs(smxs, &mut random);
        inputs.reset = random.random_range(0..1_000) == 0;
        throttle.cycle(&inputs);
        allowed += allow.count_ones();
        refused += inputs.request.count_ones() - allow.count_ones();
        for (smx, held) in held.iter_mut().enumerate() {
            *held += u32::from(inputs.taken[smx]);
            *held -= u32::from(inputs.finished[smx]);
            *held *= u32::from(!inputs.reset);
        }
    }
    assert!(allowed > 300 && refused > 100 && samples > 300, "{allowed} {refused} {samples}");
}

#[test]
fn hardware_and_twin_agree_on_random_blocks_and_samples() {
    random_traffic(throttle(1, 1));
    random_traffic(throttle(3, 2));
    random_traffic(throttle(13, 8));
    random_traffic(throttle(14, 3));
    random_traffic(throttle(15, 8));
    random_traffic(throttle(16, 16));
    random_traffic(throttle(30, 5));
    random_traffic(throttle(32, 8));
    random_traffic(throttle(33, 4));
    random_traffic(throttle(65, 16));
    random_traffic(throttle(132, 8));
}

#[test]
fn they_agree_on_how_many_blocks_may_run() {
    for (smxs, slots) in [(1, 1), (3, 2), (14, 3), (33, 4), (132, 8)] {
        random_traffic(pausing(smxs, slots));
    }
}

#[test]
fn the_limit_of_running_blocks_is_that_of_resident_ones_and_not_there_without_pausing() {
    let idle = Inputs::default();
    assert_eq!(throttle(3, 8).cycle(&idle).running_limits, [0; 0]);
    let mut throttle = pausing(3, 8);
    assert_eq!(throttle.cycle(&sample(3, 9)).running_limits, [4; 3], "before the sample counts");
    assert_eq!(throttle.cycle(&sample(2, 6)).running_limits, [5; 3]);
    assert_eq!(throttle.cycle(&idle).running_limits, [4; 3]);
}

#[test]
fn hardware_and_twin_agree_on_the_limits_of_every_number_of_slots() {
    for slots in 1..=63 {
        let mut throttle = throttle(1, slots);
        assert_eq!(limit(&mut throttle), (slots / 2).max(1), "{slots} slots");
        (0..63).for_each(|_| {
            throttle.cycle(&sample(3, 9));
        });
        assert_eq!(limit(&mut throttle), slots);
        (0..63).for_each(|_| {
            throttle.cycle(&sample(2, 6));
        });
        assert_eq!(limit(&mut throttle), 1);
    }
}

#[test]
fn a_sample_counts_at_its_thresholds_not_one_below_and_from_the_next_cycle_on() {
    let cases = [((2, 4), 4), ((3, 4), 5), ((2, 3), 5), ((2, 5), 4), ((2, 6), 3), ((3, 6), 5)];
    for ((idle, memory), expected) in cases {
        let mut throttle = throttle(2, 8);
        (0..4).for_each(|_| {
            step(&mut throttle, 0, 0b01);
        });
        let request = mask::from_bits(0b11);
        let now = throttle.cycle(&Inputs { request, ..sample(idle, memory) });
        assert_eq!(mask::to_bits(now.allow), 0b10, "still 4 of 4");
        assert_eq!(step(&mut throttle, 0, 0) & 1, u32::from(expected > 4), "{idle} {memory}");
        (0..4).for_each(|_| {
            step(&mut throttle, 1, 0);
        });
        assert_eq!(limit(&mut throttle), expected, "{idle} {memory}");
    }
}

#[test]
fn an_smx_at_its_limit_is_allowed_in_the_cycle_in_which_a_block_ends() {
    let mut throttle = throttle(3, 2);
    assert_eq!(step(&mut throttle, 0, 0b111), 0b111);
    assert_eq!(step(&mut throttle, 0b010, 0b010), 0b010);
    assert_eq!(step(&mut throttle, 0b100, 0), 0b100);
    assert_eq!(step(&mut throttle, 0, 0), 0b100);
}

#[test]
fn who_does_not_ask_is_not_allowed() {
    let mut throttle = throttle(4, 8);
    for request in 0..16 {
        let inputs = Inputs { request: mask::from_bits(request), ..Inputs::default() };
        assert_eq!(mask::to_bits(throttle.cycle(&inputs).allow), request);
    }
}

#[test]
fn reset_forgets_limits_and_blocks_whatever_else_the_cycle_carries() {
    let mut throttle = throttle(4, 8);
    throttle.cycle(&sample(3, 0));
    step(&mut throttle, 0, 0b0011);
    throttle.cycle(&Inputs { reset: true, taken: mask::from_bits(0b1100), ..sample(3, 0) });
    assert_eq!(limit(&mut throttle), 4);
}
