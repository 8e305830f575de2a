//! Two-level round robin (TL): Narasiman, Shebanow, Lee, Miftakhutdinov, Mutlu and Patt, "Improving
//! GPU Performance via Large Warps and Two-Level Warp Scheduling", MICRO 2011.
//!
//! The warps are divided into fetch groups of a fixed size (8 in the paper). One fetch group has
//! priority, and its ready warps take turns. When all its warps are stalled on long-latency
//! operations, priority goes to the next fetch group in turn. So the groups reach their memory
//! accesses one after another, and one computes while another waits.
//!
//! What is simplified, and what was decided where the model needs more than the rule above, is in
//! `docs/warp-schedulers.md`.

use super::{next_from, Candidates, WarpScheduler};

/// See the module.
#[derive(Debug)]
pub struct TwoLevel {
    /// Warp slots from the first one of a fetch group to the first one of the next, at most 64.
    span: u32,
    /// The first slot of the fetch group that has priority.
    current: u32,
    /// For each fetch group the slot from which on its next turn goes.
    turns: [u32; 64],
}

impl TwoLevel {
    /// Fetch groups of `group` warps of a scheduler that serves every `schedulers`-th warp slot.
    pub fn new(schedulers: u32, group: u32) -> Self {
        Self { span: (schedulers * group).min(64), current: 0, turns: [0; 64] }
    }

    /// The first slot of the fetch group of `slot`.
    #[inline]
    fn start_of(&self, slot: u32) -> u32 {
        slot - slot % self.span
    }
}

impl WarpScheduler for TwoLevel {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        // A group is a range of slots, so the first active warp from the current group on belongs
        // to that group, or, where that is stalled or empty, to the next one that is not.
        self.current = self.start_of(next_from(candidates.active(), self.current));
        // While the current group's active warps are not ready, the next groups fill in.
        let start = self.start_of(next_from(candidates.ready, self.current));
        let group = (u64::MAX >> (64 - self.span)) << start;
        let turn = &mut self.turns[(start / self.span) as usize];
        let warp = next_from(candidates.ready & group, *turn);
        *turn = (warp + 1) % 64;
        warp as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::candidates;
    use super::*;

    const ALL: u64 = u64::MAX;

