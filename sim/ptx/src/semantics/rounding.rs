//! How results are rounded, flushed and clamped.

use super::types::Word;
use rustc_apfloat::{ieee, Float, Round};

/// `.rn`, `.rz`, `.rm`, `.rp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
}

impl Rounding {
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "rn" => Self::Nearest,
            "rz" => Self::Zero,
            "rm" => Self::Down,
            "rp" => Self::Up,
            _ => return None,
        })
    }

    pub fn exact(self) -> Round {
        match self {
            Self::Nearest => Round::NearestTiesToEven,
            Self::Zero => Round::TowardZero,
            Self::Down => Round::TowardNegative,
            Self::Up => Round::TowardPositive,
        }
    }
}

/// The modifiers of a floating-point instruction, in their order: rounding, `.ftz`, `.sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modifiers {
    pub rounding: Option<Rounding>,
    /// Subnormal operands and results are zero, of the same sign.
    pub flush: bool,
    /// Results are within 0 and 1, and NaN is 0.
    pub saturate: bool,
}

impl Modifiers {
    /// All of `names`, or `None` if there is another one or they stand in another order.
    pub fn parse(mut names: &[&str]) -> Option<Self> {
        let rounding = names.first().and_then(|name| Rounding::parse(name));
        names = &names[usize::from(rounding.is_some())..];
        let mut take = |name: &str| {
            let found = names.first() == Some(&name);
            names = &names[usize::from(found)..];
            found
        };
        let (flush, saturate) = (take("ftz"), take("sat"));
        names.is_empty().then_some(Self { rounding, flush, saturate })
    }

    /// Whether results are those of the processor.
    pub fn plain(self) -> bool {
        matches!(self.rounding, None | Some(Rounding::Nearest)) && !self.flush && !self.saturate
    }

    /// An operand as the instruction sees it.
    #[inline]
    pub fn before<F: Real>(self, value: F) -> F {
        if self.flush {
            value.flushed()
        } else {
            value
        }
    }

    /// A result as the instruction gives it.
    #[inline]
    pub fn after<F: Real>(self, value: F) -> F {
        let value = self.before(value);
        if self.saturate {
            value.clamped()
        } else {
            value
        }
    }
}

/// A floating-point type of Rust.
pub(super) trait Real: Word {
    /// The same in exact arithmetic.
    type Exact: Float;
    fn exact(self) -> Self::Exact;
    fn of_exact(exact: Self::Exact) -> Self;
    /// 1 by it, rounded to nearest.
    fn inverse(self) -> Self;
    fn flushed(self) -> Self;
    fn clamped(self) -> Self;
}

macro_rules! real {
    ($float:ty, $exact:ty, $bits:ty) => {
        impl Real for $float {
            type Exact = $exact;

            fn exact(self) -> $exact {
                <$exact>::from_bits(u128::from(self.to_bits()))
            }

            fn of_exact(exact: $exact) -> Self {
                Self::from_bits(exact.to_bits() as $bits)
            }

            #[inline]
            fn inverse(self) -> Self {
                1.0 / self
            }

            #[inline]
            fn flushed(self) -> Self {
                if self.is_subnormal() {
                    <$float>::copysign(0.0, self)
                } else {
                    self
                }
            }

            #[inline]
            fn clamped(self) -> Self {
                // NaN is not above 0, and neither is -0.
                if self > 0.0 {
                    self.min(1.0)
                } else {
                    0.0
                }
            }
        }
    };
}

real!(f32, ieee::Single, u32);
real!(f64, ieee::Double, u64);
