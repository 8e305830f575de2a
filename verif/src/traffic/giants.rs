//! Grids that are too large to end, some of which reach the limits of their fields: a reset ends
//! them; small ones with a bit or two more, most of which are as large; and grids that are as long
//! as can be counted to the end.

use blockyard_sim::port::{Dim3, MAX_BLOCKS};
use rand::{Rng, RngExt};

/// Most cycles until that reset: chunks are assigned, and some blocks run.
const PATIENCE: u32 = 600;

/// How often the most blocks until a reset are halved at most.
const HALVED: u32 = 5;

/// A dimension each at its limit and beside a power of two, and the most blocks of all.
const GIANTS: [Dim3; 8] = [
    Dim3::new(MAX_BLOCKS, 1, 1),
    Dim3::new(MAX_BLOCKS / 65_535, 65_535, 1),
    Dim3::new(1, 32_768, 65_535),
    Dim3::new(1, 65_535, 32_768),
    Dim3::new(2, 16_383, 65_535),
    Dim3::new(3, 65_535, 10_922),
    Dim3::new(65_537, 1, 1),
    Dim3::new(65_535, 257, 3),
];

/// Two dimensions as long as they may be, and the other one longer by a block, so that a carry goes
/// through all its lower bits.
const LONG: [Dim3; 3] = [Dim3::new(1, 65_535, 1), Dim3::new(1, 1, 65_535), Dim3::new(65_536, 1, 1)];

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Giants {
    reset_in: Option<u32>,
    /// Blocks that have yet to begin until a reset.
    reset_behind: Option<u32>,
    /// Which one of the long ones was the latest.
    long: Option<usize>,
}

impl Giants {
    /// One of them or any other, and a reset after some time; if `early` is not zero, mostly once
    /// up to so many blocks have begun, and often few of them.
    pub fn any(&mut self, early: u32, random: &mut impl Rng) -> Dim3 {
        let patience = if early > 0 { PATIENCE.max(4 * early) } else { PATIENCE };
        self.reset_in = Some(random.random_range(1..=patience));
        if early > 0 && self.reset_behind.is_none() {
            let most = (early >> random.random_range(0..=HALVED)).max(1);
            self.reset_behind = Some(random.random_range(1..=most));
        }
        match random.random_range(0..6) {
            0 => GIANTS[random.random_range(0..GIANTS.len())],
            1 | 2 => drawn(random),
            _ => nearly_small(random),
        }
    }

    /// The next long one, first any of them.
    pub fn long(&mut self, random: &mut impl Rng) -> Dim3 {
        let next = match self.long {
            Some(latest) => (latest + 1) % LONG.len(),
            None => random.random_range(0..LONG.len()),
        };
        self.long = Some(next);
        LONG[next]
    }

    /// So many blocks have begun.
    pub fn begun(&mut self, blocks: usize) {
        self.reset_behind = self.reset_behind.map(|left| left.saturating_sub(blocks as u32));
    }

    /// Whether this cycle has to be a reset; asked once a cycle.
    pub fn resets(&mut self) -> bool {
        if self.reset_behind == Some(0) {
            return true;
        }
        let left = self.reset_in.take();
        self.reset_in = left.and_then(|left| left.checked_sub(1));
        left == Some(0)
    }
}

/// Extents of any bits, as far as a kernel may have as many blocks.
fn drawn(random: &mut impl Rng) -> Dim3 {
    let mut left = MAX_BLOCKS;
    let [y, z, x] = [u32::from(u16::MAX), u32::from(u16::MAX), MAX_BLOCKS].map(|most| {
        let bits = random.random_range(0..=most.min(left).ilog2());
        let extent = random.random_range(1 << bits..2 << bits).min(left);
        left /= extent;
        extent
    });
    Dim3::new(x, y, z)
}

