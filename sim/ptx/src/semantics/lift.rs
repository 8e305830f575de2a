//! From what one lane computes to what a warp does.
//!
//! The loops over the lanes are compiled twice, the second time for processors with AVX2 and FMA,
//! of which most are: there a fused multiply-add is one instruction for 8 lanes, and else a call
//! for each.

use std::rc::Rc;

use super::types::Word;
use blockyard_gpu::program::WARP_LANES;
use multiversion::multiversion;

/// The value of each lane, zero-extended bits.
pub type Lanes = [u64; WARP_LANES];

/// The same of values of up to 32 bits: half of the memory, and twice as many at once.
pub type Words = [u32; WARP_LANES];

/// Overwrites the values of all lanes by what it gives for those of its sources.
type Computes<E> = Box<dyn Fn(&[&[E; WARP_LANES]], &mut [E; WARP_LANES])>;
/// Gives the lanes for which something holds, and those for which something else does.
type Tests<E> = Box<dyn Fn(&[&[E; WARP_LANES]]) -> [u32; 2]>;

/// Values to a value.
pub struct Value {
    /// Of any width.
    pub wide: Computes<u64>,
    /// Where neither the sources nor the result have more than 32 bits, if it can do that.
    pub narrow: Option<Computes<u32>>,
}

/// Values to sets of lanes.
pub struct Test {
    /// Of values of any width.
    pub wide: Tests<u64>,
    /// Of values of up to 32 bits.
    pub narrow: Tests<u32>,
}

/// Sets of lanes to a set of lanes.
type Masks = Box<dyn Fn(&[u32]) -> u32>;
/// Values and carry bits to values and carry bits.
type Carrying = Box<dyn Fn(&[&Lanes], u32, &mut Lanes) -> u32>;

/// What an instruction does to the values of a warp.
pub enum Apply {
    /// It gives a value.
    Value(Value),
    /// It gives a predicate, or a value by it; with another predicate, its last source.
    Test(Test, Option<super::Combine>),
    /// It gives a predicate from predicates.
    Logic(Masks),
    /// The first source where the third, a predicate, holds, else the second.
    Select,
    /// It gives a value, and reads or writes the condition code's carry bit.
    Carry {
        /// Whether it reads the carry bit; else it is 0.
        reads: bool,
        /// Whether it writes the carry bit.
        writes: bool,
        /// Gives the carry bits.
        apply: Carrying,
    },
}

impl Apply {
    /// It gives a value, by `wide` for values of any width.
    pub fn value(wide: impl Fn(&[&Lanes], &mut Lanes) + 'static) -> Self {
        Self::Value(Value { wide: Box::new(wide), narrow: None })
    }
}

/// Overwrites `to` by the same values.
#[multiversion(targets("x86_64+avx+avx2+fma"))]
pub fn widen(from: &Words, to: &mut Lanes) {
    for lane in 0..WARP_LANES {
        to[lane] = from[lane].bits();
    }
}

/// Overwrites `to` by the low bits of the values.
#[multiversion(targets("x86_64+avx+avx2+fma"))]
pub fn cut(from: &Lanes, to: &mut Words) {
    for lane in 0..WARP_LANES {
        to[lane] = u32::of(from[lane]);
    }
}

/// A value that `$each` gives by the function `$f`, for lanes of either width.
macro_rules! values {
    ($each:ident($f:ident)) => {{
        let f = Rc::new($f);
        let again = Rc::clone(&f);
        Apply::Value(Value {
            wide: Box::new(move |sources, to| $each(&*f, take(sources), to)),
            narrow: Some(Box::new(move |sources, to| $each(&*again, take(sources), to))),
        })
    }};
}

