//! Twin of `ikra/affine_bound`: where a derived chunk begins (`docs/ikra.md`, rule 18; the paper,
//! section 8).
//!
//! Latency: `begins` to `ready` 33 cycles, which this twin counts down after a plain division;
//! `blocks` to `bound` 0 (same cycle).
//!
//! Undefined, and not to be compared: everything from a `begins` with a `ratio` of zero, or from a
//! change of `ratio` before `ready`, up to the next `begins`; `bound` from a change of `blocks` up
//! to the next `begins`.

use crate::port::Activity;

/// Input ports of [`AffineBound`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffineBoundInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// Takes the other inputs and starts, whatever was under way.
    pub begins: bool,
    /// The source's first id, 31 bits; valid with `begins`.
    pub first: u32,
    /// At least 1; the same from `begins` until `ready`.
    pub ratio: u16,
    /// The distance, 31 bits; valid with `begins`.
    pub offset: u32,
    /// It is a negative one; valid with `begins`.
    pub negative: bool,
    /// Blocks of the kernel; the same from `begins` on for as long as `bound` is looked at.
    pub blocks: u32,
}

/// Output ports of [`AffineBound`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffineBoundOutputs {
    /// `bound` is valid. State alone.
    pub ready: bool,
    /// The bound; zero when not `ready`.
    pub bound: u32,
}

/// One bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffineBound {
    /// Cycles until it is shown, and the quotient, rounded up.
    quotient: Option<(u32, i128)>,
}

impl AffineBound {
    /// Cycles from `begins` to `ready`.
    pub const LATENCY: u32 = 33;

