//! The coalescer: the lanes' addresses become one access for each distinct line, with the words
//! of it that are touched.

use crate::workload::program::{Instruction, WARP_LANES};

/// Bytes of a word, the finest grain in which the hierarchy keeps account.
pub const WORD_BYTES: u64 = 4;

/// Most words of a line.
pub const MAX_LINE_WORDS: u32 = 32;

/// The words of a line, one bit each, lowest address first.
pub type WordMask = u32;

/// What a warp instruction touches of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAccess {
    /// The line: address divided by the line's bytes.
    pub line: u64,
    /// Its words.
    pub words: WordMask,
}

/// Overwrites `accesses` with what `instruction` touches with accesses of `bytes` bytes a lane, in
/// lines of `1 << line_shift` bytes, in order of the first lane that touches each.
#[inline]
pub fn coalesce(
    instruction: &Instruction,
    bytes: u8,
    line_shift: u32,
    accesses: &mut Vec<LineAccess>,
) {
    accesses.clear();
    let word_shift = line_shift - WORD_BYTES.trailing_zeros();
    if let Some(first) = consecutive_words(instruction, bytes) {
        let (mut word, end) = (first, first + WARP_LANES as u64);
        while word < end {
            let line = word >> word_shift;
            let next = ((line + 1) << word_shift).min(end);
            let words = u32::MAX >> (32 - (next - word)) << (word & ((1 << word_shift) - 1));
            accesses.push(LineAccess { line, words });
            word = next;
        }
        return;
    }
    let reach = u64::from(bytes.max(1)) - 1;
    let last_of_line = (1 << word_shift) - 1;
    let mut places = Places::default();
    let mut active = instruction.active;
    while active != 0 {
        let lane = active.trailing_zeros() as usize;
        active &= active - 1;
        let address = instruction.addresses[lane];
        let mut word = address / WORD_BYTES;
        // An unaligned access may reach into the next word, and into the next line.
        let last = address.saturating_add(reach) / WORD_BYTES;
        loop {
            let end = last.min(word | last_of_line);
            let words = u32::MAX >> (31 - (end - word)) << (word & last_of_line);
            places.add(word >> word_shift, words, accesses);
            if end == last {
                break;
            }
            word = end + 1;
        }
    }
}

/// Places by the line's sign; see [`Places`].
const PLACES: usize = 128;

/// Where the lines are among the accesses so far.
struct Places {
    /// For the sign of each line, which some share, one more than the place of the latest of those
    /// lines.
    by_sign: [u16; PLACES],
}

impl Default for Places {
    /// There are no accesses.
    fn default() -> Self {
        Self { by_sign: [0; PLACES] }
    }
}

