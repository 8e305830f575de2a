//! Rationale: 1. an evaluation visits up to eight kernels with three divisions each; sets and times
//! that change in its middle, results that come while it runs. 2. Limits of 1, 3 and 16, thresholds
//! of 0, a half and ten. 3. Times at the limits of their registers.

use super::{any_kernel, choice, numbers, Order};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Fairness;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{FairnessInputs as Inputs, FairnessOutputs as Outputs};

impl Twinned for Fairness {
    type Twin = twin::Fairness;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = choice(inputs.launch);
        self.leaves.next = U::new(inputs.leaves.into());
        self.last.next = inputs.last;
        self.eligible.next = U::new(inputs.eligible.into());
        self.known.next = U::new(inputs.known.into());
        self.stored.next = choice(inputs.stored.map(|(kernel, _)| kernel));
        self.stored_predicted.next = U::new(inputs.stored.map_or(0, |(_, time)| time));
        for k in 0..8 {
            self.older[k].next = U::new(inputs.older[k].into());
            self.residency[k].next = U::new(inputs.residency[k].into());
            self.remaining[k].next = U::new(inputs.remaining[k]);
            self.predicted[k].next = U::new(inputs.predicted[k]);
            self.resident[k].next = U::new(inputs.resident[k].into());
        }
    }
    fn observe(&self) -> Outputs {
        Outputs { sharing: self.sharing.val(), changes: self.changes.val() }
    }
    twin_calls!();
}

fn fairness(limit: u8, threshold: u32) -> Lockstep<Fairness> {
    let hardware = Fairness::new(limit.into(), threshold.into());
    Lockstep::new(hardware, twin::Fairness::new(limit, threshold))
}

/// Kernels of these run times, all known and eligible, the first one the oldest.
fn kernels(times: &[u64]) -> Inputs {
    let mut inputs = Inputs::default();
    for (k, &time) in times.iter().enumerate() {
        inputs.eligible |= 1 << k;
        inputs.known |= 1 << k;
        inputs.older[k] = (1 << k) - 1;
        inputs.residency[k] = 8;
        (inputs.remaining[k], inputs.predicted[k]) = (time, time);
    }
    inputs
}

/// Whether they share after an evaluation, and how long that took.
fn decide(fairness: &mut Lockstep<Fairness>, times: &[u64]) -> (bool, u32) {
    let inputs = kernels(times);
    fairness.cycle(&Inputs { last: true, ..inputs.clone() });
    let before = fairness.peek(&inputs).sharing;
    for cycles in 1..400 {
        if fairness.cycle(&inputs).changes {
            return (!before, cycles);
        }
    }
    (before, 400)
}

#[test]
fn two_kernels_of_about_the_same_length_share_and_a_short_one_goes_first() {
    // Exclusive slowdowns 1 and (T1 + T2) / T2: 1.99 for equals, 1.1 when the first is a tenth.
    let mut pair = fairness(3, 128);
    assert_eq!(decide(&mut pair, &[10_000, 10_100]), (true, 1 + 2 * 40 + 1));
    assert!(!decide(&mut pair, &[1_000, 10_000]).0, "a spread of 0.1 is fair");
    assert!(!decide(&mut fairness(3, 128), &[10_000]).0, "one alone");
}

#[test]
fn hardware_and_twin_agree_on_random_kernels_that_change_in_the_middle() {
    let mut changes = 0;
    for (limit, threshold) in [(3, 128), (1, 0), (16, 2_560), (3, 0)] {
        let (mut fairness, mut random) =
            (fairness(limit, threshold), numbers(u64::from(limit) + u64::from(threshold)));
        let mut inputs = Inputs::default();
        for _ in 0..80_000 {
            if random.random_range(0..150) == 0 {
                let (order, times) = (Order::any(&mut random), Order::any(&mut random));
                let wide = random.random_bool(0.2);
                let scale = if wide { 1 } else { random.random_range(1..5_000) };
                let most = (1u64 << 40) - 1;
                inputs.older = order.older;
                inputs.eligible = random.random();
                inputs.known = random.random::<u8>() | random.random::<u8>();
                inputs.residency = std::array::from_fn(|_| random.random_range(1..=16));
                inputs.remaining = order.times.map(|time| (time * scale).min(most));
                inputs.predicted = times.times.map(|time| (time * scale).min(most));
                inputs.resident =
                    std::array::from_fn(|_| random.random_range(0..10u32).saturating_sub(7));
            }
            inputs.reset = random.random_range(0..5_000) == 0;
            inputs.launch = any_kernel(&mut random, 0.005);
            inputs.leaves = any_kernel(&mut random, 0.005).map_or(0, |kernel| 1 << kernel.0);
            inputs.last = random.random_range(0..300) == 0;
            inputs.stored = any_kernel(&mut random, 0.01)
                .map(|kernel: KernelEntry| (kernel, random.random_range(0..20_000)));
            changes += u32::from(fairness.cycle(&inputs).changes);
        }
    }
    assert!(changes > 200, "{changes}");
}
