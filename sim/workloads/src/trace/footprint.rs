//! How much memory is touched, counted in bounded memory.

use rustc_hash::FxHashMap;

/// Bytes of the pieces in which memory is counted, as long as that is possible.
pub const LINE: u64 = 128;

/// Most entries of the table: with 2^21 slots of 16 bytes it takes some 36 MB.
const MOST_ENTRIES: usize = (1 << 21) / 8 * 7;

/// A set of addresses, by pieces of memory of one size.
///
/// Pieces are 128-byte lines. When the set has 1,835,008 groups of 64 neighbouring pieces, their
/// size doubles: the size of the set is then an upper bound. That takes 234 MB of single lines
/// far apart, or 15 GB without gaps.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// One bit a piece, 64 of them an entry.
    groups: FxHashMap<u64, u64>,
    /// The logarithm of the bytes of a piece.
    shift: u32,
    most: usize,
    /// The piece that was touched last.
    last: Option<u64>,
}

impl Default for Footprint {
    fn default() -> Self {
        Self::with_most(MOST_ENTRIES)
    }
}

impl Footprint {
    fn with_most(most: usize) -> Self {
        Self { groups: FxHashMap::default(), shift: LINE.trailing_zeros(), most, last: None }
    }

    /// Adds the bytes `address .. address + bytes`, at least one.
    #[inline]
    pub fn touch(&mut self, address: u64, bytes: u64) {
        let end = address.saturating_add(bytes - 1);
        let first = address >> self.shift;
        if self.last == Some(first) && end >> self.shift == first {
            return;
        }
        let mut at = address;
        loop {
            self.insert(at);
            let next = ((at >> self.shift) + 1).checked_mul(1 << self.shift);
            match next {
                Some(next) if next <= end => at = next,
                _ => break,
            }
        }
    }

    fn insert(&mut self, address: u64) {
        let piece = address >> self.shift;
        self.last = Some(piece);
        *self.groups.entry(piece / 64).or_default() |= 1 << (piece % 64);
        while self.groups.len() > self.most {
            self.coarsen();
        }
    }

    /// Doubles the size of a piece.
    fn coarsen(&mut self) {
        let mut coarse = FxHashMap::default();
        for (group, bits) in self.groups.drain() {
            let mut halves = 0_u64;
            for pair in (0..32).filter(|pair| bits >> (2 * pair) & 3 != 0) {
                halves |= 1 << pair;
            }
            *coarse.entry(group / 2).or_default() |= halves << (32 * (group % 2));
        }
        self.groups = coarse;
        self.shift += 1;
        self.last = None;
    }

    /// Bytes of the pieces that were touched.
    pub fn bytes(&self) -> u64 {
        let pieces: u64 = self.groups.values().map(|bits| u64::from(bits.count_ones())).sum();
        pieces.saturating_mul(self.grain())
    }

    /// Bytes of a piece: [`LINE`], or more when the set grew too large for that.
    pub fn grain(&self) -> u64 {
        1 << self.shift
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_access_touches_each_line_that_it_reaches() {
        let mut footprint = Footprint::default();
        footprint.touch(127, 1);
        assert_eq!(footprint.bytes(), 128);
        footprint.touch(126, 4);
        assert_eq!(footprint.bytes(), 256);
        footprint.touch(0, 128);
        assert_eq!(footprint.bytes(), 256);
        footprint.touch(u64::MAX, 16);
        assert_eq!(footprint.bytes(), 384, "an access that ends past the last address");
    }

    #[test]
    fn an_access_that_ends_in_the_line_touched_last_touches_those_before_it() {
        let mut footprint = Footprint::default();
        footprint.touch(128 * 128, 1);
        // Its last byte is in line 128.
        footprint.touch(1, 128 * 128);
        assert_eq!(footprint.bytes(), 129 * 128);
    }

    #[test]
    fn a_set_that_is_too_large_for_lines_is_counted_in_larger_pieces() {
        let mut footprint = Footprint::with_most(4);
        for address in (0..5 * 64 * 128).step_by(128) {
            footprint.touch(address, 4);
        }
        assert_eq!((footprint.grain(), footprint.bytes()), (256, 5 * 64 * 128));
        let mut sparse = Footprint::with_most(4);
        for line in 0..5_u64 {
            sparse.touch(line * 64 * 128, 4);
        }
        assert_eq!((sparse.grain(), sparse.bytes()), (256, 5 * 256), "an upper bound");
    }

    #[test]
    fn lines_are_counted_up_to_234_mb_far_apart() {
        assert_eq!(MOST_ENTRIES, 1_835_008);
        assert_eq!(MOST_ENTRIES as u64 * LINE / 1_000_000, 234);
    }

    proptest! {
        #[test]
        fn the_count_is_that_of_a_plain_set(
            accesses in prop::collection::vec((0_u64..1 << 18, 1_u64..300), 1..200),
            most in 1_usize..8,
        ) {
            let mut footprint = Footprint::with_most(most);
            for &(address, bytes) in &accesses {
                footprint.touch(address, bytes);
            }
            let grain = footprint.grain();
            let pieces: BTreeSet<u64> = accesses
                .iter()
                .flat_map(|&(address, bytes)| address / grain..=(address + bytes - 1) / grain)
                .collect();
            prop_assert_eq!(footprint.bytes(), pieces.len() as u64 * grain);
            prop_assert!(footprint.groups.len() <= most);
        }
    }
}
