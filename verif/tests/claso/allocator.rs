//! Rationale: 1. no state; every grid of up to 2,000 blocks, and the largest. 2. all 1 to 32 cores
//! and 33, 65, 132 and 144; levels at both ends of their range.

use super::levels;
use crate::harness::{fresh, random};
use blockyard_rtl::claso::Allocator;
use blockyard_rtl::module::settle;
use blockyard_rtl::word::U;
use blockyard_sim::port::MAX_BLOCKS;
use blockyard_sim::sched::claso as twin;
use rand::RngExt;

fn numbers_of_cores() -> impl Iterator<Item = u32> {
    (1..=32).chain([33, 65, 132, 144])
}

/// Hardware and twin of an allocator.
struct Pair {
    hardware: Allocator,
    twin: twin::Allocator,
}

impl Pair {
    fn new(cores: u32, active: u16, loose: u16) -> Self {
        let (hardware, twin) = levels(active, loose);
        Self {
            hardware: fresh(Allocator::new(cores.into(), hardware)),
            twin: twin::Allocator::new(cores as usize, twin),
        }
    }

    /// Local and global credits, on which both agree.
    #[track_caller]
    fn credits(&mut self, blocks: u32) -> (u64, u64) {
        self.hardware.blocks.next = U::new(blocks.into());
        settle(&mut self.hardware);
        let twin = self.twin.evaluate(&twin::AllocatorInputs { blocks });
        let got =
            (self.hardware.local_credits.val().raw(), self.hardware.global_credits.val().raw());
        assert_eq!(got, (twin.local_credits, twin.global_credits), "{blocks} blocks");
        got
    }
}

#[test]
fn credits_are_what_dealing_the_blocks_out_one_by_one_gives() {
    for cores in numbers_of_cores() {
        let mut pair = Pair::new(cores, 1, 0);
        assert_eq!(pair.credits(0), (0, 0));
        let (mut rounds, mut in_this_round) = (1, 0);
        for blocks in 1..=2_000 {
            in_this_round += 1;
            if in_this_round > u64::from(cores) {
                (rounds, in_this_round) = (rounds + 1, 1);
            }
            let credits = pair.credits(blocks);
            assert_eq!(credits, (rounds, in_this_round), "{blocks} blocks, {cores} cores");
        }
    }
}

#[test]
fn around_one_block_a_core() {
    for cores in numbers_of_cores() {
        let d = u64::from(cores);
        let mut pair = Pair::new(cores, 1, 0);
        assert_eq!(pair.credits(0), (0, 0));
        assert_eq!(pair.credits(1), (1, 1));
        if cores > 1 {
            assert_eq!(pair.credits(cores - 1), (1, d - 1));
        }
        assert_eq!(pair.credits(cores), (1, d));
        assert_eq!(pair.credits(cores + 1), (2, 1));
    }
}

#[test]
fn the_largest_grids_are_exact_for_any_number_of_cores() {
    for cores in numbers_of_cores() {
        let d = u64::from(cores);
        let mut pair = Pair::new(cores, 1, 0);
        for blocks in MAX_BLOCKS - 2 * cores..=MAX_BLOCKS {
            let (local, global) = pair.credits(blocks);
            // All cores but the last round's are full: the definition, turned round.
            assert_eq!((local - 1) * d + global, u64::from(blocks));
            assert!((1..=d).contains(&global));
        }
    }
}

#[test]
fn levels_add_local_credits_and_layers_of_global_ones() {
    for cores in [1, 4, 13, 30, 32, 33, 65, 132, 144] {
        for (active, loose) in [(1, 0), (2, 0), (1, 1), (3, 7), (u16::MAX, u16::MAX)] {
            let mut plain = Pair::new(cores, 1, 0);
            let mut pair = Pair::new(cores, active, loose);
            assert_eq!(pair.credits(0), (0, 0), "an empty grid gets none of either");
            for blocks in [1, 2, 17, 2_000, MAX_BLOCKS] {
                let (local, global) = plain.credits(blocks);
                let layers = u64::from(active - 1) * u64::from(cores);
                assert_eq!(pair.credits(blocks), (local + u64::from(loose), global + layers));
            }
        }
    }
}

#[test]
fn hardware_and_twin_agree_on_random_grids() {
    let mut random = random(8);
    for cores in numbers_of_cores() {
        let mut pair = Pair::new(cores, random.random_range(1..=u16::MAX), random.random());
        for _ in 0..500 {
            let blocks = random.random_range(0..=MAX_BLOCKS) >> random.random_range(0..31);
            pair.credits(blocks);
        }
    }
}
