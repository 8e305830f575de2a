//! Masks of a fixed and of a run-time width alike.

use crate::mask::Mask;
use crate::value::Value;
use crate::word::{Word, U};

/// One bit for each of several things, which primitives look through.
pub trait BitSet: Value {
    /// The number of one of the things.
    type Id: Value;

    /// Thing number `place`.
    fn id(&self, place: usize) -> Self::Id;

    /// Thing number `place`, as wide as `id`.
    fn id_like(id: Self::Id, place: usize) -> Self::Id;

    /// Whether any bit is set.
    fn any_set(&self) -> bool;

    /// The number of the lowest set bit; zero when none is set.
    fn lowest_set(&self) -> usize;

    /// The lowest set bit alone.
    fn lowest_alone(&self) -> Self;

    /// As wide as this one, thing `i` with `bit(i)`.
    fn gather(&self, bit: impl FnMut(usize) -> bool) -> Self;
}

impl BitSet for Mask {
    type Id = Word;

    #[inline(always)]
    fn id(&self, place: usize) -> Word {
        Word::id(self.len(), place)
    }
    #[inline(always)]
    fn id_like(id: Word, place: usize) -> Word {
        id.with(place as u64)
    }
    #[inline(always)]
    fn any_set(&self) -> bool {
        self.any()
    }
    #[inline(always)]
    fn lowest_set(&self) -> usize {
        self.lowest()
    }
    #[inline(always)]
    fn lowest_alone(&self) -> Self {
        Mask::lowest_alone(*self)
    }
    #[inline(always)]
    fn gather(&self, bit: impl FnMut(usize) -> bool) -> Self {
        Mask::gather(self.len(), bit)
    }
}

/// For up to 32 things.
impl<const N: usize> BitSet for U<N> {
    type Id = U<5>;

    #[inline(always)]
    fn id(&self, place: usize) -> U<5> {
        U::wrap(place as u64)
    }
    #[inline(always)]
    fn id_like(_: U<5>, place: usize) -> U<5> {
        U::wrap(place as u64)
    }
    #[inline(always)]
    fn any_set(&self) -> bool {
        self.any()
    }
    #[inline(always)]
    fn lowest_set(&self) -> usize {
        if self.any() {
            self.raw().trailing_zeros() as usize
        } else {
            0
        }
    }
    #[inline(always)]
    fn lowest_alone(&self) -> Self {
        U::wrap(self.raw() & self.raw().wrapping_neg())
    }
    #[inline(always)]
    fn gather(&self, mut bit: impl FnMut(usize) -> bool) -> Self {
        U::wrap((0..N).fold(0, |word, place| word | u64::from(bit(place)) << place))
    }
}
