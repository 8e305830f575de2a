//! Grids of random kernels that run to their end.

use blockyard_sim::port::Dim3;
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;

/// Bits of how many blocks there are, where extents are powers of two.
const BITS: u32 = 8;

/// Mostly small grids in one to three dimensions; some empty, some of a single block, some of more
/// blocks in one dimension than a byte counts, some whose extents are powers of two or beside them.
pub fn grid(random: &mut impl Rng) -> Dim3 {
    let mut to = |most: u32| random.random_range(0..=most);
    match to(65) {
        0 => Dim3::new(1, 300, 1),
        1 => Dim3::new(1, 1, 300),
        2 => Dim3::new(257, 1 + to(1), 1),
        3..=8 => Dim3::new(to(3), to(1), 1),
        9..=14 => Dim3::new(1, 1, 1),
        15..=32 => Dim3::new(1 + to(3), 1 + to(2), 1 + to(2)),
        33..=38 => powers(random),
        _ => Dim3::new(1 + to(90), 1, 1),
    }
}

/// Bits of how many blocks there are where kernels are ranked by them.
const RANKED: RangeInclusive<u32> = 6..=16;

/// Any number of blocks along one dimension, as many with each number of bits.
pub fn ranked(random: &mut impl Rng) -> Dim3 {
    let bits = random.random_range(RANKED);
    Dim3::new(random.random_range(1 << bits..2 << bits), 1, 1)
}

/// A block, or two that follow each other in one dimension.
pub fn brief(random: &mut impl Rng) -> Dim3 {
    let [x, y, z] = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]][random.random_range(0..4)];
    Dim3::new(x, y, z)
}

/// Each extent is a power of two, one less or one more; together they have few bits.
fn powers(random: &mut impl Rng) -> Dim3 {
    let mut left = BITS;
    let mut extents = [(); 3].map(|()| {
        let bits = random.random_range(0..=left);
        left -= bits;
        ((1 << bits) + random.random_range(0..3) - 1).max(1)
    });
    extents.rotate_left(random.random_range(0..3));
    let [x, y, z] = extents;
    Dim3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    fn drawn(draw: fn(&mut Pcg64) -> Dim3) -> Vec<Dim3> {
        let mut random = Pcg64::seed_from_u64(1);
        (0..20_000).map(|_| draw(&mut random)).collect()
    }

    #[test]
    fn some_grids_are_empty_and_every_dimension_gets_past_a_byte() {
        let grids = drawn(grid);
        assert!(grids.iter().any(|grid| grid.volume() == 0));
        for extent in [|grid: &Dim3| grid.x, |grid: &Dim3| grid.y, |grid: &Dim3| grid.z] {
            let extents: Vec<u32> = grids.iter().map(extent).collect();
            for wanted in [1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257] {
                assert!(extents.contains(&wanted), "{wanted}");
            }
        }
        assert!(grids.iter().all(|grid| grid.volume() <= 2 * 2 * 257));
    }

    #[test]
    fn a_brief_grid_has_one_block_or_two() {
        assert!(drawn(brief).iter().all(|grid| matches!(grid.volume(), 1 | 2)));
    }

    #[test]
    fn as_many_ranked_grids_have_each_number_of_bits() {
        let grids = drawn(ranked);
        let mut counts = [0; 32];
        for Dim3 { x, y, z } in grids {
            assert_eq!((y, z), (1, 1));
            counts[x.ilog2() as usize] += 1;
        }
        for (bits, count) in counts.into_iter().enumerate() {
            let expected = if (6..=16).contains(&bits) { 1600..2050 } else { 0..1 };
            assert!(expected.contains(&count), "{count} of {bits} bits");
        }
    }
}
