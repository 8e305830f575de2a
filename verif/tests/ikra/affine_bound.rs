//! Rationale: 1. a division with an offset: the corners of both signs of the offset, of ratio 1 and
//! the largest, of bounds below zero and above the grid; then random words of every length. 2. A
//! start in the middle of another, reset.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::ikra::AffineBound;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{AffineBoundInputs as Inputs, AffineBoundOutputs as Outputs};

impl Twinned for AffineBound {
    type Twin = twin::AffineBound;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        self.first.next = U::new(inputs.first.into());
        self.ratio.next = U::new(inputs.ratio.into());
        self.offset.next = U::new(inputs.offset.into());
        self.negative.next = inputs.negative;
        self.blocks.next = U::new(inputs.blocks.into());
    }
    fn observe(&self) -> Outputs {
        Outputs { ready: self.ready.val(), bound: self.bound.val().raw() as u32 }
    }
    twin_calls!();
}

fn bounds() -> Lockstep<AffineBound> {
    Lockstep::new(AffineBound::new(), twin::AffineBound::new())
}

/// The largest block id and number of blocks.
const MOST: u32 = (1 << 31) - 1;

fn ask(first: u32, ratio: u16, offset: i32, blocks: u32) -> Inputs {
    let (offset, negative) = (offset.unsigned_abs(), offset < 0);
    Inputs { begins: true, first, ratio, offset, negative, blocks, reset: false }
}

/// The bound that is known 33 cycles after the start, and that nothing is before.
#[track_caller]
fn bound(bounds: &mut Lockstep<AffineBound>, asked: Inputs) -> u32 {
    bounds.cycle(&asked);
    let wait = Inputs { begins: false, ..asked };
    for _ in 1..33 {
        assert!(!bounds.cycle(&wait).ready);
    }
    let found = bounds.cycle(&wait);
    assert!(found.ready);
    found.bound
}

#[test]
fn the_bound_is_the_least_block_that_depends_on_the_first_or_a_later_one() {
    let mut bounds = bounds();
    for (first, ratio, offset, expected) in [
        (6, 1, 4, 2),
        (6, 1, -4, 10),
        (4, 1, 4, 0),
        (3, 1, 4, 0),
        (5, 1, 4, 1),
        (6, 2, 0, 3),
        (7, 2, 0, 4),
        (7, 2, 1, 3),
        (0, 3, -1, 1),
        (0, 3, 0, 0),
        (12, 65_535, 0, 1),
        (95, 1, -5, 100),
        (96, 1, -5, 100),
    ] {
        let found = bound(&mut bounds, ask(first, ratio, offset, 100));
        assert_eq!(found, expected, "first {first}, ratio {ratio}, offset {offset}");
    }
}

#[test]
fn words_at_their_limits_are_divided_exactly() {
    let mut bounds = bounds();
    for first in [0, 1, MOST - 1, MOST] {
        for ratio in [1, 2, u16::MAX - 1, u16::MAX] {
            for offset in [0, 1, -1, MOST as i32, -(MOST as i32)] {
                for blocks in [1, MOST] {
                    let above = i64::from(first) - i64::from(offset);
                    let least = above.div_euclid(ratio.into())
                        + i64::from(above.rem_euclid(ratio.into()) != 0);
                    let expected = least.clamp(0, blocks.into()) as u32;
                    let found = bound(&mut bounds, ask(first, ratio, offset, blocks));
                    assert_eq!(found, expected, "{first} {ratio} {offset} {blocks}");
                }
            }
        }
    }
}

#[test]
fn a_start_in_the_middle_of_another_begins_anew_and_a_bound_stays_until_reset() {
    let mut bounds = bounds();
    for _ in 0..20 {
        bounds.cycle(&ask(77, 3, 0, 100));
    }
    assert_eq!(bound(&mut bounds, ask(6, 2, 0, 100)), 3);
    let rest = Inputs { begins: false, ..ask(6, 2, 0, 100) };
    assert_eq!(bounds.cycle(&rest).bound, 3);
    bounds.cycle(&Inputs { reset: true, ..rest.clone() });
    assert_eq!(bounds.cycle(&rest), Outputs::default());
}

#[test]
fn hardware_and_twin_agree_on_random_words_of_every_length() {
    let (mut bounds, mut random) = (bounds(), random(5));
    let mut word = |bits: u32| random.random_range(0..=MOST) >> random.random_range(0..bits);
    for _ in 0..1_500 {
        let offset = word(31) as i32 * if word(2) % 2 == 0 { 1 } else { -1 };
        let ratio = (word(31) % 65_535 + 1) as u16;
        bound(&mut bounds, ask(word(31), ratio, offset, word(31)));
    }
}
