//! Rationale: 1. no state; from each of the first 128 blocks of every grid of up to five blocks in
//! each dimension, and of those with an extent beside each power of two. 2. no parameter.

use super::block_sequence::{index, word};
use crate::harness::fresh;
use blockyard_rtl::dispatch::{DoubledStride, Stride};
use blockyard_rtl::module::settle;
use blockyard_sim::port::Dim3;

fn check(doubled: &mut DoubledStride, of: u64, one: bool, grid: Dim3) {
    doubled.of.next = Stride::to(word(index(of, grid)));
    doubled.one.next = one;
    doubled.grid.next = word(grid);
    settle(doubled);
    let twice = doubled.exists.val().then(|| doubled.twice.val());
    let expected = 2 * of + u64::from(one);
    let there = expected < grid.volume() as u64;
    let expected = there.then(|| Stride::to(word(index(expected, grid))));
    assert_eq!(twice, expected, "twice {of} of {grid}, and one: {one}");
}

fn check_all(grid: Dim3) {
    let mut doubled = fresh(DoubledStride::new());
    for of in 0..(grid.volume() as u64).min(128) {
        check(&mut doubled, of, false, grid);
        check(&mut doubled, of, true, grid);
    }
}

#[test]
fn each_block_of_small_grids_is_doubled_as_its_number_is() {
    for (x, y, z) in (0..125).map(|n| (n % 5 + 1, n / 5 % 5 + 1, n / 25 + 1)) {
        check_all(Dim3::new(x, y, z));
    }
}

#[test]
fn an_extent_of_more_bits_than_a_stride_is_not_taken_for_a_small_one() {
    for bits in 6..31 {
        for extent in [(1 << bits) - 1, 1 << bits, (1 << bits) + 1] {
            check_all(Dim3::new(extent, 3, 3));
            check_all(Dim3::new(2, extent.min(65_535), 3));
            check_all(Dim3::new(1, 3, extent.min(65_535)));
        }
    }
}
