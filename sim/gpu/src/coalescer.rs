//! The coalescer: the lanes' addresses become one access for each distinct line, with the words
//! of it that are touched.

use std::ops::Range;

use crate::program::{Instruction, WARP_LANES};

/// Bytes of a word, the finest grain in which the hierarchy keeps account.
pub const WORD_BYTES: u64 = 4;

/// Most words of a line.
pub const MAX_LINE_WORDS: u32 = 32;

/// Banks of shared memory, of one word each.
const BANKS: usize = 32;

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
    if let Some(words) = consecutive_words(instruction, bytes) {
        row(words, word_shift, accesses);
        return;
    }
    let mut gather = Gather { accesses, latest: [0; SIGNS], word_shift };
    let reach = u64::from(bytes.max(1)) - 1;
    let active = instruction.active;
    match instruction.addresses.list() {
        Some(list) => gather.lanes(active, reach, |lane| list[lane]),
        None => gather.lanes(active, reach, |lane| instruction.addresses.of(lane)),
    }
}

/// The words that the lanes access one after the other without gaps, as most accesses of most
/// programs do.
#[inline]
fn consecutive_words(instruction: &Instruction, bytes: u8) -> Option<Range<u64>> {
    let (active, bytes) = (instruction.active, u64::from(bytes));
    let first_lane = active.trailing_zeros();
    let lanes = (!(active.wrapping_shr(first_lane))).trailing_zeros();
    if lanes != active.count_ones() || lanes == 0 || bytes == 0 || !bytes.is_multiple_of(WORD_BYTES)
    {
        return None;
    }
    let addresses = &instruction.addresses;
    let first = addresses.of(first_lane as usize);
    let no_gaps = match addresses.list() {
        Some(list) => is_row(&list[first_lane as usize..][..lanes as usize], bytes),
        None => addresses.stride().is_some_and(|(_, stride)| stride == bytes),
    };
    let end = first.checked_add(bytes * u64::from(lanes))?;
    (no_gaps && first.is_multiple_of(WORD_BYTES)).then_some(first / WORD_BYTES..end / WORD_BYTES)
}

/// Whether each address of `list` is `bytes` beyond the one before.
#[inline]
fn is_row(list: &[u64], bytes: u64) -> bool {
    let expected = |place: usize| list[0].wrapping_add(bytes * place as u64);
    // Lanes of a gather mostly differ from the first on; the others are compared all at once.
    if list.len() > 1 && list[1] != expected(1) {
        return false;
    }
    let differ = |differ, (place, address): (usize, &u64)| differ | (address ^ expected(place));
    list.iter().enumerate().fold(0, differ) == 0
}

/// Appends the lines of `words`, none of which there is yet.
#[inline]
fn row(words: Range<u64>, word_shift: u32, accesses: &mut Vec<LineAccess>) {
    let (mut word, end) = (words.start, words.end);
    while word < end {
        let line = word >> word_shift;
        let next = ((line + 1) << word_shift).min(end);
        let words = u32::MAX >> (32 - (next - word)) << (word & ((1 << word_shift) - 1));
        accesses.push(LineAccess { line, words });
        word = next;
    }
}

/// Signs of lines, in which most lines of a gather differ.
const SIGNS: usize = 128;

/// Lines that are gathered one lane after the other.
struct Gather<'a> {
    accesses: &'a mut Vec<LineAccess>,
    /// For each sign of a line one more than the place of the latest access to such a line.
    latest: [u16; SIGNS],
    word_shift: u32,
}

