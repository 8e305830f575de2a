//! CTA-aware scheduling (OWL): Jog, Kayiran, Nachiappan, Mishra, Kandemir, Mutlu, Iyer and Das,
//! "OWL: Cooperative Thread Array Aware Scheduling Techniques for Improving GPGPU Performance",
//! ASPLOS 2013.
//!
//! The per-SMX part of the paper: CTA-aware two-level scheduling with locality. The thread blocks
//! of an SMX are divided into groups, in the order in which they started, each with enough warps to
//! keep the pipeline busy. The first group has priority: others issue only while no warp of it can,
//! which is when all its warps wait for memory, and as soon as data for it come it goes on. Within
//! a group the ready warps take turns. So few blocks at a time fill the L1.
//!
//! With the bank-level-parallelism-aware order (`owl-blp`) neighbouring SMXs put different groups
//! first: consecutive blocks, which go to neighbours and share DRAM rows, then do not have priority
//! at one time.
//!
//! Not modelled: the opportunistic prefetch at the memory side, which is no decision of a warp
//! scheduler. What else is simplified or could not be checked is in `docs/warp-schedulers.md`.

use super::{next_from, Candidates, WarpScheduler};
use crate::config::{GpuConfig, WarpPolicy};

/// Groups whose turn is remembered; more than the thread blocks of an SMX.
const TURNS: usize = 64;

/// The groups of an SMX, for all its schedulers: as blocks start they join the last one, until that
/// has warps enough.
#[derive(Debug)]
pub struct CtaGroups {
    /// Warps with which a group has enough.
    enough: u32,
    /// The last group.
    last: u64,
    /// Warps that have joined it so far.
    warps: u32,
    /// What exchanges groups in the order of their priority: 0 leaves the oldest first, 1 exchanges
    /// each with its neighbour, 2 pairs of them.
    exchange: u64,
}

impl CtaGroups {
    /// No block has started on SMX number `smx`.
    pub fn new(config: &GpuConfig, smx: u8) -> Self {
        let exchange = match config.warp.policy {
            WarpPolicy::CtaAwareBanks => exchange(smx.into(), config.smx.count),
            _ => 0,
        };
        Self { enough: config.warp.group * config.warp.schedulers, last: 0, warps: 0, exchange }
    }

    /// The group of a block of so many `warps` that starts: its place in the order of priority.
    pub fn join(&mut self, warps: u32) -> u64 {
        if self.warps >= self.enough {
            (self.last, self.warps) = (self.last + 1, 0);
        }
        self.warps += warps;
        self.last ^ self.exchange
    }
}

/// For SMX number `smx` of `count` one that its neighbours do not have; the first and the last are
/// neighbours.
fn exchange(smx: u32, count: u32) -> u64 {
    let last_of_odd = count > 1 && count % 2 == 1 && smx + 1 == count;
    if last_of_odd {
        2
    } else {
        u64::from(smx % 2)
    }
}

/// See the module.
#[derive(Debug)]
pub struct CtaAware {
    /// For groups, by the number modulo [`TURNS`]: the number, and the slot from which on the next
    /// turn goes.
    turns: [(u64, u32); TURNS],
}

impl Default for CtaAware {
    fn default() -> Self {
        Self { turns: [(0, 0); TURNS] }
    }
}

impl WarpScheduler for CtaAware {
    #[inline]
    fn pick(&mut self, candidates: &Candidates<'_>) -> usize {
        let group_of = |slot: u32| {
            let block = candidates.block_slots[slot as usize];
            candidates.block_groups[usize::from(block)]
        };
        let number = slots(candidates.ready).map(group_of).min().unwrap_or(0);
        let group = slots(candidates.ready)
            .filter(|&slot| group_of(slot) == number)
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

    /// Two warps a block, the blocks in these groups.
    fn pairs(ready: u64, block_groups: &[u64]) -> Candidates<'_> {
        Candidates { block_slots: &PAIRS, block_groups, ..candidates(ready, &[]) }
    }

