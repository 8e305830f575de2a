//! One bit an SMX: the `room`, `request`, `allow`, `grant` and `taken` ports.

use crate::port::MAX_SMX;
use bitvec::prelude::*;

/// A set of SMXs; bit `s` is SMX `s`. Bits of SMXs that the scheduler does not have are zero.
pub type SmxMask = BitArr!(for MAX_SMX, in u32);

/// The set in which SMX `s` is bit `s` of `bits`.
pub fn from_bits(bits: u32) -> SmxMask {
    SmxMask::new([bits])
}

/// The set as a number: SMX `s` is bit `s`.
pub fn to_bits(mask: SmxMask) -> u32 {
    mask.into_inner()[0]
}

/// The set of these SMXs.
///
/// # Panics
/// When one of them is not below [`MAX_SMX`].
pub fn of(members: impl IntoIterator<Item = usize>) -> SmxMask {
    let mut mask = SmxMask::ZERO;
    for smx in members {
        mask.set(smx, true);
    }
    mask
}

/// SMXs `0 .. smx` in round-robin order: from `first` upwards, wrapping once.
pub(crate) fn round(first: usize, smx: usize) -> impl Iterator<Item = usize> {
    (0..smx).map(move |step| (first + step) % smx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_s_is_smx_s_at_both_ends() {
        assert_eq!(to_bits(of([0, 5, 31])), 1 | 1 << 5 | 1 << 31);
        assert_eq!(from_bits(1 | 1 << 31).iter_ones().collect::<Vec<_>>(), [0, 31]);
    }

    #[test]
    fn a_round_starts_at_the_pointer_and_wraps_once() {
        assert_eq!(round(2, 4).collect::<Vec<_>>(), [2, 3, 0, 1]);
        assert_eq!(round(0, 1).collect::<Vec<_>>(), [0]);
    }
}