impl Gather<'_> {
    /// The lanes `active` touch `reach` bytes beyond the first at `address`.
    #[inline]
    fn lanes(&mut self, mut active: u32, reach: u64, address: impl Fn(usize) -> u64) {
        let last_of_line = (1 << self.word_shift) - 1;
        while active != 0 {
            let address = address(active.trailing_zeros() as usize);
            active &= active - 1;
            let mut word = address / WORD_BYTES;
            // An unaligned access may reach into the next word, and into the next line.
            let last = address.saturating_add(reach) / WORD_BYTES;
            loop {
                let end = last.min(word | last_of_line);
                let words = u32::MAX >> (31 - (end - word)) << (word & last_of_line);
                self.add(word >> self.word_shift, words);
                if end == last {
                    break;
                }
                word = end + 1;
            }
        }
    }

    #[inline]
    fn add(&mut self, line: u64, words: WordMask) {
        // Neighbouring lanes mostly touch the same line.
        if let Some(access) = self.accesses.last_mut().filter(|access| access.line == line) {
            access.words |= words;
            return;
        }
        let sign = (line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize % SIGNS;
        let so_far = usize::from(self.latest[sign]);
        match self.accesses[..so_far].iter_mut().rev().find(|access| access.line == line) {
            Some(access) => access.words |= words,
            None => {
                self.accesses.push(LineAccess { line, words });
                self.latest[sign] = self.accesses.len() as u16;
            }
        }
    }
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
    let first = instruction.active.trailing_zeros() as usize;
    let one_word = u64::from(bytes) <= WORD_BYTES;
    let stride = instruction.addresses.stride().map(|(_, stride)| stride);
    if first >= WARP_LANES || one_word && matches!(stride, Some(0 | WORD_BYTES)) {
        return 1;
    }
    // The first word of each lane; a lane that takes no part does as the first one that does.
    let mut starts: [u64; WARP_LANES] =
        std::array::from_fn(|lane| instruction.addresses.of(lane) / WORD_BYTES);
    if instruction.active != u32::MAX {
        let start = starts[first];
        for (lane, word) in starts.iter_mut().enumerate() {
            *word = if instruction.active >> lane & 1 == 1 { *word } else { start };
        }
    }
    let behind = 0..u64::from(bytes).div_ceil(WORD_BYTES).max(1);
    let touched = || behind.clone().flat_map(|word| starts.iter().map(move |start| start + word));
    let bank = |word: u64| word as usize % BANKS;
    // A word of each bank; most accesses touch no second one.
    let mut some = [0; BANKS];
    touched().for_each(|word| some[bank(word)] = word);
    if touched().fold(0, |differs, word| differs | some[bank(word)] ^ word) == 0 {
        return 1;
    }
    words.clear();
    words.extend(touched().filter(|word| some[bank(*word)] != *word));
    words.sort_unstable();
    words.dedup();
    let mut banks = [1_u32; BANKS];
    words.iter().for_each(|word| banks[bank(*word)] += 1);
    banks.into_iter().max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::LaneAddresses;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn instruction(active: u32, address: impl Fn(u64) -> u64) -> Instruction {
        let addresses = std::array::from_fn(|lane| address(lane as u64)).into();
        Instruction { active, addresses, ..Instruction::default() }
    }

    fn strided(active: u32, base: u64, stride: u64) -> Instruction {
        let mut addresses = LaneAddresses::default();
        addresses.set_stride(base, stride);
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

    #[test]
    fn a_third_word_of_a_bank_conflicts_whatever_the_lanes_order() {
        let words = [0, 32, 0, 32, 64, 1];
        let load = instruction(0b11_1111, |lane| 4 * words[lane as usize % 6]);
        assert_eq!(bank_conflicts(&load, 4, &mut Vec::new()), 3);
    }

    proptest! {
        #[test]
        fn a_stride_touches_what_the_list_of_its_addresses_touches(
            active: u32,
            base in prop_oneof![0_u64..600, u64::MAX - 600..=u64::MAX],
            stride in prop_oneof![
                prop::sample::select(vec![0, 1, 2, 4, 8, 16, 4_u64.wrapping_neg()]),
                any::<u64>(),
            ],
            bytes in prop::sample::select(vec![0_u8, 1, 2, 4, 8, 16]),
            (first, lanes) in (0_u32..32, 1_u32..33),
            neighbours: bool,
        ) {
            let row = u32::MAX >> (32 - lanes) << first;
            let active = if neighbours { row } else { active };
            let (mut listed, mut found) = (Vec::new(), Vec::new());
            let address = |lane: u64| base.wrapping_add(stride.wrapping_mul(lane));
            coalesce(&instruction(active, address), bytes, 7, &mut listed);
            coalesce(&strided(active, base, stride), bytes, 7, &mut found);
            prop_assert_eq!(&found, &listed);
            // What one lane after the other touches.
            let mut single: Vec<LineAccess> = Vec::new();
            for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
                let mut own = Vec::new();
                coalesce(&instruction(1, |_| address(lane)), bytes, 7, &mut own);
                for access in own {
                    match single.iter_mut().find(|known| known.line == access.line) {
                        Some(known) => known.words |= access.words,
                        None => single.push(access),
                    }
                }
            }
            prop_assert_eq!(&found, &single);
        }

        #[test]
        fn a_bank_takes_a_cycle_for_each_distinct_word(
            addresses in prop::array::uniform32(0_u64..2000),
            active: u32,
            bytes in prop::sample::select(vec![1_u8, 2, 4, 8, 16]),
        ) {
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for lane in (0..WARP_LANES).filter(|lane| active >> lane & 1 == 1) {
                // As shared memory wants it, no access reaches into a word that it does not fill.
                let first = addresses[lane] / u64::from(bytes) * u64::from(bytes);
                for word in first / 4..(first + u64::from(bytes)).div_ceil(4) {
                    banks.entry(word % 32).or_default().insert(word);
                }
            }
            let aligned = |lane: u64| addresses[lane as usize] / u64::from(bytes) * u64::from(bytes);
            let cycles = bank_conflicts(&instruction(active, aligned), bytes, &mut Vec::new());
            prop_assert_eq!(cycles as usize, banks.values().map(BTreeSet::len).max().unwrap_or(1));
        }

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
