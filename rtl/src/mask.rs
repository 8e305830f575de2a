//! One bit for each SMX, or for each queue or pool that belongs to some of them.

use crate::module::BitSource;
use crate::value::{word_dump, word_shape, Value};
use crate::word::{AnyWord, U};
use rust_hdl::core::type_descriptor::TypeDescriptor;
use rust_hdl::prelude::VCDValue;
use std::ops::{BitAnd, BitOr, Not, Shl};

/// The most bits that a mask can have.
pub const MAX_BITS: usize = 192;

/// Words of 64 bits that hold [`MAX_BITS`].
const WORDS: usize = MAX_BITS / 64;

/// One bit for each of 1 to [`MAX_BITS`] things; how many is part of the value.
///
/// The width stands behind the bits as if it were a word more, so that masks are combined with four
/// equal operations and no branch: widths that are equal stay as they are. What is slow for many
/// bits first looks whether there are more than 64, which no paper's GPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask([u64; WORDS + 1]);

/// All bits of a mask, by its width, without the width: what inverts a mask.
static ALL: [[u64; WORDS + 1]; MAX_BITS + 1] = {
    let mut all = [[0; WORDS + 1]; MAX_BITS + 1];
    let mut width = 0;
    while width <= MAX_BITS {
        let mut bit = 0;
        while bit < width {
            all[width][bit / 64] |= 1 << (bit % 64);
            bit += 1;
        }
        width += 1;
    }
    all
};

impl Mask {
    /// No bit of `width` is set.
    ///
    /// # Panics
    /// When there are not 1 to [`MAX_BITS`] bits.
    pub const fn none(width: usize) -> Self {
        assert!(1 <= width && width <= MAX_BITS, "a mask has 1 to 192 bits");
        let mut none = [0; WORDS + 1];
        none[WORDS] = width as u64;
        Self(none)
    }

    /// The lowest bit of `width` alone.
    pub const fn one(width: usize) -> Self {
        let mut one = Self::none(width);
        one.0[0] = 1;
        one
    }

    /// A mask of `width` bits with these words, lowest first.
    ///
    /// # Panics
    /// When a bit is set that it does not have.
    pub fn new(width: usize, words: [u64; WORDS]) -> Self {
        let mut mask = Self::none(width);
        mask.0[..WORDS].copy_from_slice(&words);
        assert_eq!(mask.trimmed(), mask, "the mask has no such bit");
        mask
    }

    /// Its bits, lowest first.
    #[inline(always)]
    pub fn words(self) -> [u64; WORDS] {
        let [low, middle, high, _] = self.0;
        [low, middle, high]
    }

