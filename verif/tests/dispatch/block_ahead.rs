//! Rationale: 1. no state; every two blocks of every grid of up to four blocks in each dimension,
//! and strides of up to 255 at the ends of the largest extents. 2. no parameter.

use super::block_sequence::{index, word};
use super::kernel_table::block as dim;
use crate::harness::{fresh, random};
use blockyard_rtl::dispatch::{BlockAhead, Stride};
use blockyard_rtl::module::settle;
use blockyard_sim::port::Dim3;
use rand::RngExt;

/// The block of that id, if the grid has it.
fn check(ahead: &mut BlockAhead, from: u64, by: u64, grid: Dim3) {
    ahead.at.next = word(index(from, grid));
    ahead.by.next = Stride::to(word(index(by, grid)));
    ahead.grid.next = word(grid);
    settle(ahead);
    let there = ahead.exists.val().then(|| dim(ahead.block.val()));
    let expected = (from + by < grid.volume() as u64).then(|| index(from + by, grid));
    assert_eq!(there, expected, "{by} behind {from} of {grid}");
}

#[test]
fn from_each_block_of_every_small_grid_each_other_one_is_reached() {
    let mut ahead = fresh(BlockAhead::new());
    for (x, y, z) in (0..64).map(|n| (n % 4 + 1, n / 4 % 4 + 1, n / 16 + 1)) {
        let grid = Dim3::new(x, y, z);
        let blocks = grid.volume() as u64;
        check(&mut ahead, 0, 1, grid);
        for from in 0..blocks {
            (0..blocks).for_each(|by| check(&mut ahead, from, by, grid));
        }
    }
}

#[test]
fn strides_carry_at_the_ends_of_large_extents_and_not_before() {
    let mut ahead = fresh(BlockAhead::new());
    let mut random = random(1);
    let mut within = 0;
    for _ in 0..20_000 {
        let mut side = |largest: u32| match random.random_range(0..3) {
            0 => random.random_range(1..=4),
            1 => random.random_range(200..=300),
            _ => largest,
        };
        let grid = Dim3::new(side((1 << 31) - 1), side(65_535), side(65_535));
        let blocks = grid.volume() as u64;
        let by = random.random_range(0..blocks.min(256));
        let row = u64::from(grid.x);
        let from = match random.random_range(0..4) {
            0 => random.random_range(0..blocks),
            1 => blocks - 1 - random.random_range(0..blocks.min(256)),
            2 => (row - 1).saturating_sub(random.random_range(0..256)),
            _ => row.saturating_mul(grid.y.into()).min(blocks) - 1,
        };
        check(&mut ahead, from, by, grid);
        within += u32::from(ahead.exists.val());
    }
    assert!((5_000..19_900).contains(&within), "{within} within");
}
