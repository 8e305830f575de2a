use super::super::divider::LATENCY;
use super::*;
use proptest::prelude::*;

/// One kernel on one SMX, driven by events; blocks start and end in cycles that are told.
struct Bench {
    predictor: Predictor,
    inputs: PredictorInputs,
}

const K: KernelEntry = KernelEntry(5);

impl Bench {
    fn new(total: u32, residency: u32) -> Self {
        let mut inputs = PredictorInputs::default();
        (inputs.total[5], inputs.residency[5]) = (total, residency);
        let mut predictor = Predictor::new();
        predictor.clock(&PredictorInputs { launch: Some(K), ..inputs.clone() });
        Self { predictor, inputs }
    }

    /// A cycle with these events.
    fn cycle(&mut self, clock: u64, ends: Option<u32>, starts: bool) {
        let finished = ends.map(|duration| (K, duration));
        let taken = starts.then_some(K);
        let inputs = PredictorInputs { clock, finished, taken, ..self.inputs.clone() };
        self.predictor.clock(&inputs);
        self.inputs.resident[5] += u32::from(starts);
        self.inputs.resident[5] -= u32::from(ends.is_some());
    }

    /// As many cycles in which nothing happens.
    fn rest(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.predictor.clock(&self.inputs);
        }
    }

    /// *remaining* and Pred_Cycles.
    fn prediction(&self) -> Option<(u64, u64)> {
        let outputs = self.predictor.evaluate(&self.inputs);
        (outputs.known >> 5 & 1 == 1).then_some((outputs.remaining[5], outputs.predicted[5]))
    }
}

/// Equation 1.
fn staircase(blocks: u64, residency: u64, t: u64) -> u64 {
    blocks.div_ceil(residency) * t
}

#[test]
fn three_times_r_blocks_of_equal_duration_take_three_steps_of_the_staircase() {
    for residency in 1..=16 {
        // Divisible by every R.
        let t = 720_720;
        assert_eq!(staircase(3 * residency, residency, t), 3 * t);
        let mut bench = Bench::new(3 * residency as u32, residency as u32);
        (0..residency).for_each(|_| bench.cycle(100, None, true));
        for step in 1..=residency {
            // All R end together, one report a cycle in hardware; here the clock stands still.
            bench.cycle(100 + t, Some(t as u32), true);
            bench.rest(LATENCY);
            let expected = match step {
                1 => 4 * t - t / residency,
                step if step == residency => 3 * t,
                step => t + (3 * residency - step) * t / residency,
            };
            assert_eq!(bench.prediction().unwrap().1, expected, "R {residency}, block {step}");
        }
    }
}

#[test]
fn a_prediction_is_there_ten_cycles_after_the_end_of_a_block_and_not_before() {
    let mut bench = Bench::new(10, 2);
    bench.cycle(0, None, true);
    bench.cycle(50, Some(50), false);
    bench.rest(LATENCY - 1);
    let stored = bench.predictor.evaluate(&bench.inputs).stored;
    assert_eq!((bench.prediction(), stored), (None, Some((K, 50 + 225))));
    bench.rest(1);
    assert_eq!(bench.prediction(), Some((225, 275)));
}

#[test]
fn t_is_the_duration_of_the_first_block_of_a_slice() {
    let mut bench = Bench::new(100, 1);
    bench.cycle(0, None, true);
    bench.cycle(10, Some(10), true);
    bench.cycle(90, Some(80), true);
    bench.rest(LATENCY);
    assert_eq!(bench.prediction().unwrap().0, 98 * 10, "the second one does not count");
    for begin in [
        PredictorInputs { slice: true, ..bench.inputs.clone() },
        PredictorInputs { launch: Some(KernelEntry(0)), ..bench.inputs.clone() },
        PredictorInputs { leaves: 1, ..bench.inputs.clone() },
    ] {
        bench.predictor.clock(&begin);
        assert!(bench.predictor.kernels[5].reslice);
        let done = bench.predictor.kernels[5].done;
        bench.cycle(200, Some(20 + done), true);
        bench.rest(LATENCY);
        let left = u64::from(100 - done - 1);
        assert_eq!(bench.prediction().unwrap().0, left * u64::from(20 + done));
    }
}

#[test]
fn a_slice_that_begins_as_a_block_ends_takes_that_t_and_the_next_one() {
    let mut bench = Bench::new(100, 1);
    bench.cycle(0, None, true);
    let finished = Some((K, 10));
    let end = PredictorInputs { clock: 10, finished, slice: true, ..bench.inputs.clone() };
    bench.predictor.clock(&end);
    let state = bench.predictor.kernels[5];
    assert_eq!((state.duration, state.reslice), (10, true));
}

