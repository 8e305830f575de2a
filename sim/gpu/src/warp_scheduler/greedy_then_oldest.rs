//! Greedy then oldest (LaPerm, Table I): stay with a warp until it cannot issue, then the oldest.

use super::{Candidates, WarpScheduler};

/// See the module.
#[derive(Debug)]
pub struct GreedyThenOldest {
    /// The slot that issued last.
    last: usize,
    /// The age of its warp, so that a new warp in the same slot is not taken for it.
    age: u64,
}

impl Default for GreedyThenOldest {
    /// No warp has issued.
    fn default() -> Self {
        Self { last: 0, age: u64::MAX }
    }
}

impl WarpScheduler for GreedyThenOldest {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        let (ready, ages) = (candidates.ready, candidates.ages);
        if ready >> self.last & 1 == 1 && ages[self.last] == self.age {
            return self.last;
        }
        let mut oldest = ready.trailing_zeros() as usize;
        let mut rest = ready & (ready - 1);
        while rest != 0 {
            let warp = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if ages[warp] < ages[oldest] {
                oldest = warp;
            }
        }
        (self.last, self.age) = (oldest, ages[oldest]);
        oldest
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::candidates;
    use super::*;

    #[test]
    fn the_oldest_goes_first_and_keeps_its_turn_while_it_is_ready() {
        let mut scheduler = GreedyThenOldest::default();
        let ages = [5, 3, 4];
        assert_eq!(scheduler.pick(&candidates(0b101, &ages)), 2, "1 is older but not ready");
        assert_eq!(scheduler.pick(&candidates(0b111, &ages)), 2, "greedy");
        assert_eq!(scheduler.pick(&candidates(0b011, &ages)), 1, "then the oldest");
    }

    #[test]
    fn a_new_warp_in_the_slot_of_the_last_one_has_no_claim() {
        let mut scheduler = GreedyThenOldest::default();
        assert_eq!(scheduler.pick(&candidates(0b11, &[1, 2])), 0);
        assert_eq!(scheduler.pick(&candidates(0b11, &[3, 2])), 1);
    }
}
