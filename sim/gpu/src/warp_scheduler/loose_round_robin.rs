//! Loose round robin (SRTF, Table 4): the next ready warp after the one that issued last.

use super::{next_from, Candidates, WarpScheduler};

/// See the module.
#[derive(Debug, Default)]
pub struct LooseRoundRobin {
    /// The slot after the one that issued last.
    first: u32,
}

impl WarpScheduler for LooseRoundRobin {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        let warp = next_from(candidates.ready, self.first);
        self.first = (warp + 1) % 64;
        warp as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::candidates;
    use super::*;

    #[test]
    fn ready_warps_take_turns_and_others_are_passed_over() {
        let mut scheduler = LooseRoundRobin::default();
        let picks: Vec<_> = (0..5).map(|_| scheduler.pick(&candidates(0b1011, &[]))).collect();
        assert_eq!(picks, [0, 1, 3, 0, 1]);
        assert_eq!(
            scheduler.pick(&candidates(0b10, &[])),
            1,
            "the only ready one, even right again"
        );
    }

    #[test]
    fn the_turn_wraps_after_the_last_slot() {
        let mut scheduler = LooseRoundRobin::default();
        let ends = 1 << 63 | 1;
        assert_eq!([0; 3].map(|_| scheduler.pick(&candidates(ends, &[]))), [0, 63, 0]);
    }
}