#[test]
fn active_cycles_are_those_with_a_resident_block() {
    let mut bench = Bench::new(100, 2);
    bench.cycle(10, None, true);
    bench.cycle(15, None, true);
    bench.cycle(30, Some(20), false);
    bench.cycle(40, Some(25), false);
    assert_eq!(bench.predictor.kernels[5].active, 30);
    bench.cycle(100, None, true);
    bench.cycle(101, Some(1), true);
    assert_eq!(bench.predictor.kernels[5].active, 31, "none was resident from 40 to 100");
    bench.predictor.kernels[5].active = MOST_TIME - 1;
    bench.cycle(109, Some(8), false);
    assert_eq!(bench.predictor.kernels[5].active, MOST_TIME);
}

#[test]
fn remaining_blocks_are_never_negative_and_done_blocks_saturate() {
    let mut bench = Bench::new(2, 1);
    for end in 1..=4 {
        bench.cycle(10 * end, None, true);
        bench.cycle(10 * end + 5, Some(5), false);
        bench.rest(LATENCY);
        assert_eq!(bench.prediction().unwrap().0, 5 * (2u64).saturating_sub(end));
    }
    bench.predictor.kernels[5].done = MOST_DONE;
    bench.cycle(90, None, true);
    bench.cycle(95, Some(5), false);
    assert_eq!(bench.predictor.kernels[5].done, MOST_DONE);
}

#[test]
fn a_copy_is_taken_where_nothing_is_known_and_a_result_wins_over_it() {
    let copy = Some(Copied { kernel: K, remaining: 7, predicted: 9 });
    let mut bench = Bench::new(10, 1);
    bench.predictor.clock(&PredictorInputs { copy, ..bench.inputs.clone() });
    assert_eq!(bench.prediction(), Some((7, 9)));
    let other = Some(Copied { kernel: K, remaining: 1, predicted: 1 });
    bench.predictor.clock(&PredictorInputs { copy: other, ..bench.inputs.clone() });
    assert_eq!(bench.prediction(), Some((7, 9)));
    let mut bench = Bench::new(10, 1);
    bench.cycle(0, None, true);
    bench.cycle(4, Some(4), false);
    bench.rest(LATENCY - 1);
    bench.predictor.clock(&PredictorInputs { copy, ..bench.inputs.clone() });
    assert_eq!(bench.prediction(), Some((36, 40)));
}

#[test]
fn a_kernel_that_leaves_is_not_known_whatever_arrives_then_or_later() {
    let copy = Some(Copied { kernel: K, remaining: 7, predicted: 9 });
    for rest in [0, 3, LATENCY - 1] {
        let mut bench = Bench::new(10, 1);
        bench.cycle(0, None, true);
        bench.cycle(4, Some(4), false);
        bench.rest(rest);
        bench.predictor.clock(&PredictorInputs { copy, leaves: 1 << 5, ..bench.inputs.clone() });
        bench.rest(2 * LATENCY);
        assert_eq!(bench.prediction(), None);
    }
}

#[test]
fn reset_forgets_everything_whatever_else_the_cycle_carries() {
    let mut bench = Bench::new(10, 1);
    bench.cycle(0, None, true);
    let reset = PredictorInputs { reset: true, launch: Some(K), ..bench.inputs.clone() };
    assert_eq!(bench.predictor.clock(&reset), Activity::Busy);
    assert_eq!(bench.predictor, Predictor::new());
    assert_eq!(bench.predictor.clock(&reset), Activity::Quiet);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, ..ProptestConfig::default() })]
    #[test]
    fn equation_2_is_that_of_wide_integers(
        active in 0..=MOST_TIME, done in 0..=MOST_DONE, total in 0..=MOST_DONE,
        duration in any::<u32>(), residency in 1u32..=16, mark in 0..=CLOCK, cycles in 0..=CLOCK,
        reslice in any::<bool>(), old in any::<u32>(),
    ) {
        let mut bench = Bench::new(total, residency);
        bench.predictor.kernels[5] =
            State { active, mark, done, duration: old, prediction: None, reslice };
        bench.inputs.resident[5] = 1;
        bench.cycle(mark.wrapping_add(cycles) & CLOCK, Some(duration), false);
        bench.rest(LATENCY);
        let wide = |number: u32| i128::from(number);
        let t = wide(if reslice { duration } else { old });
        let left = (wide(total) - (wide(done) + 1).min(wide(MOST_DONE))).max(0);
        let second = (left * t / wide(residency)).min(i128::from(MOST_TIME));
        let active = (i128::from(active) + i128::from(cycles)).min(i128::from(MOST_TIME));
        let predicted = (active + second).min(i128::from(MOST_TIME));
        prop_assert_eq!(bench.prediction(), Some((second as u64, predicted as u64)));
    }
}
