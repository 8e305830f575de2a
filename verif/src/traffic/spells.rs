//! Spells of random traffic: for some hundred cycles kernels are brief, so that many entries of
//! tables and queues are taken, each for a short time; or the host launches nothing, and what there
//! is drains in any order; or hardly a block ends, or none, and all that can be taken is.

use rand::{Rng, RngExt};

/// Most cycles of a spell, and of what is between two chances of one.
const CYCLES: u32 = 600;

/// Chance in 1,000 of each tide but the usual one.
const TIDE: u32 = 150;

/// What there is in a spell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spell {
    /// Kernels have a block or two that take little of an SMX.
    pub brief: bool,
    /// What comes and what ends.
    pub tide: Tide,
}

/// How much comes and ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tide {
    /// As the density says.
    #[default]
    Usual,
    /// The host launches nothing.
    Ebb,
    /// Blocks end a sixteenth as often.
    Slow,
    /// No block ends.
    Still,
}

impl Tide {
    /// The chance in 1,000 of a launch that usually has this one.
    pub fn launch(self, usual: u32) -> u32 {
        match self {
            Self::Ebb => 0,
            Self::Usual | Self::Slow | Self::Still => usual,
        }
    }

    /// The chance in 1,000 of an end that usually has this one.
    pub fn finish(self, usual: u32) -> u32 {
        match self {
            Self::Usual | Self::Ebb => usual,
            Self::Slow => usual.div_ceil(16),
            Self::Still => 0,
        }
    }
}

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spells {
    left: u32,
    spell: Spell,
}

impl Spells {
    /// The spell of the next cycle; asked once a cycle. One in which kernels are brief has this
    /// chance in 1,000.
    pub fn next(&mut self, brief: u32, random: &mut impl Rng) -> Spell {
        if self.left == 0 {
            self.left = random.random_range(1..=CYCLES);
            let brief = random.random_range(0..1000) < brief;
            let tide = match random.random_range(0..1000) / TIDE {
                0 => Tide::Ebb,
                1 => Tide::Slow,
                2 => Tide::Still,
                _ => Tide::Usual,
            };
            self.spell = Spell { brief, tide };
        }
        self.left -= 1;
        self.spell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    fn spells() -> Vec<Spell> {
        let (mut spells, mut random) = (Spells::default(), Pcg64::seed_from_u64(1));
        (0..400_000).map(|_| spells.next(300, &mut random)).collect()
    }

    #[test]
    fn kernels_are_brief_in_three_tenths_of_the_time_in_spells_that_last() {
        let brief: Vec<bool> = spells().iter().map(|spell| spell.brief).collect();
        let changes = brief.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let brief = brief.iter().filter(|brief| **brief).count();
        assert!((100_000..140_000).contains(&brief), "{brief}");
        assert!((400..800).contains(&changes), "{changes}");
    }

    #[test]
    fn each_tide_has_its_share_of_the_time() {
        for tide in [Tide::Ebb, Tide::Slow, Tide::Still] {
            let cycles = spells().iter().filter(|spell| spell.tide == tide).count();
            assert!((45_000..75_000).contains(&cycles), "{tide:?}: {cycles}");
        }
    }

    #[test]
    fn nothing_comes_at_ebb_and_nothing_ends_where_it_is_still() {
        assert_eq!((Tide::Ebb.launch(300), Tide::Ebb.finish(120)), (0, 120));
        assert_eq!((Tide::Slow.launch(300), Tide::Slow.finish(120)), (300, 8));
        assert_eq!((Tide::Still.launch(300), Tide::Still.finish(120)), (300, 0));
    }
}
