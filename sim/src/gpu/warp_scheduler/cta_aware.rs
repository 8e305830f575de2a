//! CTA-aware scheduling (OWL): Jog, Kayiran, Nachiappan, Mishra, Kandemir, Mutlu, Iyer and Das, "OWL:
//! Cooperative Thread Array Aware Scheduling Techniques for Improving GPGPU Performance", ASPLOS 2013.
//!
//! The per-SMX part of the paper: CTA-aware two-level scheduling with locality. The thread blocks of
//! an SMX are divided into groups of a fixed number of blocks, in the order in which they started. The
//! first group has priority: others issue only while no warp of it can, which is when all its warps
//! wait for memory, and as soon as data for it come it goes on. Within a group the ready warps take
//! turns. So few blocks at a time fill the L1.
//!
//! Not modelled: the bank-level-parallelism-aware order of groups across SMXs and the opportunistic
//! prefetch at the memory side, which are not decisions of one warp scheduler. What else is simplified
//! or could not be checked is in `docs/warp-schedulers.md`.

use super::{next_from, Candidates, WarpScheduler};

/// Groups whose turn is remembered; more than the thread blocks of an SMX.
const TURNS: usize = 64;

/// See the module.
#[derive(Debug)]
pub struct CtaAware {
    /// Thread blocks of a group.
    size: u64,
    /// For groups, by the number modulo [`TURNS`]: the number, and the slot from which on the next turn
    /// goes.
    turns: [(u64, u32); TURNS],
}

impl CtaAware {
    /// Groups of `size` thread blocks.
    pub fn new(size: u32) -> Self {
        Self { size: u64::from(size), turns: [(0, 0); TURNS] }
    }
}

impl WarpScheduler for CtaAware {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        // Blocks are told apart by age, not by slot: a new block in an old slot is in a later group.
        let age = |slot: u32| {
            let block = candidates.block_slots[slot as usize];
            candidates.block_ages[usize::from(block)]
        };
        let oldest = slots(candidates.ready).map(age).min().unwrap_or(0);
        let number = oldest / self.size;
        let next_group = (number + 1) * self.size;
        let group = slots(candidates.ready)
            .filter(|&slot| age(slot) < next_group)
            .fold(0, |set, slot| set | 1 << slot);
        let turn = &mut self.turns[number as usize % TURNS];
        let first = if turn.0 == number { turn.1 } else { 0 };
        let warp = next_from(group, first);
        *turn = (number, (warp + 1) % 64);
        warp as usize
    }
}