/// A few blocks, but for a bit or two of any extents: without these the grid comes to an end soon.
fn nearly_small(random: &mut impl Rng) -> Dim3 {
    let mut extents = [(); 3].map(|()| [1, 1, 1, 2, 3][random.random_range(0..5)]);
    for _ in 0..random.random_range(1..=2) {
        let bit = random.random_range(0..31 + 16 + 16);
        let mut with = extents;
        let (extent, bit) = match bit {
            0..31 => (&mut with[0], bit),
            31..47 => (&mut with[1], bit - 31),
            _ => (&mut with[2], bit - 47),
        };
        *extent ^= 1 << bit;
        // Now and then an extent of nothing but that bit.
        if random.random_range(0..4) == 0 {
            *extent = 1 << bit;
        }
        let blocks: u128 = with.iter().map(|&extent| u128::from(extent)).product();
        if blocks <= u128::from(MAX_BLOCKS) {
            extents = with;
        }
    }
    let [x, y, z] = extents;
    Dim3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn a_giant_has_as_many_blocks_as_a_kernel_may_have_or_fewer() {
        for grid in GIANTS {
            let blocks = grid.volume();
            assert!(blocks > 65_536 && blocks <= u128::from(MAX_BLOCKS), "{grid}: {blocks}");
            assert!(grid.y < 1 << 16 && grid.z < 1 << 16, "{grid}");
        }
    }

    #[test]
    fn any_grid_with_as_many_blocks_as_a_kernel_may_have_may_be_drawn() {
        let mut random = Pcg64::seed_from_u64(1);
        let grids: Vec<Dim3> = (0..10_000).map(|_| drawn(&mut random)).collect();
        let is_legal = |grid: &Dim3| {
            (1..=u128::from(MAX_BLOCKS)).contains(&grid.volume())
                && grid.y < 1 << 16
                && grid.z < 1 << 16
        };
        assert!(grids.iter().all(is_legal));
        let all = |extent: fn(&Dim3) -> u32| grids.iter().fold(0, |all, grid| all | extent(grid));
        assert_eq!([all(|grid| grid.x), all(|grid| grid.y)], [MAX_BLOCKS, u16::MAX.into()]);
        assert_eq!(all(|grid| grid.z), u32::from(u16::MAX));
    }

    #[test]
    fn nearly_small_grids_have_every_bit_beside_few_blocks() {
        let mut random = Pcg64::seed_from_u64(1);
        let grids: Vec<Dim3> = (0..10_000).map(|_| nearly_small(&mut random)).collect();
        assert!(grids.iter().all(|grid| grid.volume() <= u128::from(MAX_BLOCKS)));
        let has = |x: u32, y: u32, z: u32| grids.contains(&Dim3::new(x, y, z));
        assert!((0..31).all(|bit| has(1 << bit, 1, 1)));
        assert!((2..31).all(|bit| has(1 | 1 << bit, 1, 1)));
        assert!((0..16).all(|bit| has(1, 1 << bit, 1) && has(1, 1, 1 << bit)));
        assert!((2..16).all(|bit| has(1, 1 | 1 << bit, 1) && has(1, 1, 1 | 1 << bit)));
    }

    #[test]
    fn long_grids_take_turns_and_are_followed_by_no_reset() {
        let mut giants = Giants::default();
        let mut random = Pcg64::seed_from_u64(1);
        let long: Vec<Dim3> = (0..4).map(|_| giants.long(&mut random)).collect();
        assert!(LONG.iter().all(|grid| long[..3].contains(grid)), "{long:?}");
        assert_eq!(long[3], long[0]);
        assert!((0..2 * PATIENCE).all(|_| !giants.resets()));
    }

    #[test]
    fn a_reset_comes_once_some_blocks_have_begun_and_often_only_few() {
        let mut random = Pcg64::seed_from_u64(1);
        let mut until_reset = || {
            let mut giants = Giants::default();
            giants.any(64, &mut random);
            (1..).find(|_| {
                giants.begun(1);
                giants.resets()
            })
        };
        let blocks: Vec<u32> = (0..1000).map(|_| until_reset().expect("it comes")).collect();
        assert!(blocks.iter().all(|blocks| (1..=64).contains(blocks)));
        let few = blocks.iter().filter(|&&blocks| blocks <= 16).count();
        assert!((500..900).contains(&few) && blocks.iter().any(|&blocks| blocks > 48), "{few}");
    }

    #[test]
    fn one_reset_follows_a_giant_and_none_comes_without_one() {
        let mut giants = Giants::default();
        assert!((0..2 * PATIENCE).all(|_| !giants.resets()));
        giants.any(0, &mut Pcg64::seed_from_u64(3));
        assert_eq!((0..2 * PATIENCE).filter(|_| giants.resets()).count(), 1);
    }
}
