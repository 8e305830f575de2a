//! Twin of `claso/consumer`: the local credits of one core (section 3.1, Algorithm 1).
//!
//! Undefined, and not to be compared: what follows a `take` of a kernel without local credits, or
//! a `take` and a `load` of the same entry in one cycle (here the load wins),
//! or a `load` and an `add` in one cycle.

use super::{less, more, Levels, Load};
use crate::port::{Activity, KernelEntry, KERNEL_ENTRIES};

/// Input ports of [`Consumer`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsumerInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The credits of a newly accepted kernel.
    pub load: Option<Load>,
    /// The credits of a group that is coalesced to a kernel; never in a cycle with `load`.
    pub add: Option<Load>,
    /// The head's entry.
    pub kernel: KernelEntry,
    /// This core consumes one credit of `kernel`.
    pub take: bool,
}

/// Output ports of [`Consumer`], for `kernel`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsumerOutputs {
    /// The core may receive a block: C - 1 >= p_A + p_L.
    pub free: bool,
    /// It may receive one for a global credit: not free, and C >= 1.
    pub needs_global: bool,
}

/// One credit register an entry of the Kernel Distributor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    levels: Levels,
    credits: [u64; KERNEL_ENTRIES],
}

impl Consumer {
    /// A core without credits.
    pub fn new(levels: Levels) -> Self {
        Self { levels, credits: [0; KERNEL_ENTRIES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ConsumerInputs) -> ConsumerOutputs {
        let credits = self.credits[inputs.kernel.index()];
        // C - 1 >= p_A + p_L, the comparison after the decrement, for a C that may be 0.
        let free = credits > self.levels.threshold();
        ConsumerOutputs { free, needs_global: !free && credits >= 1 }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ConsumerInputs) -> Activity {
        if inputs.reset {
            let changed = self.credits.iter().any(|&credits| credits != 0);
            self.credits.fill(0);
            return Activity::from(changed);
        }
        let before = self.credits;
        if inputs.take {
            let credits = &mut self.credits[inputs.kernel.index()];
            *credits = less(*credits, 1);
        }
        if let Some(add) = inputs.add {
            let credits = &mut self.credits[add.entry.index()];
            *credits = more(*credits, add.credits);
        }
        if let Some(load) = inputs.load {
            self.credits[load.entry.index()] = load.credits;
        }
        Activity::from(self.credits != before)
    }

    /// The local credits of `kernel`.
    pub(super) fn credits(&self, kernel: KernelEntry) -> u64 {
        self.credits[kernel.index()]
    }

    /// Fault injection: one credit less, or one where there was none.
    pub(crate) fn disturb(&mut self, kernel: KernelEntry) {
        let credits = &mut self.credits[kernel.index()];
        *credits = if *credits == 0 { 1 } else { *credits - 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU16;

    fn levels(active: u16, loose: u16) -> Levels {
        Levels { active: NonZeroU16::new(active).unwrap(), loose }
    }

    fn load(entry: u8, credits: u64) -> ConsumerInputs {
        let load = Some(Load { entry: KernelEntry(entry), credits });
        ConsumerInputs { load, ..ConsumerInputs::default() }
    }

    fn of(entry: u8) -> ConsumerInputs {
        ConsumerInputs { kernel: KernelEntry(entry), ..ConsumerInputs::default() }
    }

    fn decision(consumer: &Consumer, entry: u8) -> (bool, bool) {
        let outputs = consumer.evaluate(&of(entry));
        (outputs.free, outputs.needs_global)
    }

    const FREE: (bool, bool) = (true, false);
    const NEEDS_GLOBAL: (bool, bool) = (false, true);
    const REFUSED: (bool, bool) = (false, false);

    #[test]
    fn the_worked_example_has_four_free_credits_and_one_for_a_global_one() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(0, 5));
        let expected = [FREE, FREE, FREE, FREE, NEEDS_GLOBAL, REFUSED];
        for decision_now in expected {
            assert_eq!(decision(&consumer, 0), decision_now);
            consumer.clock(&ConsumerInputs { take: decision_now != REFUSED, ..of(0) });
        }
    }

    #[test]
    fn the_threshold_is_the_sum_of_both_levels_after_the_decrement() {
        for active in 1..5 {
            for loose in 0..5 {
                for credits in 0..12u64 {
                    let mut consumer = Consumer::new(levels(active, loose));
                    consumer.clock(&load(3, credits));
                    let expected = match credits.checked_sub(1) {
                        None => REFUSED,
                        Some(left) if left < u64::from(active + loose) => NEEDS_GLOBAL,
                        Some(_) => FREE,
                    };
                    assert_eq!(decision(&consumer, 3), expected);
                }
            }
        }
    }

    #[test]
    fn a_load_is_seen_one_cycle_later_and_by_its_entry_alone() {
        let mut consumer = Consumer::new(levels(1, 0));
        let inputs = ConsumerInputs { kernel: KernelEntry(31), ..load(31, 1) };
        assert_eq!(consumer.evaluate(&inputs), ConsumerOutputs::default());
        assert_eq!(consumer.clock(&inputs), Activity::Busy);
        for entry in 0..32 {
            let expected = if entry == 31 { NEEDS_GLOBAL } else { REFUSED };
            assert_eq!(decision(&consumer, entry), expected);
        }
    }

    #[test]
    fn loading_one_kernel_and_taking_of_another_both_count_in_one_cycle() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(0, 2));
        let inputs = ConsumerInputs { take: true, kernel: KernelEntry(0), ..load(1, 2) };
        assert_eq!(consumer.clock(&inputs), Activity::Busy);
        assert_eq!(decision(&consumer, 0), NEEDS_GLOBAL);
        assert_eq!(decision(&consumer, 1), FREE);
    }