    /// How many bits it has.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0[WORDS] as usize
    }

    /// Always false: a mask has at least one bit.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Whether its bits are in one word.
    #[inline(always)]
    const fn narrow(self) -> bool {
        self.0[WORDS] <= 64
    }

    /// All of the bits that a mask of this width has.
    #[inline(always)]
    fn full(self) -> &'static [u64; WORDS + 1] {
        // A width is never above the largest: the remainder tells the compiler so.
        &ALL[self.len() % (MAX_BITS + 1)]
    }

    #[inline(always)]
    fn trimmed(mut self) -> Self {
        let full = self.full();
        self.0[..WORDS].iter_mut().zip(full).for_each(|(word, full)| *word &= full);
        self
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] != 0
    }

    /// Whether all bits are set.
    #[inline(always)]
    pub fn all(self) -> bool {
        self.0[..WORDS] == self.full()[..WORDS]
    }

    /// Bit `index`, counted from the least significant.
    ///
    /// # Panics
    /// When there is no such bit.
    #[inline(always)]
    pub fn get_bit(self, index: usize) -> bool {
        assert!(index < self.len(), "the mask has no such bit");
        self.0[index / 64 % (WORDS + 1)] >> (index % 64) & 1 != 0
    }

    /// How many bits are set.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Sets or clears bit `index`.
    ///
    /// # Panics
    /// When there is no such bit.
    #[inline(always)]
    pub fn set(&mut self, index: usize, value: bool) {
        assert!(index < self.len(), "the mask has no such bit");
        let (word, bit) = (index / 64, 1 << (index % 64));
        if value {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    /// The number of the lowest set bit; zero when none is set.
    #[inline(always)]
    pub fn lowest(self) -> usize {
        match self.words() {
            [0, 0, 0] => 0,
            [0, 0, high] => 128 + high.trailing_zeros() as usize,
            [0, middle, _] => 64 + middle.trailing_zeros() as usize,
            [low, _, _] => low.trailing_zeros() as usize,
        }
    }

    /// The lowest set bit alone.
    #[inline(always)]
    pub fn lowest_alone(self) -> Self {
        let mut alone = self.zeros();
        match self.words() {
            [0, 0, high] => alone.0[2] = high & high.wrapping_neg(),
            [0, middle, _] => alone.0[1] = middle & middle.wrapping_neg(),
            [low, _, _] => alone.0[0] = low & low.wrapping_neg(),
        }
        alone
    }

    /// Without the bits below `index`.
    #[inline(always)]
    pub fn from_bit(mut self, index: usize) -> Self {
        if self.narrow() {
            self.0[0] = if index < 64 { self.0[0] >> index << index } else { 0 };
            return self;
        }
        let below = ALL[index.min(MAX_BITS)];
        self.0[..WORDS].iter_mut().zip(below).for_each(|(word, below)| *word &= !below);
        self
    }

    /// A mask of `width` bits, `bit(0)` lowest.
    #[inline(always)]
    pub fn gather(width: usize, mut bit: impl FnMut(usize) -> bool) -> Self {
        let mut mask = Self::none(width);
        for index in 0..width {
            mask.0[index / 64 % (WORDS + 1)] |= u64::from(bit(index)) << (index % 64);
        }
        mask
    }

    /// The numbers of the bits that are set, lowest first.
    pub fn ones(self) -> impl Iterator<Item = usize> {
        self.words().into_iter().enumerate().flat_map(|(place, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| 64 * place + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit
            })
        })
    }

    #[inline(always)]
    fn shifted(mut self, by: u64) -> Self {
        if self.narrow() {
            self.0[0] = if by < 64 { self.0[0] << by } else { 0 };
            self.0[0] &= self.full()[0];
            return self;
        }
        let mut words = self.zeros();
        if by < MAX_BITS as u64 {
            let (whole, part) = (by as usize / 64, by as u32 % 64);
            for place in whole..WORDS {
                words.0[place] = self.0[place - whole] << part;
                if part > 0 && place > whole {
                    words.0[place] |= self.0[place - whole - 1] >> (64 - part);
                }
            }
        }
        words.trimmed()
    }
}

macro_rules! bitwise {
    ($($operator:ident $method:ident $symbol:tt)*) => {$(
        impl $operator for Mask {
            type Output = Self;
            #[inline(always)]
            fn $method(self, right: Self) -> Self {
                debug_assert_eq!(self.len(), right.len(), "masks of different widths");
                let ([a, b, c, d], [e, f, g, h]) = (self.0, right.0);
                Self([a $symbol e, b $symbol f, c $symbol g, d $symbol h])
            }
        }
    )*};
}
bitwise! { BitAnd bitand & BitOr bitor | }

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, *self.full());
        Self([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

impl<W: AnyWord> Shl<W> for Mask {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: W) -> Self {
        self.shifted(by.value())
    }
}

/// `#[hdl_gen]` prints nothing for `into`.
impl<const N: usize> From<U<N>> for Mask {
    #[inline(always)]
    fn from(word: U<N>) -> Self {
        let mut mask = Self::none(N);
        mask.0[0] = word.raw();
        mask
    }
}

impl Value for Mask {
    #[inline(always)]
    fn width(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn zeros(&self) -> Self {
        let mut zeros = [0; WORDS + 1];
        zeros[WORDS] = self.0[WORDS];
        Self(zeros)
    }
    fn bit(&self, place: usize) -> bool {
        self.get_bit(place)
    }
    fn shape(&self) -> TypeDescriptor {
        word_shape(self.len())
    }
    fn dump(&self) -> VCDValue {
        word_dump(self.len(), |bit| self.get_bit(bit))
    }
    #[inline(always)]
    fn fields(&self, see: &mut impl FnMut(usize, usize, u64)) {
        for (from, word) in (0..self.len()).step_by(64).zip(self.0) {
            see(from, (self.len() - from).min(64), word);
        }
    }
    fn like(&self, source: &mut BitSource) -> Self {
        let mut mask = self.zeros();
        for (place, word) in mask.0[..self.len().div_ceil(64)].iter_mut().enumerate() {
            *word = source((self.len() - 64 * place).min(64));
        }
        mask.trimmed()
    }
}