fn slots(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let slot = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(slot)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::candidates;
    use super::*;

    /// For each of 64 warp slots its thread-block slot: two warps a block.
    const PAIRS: [u8; 64] = {
        let mut blocks = [0; 64];
        let mut slot = 0;
        while slot < 64 {
            blocks[slot] = slot as u8 / 2;
            slot += 1;
        }
        blocks
    };

    /// Two warps a block, the blocks of these ages.
    fn pairs(ready: u64, block_ages: &[u64]) -> Candidates<'_> {
        Candidates { block_slots: &PAIRS, block_ages, ..candidates(ready, &[]) }
    }

    fn picks<const N: usize>(scheduler: &mut CtaAware, from: Candidates<'_>) -> [usize; N] {
        [0; N].map(|_| scheduler.pick(&from))
    }

    #[test]
    fn the_warps_of_the_first_group_take_turns_and_others_wait_until_it_cannot_issue() {
        let mut scheduler = CtaAware::new(2);
        let ages = [0, 1, 2, 3];
        assert_eq!(picks(&mut scheduler, pairs(0xff, &ages)), [0, 1, 2, 3, 0]);
        assert_eq!(picks(&mut scheduler, pairs(0xf4, &ages)), [2, 2], "one warp of it is left");
        assert_eq!(picks(&mut scheduler, pairs(0xf0, &ages)), [4, 5, 6, 7, 4]);
    }

    #[test]
    fn a_group_takes_its_priority_back_as_soon_as_it_is_ready() {
        let mut scheduler = CtaAware::new(1);
        let ages = [0, 1];
        assert_eq!(scheduler.pick(&pairs(0b1100, &ages)), 2);
        assert_eq!(picks(&mut scheduler, pairs(0b1101, &ages)), [0, 0]);
        assert_eq!(scheduler.pick(&pairs(0b1100, &ages)), 3, "the other one resumes its turn");
    }

    #[test]
    fn a_new_block_in_the_slot_of_an_old_one_is_in_a_later_group() {
        let mut scheduler = CtaAware::new(2);
        assert_eq!(scheduler.pick(&pairs(0xff, &[0, 1, 2, 3])), 0);
        // Block 0 has ended, and block 4 is in its slot.
        let ages = [4, 1, 2, 3];
        assert_eq!(
            picks(&mut scheduler, pairs(0xff, &ages)),
            [2, 3, 2],
            "what is left of the group"
        );
        assert_eq!(picks(&mut scheduler, pairs(0xf3, &ages)), [4, 5, 6, 7, 4], "then the next");
        assert_eq!(picks(&mut scheduler, pairs(0x03, &ages)), [0, 1, 0], "then the new one");
    }

    #[test]
    fn a_group_whose_blocks_have_all_ended_is_skipped() {
        let mut scheduler = CtaAware::new(2);
        assert_eq!(scheduler.pick(&pairs(0xff, &[9, 8, 7, 6])), 4, "6 and 7 are the oldest group");
        assert_eq!(scheduler.pick(&pairs(0xff, &[9, 8, 13, 12])), 0, "then 8 and 9");
        assert_eq!(scheduler.pick(&pairs(0xff, &[21, 20, 13, 12])), 4, "there are no 10 and 11");
    }

    #[test]
    fn the_group_of_a_block_is_its_age_divided_by_the_size() {
        let mut scheduler = CtaAware::new(3);
        // Groups: 0 to 2, 3 to 5. One group although it lies in slots apart.
        assert_eq!(picks(&mut scheduler, pairs(0xff, &[2, 3, 1, 4])), [0, 1, 4, 5, 0]);
        assert_eq!(picks(&mut scheduler, pairs(0xcc, &[2, 3, 1, 4])), [2, 3, 6, 7, 2]);
    }

    #[test]
    fn a_turn_left_by_a_group_of_long_ago_is_not_taken_for_its_own() {
        let mut scheduler = CtaAware::new(1);
        assert_eq!(scheduler.pick(&pairs(0b11, &[0])), 0);
        assert_eq!(scheduler.pick(&pairs(0b11, &[64])), 0, "64 shares the place of 0");
        assert_eq!(scheduler.pick(&pairs(0b11, &[64])), 1);
    }

    #[test]
    fn all_64_slots_have_their_place_in_the_order() {
        let ages: [u64; 32] = std::array::from_fn(|block| 31 - block as u64);
        let mut scheduler = CtaAware::new(4);
        let mut ready = u64::MAX;
        let mut order = Vec::new();
        while ready != 0 {
            let warp = scheduler.pick(&pairs(ready, &ages));
            ready &= !(1 << warp);
            order.push(warp);
        }
        let expected: Vec<usize> =
            (0..8).rev().flat_map(|group| 8 * group..8 * group + 8).collect();
        assert_eq!(order, expected, "the youngest block is in slot 0");
    }

    #[test]
    fn the_turn_wraps_after_the_last_slot() {
        let mut scheduler = CtaAware::new(1);
        let one_block = Candidates { block_slots: &[0; 64], ..pairs(1 << 63 | 1, &[5]) };
        assert_eq!(picks(&mut scheduler, one_block), [0, 63, 0]);
    }

    #[test]
    fn one_warp_always_issues() {
        for slot in [0, 1, 63] {
            let mut scheduler = CtaAware::new(64);
            assert_eq!(picks(&mut scheduler, pairs(1 << slot, &[7; 32])), [slot; 3]);
        }
    }

    #[test]
    fn a_group_larger_than_the_number_of_blocks_is_loose_round_robin() {
        let ages: [u64; 32] = std::array::from_fn(|block| block as u64);
        let mut scheduler = CtaAware::new(64);
        let mut round_robin = super::super::LooseRoundRobin::default();
        for ready in [0b1011, 0b1111, 0b0110, 1 << 63 | 1, 1 << 63 | 1, 0b1000, u64::MAX] {
            let from = pairs(ready, &ages);
            assert_eq!(scheduler.pick(&from), round_robin.pick(&from));
        }
    }
}
