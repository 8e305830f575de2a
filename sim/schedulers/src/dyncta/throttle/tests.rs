use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::*;

/// Small thresholds that differ.
const CONFIG: DynctaConfig = DynctaConfig { period: 10, idle: 3, low: 4, high: 6, pause: false };

/// The same sample for all SMXs.
fn sample(idle: u16, memory: u16) -> ThrottleInputs {
    ThrottleInputs { sample: Some([CoreSample { idle, memory }; MAX_SMX]), ..Default::default() }
}

fn take(smxs: &[usize]) -> ThrottleInputs {
    ThrottleInputs { taken: mask::of(smxs.iter().copied()), ..Default::default() }
}

fn finish(smxs: &[usize]) -> ThrottleInputs {
    ThrottleInputs { finished: mask::of(smxs.iter().copied()), ..Default::default() }
}

/// The SMXs that are allowed when all ask.
fn allowed(throttle: &Throttle, inputs: &ThrottleInputs) -> Vec<usize> {
    let inputs = ThrottleInputs { request: mask::of(0..MAX_SMX), ..inputs.clone() };
    throttle.evaluate(&inputs).allow.iter_ones().collect()
}

/// How many blocks SMX 0 takes one after another.
fn limit(throttle: &Throttle) -> usize {
    let mut throttle = throttle.clone();
    let mut taken = 0;
    while allowed(&throttle, &ThrottleInputs::default()).contains(&0) {
        assert_eq!(throttle.clock(&take(&[0])), Activity::Busy);
        taken += 1;
    }
    taken
}

#[test]
fn the_limit_begins_at_half_the_slots_rounded_down_and_at_least_1() {
    for (slots, first) in [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4), (31, 15), (32, 16), (63, 31)] {
        assert_eq!(limit(&Throttle::new(4, slots, CONFIG)), first, "{slots} slots");
    }
}

#[test]
fn a_sample_moves_the_limit_at_its_thresholds_and_not_one_below() {
    let cases = [
        ((2, 4), 4),
        ((3, 4), 5),
        ((2, 3), 5),
        ((2, 5), 4),
        ((2, 6), 3),
        ((3, 6), 5),
        ((0, 0), 5),
        ((0, 4095), 3),
        ((4095, 4095), 5),
    ];
    for ((idle, memory), expected) in cases {
        let mut throttle = Throttle::new(1, 8, CONFIG);
        throttle.clock(&sample(idle, memory));
        assert_eq!(limit(&throttle), expected, "idle {idle}, memory {memory}");
    }
}

#[test]
fn the_limit_stays_within_1_and_the_slots() {
    for slots in [1, 2, 5, 63] {
        let mut throttle = Throttle::new(1, slots, CONFIG);
        (0..70).for_each(|_| {
            throttle.clock(&sample(0, 6));
        });
        assert_eq!(limit(&throttle), 1);
        assert_eq!(throttle.clock(&sample(0, 6)), Activity::Quiet);
        (0..70).for_each(|_| {
            throttle.clock(&sample(3, 0));
        });
        assert_eq!(limit(&throttle), slots as usize);
        assert_eq!(throttle.clock(&sample(3, 0)), Activity::Quiet);
    }
}

#[test]
fn only_smxs_that_ask_and_exist_are_allowed() {
    for smx in SMXS {
        let throttle = Throttle::new(smx, 8, CONFIG);
        assert_eq!(allowed(&throttle, &take(&[])), (0..smx).collect::<Vec<_>>());
        let some = ThrottleInputs { request: mask::of([0, smx - 1]), ..Default::default() };
        assert_eq!(throttle.evaluate(&some).allow, mask::of([0, smx - 1]));
        assert_eq!(throttle.evaluate(&ThrottleInputs::default()).allow, SmxMask::ZERO);
    }
}