    fn picks<const N: usize>(scheduler: &mut CtaAware, from: Candidates<'_>) -> [usize; N] {
        [0; N].map(|_| scheduler.pick(&from))
    }

    #[test]
    fn the_warps_of_the_first_group_take_turns_and_others_wait_until_it_cannot_issue() {
        let mut scheduler = CtaAware::default();
        let groups = [0, 0, 1, 1];
        assert_eq!(picks(&mut scheduler, pairs(0xff, &groups)), [0, 1, 2, 3, 0]);
        assert_eq!(picks(&mut scheduler, pairs(0xf4, &groups)), [2, 2], "one warp of it is left");
        assert_eq!(picks(&mut scheduler, pairs(0xf0, &groups)), [4, 5, 6, 7, 4]);
    }

    #[test]
    fn a_group_takes_its_priority_back_as_soon_as_it_is_ready() {
        let mut scheduler = CtaAware::default();
        let groups = [0, 1];
        assert_eq!(scheduler.pick(&pairs(0b1100, &groups)), 2);
        assert_eq!(picks(&mut scheduler, pairs(0b1101, &groups)), [0, 0]);
        assert_eq!(scheduler.pick(&pairs(0b1100, &groups)), 3, "the other one resumes its turn");
    }

    #[test]
    fn a_new_block_in_the_slot_of_an_old_one_is_in_a_later_group() {
        let mut scheduler = CtaAware::default();
        assert_eq!(scheduler.pick(&pairs(0xff, &[0, 0, 1, 1])), 0);
        // The block in slot 0 has ended, and a new one is there.
        let groups = [2, 0, 1, 1];
        assert_eq!(
            picks(&mut scheduler, pairs(0xff, &groups)),
            [2, 3, 2],
            "what is left of the group"
        );
        assert_eq!(picks(&mut scheduler, pairs(0xf3, &groups)), [4, 5, 6, 7, 4], "then the next");
        assert_eq!(picks(&mut scheduler, pairs(0x03, &groups)), [0, 1, 0], "then the new one");
    }

    #[test]
    fn a_group_whose_blocks_have_all_ended_is_skipped() {
        let mut scheduler = CtaAware::default();
        assert_eq!(scheduler.pick(&pairs(0xff, &[4, 4, 3, 3])), 4, "3 is the oldest group");
        assert_eq!(scheduler.pick(&pairs(0xff, &[4, 4, 6, 6])), 0, "then 4");
        assert_eq!(scheduler.pick(&pairs(0xff, &[10, 10, 6, 6])), 4, "there is no 5");
    }

    #[test]
    fn a_group_may_lie_in_slots_apart() {
        let mut scheduler = CtaAware::default();
        assert_eq!(picks(&mut scheduler, pairs(0xff, &[0, 1, 0, 1])), [0, 1, 4, 5, 0]);
        assert_eq!(picks(&mut scheduler, pairs(0xcc, &[0, 1, 0, 1])), [2, 3, 6, 7, 2]);
    }

    /// The groups of blocks of so many warps, where a group has enough with `group` warps a
    /// scheduler.
    fn groups<const N: usize>(group: u32, schedulers: u32, warps: [u32; N]) -> [u64; N] {
        let mut config = GpuConfig::preset("k20c").unwrap();
        (config.warp.group, config.warp.schedulers) = (group, schedulers);
        let mut groups = CtaGroups::new(&config, 1);
        warps.map(|warps| groups.join(warps))
    }

    #[test]
    fn no_two_neighbours_among_smxs_put_the_same_group_first() {
        for count in 2..=144 {
            let first = |smx: u32| exchange(smx % count, count);
            assert!((0..count).all(|smx| first(smx) != first(smx + 1)), "{count} SMXs");
        }
        assert_eq!(exchange(0, 1), 0, "one SMX alone has them in order");
    }