    fn add(entry: u8, credits: u64) -> ConsumerInputs {
        let add = Some(Load { entry: KernelEntry(entry), credits });
        ConsumerInputs { add, ..ConsumerInputs::default() }
    }

    #[test]
    fn added_credits_are_seen_one_cycle_later_on_top_of_what_is_left() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(4, 1));
        let inputs = ConsumerInputs { kernel: KernelEntry(4), ..add(4, 2) };
        let outputs = consumer.evaluate(&inputs);
        assert_eq!((outputs.free, outputs.needs_global), NEEDS_GLOBAL);
        assert_eq!(consumer.clock(&inputs), Activity::Busy);
        assert_eq!(consumer.credits(KernelEntry(4)), 3);
        assert_eq!(consumer.credits(KernelEntry(5)), 0);
    }

    #[test]
    fn adding_to_a_kernel_and_taking_of_it_both_count_in_one_cycle() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(4, 1));
        let both =
            |credits| ConsumerInputs { take: true, kernel: KernelEntry(4), ..add(4, credits) };
        assert_eq!(consumer.clock(&both(1)), Activity::Quiet, "one comes, one goes");
        assert_eq!(consumer.credits(KernelEntry(4)), 1);
        assert_eq!(consumer.clock(&both(3)), Activity::Busy);
        assert_eq!(consumer.credits(KernelEntry(4)), 3);
    }

    #[test]
    fn a_request_that_is_not_taken_consumes_nothing() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(0, 1));
        assert_eq!(consumer.clock(&of(0)), Activity::Quiet);
        assert_eq!(decision(&consumer, 0), NEEDS_GLOBAL);
        assert_eq!(consumer.clock(&load(0, 1)), Activity::Quiet, "the same number again");
    }

    #[test]
    fn reset_takes_all_credits_whatever_else_the_cycle_carries() {
        let mut consumer = Consumer::new(levels(1, 0));
        consumer.clock(&load(7, 9));
        let reset = ConsumerInputs { reset: true, ..load(8, 9) };
        assert_eq!(consumer.clock(&reset), Activity::Busy);
        assert_eq!(consumer, Consumer::new(levels(1, 0)));
        assert_eq!(consumer.clock(&reset), Activity::Quiet);
    }
}