#[test]
fn an_smx_at_its_limit_is_refused_until_a_block_ends_and_in_that_cycle_no_more() {
    let mut throttle = Throttle::new(2, 3, CONFIG);
    throttle.clock(&take(&[0, 1]));
    assert_eq!(allowed(&throttle, &take(&[])), [0; 0]);
    assert_eq!(allowed(&throttle, &finish(&[1])), [1]);
    assert_eq!(throttle.clock(&finish(&[1])), Activity::Busy);
    assert_eq!(allowed(&throttle, &take(&[])), [1]);
}

#[test]
fn a_block_that_ends_as_another_one_is_taken_leaves_the_count() {
    let mut throttle = Throttle::new(1, 2, CONFIG);
    throttle.clock(&take(&[0]));
    let both = ThrottleInputs { taken: mask::of([0]), ..finish(&[0]) };
    assert_eq!(throttle.clock(&both), Activity::Quiet);
    assert_eq!(allowed(&throttle, &take(&[])), [0; 0]);
}

#[test]
fn a_sample_counts_from_the_next_cycle_on_beside_a_block_that_is_taken_and_one_that_ends() {
    let mut throttle = Throttle::new(2, 4, CONFIG);
    throttle.clock(&take(&[0, 1]));
    throttle.clock(&take(&[0]));
    let all = ThrottleInputs { taken: mask::of([1]), ..sample(3, 0) };
    assert_eq!(allowed(&throttle, &all), [1], "the limit is still 2");
    assert_eq!(throttle.clock(&ThrottleInputs { finished: mask::of([0]), ..all }), Activity::Busy);
    assert_eq!(allowed(&throttle, &take(&[])), [0, 1], "1 and 2 of 3");
    throttle.clock(&take(&[0, 1]));
    assert_eq!(allowed(&throttle, &take(&[])), [0]);
}

#[test]
fn reset_forgets_limits_and_blocks_whatever_else_the_cycle_carries() {
    let mut throttle = Throttle::new(3, 8, CONFIG);
    throttle.clock(&ThrottleInputs { taken: mask::of([2]), ..sample(3, 0) });
    let reset = ThrottleInputs { reset: true, taken: mask::of([1]), ..sample(3, 0) };
    assert_eq!(throttle.clock(&reset), Activity::Busy);
    assert_eq!(throttle, Throttle::new(3, 8, CONFIG));
    assert_eq!(throttle.clock(&reset), Activity::Quiet);
}

#[test]
fn a_stuck_run_is_told_limits_and_who_admits_none() {
    let mut throttle = Throttle::new(2, 4, CONFIG);
    throttle.clock(&take(&[1]));
    throttle.clock(&take(&[1]));
    let text = "DYNCTA limits of resident blocks: SMX 0: 0 of 2; SMX 1: 2 of 2, admits none";
    assert_eq!(throttle.explain(KernelEntry(0)), text);
    throttle.clock(&take(&[1]));
    let paused = Throttle { config: DynctaConfig { pause: true, ..CONFIG }, ..throttle.clone() };
    assert_eq!(paused.explain(KernelEntry(0)), text.replace("2 of 2", "3 of 2") + ", pauses 1");
}

#[test]
fn how_many_blocks_may_run_is_said_before_a_sample_counts_and_only_where_blocks_are_paused() {
    let nothing = ThrottleInputs::default();
    assert_eq!(Throttle::new(2, 8, CONFIG).evaluate(&nothing).running_limits, [0; 0]);
    let mut throttle = Throttle::new(2, 8, DynctaConfig { pause: true, ..CONFIG });
    assert_eq!(throttle.evaluate(&sample(3, 0)).running_limits, [4, 4]);
    throttle.clock(&sample(3, 0));
    assert_eq!(throttle.evaluate(&sample(0, 6)).running_limits, [5, 5]);
    (0..9).for_each(|_| {
        throttle.clock(&sample(0, 6));
    });
    assert_eq!(throttle.evaluate(&nothing).running_limits, [1, 1], "one block always runs");
}

#[test]
#[should_panic(expected = "one sample for each SMX")]
fn samples_of_another_number_of_smxs_are_refused() {
    let mut throttle = Throttle::new(2, 4, CONFIG);
    throttle.observe(SmxMask::ZERO, Some(&[CoreSample::default()]));
}