    #[test]
    fn groups_change_places_in_pairs_or_pairs_of_pairs_and_so_far_only() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, value) in [("warp.policy", "owl-blp"), ("warp.group", "1"), ("smx", "3")] {
            config.set(key, value).unwrap();
        }
        config.warp.schedulers = 1;
        let places = |smx| {
            let mut groups = CtaGroups::new(&config, smx);
            [0; 6].map(|_| groups.join(1))
        };
        assert_eq!(places(0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(places(1), [1, 0, 3, 2, 5, 4]);
        assert_eq!(places(2), [2, 3, 0, 1, 6, 7]);
        config.set("warp.policy", "owl").unwrap();
        let mut groups = CtaGroups::new(&config, 1);
        assert_eq!(
            [0; 4].map(|_| groups.join(1)),
            [0, 1, 2, 3],
            "owl has the same order everywhere"
        );
    }

    #[test]
    fn blocks_join_a_group_until_it_has_warps_enough_for_every_scheduler() {
        assert_eq!(groups(8, 1, [8, 8, 8]), [0, 1, 2]);
        assert_eq!(groups(8, 1, [7, 7, 7, 7]), [0, 0, 1, 1], "one short of enough is not enough");
        assert_eq!(groups(8, 2, [8, 8, 8, 8]), [0, 0, 1, 1]);
        assert_eq!(groups(8, 4, [9, 9, 9, 9, 9]), [0, 0, 0, 0, 1]);
        assert_eq!(groups(1, 1, [1, 32, 1]), [0, 1, 2]);
        assert_eq!(groups(4, 1, [1, 2, 3, 4, 1]), [0, 0, 0, 1, 2], "blocks of different kernels");
    }

    #[test]
    fn a_turn_left_by_a_group_of_long_ago_is_not_taken_for_its_own() {
        let mut scheduler = CtaAware::default();
        assert_eq!(scheduler.pick(&pairs(0b11, &[0])), 0);
        assert_eq!(scheduler.pick(&pairs(0b11, &[64])), 0, "64 shares the place of 0");
        assert_eq!(scheduler.pick(&pairs(0b11, &[64])), 1);
    }

    #[test]
    fn all_64_slots_have_their_place_in_the_order() {
        let groups: [u64; 32] = std::array::from_fn(|block| (31 - block as u64) / 4);
        let mut scheduler = CtaAware::default();
        let mut ready = u64::MAX;
        let mut order = Vec::new();
        while ready != 0 {
            let warp = scheduler.pick(&pairs(ready, &groups));
            ready &= !(1 << warp);
            order.push(warp);
        }
        let expected: Vec<usize> =
            (0..8).rev().flat_map(|group| 8 * group..8 * group + 8).collect();
        assert_eq!(order, expected, "the youngest block is in slot 0");
    }

    #[test]
    fn the_turn_wraps_after_the_last_slot() {
        let mut scheduler = CtaAware::default();
        let one_block = Candidates { block_slots: &[0; 64], ..pairs(1 << 63 | 1, &[5]) };
        assert_eq!(picks(&mut scheduler, one_block), [0, 63, 0]);
    }

    #[test]
    fn one_warp_always_issues() {
        for slot in [0, 1, 63] {
            let mut scheduler = CtaAware::default();
            assert_eq!(picks(&mut scheduler, pairs(1 << slot, &[7; 32])), [slot; 3]);
        }
    }

    #[test]
    fn one_group_of_all_blocks_is_loose_round_robin() {
        let mut scheduler = CtaAware::default();
        let mut round_robin = super::super::LooseRoundRobin::default();
        for ready in [0b1011, 0b1111, 0b0110, 1 << 63 | 1, 1 << 63 | 1, 0b1000, u64::MAX] {
            let from = pairs(ready, &[0; 32]);
            assert_eq!(scheduler.pick(&from), round_robin.pick(&from));
        }
    }
}