    /// One of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &AffineBoundInputs) -> AffineBoundOutputs {
        match self.quotient {
            Some((0, quotient)) => {
                let bound = quotient.max(0).min(i128::from(inputs.blocks));
                AffineBoundOutputs { ready: true, bound: bound as u32 }
            }
            _ => AffineBoundOutputs::default(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &AffineBoundInputs) -> Activity {
        let before = self.quotient;
        if inputs.reset {
            self.quotient = None;
        } else if inputs.begins {
            // One of the cycles is the edge that stores this.
            self.quotient = Some((Self::LATENCY - 1, quotient(inputs)));
        } else if let Some((wait, _)) = &mut self.quotient {
            *wait = wait.saturating_sub(1);
        }
        Activity::from(self.quotient != before)
    }
}

/// `ceil((first - offset) / ratio)`.
fn quotient(inputs: &AffineBoundInputs) -> i128 {
    let magnitude = i128::from(inputs.offset);
    let offset = if inputs.negative { -magnitude } else { magnitude };
    let (distance, ratio) = (i128::from(inputs.first) - offset, i128::from(inputs.ratio.max(1)));
    distance.div_euclid(ratio) + i128::from(distance.rem_euclid(ratio) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: u32 = (1 << 31) - 1;

    fn inputs(first: u32, ratio: u16, offset: i64, blocks: u32) -> AffineBoundInputs {
        AffineBoundInputs {
            begins: true,
            first,
            ratio,
            offset: offset.unsigned_abs() as u32,
            negative: offset < 0,
            blocks,
            ..Default::default()
        }
    }

    /// So many cycles after `begins`.
    fn after(
        bound: &mut AffineBound,
        inputs: &AffineBoundInputs,
        cycles: u32,
    ) -> AffineBoundOutputs {
        bound.clock(inputs);
        let AffineBoundInputs { ratio, blocks, .. } = *inputs;
        let idle = AffineBoundInputs { ratio, blocks, first: 77, offset: 5, ..Default::default() };
        for _ in 1..cycles {
            assert_eq!(bound.evaluate(&idle), AffineBoundOutputs::default());
            assert_eq!(bound.clock(&idle), Activity::Busy);
        }
        bound.evaluate(&idle)
    }

    fn bound(first: u32, ratio: u16, offset: i64, blocks: u32) -> u32 {
        let outputs = after(&mut AffineBound::new(), &inputs(first, ratio, offset, blocks), 33);
        assert!(outputs.ready);
        outputs.bound
    }

    #[test]
    fn a_bound_is_ready_33_cycles_after_begin_and_not_one_before() {
        let mut twin = AffineBound::new();
        let of = inputs(12, 1, 4, 24);
        assert_eq!(twin.evaluate(&of), AffineBoundOutputs::default());
        assert_eq!(after(&mut twin, &of, 32), AffineBoundOutputs::default());
        let idle = AffineBoundInputs { begins: false, ..of };
        twin.clock(&idle);
        assert_eq!(twin.evaluate(&idle), AffineBoundOutputs { ready: true, bound: 8 });
        assert_eq!(twin.clock(&idle), Activity::Quiet, "it stays ready");
        assert_eq!(twin.evaluate(&idle).bound, 8);
    }

    #[test]
    fn a_quotient_is_rounded_up() {
        let of = |first| bound(first, 3, 0, 100);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(of), [0, 1, 1, 1, 2, 2, 2, 3]);
        let of = |first| bound(first, 3, -1, 100);
        assert_eq!([0, 1, 2, 3, 4, 5].map(of), [1, 1, 1, 2, 2, 2]);
        let of = |first| bound(first, 3, 4, 100);
        assert_eq!([0, 3, 4, 5, 7, 8].map(of), [0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_bound_is_neither_negative_nor_more_than_the_blocks() {
        for (first, offset, expected) in
            [(9, 10, 0), (10, 10, 0), (11, 10, 1), (33, 10, 23), (34, 10, 24), (35, 10, 24)]
        {
            assert_eq!(bound(first, 1, offset, 24), expected, "{first} - {offset}");
        }
        for (first, expected) in [(14, 23), (15, 24), (16, 24)] {
            assert_eq!(bound(first, 1, -9, 24), expected, "{first} + 9");
        }
        assert_eq!(bound(24, 1, 0, 0), 0);
        assert_eq!(bound(0, 65_535, -1, 24), 1, "a ratio larger than the grid");
        assert_eq!(bound(24, 65_535, 0, 24), 1);
        assert_eq!(bound(24, 65_535, 24, 24), 0);
    }

    #[test]
    fn the_largest_numbers_are_divided_without_overflow() {
        let most = i64::from(MOST);
        assert_eq!(bound(MOST, 1, 0, MOST), MOST);
        assert_eq!(bound(MOST, 1, -most, MOST), MOST, "2^32 - 2");
        assert_eq!(bound(MOST, 2, -most, MOST), MOST);
        assert_eq!(bound(MOST, 3, -most, MOST), 1_431_655_765);
        assert_eq!(bound(MOST, 65_535, -most, MOST), 65_537, "65537 * 65535 is 2^32 - 1");
        assert_eq!(bound(MOST, 65_535, 0, MOST), 32_769);
        assert_eq!(bound(0, 1, most, MOST), 0);
        assert_eq!(bound(MOST, 1, most, MOST), 0);
        assert_eq!(bound(MOST, 1, most - 1, MOST), 1);
    }

    #[test]
    fn an_offset_of_nothing_has_no_sign() {
        let mut twin = AffineBound::new();
        let of = AffineBoundInputs { negative: true, ..inputs(7, 2, 0, 24) };
        assert_eq!(after(&mut twin, &of, 33).bound, 4);
    }

    #[test]
    fn a_second_begin_starts_anew_and_what_was_ready_is_no_more() {
        let mut twin = AffineBound::new();
        assert!(after(&mut twin, &inputs(9, 1, 0, 24), 33).ready);
        assert!(twin.evaluate(&inputs(5, 1, 0, 24)).ready, "until the edge");
        assert!(!after(&mut twin, &inputs(5, 1, 0, 24), 20).ready);
        assert_eq!(after(&mut twin, &inputs(6, 1, 0, 24), 33).bound, 6);
    }

    #[test]
    fn reset_in_the_middle_stops_it_and_reset_when_ready_takes_it_back() {
        for cycles in [1, 20, 33, 40] {
            let mut twin = AffineBound::new();
            twin.clock(&inputs(9, 1, 0, 24));
            let idle = AffineBoundInputs { begins: false, ..inputs(9, 1, 0, 24) };
            (1..cycles).for_each(|_| {
                twin.clock(&idle);
            });
            let reset = AffineBoundInputs { reset: true, ..inputs(5, 1, 0, 24) };
            assert_eq!(twin.clock(&reset), Activity::Busy);
            assert_eq!(twin, AffineBound::new());
            assert_eq!(twin.clock(&reset), Activity::Quiet);
            assert_eq!(twin.clock(&idle), Activity::Quiet, "nothing is under way");
        }
    }

    proptest! {
        /// The first block that depends on `first` or a later one, if `blocks` are enough.
        #[test]
        fn a_bound_is_the_first_block_that_depends_on_this_id_or_a_later_one(
            first in 0u32..60, ratio in 1u16..9, offset in -70i64..70, blocks in 0u32..60,
        ) {
            let depends_on = |block: u32| i64::from(ratio) * i64::from(block) + offset;
            let found = (0..blocks).find(|&block| depends_on(block) >= i64::from(first));
            prop_assert_eq!(bound(first, ratio, offset, blocks), found.unwrap_or(blocks));
        }
    }
}