    /// Candidates of which those in `alive` but not in `ready` wait for memory.
    fn stalled(alive: u64, ready: u64) -> Candidates<'static> {
        Candidates { alive, wait_for_memory: alive & !ready, ..candidates(ready, &[]) }
    }

    fn picks<const N: usize>(scheduler: &mut TwoLevel, from: Candidates<'_>) -> [usize; N] {
        [0; N].map(|_| scheduler.pick(&from))
    }

    #[test]
    fn the_warps_of_a_fetch_group_take_turns_and_the_next_group_waits_for_its_stall() {
        let mut scheduler = TwoLevel::new(1, 2);
        assert_eq!(picks(&mut scheduler, stalled(0b1111, 0b1111)), [0, 1, 0, 1, 0]);
        assert_eq!(picks(&mut scheduler, stalled(0b1111, 0b1101)), [0, 0], "1 stalls, 0 goes on");
        assert_eq!(picks(&mut scheduler, stalled(0b1111, 0b1100)), [2, 3, 2], "now all stall");
    }

    #[test]
    fn a_group_keeps_its_priority_when_the_one_before_it_has_its_data() {
        let mut scheduler = TwoLevel::new(1, 2);
        assert_eq!(scheduler.pick(&stalled(0b1111, 0b1100)), 2);
        assert_eq!(picks(&mut scheduler, stalled(0b1111, 0b1111)), [3, 2, 3]);
        assert_eq!(scheduler.pick(&stalled(0b1111, 0b0011)), 0, "after its own stall");
    }

    #[test]
    fn others_fill_in_without_taking_priority_while_the_group_waits_for_a_short_time() {
        let mut scheduler = TwoLevel::new(1, 2);
        let short = Candidates { alive: 0b1111, ..candidates(0b1100, &[]) };
        assert_eq!(picks(&mut scheduler, short), [2, 3]);
        assert_eq!(scheduler.pick(&stalled(0b1111, 0b1111)), 0);
    }

    #[test]
    fn a_warp_at_a_barrier_counts_as_stalled() {
        let mut scheduler = TwoLevel::new(1, 2);
        let waits = Candidates {
            alive: 0b1111,
            wait_for_memory: 0b0001,
            at_barrier: 0b0010,
            ..candidates(0b1100, &[])
        };
        assert_eq!(scheduler.pick(&waits), 2);
        assert_eq!(scheduler.pick(&stalled(0b1111, 0b1111)), 3, "priority has moved on");
    }

    #[test]
    fn groups_come_in_turn_and_the_turn_wraps_after_the_last_one() {
        let mut scheduler = TwoLevel::new(1, 2);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b11_1100)), 2);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b11_0011)), 4, "not back to the first");
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b00_1111)), 0);
    }

    #[test]
    fn a_group_without_warps_is_skipped() {
        let mut scheduler = TwoLevel::new(1, 2);
        assert_eq!(scheduler.pick(&stalled(0b11_0011, 0b11_0000)), 4, "no warp in 2 and 3");
        assert_eq!(scheduler.pick(&stalled(0b00_1100, 0b00_1100)), 2, "nor any more in 4 and 5");
    }

    #[test]
    fn a_new_warp_joins_the_group_of_its_slot_and_gains_it_no_priority() {
        let mut scheduler = TwoLevel::new(1, 2);
        assert_eq!(scheduler.pick(&stalled(0b1100, 0b1100)), 2, "group 0 has ended");
        assert_eq!(picks(&mut scheduler, stalled(0b1111, 0b1111)), [3, 2, 3], "it is back");
    }

    #[test]
    fn a_group_goes_on_with_the_turn_that_it_had() {
        let mut scheduler = TwoLevel::new(1, 3);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b11_1111)), 0);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b11_1000)), 3);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b00_0111)), 1);
        assert_eq!(scheduler.pick(&stalled(0b11_1111, 0b11_1000)), 4);
    }

    #[test]
    fn all_64_slots_are_eight_groups_of_eight() {
        let mut scheduler = TwoLevel::new(1, 8);
        let mut waiting = 0;
        for group in 0..8 {
            for slot in 8 * group..8 * group + 8 {
                assert_eq!(scheduler.pick(&stalled(ALL, ALL & !waiting)), slot);
                waiting |= 1 << slot;
            }
        }
        assert_eq!(scheduler.pick(&stalled(ALL, 1)), 0);
    }

    #[test]
    fn the_turn_within_the_last_group_wraps_to_its_own_first_slot() {
        let mut scheduler = TwoLevel::new(1, 8);
        let last = 0xff << 56;
        assert_eq!(picks(&mut scheduler, stalled(ALL, last)), [56, 57, 58, 59, 60, 61, 62, 63, 56]);
    }

    #[test]
    fn a_last_group_of_fewer_slots_is_a_group() {
        let mut scheduler = TwoLevel::new(1, 7);
        // 9 x 7 = 63, so slot 63 is alone.
        assert_eq!(scheduler.pick(&stalled(ALL, 1 << 63)), 63);
        assert_eq!(picks(&mut scheduler, stalled(ALL, 1 << 63 | 1 << 62 | 1)), [63, 63]);
        assert_eq!(scheduler.pick(&stalled(ALL, 1 << 62 | 1)), 0, "the first group is next");
    }

    #[test]
    fn one_warp_always_issues() {
        for slot in [0, 1, 63] {
            for group in [1, 8, 64] {
                let mut scheduler = TwoLevel::new(1, group);
                assert_eq!(picks(&mut scheduler, stalled(1 << slot, 1 << slot)), [slot; 3]);
            }
        }
    }

    #[test]
    fn a_group_larger_than_the_number_of_warps_is_loose_round_robin() {
        for (schedulers, group) in [(1, 64), (2, 32), (16, 64)] {
            let mut scheduler = TwoLevel::new(schedulers, group);
            let mut round_robin = super::super::LooseRoundRobin::default();
            for ready in [0b1011, 0b1111, 0b0110, 1 << 63 | 1, 1 << 63 | 1, 0b1000, ALL, ALL] {
                let from = stalled(ALL, ready);
                assert_eq!(scheduler.pick(&from), round_robin.pick(&from));
            }
        }
    }

    #[test]
    fn a_group_counts_only_the_warps_of_its_own_scheduler() {
        // Slots 1, 3 and 5, 7: the odd ones belong to the second of two schedulers.
        let mut scheduler = TwoLevel::new(2, 2);
        let odd = 0b1010_1010;
        assert_eq!(picks(&mut scheduler, stalled(odd, odd)), [1, 3, 1]);
        assert_eq!(picks(&mut scheduler, stalled(odd, 0b1010_0000)), [5, 7, 5]);
    }
}
