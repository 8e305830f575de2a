//! Spells in which kernels are brief: of a block or two that take little of an SMX, so that many
//! entries of tables and queues are taken, each for a short time.

use rand::{Rng, RngExt};

/// Cycles of a spell, and of what is between two chances of one.
const CYCLES: u32 = 400;

/// Chance in 1,000 that the next of these cycles are a spell.
const CHANCE: u32 = 200;

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spells {
    left: u32,
    is_brief: bool,
}

impl Spells {
    /// Whether the next cycle is in a spell; asked once a cycle.
    pub fn next(&mut self, random: &mut impl Rng) -> bool {
        if self.left == 0 {
            self.left = CYCLES;
            self.is_brief = random.random_range(0..1000) < CHANCE;
        }
        self.left -= 1;
        self.is_brief
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn a_fifth_of_the_time_is_in_spells_that_last() {
        let (mut spells, mut random) = (Spells::default(), Pcg64::seed_from_u64(1));
        let cycles: Vec<bool> = (0..400_000).map(|_| spells.next(&mut random)).collect();
        let changes = cycles.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let brief = cycles.iter().filter(|brief| **brief).count();
        assert!((60_000..100_000).contains(&brief), "{brief}");
        assert!((200..500).contains(&changes), "{changes}");
    }
}
