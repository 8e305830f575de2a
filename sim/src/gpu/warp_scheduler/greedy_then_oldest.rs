//! Greedy then oldest (LaPerm, Table I): stay with a warp until it cannot issue, then the oldest.

use super::{Candidates, WarpScheduler};

/// See the module.
#[derive(Debug, Default)]
pub struct GreedyThenOldest {
    /// The slot that issued last and the age of its warp, so that a new warp in the same slot is
    /// not taken for it.
    last: Option<(usize, u64)>,
}

impl WarpScheduler for GreedyThenOldest {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        let (ready, ages) = (candidates.ready, candidates.ages);
        if let Some((warp, age)) = self.last {
            if ready >> warp & 1 == 1 && ages[warp] == age {
                return warp;
            }
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
        self.last = Some((oldest, ages[oldest]));
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
