//! One bit an SMX: the `room`, `request`, `allow`, `grant` and `taken` ports.

use crate::port::MAX_SMX;
use std::fmt;
use std::ops::{BitAnd, BitOr, Index, Sub};

/// Words of a [`SmxMask`].
pub const WORDS: usize = MAX_SMX.div_ceil(64);

/// A set of SMXs. SMXs that the scheduler does not have are not in it.
pub type SmxMask = Mask<WORDS>;

/// A set of numbers, one bit each. It has words and no bits of a library, because a twin looks at
/// every bit of several of them in each cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask<const W: usize>([u64; W]);

impl SmxMask {
    /// The set in which SMX `s` is bit `s % 64` of word `s / 64`.
    ///
    /// # Panics
    /// When a bit is set that stands for no SMX below [`MAX_SMX`].
    #[inline]
    pub fn from_words(words: [u64; WORDS]) -> Self {
        let beyond = WORDS * 64 - MAX_SMX;
        assert!(words[WORDS - 1].leading_zeros() as usize >= beyond, "an SMX beyond {MAX_SMX}");
        Self(words)
    }

    /// SMX `s` is bit `s % 64` of word `s / 64`.
    #[inline]
    pub const fn words(self) -> [u64; WORDS] {
        self.0
    }
}

impl<const W: usize> Mask<W> {
    /// The empty set.
    pub const ZERO: Self = Self([0; W]);

    /// Puts an SMX into the set, or takes it out.
    ///
    /// # Panics
    /// When `smx` is not below [`MAX_SMX`], or has no bit.
    #[inline]
    pub fn set(&mut self, smx: usize, member: bool) {
        assert!(smx < MAX_SMX, "SMX {smx} of {MAX_SMX}");
        let word = &mut self.0[smx / 64];
        *word = *word & !(1 << (smx % 64)) | u64::from(member) << (smx % 64);
    }

    /// Whether an SMX is in the set.
    #[inline]
    pub fn any(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) != 0
    }

    /// How many SMXs are in the set.
    #[inline]
    pub fn count_ones(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lowest SMX in the set.
    #[inline]
    pub fn first_one(self) -> Option<usize> {
        self.iter_ones().next()
    }

    /// The highest SMX in the set.
    #[inline]
    pub fn last_one(self) -> Option<usize> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some(word * 64 + self.0[word].ilog2() as usize)
    }

    /// The first SMX in the set from `first` upwards, or else from 0 upwards.
    #[inline]
    pub fn first_from(self, first: usize) -> Option<usize> {
        let at = first / 64;
        let upper = self.0[at] & u64::MAX << (first % 64);
        if upper != 0 {
            return Some(at * 64 + upper.trailing_zeros() as usize);
        }
        // Of the word of `first` the lower part is left.
        let others = (1..=W).map(|step| (at + step) % W);
        let found = others.map(|at| (at, self.0[at])).find(|&(_, word)| word != 0);
        found.map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
    }

    /// The SMXs in the set, from 0 upwards.
    #[inline]
    pub fn iter_ones(self) -> impl Iterator<Item = usize> {
        let (mut word, mut at) = (self.0[0], 0);
        std::iter::from_fn(move || {
            while word == 0 {
                at += 1;
                word = *self.0.get(at)?;
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(at * 64 + bit)
        })
    }
}

impl<const W: usize> Default for Mask<W> {
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

/// Whether each SMX is in the set, from 0 upwards; those behind the last one stated are not.
///
/// # Panics
/// When one that is stated has no bit.
impl<const W: usize> FromIterator<bool> for Mask<W> {
    fn from_iter<I: IntoIterator<Item = bool>>(members: I) -> Self {
        let mut set = Self::ZERO;
        members.into_iter().enumerate().for_each(|(smx, member)| set.set(smx, member));
        set
    }
}

impl<const W: usize> Index<usize> for Mask<W> {
    type Output = bool;

    #[inline]
    fn index(&self, smx: usize) -> &bool {
        if self.0[smx / 64] >> (smx % 64) & 1 == 1 {
            &true
        } else {
            &false
        }
    }
}

impl<const W: usize> BitAnd for Mask<W> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl<const W: usize> BitOr for Mask<W> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

/// The SMXs of the one set that are not in the other.
impl<const W: usize> Sub for Mask<W> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }
}

impl<const W: usize> fmt::Debug for Mask<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter_ones()).finish()
    }
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

/// SMXs `0 .. smx` in round-robin order: from `first`, one of them, upwards, wrapping once.
#[inline]
pub fn round(first: usize, smx: usize) -> impl Iterator<Item = usize> {
    (first..smx).chain(0..first)
}

#[cfg(test)]
mod tests;
