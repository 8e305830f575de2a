//! Rationale: 1. no state; every block of every grid of up to four blocks in each dimension, and
//! blocks at the ends of the largest grids. 2. no parameter.

use super::block_sequence::{index, word};
use super::kernel_table::block as dim;
use crate::harness::fresh;
use blockyard_rtl::dispatch::NextBlock;
use blockyard_rtl::module::settle;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::dispatch as twin;

/// The twin looks one block ahead.
fn check(next: &mut NextBlock, at: Dim3, grid: Dim3) {
    next.at.next = word(at);
    next.grid.next = word(grid);
    settle(next);
    let expected = twin::BlockSequence::new(1).evaluate(&twin::BlockSequenceInputs { at, grid });
    let beyond = (!next.ends.val()).then(|| dim(next.beyond.val()));
    let there = (beyond, next.empty.val());
    assert_eq!(there, (expected.beyond, expected.empty), "{at} of {grid}");
}

#[test]
fn the_block_behind_each_of_every_small_grid_is_the_next_one_with_x_fastest() {
    let mut next = fresh(NextBlock::new());
    for (x, y, z) in (0..125).map(|n| (n % 5, n / 5 % 5, n / 25)) {
        let grid = Dim3::new(x, y, z);
        let blocks = grid.volume() as u64;
        check(&mut next, Dim3::default(), grid);
        (0..blocks).for_each(|id| check(&mut next, index(id, grid), grid));
    }
}

#[test]
fn extents_of_any_width_end_with_their_last_block_and_not_before() {
    let mut next = fresh(NextBlock::new());
    for bits in 1..=31 {
        for extent in [(1u32 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1)] {
            for grid in [
                Dim3::new(extent, 1, 1),
                Dim3::new(1, extent.min(65_535), 1),
                Dim3::new(2, 1, extent.min(65_535)),
            ] {
                let last = Dim3::new(
                    grid.x.saturating_sub(1),
                    grid.y.saturating_sub(1),
                    grid.z.saturating_sub(1),
                );
                check(&mut next, last, grid);
                for before in [
                    Dim3::new(last.x.saturating_sub(1), last.y, last.z),
                    Dim3::new(last.x, last.y.saturating_sub(1), last.z),
                    Dim3::new(last.x, last.y, last.z.saturating_sub(1)),
                ] {
                    check(&mut next, before, grid);
                }
            }
        }
    }
}
