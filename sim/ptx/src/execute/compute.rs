//! What gives a value in all lanes of a warp.

use crate::program::Widening;
use crate::semantics::{Lanes, Value, Word, Words};
use blockyard_gpu::program::WARP_LANES;

/// See the module.
pub(super) trait Compute {
    /// Overwrites `to`.
    fn wide(&self, sources: &[&Lanes], to: &mut Lanes);

    /// The same where no value has more than 32 bits; whether it can do that.
    fn narrow(&self, sources: &[&Words], to: &mut Words) -> bool;
}

impl Compute for Value {
    #[inline]
    fn wide(&self, sources: &[&Lanes], to: &mut Lanes) {
        (self.wide)(sources, to);
    }

    #[inline]
    fn narrow(&self, sources: &[&Words], to: &mut Words) -> bool {
        self.narrow.as_ref().map(|narrow| narrow(sources, to)).is_some()
    }
}

/// A value that is widened with its sign.
pub(super) struct Extended<'a> {
    pub value: &'a Value,
    pub by: Widening,
}

impl Compute for Extended<'_> {
    fn wide(&self, sources: &[&Lanes], to: &mut Lanes) {
        (self.value.wide)(sources, to);
        extend(to, self.by);
    }

    fn narrow(&self, _: &[&Words], _: &mut Words) -> bool {
        false
    }
}

/// The first source in the lanes `by`, the second one in others.
pub(super) struct Chosen {
    pub by: u32,
}

impl Chosen {
    #[inline]
    fn choose<E: Word>(&self, sources: &[&[E; WARP_LANES]], to: &mut [E; WARP_LANES]) {
        for (lane, to) in to.iter_mut().enumerate() {
            *to = sources[usize::from(self.by >> lane & 1 == 0)][lane];
        }
    }
}

impl Compute for Chosen {
    fn wide(&self, sources: &[&Lanes], to: &mut Lanes) {
        self.choose(sources, to);
    }

    fn narrow(&self, sources: &[&Words], to: &mut Words) -> bool {
        self.choose(sources, to);
        true
    }
}

/// Widens values with their sign.
pub(super) fn extend(values: &mut Lanes, widening: Widening) {
    for value in values {
        *value = extended(*value, widening);
    }
}

/// A value widened with its sign.
#[inline]
pub(super) fn extended(value: u64, widening: Widening) -> u64 {
    let (unused, mask) = (64 - widening.from, u64::MAX >> (64 - widening.to));
    ((value << unused) as i64 >> unused) as u64 & mask
}
