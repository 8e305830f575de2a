//! From what one lane computes to what a warp does.
//!
//! The loops over the lanes are compiled twice, the second time for processors with AVX2 and FMA,
//! of which most are: there a fused multiply-add is one instruction for 8 lanes, and else a call
//! for each.

use super::types::Word;
use blockyard_gpu::program::WARP_LANES;
use multiversion::multiversion;

/// The value of each lane, zero-extended bits.
pub type Lanes = [u64; WARP_LANES];

/// Values to values: overwrites those of all lanes.
type Values = Box<dyn Fn(&[&Lanes], &mut Lanes)>;
/// Values to the lanes for which something holds, and those for which something else does.
type Test = Box<dyn Fn(&[&Lanes]) -> [u32; 2]>;
/// Sets of lanes to a set of lanes.
type Masks = Box<dyn Fn(&[u32]) -> u32>;
/// Values and carry bits to values and carry bits.
type Carrying = Box<dyn Fn(&[&Lanes], u32, &mut Lanes) -> u32>;

/// What an instruction does to the values of a warp.
pub enum Apply {
    /// It gives a value.
    Value(Values),
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

/// `f` of one value.
pub(super) fn one<A: Word, R: Word>(f: impl Fn(A) -> R + 'static) -> Apply {
    Apply::Value(Box::new(move |sources, to| each_of_one(&f, take(sources), to)))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_one<A: Word, R: Word, F: Fn(A) -> R>(f: &F, [a]: [&Lanes; 1], to: &mut Lanes) {
    for lane in 0..WARP_LANES {
        to[lane] = f(A::of(a[lane])).bits();
    }
}

/// `f` of two values.
pub(super) fn two<A: Word, B: Word, R: Word>(f: impl Fn(A, B) -> R + 'static) -> Apply {
    Apply::Value(Box::new(move |sources, to| each_of_two(&f, take(sources), to)))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_two<A: Word, B: Word, R: Word, F: Fn(A, B) -> R>(
    f: &F,
    [a, b]: [&Lanes; 2],
    to: &mut Lanes,
) {
    for lane in 0..WARP_LANES {
        to[lane] = f(A::of(a[lane]), B::of(b[lane])).bits();
    }
}

/// `f` of three values.
pub(super) fn three<A: Word, B: Word, C: Word, R: Word>(
    f: impl Fn(A, B, C) -> R + 'static,
) -> Apply {
    Apply::Value(Box::new(move |sources, to| each_of_three(&f, take(sources), to)))
}

#[multiversion(targets("x86_64+avx+avx2+fma"))]
fn each_of_three<A: Word, B: Word, C: Word, R: Word, F: Fn(A, B, C) -> R>(
    f: &F,
    [a, b, c]: [&Lanes; 3],
    to: &mut Lanes,
) {
    for lane in 0..WARP_LANES {
        to[lane] = f(A::of(a[lane]), B::of(b[lane]), C::of(c[lane])).bits();
    }
}

/// `f` of four values.
pub(super) fn four<A: Word, B: Word, C: Word, D: Word, R: Word>(
    f: impl Fn(A, B, C, D) -> R + 'static,
) -> Apply {
    Apply::Value(Box::new(move |sources, to| {
        let [a, b, c, d] = take(sources);
        for lane in 0..WARP_LANES {
            to[lane] = f(A::of(a[lane]), B::of(b[lane]), C::of(c[lane]), D::of(d[lane])).bits();
        }
    }))
}

/// The lanes for which `f` holds of two values.
pub(super) fn test<A: Word>(
    combine: Option<super::Combine>,
    f: impl Fn(A, A) -> bool + 'static,
) -> Apply {
    let test = move |sources: &[&Lanes]| {
        let [a, b] = take(sources);
        let holds = (0..WARP_LANES)
            .fold(0, |holds, lane| holds | u32::from(f(A::of(a[lane]), A::of(b[lane]))) << lane);
        [holds, !holds]
    };
    Apply::Test(Box::new(test), combine)
}

/// The lanes for which `f` holds of the low halves of two values, and those for which it does of
/// the high ones.
pub(super) fn test_halves(
    combine: Option<super::Combine>,
    f: impl Fn(u16, u16) -> bool + 'static,
) -> Apply {
    let test = move |sources: &[&Lanes]| {
        let [a, b] = take(sources);
        [0, 16].map(|down| {
            let holds = |lane: usize| f((a[lane] >> down) as u16, (b[lane] >> down) as u16);
            (0..WARP_LANES).fold(0, |all, lane| all | u32::from(holds(lane)) << lane)
        })
    };
    Apply::Test(Box::new(test), combine)
}

/// The lanes for which `f` holds of one value.
pub(super) fn test_one<A: Word>(f: impl Fn(A) -> bool + 'static) -> Apply {
    let test = move |sources: &[&Lanes]| {
        let [a] = take(sources);
        let holds =
            (0..WARP_LANES).fold(0, |holds, lane| holds | u32::from(f(A::of(a[lane]))) << lane);
        [holds, !holds]
    };
    Apply::Test(Box::new(test), None)
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
fn take<'a, const N: usize>(sources: &[&'a Lanes]) -> [&'a Lanes; N] {
    std::array::from_fn(|index| sources[index])
}
