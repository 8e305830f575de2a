//! Functions and block shapes of random kernels.

use blockyard_sim::port::Dim3;
use rand::{Rng, RngExt};

/// The largest extents of a block.
const MOST: [u32; 3] = [1024, 1024, 64];

/// A shape in which every extent may be anything, and often is next to nothing or all there is.
pub fn shape(random: &mut impl Rng) -> Dim3 {
    let [x, y, z] = MOST.map(|most| match random.random_range(0..8) {
        0 | 1 => 1,
        2 => most,
        3 => random.random_range(1..=most),
        _ => random.random_range(1..=most / 16),
    });
    Dim3::new(x, y, z)
}

/// A function with its block shape, and four near misses: each differs from it in one bit, of the
/// PC or of one extent. So groups find kernels, and whoever compares less than everything finds a
/// wrong one.
#[derive(Clone, Copy, Debug)]
pub struct Functions([(u32, Dim3); 5]);

impl Functions {
    /// Others than before.
    pub fn draw(random: &mut impl Rng) -> Self {
        let (pc, block): (u32, Dim3) = (random.random(), shape(random));
        let mut all = [(pc, block); 5];
        all[1].0 ^= 1 << random.random_range(0..32);
        all[2].1.x = beside(block.x, MOST[0], random);
        all[3].1.y = beside(block.y, MOST[1], random);
        all[4].1.z = beside(block.z, MOST[2], random);
        Self(all)
    }

    /// The one that the others are near misses of.
    pub fn first(&self) -> (u32, Dim3) {
        self.0[0]
    }

    /// The first one, as many bytes behind it.
    pub fn near(&self, number: u32) -> (u32, Dim3) {
        let (pc, block) = self.first();
        (pc.wrapping_add(number), block)
    }

    /// One of them.
    pub fn any(&self, random: &mut impl Rng) -> (u32, Dim3) {
        self.0[random.random_range(0..self.0.len())]
    }
}

/// An extent that differs from this one in one bit.
fn beside(extent: u32, most: u32, random: &mut impl Rng) -> u32 {
    let bits = (0..most.ilog2()).map(|bit| extent ^ 1 << bit);
    let legal: Vec<u32> = bits.filter(|&other| (1..=most).contains(&other)).collect();
    match legal.as_slice() {
        // The largest extent has a bit of its own.
        [] => most / 2,
        some => some[random.random_range(0..some.len())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    fn legal(block: Dim3) -> bool {
        [block.x, block.y, block.z].into_iter().zip(MOST).all(|(n, most)| (1..=most).contains(&n))
    }

    proptest! {
        #[test]
        fn a_near_miss_differs_in_one_place_and_is_legal(seed: u64) {
            let Functions([(pc, block), others @ ..]) = Functions::draw(&mut Pcg64::seed_from_u64(seed));
            prop_assert!(legal(block));
            for (place, (other_pc, other)) in others.into_iter().enumerate() {
                let bits = [
                    (pc ^ other_pc).count_ones(),
                    (block.x ^ other.x).count_ones(),
                    (block.y ^ other.y).count_ones(),
                    (block.z ^ other.z).count_ones(),
                ];
                let differing: Vec<usize> = (0..4).filter(|&at| bits[at] > 0).collect();
                prop_assert_eq!(&differing, &[place]);
                prop_assert!(legal(other));
                let largest = place > 0 && [block.x, block.y, block.z][place - 1] == MOST[place - 1];
                prop_assert!(bits[place] == 1 || largest, "{} bits", bits[place]);
            }
        }
    }

    #[test]
    fn all_three_extents_are_drawn_from_one_to_the_most() {
        let mut random = Pcg64::seed_from_u64(1);
        let shapes: Vec<Dim3> = (0..1000).map(|_| shape(&mut random)).collect();
        let seen = |wanted: [u32; 3]| {
            let is = |at: fn(&Dim3) -> u32, n| shapes.iter().any(|shape| at(shape) == n);
            is(|s| s.x, wanted[0]) && is(|s| s.y, wanted[1]) && is(|s| s.z, wanted[2])
        };
        assert!(shapes.iter().all(|&shape| legal(shape)));
        assert!(seen([1; 3]) && seen(MOST));
    }
}
