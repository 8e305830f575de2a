//! Which set of a cache a line belongs to.

use crate::config::IndexFunction;

/// Steps that fold a line onto one bit.
const STEPS: usize = 6;

/// An [`IndexFunction`] for a number of sets.
#[derive(Clone, Copy, Debug)]
pub(super) enum SetIndex {
    /// The low bits of the line.
    Low { mask: u64 },
    /// All bits of the line, which is below 2^63, folded onto those of the set, so that no
    /// power-of-two stride keeps to one set: in steps, each of which folds twice as many bits onto
    /// as many.
    Folded { shifts: [u8; STEPS], mask: u64 },
    /// What remains of the line.
    Remainder { sets: u64 },
    /// What remains of the line after higher bits were added to its low ones.
    HashedRemainder { sets: u64 },
}

impl SetIndex {
    /// The index of a cache of `sets` sets.
    pub fn new(function: IndexFunction, sets: u64) -> Self {
        let mask = sets - 1;
        match (function, sets.is_power_of_two()) {
            (IndexFunction::Linear, true) => Self::Low { mask },
            (IndexFunction::Linear, false) => Self::Remainder { sets },
            (IndexFunction::Hash, true) => {
                let bits = sets.trailing_zeros().max(1);
                Self::Folded {
                    shifts: std::array::from_fn(|step| (bits << step).min(63) as u8),
                    mask,
                }
            }
            (IndexFunction::Hash, false) => Self::HashedRemainder { sets },
        }
    }

    /// The set of `line`.
    #[inline]
    pub fn set(self, line: u64) -> usize {
        let set = match self {
            Self::Low { mask } => line & mask,
            Self::Folded { shifts, mask } => {
                shifts.iter().fold(line, |folded, shift| folded ^ folded >> shift) & mask
            }
            Self::Remainder { sets } => line % sets,
            Self::HashedRemainder { sets } => (line ^ line >> 7 ^ line >> 17) % sets,
        };
        set as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_hash_spreads_a_power_of_two_stride_over_the_sets() {
        let sets = |function| {
            let index = SetIndex::new(function, 32);
            (0..64_u64).map(|i| index.set(i * 64)).collect::<BTreeSet<_>>()
        };
        assert_eq!(sets(IndexFunction::Linear).len(), 1);
        assert_eq!(sets(IndexFunction::Hash).len(), 32);
    }

    proptest! {
        #[test]
        fn the_hash_is_the_sum_without_carry_of_all_pieces_of_a_line(
            line in 0..1_u64 << 63, bits in 1_u32..16,
        ) {
            let pieces = (0..u64::BITS).step_by(bits as usize).map(|from| line >> from);
            let sum = pieces.fold(0, |sum, piece| sum ^ piece) & ((1 << bits) - 1);
            let index = SetIndex::new(IndexFunction::Hash, 1 << bits);
            prop_assert_eq!(index.set(line), sum as usize);
        }

        #[test]
        fn every_line_has_a_set(line: u64, sets in 1_u64..100) {
            for function in [IndexFunction::Linear, IndexFunction::Hash] {
                prop_assert!(SetIndex::new(function, sets).set(line) < sets as usize);
            }
        }
    }
}
