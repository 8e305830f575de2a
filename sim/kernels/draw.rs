//! Inputs of kernels, drawn from a seed.

use blockyard_workloads::hash::mix;

/// Numbers that look random: the same from one seed on every machine.
pub(crate) struct Draw {
    seed: u64,
    drawn: u64,
}

impl Draw {
    /// None drawn yet.
    pub fn new(seed: u64) -> Self {
        Self { seed: mix(seed), drawn: 0 }
    }

    /// Any word.
    pub fn word(&mut self) -> u32 {
        self.drawn += 1;
        (mix(self.seed ^ self.drawn) >> 32) as u32
    }

    /// A number below `end`; 0 when that is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(end)) >> 32) as u32
    }

    /// An f32 of either sign, from 2^-8 to 2^8: sums of such have to be rounded.
    pub fn float(&mut self) -> f32 {
        let word = self.word();
        let (sign, mantissa) = (word & 1 << 31, word & 0x7f_ffff);
        let exponent = 127 - 8 + (word >> 23 & 15);
        f32::from_bits(sign | exponent << 23 | mantissa)
    }

    /// An f32 from `least` up to `end`, of 2^24 evenly spread ones.
    pub fn between(&mut self, least: f32, end: f32) -> f32 {
        let part = (self.word() >> 8) as f32 / (1 << 24) as f32;
        (end - least).mul_add(part, least)
    }

    /// As many words.
    pub fn words(&mut self, count: u32) -> Vec<u32> {
        (0..count).map(|_| self.word()).collect()
    }

    /// The bits of as many f32.
    pub fn floats(&mut self, count: u32) -> Vec<u32> {
        (0..count).map(|_| self.float().to_bits()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_and_another_one_gives_others() {
        let of = |seed| Draw::new(seed).words(100);
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        let mut words = of(7);
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 100);
    }

    #[test]
    fn numbers_are_below_their_end_and_reach_it() {
        let mut draw = Draw::new(1);
        let drawn: Vec<_> = (0..1000).map(|_| draw.below(5)).collect();
        assert!((0..5).all(|number| drawn.contains(&number)) && drawn.iter().all(|&n| n < 5));
        assert_eq!((draw.below(1), draw.below(0)), (0, 0));
    }

    #[test]
    fn floats_between_two_are_spread_over_all_that_is_between_them() {
        let mut draw = Draw::new(3);
        let drawn: Vec<_> = (0..1000).map(|_| draw.between(-2.0, 6.0)).collect();
        assert!(drawn.iter().all(|value| (-2.0..=6.0).contains(value)));
        for quarter in [-2.0, 0.0, 2.0, 4.0] {
            let within = drawn.iter().filter(|&&value| (quarter..quarter + 2.0).contains(&value));
            assert!((200..300).contains(&within.count()), "{quarter}");
        }
    }

    #[test]
    fn floats_have_both_signs_and_are_of_moderate_size() {
        let mut draw = Draw::new(2);
        let drawn: Vec<_> = (0..1000).map(|_| draw.float()).collect();
        assert!(drawn.iter().all(|value| (1.0 / 256.0..256.0).contains(&value.abs())));
        assert!(drawn.iter().any(|&value| value < 0.0) && drawn.iter().any(|&value| value > 0.0));
    }
}
