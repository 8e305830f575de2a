//! Numbers that look random and are the same on every machine.

/// A permutation of the 32-bit words: the finaliser of MurmurHash3 (Appleby). Different words give
/// different words.
pub fn permute(mut word: u32) -> u32 {
    word ^= word >> 16;
    word = word.wrapping_mul(0x85eb_ca6b);
    word ^= word >> 13;
    word = word.wrapping_mul(0xc2b2_ae35);
    word ^ word >> 16
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_gives_the_published_sequence() {
        // The first outputs of SplitMix64 from seed 0, whose state grows by the golden ratio.
        let state = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert_eq!(mix(state(0)), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(state(1)), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn different_words_stay_different() {
        let mut words: Vec<_> = (0..100_000).map(permute).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 100_000);
        assert_eq!(permute(1), 0x514e_28b7, "MurmurHash3's value");
    }
}
