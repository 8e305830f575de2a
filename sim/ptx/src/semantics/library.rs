//! The functions of libdevice, which compilers call where PTX has no instruction. Those of doubles
//! are `libm`'s; those of floats are the same ones, rounded once at the end.

use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt;

use super::types::Word;

/// What a function takes, and the function.
enum Formula {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    /// Of a number and a whole one.
    Whole(fn(f64, i32) -> f64),
}

use Formula::{One, Two, Whole};

/// By the name between `__nv_` and, for floats, `f`.
const FUNCTIONS: &[(&str, Formula)] = &[
    ("acos", One(libm::acos)),
    ("acosh", One(libm::acosh)),
    ("asin", One(libm::asin)),
    ("asinh", One(libm::asinh)),
    ("atan", One(libm::atan)),
    ("atan2", Two(libm::atan2)),
    ("atanh", One(libm::atanh)),
    ("cbrt", One(libm::cbrt)),
    ("ceil", One(libm::ceil)),
    ("copysign", Two(libm::copysign)),
    ("cos", One(libm::cos)),
    ("cosh", One(libm::cosh)),
    ("erf", One(libm::erf)),
    ("erfc", One(libm::erfc)),
    ("exp", One(libm::exp)),
    ("exp10", One(libm::exp10)),
    ("exp2", One(libm::exp2)),
    ("expm1", One(libm::expm1)),
    ("fabs", One(libm::fabs)),
    ("fdim", Two(libm::fdim)),
    ("floor", One(libm::floor)),
    ("fmax", Two(libm::fmax)),
    ("fmin", Two(libm::fmin)),
    ("fmod", Two(libm::fmod)),
    ("hypot", Two(libm::hypot)),
    ("j0", One(libm::j0)),
    ("j1", One(libm::j1)),
    ("ldexp", Whole(libm::ldexp)),
    ("lgamma", One(libm::lgamma)),
    ("log", One(libm::log)),
    ("log10", One(libm::log10)),
    ("log1p", One(libm::log1p)),
    ("log2", One(libm::log2)),
    ("nearbyint", One(libm::rint)),
    ("normcdf", One(|x| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2))),
    ("pow", Two(libm::pow)),
    ("powi", Whole(|x, n| libm::pow(x, f64::from(n)))),
    ("rcbrt", One(|x| 1.0 / libm::cbrt(x))),
    ("remainder", Two(libm::remainder)),
    ("rint", One(libm::rint)),
    ("round", One(libm::round)),
    ("rsqrt", One(|x| 1.0 / libm::sqrt(x))),
    ("scalbn", Whole(libm::scalbn)),
    ("sin", One(libm::sin)),
    ("sinh", One(libm::sinh)),
    ("sqrt", One(libm::sqrt)),
    ("tan", One(libm::tan)),
    ("tanh", One(libm::tanh)),
    ("tgamma", One(libm::tgamma)),
    ("trunc", One(libm::trunc)),
    ("y0", One(libm::y0)),
    ("y1", One(libm::y1)),
];

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    entry: usize,
    single: bool,
}

impl Function {
    /// The function that files call `name`. The fast ones of floats are the exact ones.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix("__nv_")?;
        let find = |wanted, single| {
            let entry = FUNCTIONS.iter().position(|(name, _)| *name == wanted)?;
            Some(Self { entry, single })
        };
        let of_floats = || name.strip_prefix("fast_").unwrap_or(name).strip_suffix('f');
        find(name, false).or_else(|| find(of_floats()?, true))
    }

    /// The bytes of each argument, in order.
    pub fn arguments(self) -> &'static [u64] {
        match (&FUNCTIONS[self.entry].1, self.single) {
            (One(_), false) => &[8],
            (Two(_), false) => &[8, 8],
            (Whole(_), false) => &[8, 4],
            (One(_), true) => &[4],
            (Two(_) | Whole(_), true) => &[4, 4],
        }
    }

    /// What it gives for what `take` gives for the bytes of each argument.
    pub fn value(self, mut take: impl FnMut(usize) -> u64) -> u64 {
        let mut number = || match self.single {
            true => f64::from(f32::of(take(4))),
            false => f64::of(take(8)),
        };
        let value = match FUNCTIONS[self.entry].1 {
            One(function) => function(number()),
            Two(function) => function(number(), number()),
            Whole(function) => {
                let number = number();
                function(number, take(4) as i32)
            }
        };
        if self.single {
            (value as f32).bits()
        } else {
            value.bits()
        }
    }
}

impl fmt::Display for Function {
    /// As files call it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "__nv_{}{}", FUNCTIONS[self.entry].0, if self.single { "f" } else { "" })
    }
}
