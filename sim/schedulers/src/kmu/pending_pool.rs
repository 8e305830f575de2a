//! Twin of `kmu/pending_pool`: which records of a pool in global memory are still to be fetched
//! (DTBL, section 2.4).
//!
//! Undefined, and not to be compared: everything after a `pop` without `any`, or with 2^32 records
//! in the pool at once.

use crate::port::Activity;

/// Input ports of [`PendingPool`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingPoolInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A record is put at the tail.
    pub push: bool,
    /// The first record is taken; only with `any`.
    pub pop: bool,
}

/// Output ports of [`PendingPool`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingPoolOutputs {
    /// The place of the record that a `pop` takes, counted from the first record ever put here.
    /// Depends on the state alone.
    pub first: u32,
    /// There is a record; the one that is put in this cycle counts.
    pub any: bool,
}

/// A ring: 32-bit places that wrap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingPool {
    /// The place of the first record.
    head: u32,
    /// The place of the next record to be put there.
    tail: u32,
}

impl PendingPool {
    /// An empty pool into which nothing was ever put.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &PendingPoolInputs) -> PendingPoolOutputs {
        PendingPoolOutputs { first: self.head, any: inputs.push || self.head != self.tail }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PendingPoolInputs) -> Activity {
        let before = self.clone();
        if inputs.push {
            self.tail = self.tail.wrapping_add(1);
        }
        if inputs.pop {
            self.head = self.head.wrapping_add(1);
        }
        if inputs.reset {
            *self = Self::new();
        }
        Activity::from(*self != before)
    }

    /// How many records wait, for the report of a stuck run.
    pub(in super::super) fn waiting(&self) -> u32 {
        self.tail.wrapping_sub(self.head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUSH: PendingPoolInputs = PendingPoolInputs { reset: false, push: true, pop: false };
    const POP: PendingPoolInputs = PendingPoolInputs { reset: false, push: false, pop: true };
    const BOTH: PendingPoolInputs = PendingPoolInputs { reset: false, push: true, pop: true };
    const IDLE: PendingPoolInputs = PendingPoolInputs { reset: false, push: false, pop: false };

    fn shown(pool: &PendingPool, inputs: &PendingPoolInputs) -> (u32, bool) {
        let outputs = pool.evaluate(inputs);
        (outputs.first, outputs.any)
    }

    #[test]
    fn a_record_that_is_put_in_this_cycle_counts_and_can_be_taken_in_it() {
        let mut pool = PendingPool::new();
        assert_eq!(shown(&pool, &IDLE), (0, false));
        assert_eq!(shown(&pool, &BOTH), (0, true));
        assert_eq!(pool.clock(&BOTH), Activity::Busy);
        assert_eq!(shown(&pool, &IDLE), (1, false), "the next one is at the next place");
    }

    #[test]
    fn records_leave_in_the_order_in_which_they_were_put() {
        let mut pool = PendingPool::new();
        (0..3).for_each(|_| assert_eq!(pool.clock(&PUSH), Activity::Busy));
        for place in 0..3 {
            assert_eq!(shown(&pool, &POP), (place, true));
            assert_eq!(pool.clock(&POP), Activity::Busy);
        }
        assert_eq!(shown(&pool, &IDLE), (3, false));
        assert_eq!(pool.clock(&IDLE), Activity::Quiet);
    }

    #[test]
    fn places_wrap_after_the_largest_number() {
        let mut pool = PendingPool { head: u32::MAX, tail: u32::MAX };
        assert_eq!(shown(&pool, &IDLE), (u32::MAX, false));
        pool.clock(&PUSH);
        pool.clock(&PUSH);
        assert_eq!(pool.waiting(), 2);
        assert_eq!(shown(&pool, &IDLE), (u32::MAX, true));
        pool.clock(&POP);
        assert_eq!(shown(&pool, &IDLE), (0, true));
        pool.clock(&POP);
        assert_eq!(shown(&pool, &IDLE), (1, false));
    }

    #[test]
    fn reset_empties_the_pool_whatever_else_the_cycle_carries() {
        let mut pool = PendingPool::new();
        pool.clock(&PUSH);
        let reset = PendingPoolInputs { reset: true, ..PUSH };
        assert_eq!(pool.clock(&reset), Activity::Busy);
        assert_eq!(pool, PendingPool::new());
        assert_eq!(pool.clock(&reset), Activity::Quiet);
    }
}
