//! The coalescer: the lanes' addresses become one transaction for each distinct line.

use crate::workload::program::Instruction;

/// Bytes of a cache line and of a memory transaction (LaPerm, Table I; CLASO, Table 1).
pub const LINE_BYTES: u64 = 128;

/// Appends the distinct lines that `instruction` touches with accesses of `bytes` bytes a lane to
/// `lines`, in order of the first lane that touches each. Returns how many.
pub fn coalesce(instruction: &Instruction, bytes: u8, lines: &mut impl LineQueue) -> u32 {
    let mut count = 0;
    let mut latest = None;
    let mut active = instruction.active;
    while active != 0 {
        let lane = active.trailing_zeros() as usize;
        active &= active - 1;
        let address = instruction.addresses[lane];
        let first = address / LINE_BYTES;
        // An unaligned access may reach into the next line.
        let last = address.saturating_add(u64::from(bytes.max(1)) - 1) / LINE_BYTES;
        for line in first..=last {
            if latest != Some(line) && !lines.newest_contains(count, line) {
                lines.push(line);
                count += 1;
            }
            latest = Some(line);
        }
    }
    count
}

/// A queue that the coalescer fills.
pub trait LineQueue {
    /// Adds a line at the end.
    fn push(&mut self, line: u64);
    /// Whether `line` is among the `count` newest ones.
    fn newest_contains(&self, count: u32, line: u64) -> bool;
}

impl LineQueue for std::collections::VecDeque<u64> {
    fn push(&mut self, line: u64) {
        self.push_back(line);
    }

    fn newest_contains(&self, count: u32, line: u64) -> bool {
        self.range(self.len() - count as usize..).any(|&other| other == line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::program::WARP_LANES;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, VecDeque};

    fn lines(active: u32, bytes: u8, address: impl Fn(u64) -> u64) -> Vec<u64> {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let instruction = Instruction { active, addresses, ..Instruction::default() };
        let mut lines = VecDeque::from([999]);
        let count = coalesce(&instruction, bytes, &mut lines);
        assert_eq!(lines.pop_front(), Some(999), "what was queued stays");
        assert_eq!(lines.len(), count as usize);
        lines.into()
    }

    #[test]
    fn consecutive_words_are_one_line_when_aligned_and_two_when_not() {
        assert_eq!(lines(u32::MAX, 4, |lane| 4 * lane), [0]);
        assert_eq!(lines(u32::MAX, 4, |lane| 4 * lane + 4), [0, 1]);
        assert_eq!(lines(u32::MAX, 8, |lane| 8 * lane), [0, 1]);
    }

    #[test]
    fn a_stride_of_a_line_makes_a_transaction_a_lane() {
        assert_eq!(lines(u32::MAX, 4, |lane| 128 * lane), Vec::from_iter(0..32));
        assert_eq!(lines(0b101, 4, |lane| 128 * lane), [0, 2], "inactive lanes take no part");
        assert!(lines(0, 4, |lane| 128 * lane).is_empty());
    }

    #[test]
    fn an_access_over_the_end_of_a_line_touches_both() {
        assert_eq!(lines(1, 4, |_| 124), [0]);
        assert_eq!(lines(1, 4, |_| 125), [0, 1]);
        assert_eq!(lines(1, 16, |_| u64::MAX), [u64::MAX / 128], "the address space ends");
    }

    proptest! {
        #[test]
        fn the_lines_are_the_set_of_all_bytes_lines(
            addresses in prop::array::uniform32(0_u64..2000), active: u32, bytes in 1_u8..=16,
        ) {
            let found = lines(active, bytes, |lane| addresses[lane as usize]);
            let mut expected = BTreeSet::new();
            for lane in (0..WARP_LANES).filter(|lane| active >> lane & 1 == 1) {
                expected.extend((0..u64::from(bytes)).map(|byte| (addresses[lane] + byte) / 128));
            }
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(BTreeSet::from_iter(found), expected);
        }
    }
}