impl Places {
    /// Adds `words` of `line` to `accesses`.
    #[inline]
    fn add(&mut self, line: u64, words: WordMask, accesses: &mut Vec<LineAccess>) {
        // Neighbouring lanes mostly touch the same line.
        if let Some(access) = accesses.last_mut().filter(|access| access.line == line) {
            access.words |= words;
            return;
        }
        let sign = (line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize % PLACES;
        let place = usize::from(self.by_sign[sign]);
        if place != 0 {
            if let Some(access) = find(place - 1, line, accesses) {
                access.words |= words;
                return;
            }
        }
        accesses.push(LineAccess { line, words });
        self.by_sign[sign] = accesses.len() as u16;
    }
}

/// The access to `line`, which may be at `place`.
#[inline]
fn find(place: usize, line: u64, accesses: &mut [LineAccess]) -> Option<&mut LineAccess> {
    if accesses[place].line == line {
        return accesses.get_mut(place);
    }
    accesses[..place].iter_mut().find(|access| access.line == line)
}

/// The first of the words that the lanes of a whole warp access one after the other, as most
/// accesses of most programs do.
#[inline]
fn consecutive_words(instruction: &Instruction, bytes: u8) -> Option<u64> {
    let addresses = &instruction.addresses;
    let whole = instruction.active == u32::MAX && u64::from(bytes) == WORD_BYTES;
    let sound = addresses[0].is_multiple_of(WORD_BYTES) && addresses[WARP_LANES - 1] > addresses[0];
    if !whole || !sound {
        return None;
    }
    // Lanes of a gather mostly differ from the first on; the others are compared all at once.
    if addresses[1] != addresses[0].wrapping_add(WORD_BYTES) {
        return None;
    }
    let mut differs = 0;
    for (lane, address) in (0..).zip(addresses) {
        differs |= address ^ addresses[0].wrapping_add(WORD_BYTES * lane);
    }
    (differs == 0).then_some(addresses[0] / WORD_BYTES)
}

/// Folds words into sectors of `words` words each.
#[inline]
pub fn sectors(mut mask: WordMask, words: u32) -> u32 {
    if words >= MAX_LINE_WORDS {
        return u32::from(mask != 0);
    }
    let sector = (1 << words) - 1;
    let (mut folded, mut bit) = (0, 1);
    while mask != 0 {
        if mask & sector != 0 {
            folded |= bit;
        }
        mask >>= words;
        bit <<= 1;
    }
    folded
}

/// Cycles that a warp's shared-memory access takes: the most distinct words that fall into one of
/// the 32 banks of 4 bytes; lanes that touch the same word share it.
pub fn bank_conflicts(instruction: &Instruction, bytes: u8, words: &mut Vec<u64>) -> u32 {
    words.clear();
    let mut active = instruction.active;
    while active != 0 {
        let lane = active.trailing_zeros() as usize;
        active &= active - 1;
        let first = instruction.addresses[lane] / WORD_BYTES;
        words.extend(first..first + u64::from(bytes).div_ceil(WORD_BYTES).max(1));
    }
    words.sort_unstable();
    words.dedup();
    let mut banks = [0_u32; 32];
    for word in words.iter() {
        banks[(word % 32) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn instruction(active: u32, address: impl Fn(u64) -> u64) -> Instruction {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        Instruction { active, addresses, ..Instruction::default() }
    }

    fn accesses(active: u32, bytes: u8, address: impl Fn(u64) -> u64) -> Vec<(u64, u32)> {
        let mut accesses = Vec::new();
        coalesce(&instruction(active, address), bytes, 7, &mut accesses);
        accesses.iter().map(|access| (access.line, access.words)).collect()
    }

    #[test]
    fn consecutive_words_of_a_warp_are_one_line() {
        assert_eq!(accesses(u32::MAX, 4, |lane| 256 + 4 * lane), [(2, u32::MAX)]);
        assert_eq!(accesses(u32::MAX, 8, |lane| 8 * lane), [(0, u32::MAX), (1, u32::MAX)]);
    }

    #[test]
    fn consecutive_words_from_any_byte_on_are_those_words() {
        for base in (0..300).chain([u64::MAX - 127]) {
            let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
            for byte in (0..128).filter_map(|byte| base.checked_add(byte)) {
                *expected.entry(byte / 128).or_default() |= 1 << (byte % 128 / 4);
            }
            let found = accesses(u32::MAX, 4, |lane| base + 4 * lane);
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{base}");
        }
    }

    #[test]
    fn every_line_comes_once_in_order_of_the_first_lane() {
        assert_eq!(
            accesses(0b111, 4, |lane| [512, 0, 516, 0][lane as usize % 4]),
            [(4, 0b11), (0, 1)]
        );
    }

    #[test]
    fn an_unaligned_access_reaches_into_the_next_line() {
        assert_eq!(accesses(1, 4, |_| 126), [(0, 1 << 31), (1, 1)]);
        assert_eq!(accesses(1, 4, |_| 124), [(0, 1 << 31)]);
    }

    #[test]
    fn inactive_lanes_touch_nothing() {
        assert_eq!(accesses(0, 4, |lane| lane), []);
        assert_eq!(accesses(0b10, 4, |lane| 128 * lane), [(1, 1)]);
    }

    #[test]
    fn words_fold_into_sectors() {
        assert_eq!(sectors(0x8000_0001, 8), 0b1001);
        assert_eq!(sectors(0x8000_0001, 32), 1);
        assert_eq!(sectors(0x0000_ff00, 8), 0b0010);
        assert_eq!(sectors(5, 1), 5);
        assert_eq!(sectors(0, 8), 0);
    }

    #[test]
    fn lanes_conflict_on_a_bank_only_with_different_words() {
        let conflicts = |stride: u64| {
            let load = instruction(u32::MAX, |lane| stride * lane);
            bank_conflicts(&load, 4, &mut Vec::new())
        };
        assert_eq!([0, 4, 8, 128].map(conflicts), [1, 1, 2, 32]);
        assert_eq!(bank_conflicts(&instruction(u32::MAX, |lane| 8 * lane), 8, &mut Vec::new()), 2);
        assert_eq!(bank_conflicts(&instruction(0, |_| 0), 4, &mut Vec::new()), 1);
    }

    proptest! {
        #[test]
        fn the_accesses_are_exactly_the_touched_words(
            addresses in prop::array::uniform32(0_u64..2000),
            active: u32,
            bytes in prop::sample::select(vec![1_u8, 2, 4, 8, 16]),
        ) {
            let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
            for lane in (0..WARP_LANES).filter(|lane| active >> lane & 1 == 1) {
                for byte in 0..u64::from(bytes) {
                    let address = addresses[lane] + byte;
                    *expected.entry(address / 128).or_default() |= 1 << (address % 128 / 4);
                }
            }
            let found = accesses(active, bytes, |lane| addresses[lane as usize]);
            prop_assert_eq!(found.iter().copied().collect::<BTreeMap<_, _>>(), expected.clone());
            prop_assert_eq!(found.len(), expected.len());
        }
    }
}
