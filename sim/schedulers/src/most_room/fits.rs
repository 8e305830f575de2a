//! Twin of `most_room/fits` (`docs/most-room.md`, rule 2): how many blocks fit what is free on an
//! SMX.
//!
//! Undefined, and not to be compared: nothing. Combinational: there is no clock edge.

use crate::port::{BlockNeeds, SmxLimits};

/// Most that the 6 bits of a count hold; no SMX has more slots.
pub const MOST_COUNT: u32 = 63;

/// Input ports of [`Fits`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitsInputs {
    /// What is free: 13 bits of threads, 18 of registers and of shared memory, 7 of slots.
    pub free: SmxLimits,
    /// What one block takes.
    pub needs: BlockNeeds,
}

/// Output ports of [`Fits`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FitsOutputs {
    /// The room in blocks, at most [`MOST_COUNT`]; 6 bits.
    pub count: u32,
}

/// It has no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fits;

impl Fits {
    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &FitsInputs) -> FitsOutputs {
        let FitsInputs { free, needs } = inputs;
        let mut count = free.thread_block_slots.min(MOST_COUNT);
        for (free, need) in [
            (free.threads, needs.threads),
            (free.registers, needs.registers),
            (free.shared_memory, needs.shared_memory),
        ] {
            // Nothing of it is needed: it does not run out.
            count = count.min(free.checked_div(need).unwrap_or(MOST_COUNT));
        }
        FitsOutputs { count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn count(free: [u32; 4], needs: [u32; 3]) -> u32 {
        let [threads, registers, shared_memory, thread_block_slots] = free;
        let free = SmxLimits { threads, registers, shared_memory, thread_block_slots };
        let [threads, registers, shared_memory] = needs;
        let needs = BlockNeeds { threads, registers, shared_memory };
        Fits.evaluate(&FitsInputs { free, needs }).count
    }

    #[test]
    fn blocks_of_20_kb_fit_twice_into_48_kb_and_four_times_into_96() {
        // The example of the page.
        let kb = |kb: u32| kb << 10;
        assert_eq!(count([2048, 65536, kb(48), 32], [256, 4096, kb(20)]), 2);
        assert_eq!(count([2048, 65536, kb(96), 32], [256, 4096, kb(20)]), 4);
    }

    #[test]
    fn each_resource_can_be_the_one_that_runs_out_first() {
        let free = [1024, 9000, 700, 9];
        assert_eq!(count(free, [512, 3000, 100]), 2);
        assert_eq!(count(free, [128, 3000, 100]), 3);
        assert_eq!(count(free, [128, 1000, 141]), 4);
        assert_eq!(count(free, [100, 1000, 70]), 9);
        assert_eq!(count(free, [1, 1, 1]), 9, "slots");
    }

    #[test]
    fn a_quotient_is_rounded_down() {
        assert_eq!(count([99, 100, 101, 63], [50, 0, 0]), 1);
        assert_eq!(count([99, 100, 101, 63], [0, 50, 0]), 2);
        assert_eq!(count([99, 100, 101, 63], [0, 0, 51]), 1);
    }

    #[test]
    fn of_a_resource_that_a_block_does_not_need_none_has_to_be_free() {
        assert_eq!(count([0, 0, 0, 5], [0, 0, 0]), 5);
        assert_eq!(count([64, 0, 0, 5], [32, 0, 0]), 2);
        assert_eq!(count([64, 0, 0, 5], [32, 1, 0]), 0);
    }

    #[test]
    fn it_is_zero_where_a_block_does_not_fit_and_never_more_than_63() {
        assert_eq!(count([31, 100, 100, 63], [32, 1, 1]), 0);
        assert_eq!(count([4096, 4096, 4096, 0], [1, 1, 1]), 0);
        assert_eq!(count([62, 4096, 4096, 63], [1, 1, 1]), 62);
        assert_eq!(count([8191, 262_143, 262_143, 127], [1, 1, 1]), 63);
    }

    proptest! {
        #[test]
        fn as_many_blocks_fit_one_after_the_other(
            free in [0u32..=8191, 0u32..=262_143, 0u32..=262_143, 0u32..=127],
            needs in [0u32..=4095, 0u32..=131_071, 0u32..=131_071],
        ) {
            let mut left = free.map(i64::from);
            let mut placed = 0;
            while placed < 63 {
                left[3] -= 1;
                (0..3).for_each(|at| left[at] -= i64::from(needs[at]));
                if left.iter().any(|left| *left < 0) {
                    break;
                }
                placed += 1;
            }
            prop_assert_eq!(count(free, needs), placed);
        }
    }
}
