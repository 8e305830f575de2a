//! Rationale: 1. the state is eight counters of each kind and the divider; kernels are launched,
//! run, leave and come again while results are under way. 2. Section 3.1's staircase for
//! residencies up to 8. 3. The counters at their limits.

use super::{any_kernel, choice, kernel, numbers};
use crate::harness::{twin_calls, Lockstep, Twinned};
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Predictor;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{Copied, PredictorInputs as Inputs, PredictorOutputs as Outputs};

impl Twinned for Predictor {
    type Twin = twin::Predictor;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.now.next = U::new(inputs.clock);
        self.launch.next = choice(inputs.launch);
        self.leaves.next = U::new(inputs.leaves.into());
        self.slice.next = inputs.slice;
        self.finished.next = choice(inputs.finished.map(|(kernel, _)| kernel));
        self.duration.next = U::new(inputs.finished.map_or(0, |(_, time)| time).into());
        self.taken.next = choice(inputs.taken);
        for k in 0..8 {
            self.resident[k].next = U::new(inputs.resident[k].into());
            self.total[k].next = U::new(inputs.total[k].into());
            self.residency[k].next = U::new(inputs.residency[k].into());
        }
        self.copy.next = choice(inputs.copy.as_ref().map(|copy| copy.kernel));
        if let Some(copy) = &inputs.copy {
            self.copy_remaining.next = U::new(copy.remaining);
            self.copy_predicted.next = U::new(copy.predicted);
        }
    }
    fn observe(&self) -> Outputs {
        let stored = kernel(self.stored.val());
        assert!(stored.is_some() || self.stored_predicted.val().raw() == 0, "zero without one");
        Outputs {
            known: self.known.val().raw() as u8,
            remaining: std::array::from_fn(|k| self.remaining[k].val().raw()),
            predicted: std::array::from_fn(|k| self.predicted[k].val().raw()),
            stored: stored.map(|kernel| (kernel, self.stored_predicted.val().raw())),
        }
    }
    twin_calls!();
}

fn predictor() -> Lockstep<Predictor> {
    Lockstep::new(Predictor::new(), twin::Predictor::new())
}

/// What one kernel of `3 R` blocks of equal duration is predicted to take, after each of its first
/// `R` blocks has ended.
fn staircase(residency: u32, t: u64) -> Vec<u64> {
    let mut predictor = predictor();
    let k = KernelEntry(0);
    let mut inputs = Inputs { clock: 1_000, launch: Some(k), ..Inputs::default() };
    inputs.total[0] = 3 * residency;
    inputs.residency[0] = residency;
    predictor.cycle(&inputs);
    inputs.launch = None;
    // All start in one cycle, as figure 2 draws it: the port takes one a cycle, the clock stands.
    for resident in 0..residency {
        inputs.resident[0] = resident;
        predictor.cycle(&Inputs { taken: Some(k), ..inputs.clone() });
    }
    inputs.resident[0] = residency;
    inputs.clock += t;
    let mut predictions = Vec::new();
    for _ in 0..residency {
        // Each is replaced at once.
        let ends = Inputs { finished: Some((k, t as u32)), taken: Some(k), ..inputs.clone() };
        predictor.cycle(&ends);
        for _ in 1..10 {
            predictor.cycle(&inputs);
        }
        predictions.push(predictor.cycle(&inputs).predicted[0]);
    }
    predictions
}

#[test]
fn section_3_1_the_first_of_3r_blocks_predicts_4t_less_t_over_r_and_the_rth_3t() {
    for residency in 1..=8 {
        for t in [840, 16_800] {
            let predictions = staircase(residency, t);
            let r = u64::from(residency);
            assert_eq!(predictions[0], 4 * t - t / r, "R {residency}");
            assert_eq!(*predictions.last().expect("one block at least"), 3 * t, "R {residency}");
        }
    }
}

#[test]
fn an_smx_that_has_done_more_than_its_share_has_nothing_left() {
    let mut predictor = predictor();
    let k = KernelEntry(2);
    let mut inputs = Inputs { launch: Some(k), ..Inputs::default() };
    (inputs.total[2], inputs.residency[2]) = (1, 1);
    predictor.cycle(&inputs);
    inputs.launch = None;
    inputs.resident[2] = 1;
    for block in 0..3 {
        inputs.clock += 100;
        predictor.cycle(&Inputs { finished: Some((k, 100)), ..inputs.clone() });
        (0..10).for_each(|_| {
            predictor.cycle(&inputs);
        });
        assert_eq!(predictor.cycle(&inputs).remaining[2], 0, "block {block}");
    }
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    let (mut predictor, mut random) = (predictor(), numbers(3));
    let mut inputs = Inputs { clock: (1 << 40) - 100_000, ..Inputs::default() };
    let mut present = 0u8;
    for _ in 0..60_000 {
        inputs.reset = random.random_range(0..5_000) == 0;
        inputs.slice = random.random_bool(0.05);
        inputs.launch =
            any_kernel(&mut random, 0.1).filter(|kernel| present >> kernel.index() & 1 == 0);
        if let Some(kernel) = inputs.launch {
            let wide = random.random_bool(0.3);
            inputs.total[kernel.index()] = random.random_range(0..if wide { 1 << 24 } else { 20 });
            inputs.residency[kernel.index()] = random.random_range(1..=16);
        }
        inputs.leaves = present & random.random::<u8>() & random.random::<u8>();
        inputs.leaves &= random.random::<u8>() & random.random::<u8>() & random.random::<u8>();
        for k in 0..8 {
            if inputs.leaves >> k & 1 == 1 {
                inputs.resident[k] = 0;
            }
        }
        let runs = |kernel: &KernelEntry| {
            present >> kernel.index() & 1 == 1 && inputs.leaves >> kernel.index() & 1 == 0
        };
        let ends = any_kernel(&mut random, 0.4).filter(runs);
        let ends = ends.filter(|kernel| inputs.resident[kernel.index()] > 0);
        let long = random.random_bool(0.2);
        let duration = if long { random.random() } else { random.random_range(1..1_000) };
        inputs.finished = ends.map(|kernel| (kernel, duration));
        inputs.taken = any_kernel(&mut random, 0.4).filter(runs);
        inputs.copy = any_kernel(&mut random, 0.1).map(|kernel| Copied {
            kernel,
            remaining: random.random_range(0..1 << 40),
            predicted: random.random_range(0..1 << 40),
        });
        predictor.cycle(&inputs);
        if inputs.reset {
            (present, inputs.resident) = (0, [0; 8]);
            continue;
        }
        if let Some((kernel, _)) = inputs.finished {
            inputs.resident[kernel.index()] -= 1;
        }
        if let Some(kernel) = inputs.taken {
            inputs.resident[kernel.index()] += u32::from(inputs.resident[kernel.index()] < 63);
        }
        present &= !inputs.leaves;
        present |= inputs.launch.map_or(0, |kernel| 1 << kernel.0);
        let step = if random.random_bool(0.01) { 1 << 38 } else { random.random_range(1..50) };
        inputs.clock = (inputs.clock + step) % (1 << 40);
    }
}