/// `f` of one value.
pub(super) fn one<A: Word, R: Word>(f: impl Fn(A) -> R + 'static) -> Apply {
    values!(each_of_one(f))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_one<E: Word, A: Word, R: Word, F: Fn(A) -> R>(
    f: &F,
    [a]: [&[E; WARP_LANES]; 1],
    to: &mut [E; WARP_LANES],
) {
    for lane in 0..WARP_LANES {
        to[lane] = E::of(f(A::of(a[lane].bits())).bits());
    }
}

/// `f` of two values.
pub(super) fn two<A: Word, B: Word, R: Word>(f: impl Fn(A, B) -> R + 'static) -> Apply {
    values!(each_of_two(f))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_two<E: Word, A: Word, B: Word, R: Word, F: Fn(A, B) -> R>(
    f: &F,
    [a, b]: [&[E; WARP_LANES]; 2],
    to: &mut [E; WARP_LANES],
) {
    for lane in 0..WARP_LANES {
        to[lane] = E::of(f(A::of(a[lane].bits()), B::of(b[lane].bits())).bits());
    }
}

/// `f` of three values.
pub(super) fn three<A: Word, B: Word, C: Word, R: Word>(
    f: impl Fn(A, B, C) -> R + 'static,
) -> Apply {
    values!(each_of_three(f))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_three<E: Word, A: Word, B: Word, C: Word, R: Word, F: Fn(A, B, C) -> R>(
    f: &F,
    sources: [&[E; WARP_LANES]; 3],
    to: &mut [E; WARP_LANES],
) {
    for lane in 0..WARP_LANES {
        let [a, b, c] = sources.map(|source| source[lane].bits());
        to[lane] = E::of(f(A::of(a), B::of(b), C::of(c)).bits());
    }
}

/// `f` of four values.
pub(super) fn four<A: Word, B: Word, C: Word, D: Word, R: Word>(
    f: impl Fn(A, B, C, D) -> R + 'static,
) -> Apply {
    Apply::value(move |sources, to| {
        let [a, b, c, d] = take(sources);
        for lane in 0..WARP_LANES {
            to[lane] = f(A::of(a[lane]), B::of(b[lane]), C::of(c[lane]), D::of(d[lane])).bits();
        }
    })
}

/// The lanes for which `f` holds of two values.
pub(super) fn test<A: Word>(
    combine: Option<super::Combine>,
    f: impl Fn(A, A) -> bool + 'static,
) -> Apply {
    let f = Rc::new(f);
    let again = Rc::clone(&f);
    let wide = Box::new(move |sources: &[&Lanes]| holds_of_two(&*f, take(sources)));
    let narrow = Box::new(move |sources: &[&Words]| holds_of_two(&*again, take(sources)));
    Apply::Test(Test { wide, narrow }, combine)
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn holds_of_two<E: Word, A: Word, F: Fn(A, A) -> bool>(
    f: &F,
    [a, b]: [&[E; WARP_LANES]; 2],
) -> [u32; 2] {
    let holds = |lane: usize| f(A::of(a[lane].bits()), A::of(b[lane].bits()));
    let holds = (0..WARP_LANES).fold(0, |all, lane| all | u32::from(holds(lane)) << lane);
    [holds, !holds]
}

/// The lanes for which `f` holds of the low halves of two values, and those for which it does of
/// the high ones.
pub(super) fn test_halves(
    combine: Option<super::Combine>,
    f: impl Fn(u16, u16) -> bool + Copy + 'static,
) -> Apply {
    fn halves<E: Word>(f: impl Fn(u16, u16) -> bool, sources: &[&[E; WARP_LANES]]) -> [u32; 2] {
        let [a, b] = take(sources);
        [0, 16].map(|down| {
            let half = |value: E| (value.bits() >> down) as u16;
            let holds = |lane: usize| f(half(a[lane]), half(b[lane]));
            (0..WARP_LANES).fold(0, |all, lane| all | u32::from(holds(lane)) << lane)
        })
    }
    let wide = Box::new(move |sources: &[&Lanes]| halves(f, sources));
    let narrow = Box::new(move |sources: &[&Words]| halves(f, sources));
    Apply::Test(Test { wide, narrow }, combine)
}

/// The lanes for which `f` holds of one value.
pub(super) fn test_one<A: Word>(f: impl Fn(A) -> bool + Copy + 'static) -> Apply {
    fn holds<E: Word, A: Word>(f: impl Fn(A) -> bool, sources: &[&[E; WARP_LANES]]) -> [u32; 2] {
        let [a] = take(sources);
        let holds = |lane: usize| f(A::of(a[lane].bits()));
        let holds = (0..WARP_LANES).fold(0, |all, lane| all | u32::from(holds(lane)) << lane);
        [holds, !holds]
    }
    let wide = Box::new(move |sources: &[&Lanes]| holds(f, sources));
    let narrow = Box::new(move |sources: &[&Words]| holds(f, sources));
    Apply::Test(Test { wide, narrow }, None)
}

/// `f` of the values and the carry bit, which gives a value and a carry bit.
pub(super) fn carrying<const N: usize, R: Word>(
    (reads, writes): (bool, bool),
    f: impl Fn([u64; N], bool) -> (R, bool) + 'static,
) -> Apply {
    let apply = move |sources: &[&Lanes], carries: u32, to: &mut Lanes| {
        let sources: [&Lanes; N] = take(sources);
        let mut out = 0;
        for lane in 0..WARP_LANES {
            let carry = reads && carries >> lane & 1 == 1;
            let (value, carry) = f(sources.map(|source| source[lane]), carry);
            to[lane] = value.bits();
            out |= u32::from(carry) << lane;
        }
        out
    };
    Apply::Carry { reads, writes, apply: Box::new(apply) }
}

/// The first `N` of `sources`.
///
/// # Panics
/// When there are fewer: a form says how many it takes.
#[inline]
fn take<'a, E, const N: usize>(sources: &[&'a [E; WARP_LANES]]) -> [&'a [E; WARP_LANES]; N] {
    std::array::from_fn(|index| sources[index])
}
