//! Comparisons and choices (PTX ISA, "Comparison and Selection Instructions", and `testp`).

use super::half;
use super::lift::{test, test_halves, test_one, three};
use super::rounding::Real;
use super::types::{self, integers, Word};
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;

/// How a comparison is combined with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// `.and`
    And,
    /// `.or`
    Or,
    /// `.xor`
    Xor,
}

impl Combine {
    /// The one that a modifier names.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            _ => return None,
        })
    }

    /// Lanes by lanes.
    pub fn of(self, holds: u32, other: u32) -> u32 {
        match self {
            Self::And => holds & other,
            Self::Or => holds | other,
            Self::Xor => holds ^ other,
        }
    }
}

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    match opcode {
        "setp" => comparison(before, ty, Type::Predicate),
        "set" => {
            let (&result, before) = before.split_last()?;
            let result = types::parse(result)?;
            let known = match result {
                Type::Unsigned(32) | Type::Signed(32) => true,
                Type::Unsigned(16) | Type::Signed(16) => is_half(ty),
                Type::Float(16) | Type::Brain => result == ty || !is_half(ty) && !is_pair(ty),
                Type::Float(32) => !is_half(ty) && !is_pair(ty),
                _ => is_pair(ty) && result == ty,
            };
            known.then(|| comparison(before, ty, result))?
        }
        "selp" => {
            let known = before.is_empty() && ty.is_moved();
            let sources = vec![ty, ty, Type::Predicate];
            known.then_some(Form { sources, result: ty, unit: Unit::Integer, apply: Apply::Select })
        }
        "slct" => by_sign(before, ty),
        "testp" => class(before, ty),
        _ => None,
    }
}

fn is_half(ty: Type) -> bool {
    matches!(ty, Type::Float(16) | Type::Brain)
}

fn is_pair(ty: Type) -> bool {
    matches!(ty, Type::Halves | Type::Brains)
}

/// What `set` leaves of type `result` where a comparison of type `source` holds, and, of pairs,
/// where that of the high halves does. `None`: a predicate.
pub fn set_values(result: Type, source: Type) -> Option<[u64; 2]> {
    let whole = match result {
        Type::Predicate => return None,
        Type::Float(32) => u64::from(1_f32.to_bits()),
        Type::Float(16) | Type::Halves => 0x3c00,
        Type::Brain | Type::Brains => 0x3f80,
        _ if is_pair(source) => 0xffff,
        ty => u64::MAX >> (64 - ty.width()),
    };
    Some([whole, if is_pair(source) { whole << 16 } else { 0 }])
}

fn unit(ty: Type) -> Unit {
    match ty {
        Type::Float(64) => Unit::Double,
        Type::Brain | Type::Halves | Type::Brains | Type::Float(_) => Unit::Single,
        _ => Unit::Integer,
    }
}

/// `.op{.combine}{.ftz}`
fn comparison(before: &[&str], ty: Type, result: Type) -> Option<Form> {
    let (&operator, rest) = before.split_first()?;
    let combine = rest.first().and_then(|name| Combine::parse(name));
    let rest = &rest[usize::from(combine.is_some())..];
    let flush = match rest {
        [] => false,
        ["ftz"] if matches!(ty, Type::Float(16 | 32) | Type::Halves) => true,
        _ => return None,
    };
    let apply = match ty {
        Type::Float(64) => of_floats::<f64>(operator, combine, |a| a)?,
        Type::Float(32) if flush => of_floats::<f32>(operator, combine, f32::flushed)?,
        Type::Float(32) => of_floats::<f32>(operator, combine, |a| a)?,
        Type::Float(16) | Type::Halves => of_halves(operator, combine, ty, flush)?,
        Type::Brain | Type::Brains => of_halves(operator, combine, ty, false)?,
        Type::Bits(16) if matches!(operator, "eq" | "ne") => of_integers::<u16>(operator, combine)?,
        Type::Bits(32) if matches!(operator, "eq" | "ne") => of_integers::<u32>(operator, combine)?,
        Type::Bits(64) if matches!(operator, "eq" | "ne") => of_integers::<u64>(operator, combine)?,
        Type::Signed(_) if matches!(operator, "lo" | "ls" | "hi" | "hs") => return None,
        _ => integers!(ty, [u16 u32 u64 i16 i32 i64], T => of_integers::<T>(operator, combine)?)?,
    };
    let mut sources = vec![ty; 2];
    sources.extend(combine.map(|_| Type::Predicate));
    Some(Form { sources, result, unit: unit(ty), apply })
}

fn of_integers<T: Word + Ord>(operator: &str, combine: Option<Combine>) -> Option<Apply> {
    Some(match operator {
        "eq" => test(combine, |a: T, b: T| a == b),
        "ne" => test(combine, |a: T, b: T| a != b),
        "lt" | "lo" => test(combine, |a: T, b: T| a < b),
        "le" | "ls" => test(combine, |a: T, b: T| a <= b),
        "gt" | "hi" => test(combine, |a: T, b: T| a > b),
        "ge" | "hs" => test(combine, |a: T, b: T| a >= b),
        _ => return None,
    })
}

/// Whether `operator` holds of two floating-point numbers.
fn floats<T: PartialOrd>(operator: &str) -> Option<fn(&T, &T) -> bool> {
    fn unordered<T: PartialOrd>(a: &T, b: &T) -> bool {
        a.partial_cmp(b).is_none()
    }
    Some(match operator {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a.partial_cmp(b).is_some_and(|order| order.is_ne()),
        "lt" => |a, b| a < b,
        "le" => |a, b| a <= b,
        "gt" => |a, b| a > b,
        "ge" => |a, b| a >= b,
        "equ" => |a, b| a == b || unordered(a, b),
        "neu" => |a, b| a != b,
        "ltu" => |a, b| a < b || unordered(a, b),
        "leu" => |a, b| a <= b || unordered(a, b),
        "gtu" => |a, b| a > b || unordered(a, b),
        "geu" => |a, b| a >= b || unordered(a, b),
        "num" => |a, b| !unordered(a, b),
        "nan" => unordered,
        _ => return None,
    })
}

fn of_floats<T: Word + PartialOrd>(
    operator: &str,
    combine: Option<Combine>,
    seen: impl Fn(T) -> T + 'static,
) -> Option<Apply> {
    let holds = floats::<T>(operator)?;
    Some(test(combine, move |a: T, b: T| holds(&seen(a), &seen(b))))
}

fn of_halves(operator: &str, combine: Option<Combine>, ty: Type, flush: bool) -> Option<Apply> {
    let holds = floats::<f32>(operator)?;
    let seen: fn(u16) -> f32 = match ty {
        Type::Brain | Type::Brains => half::brain_value,
        _ if flush => |bits| half::value(if bits & 0x7c00 == 0 { bits & 0x8000 } else { bits }),
        _ => half::value,
    };
    let holds = move |a: u16, b: u16| holds(&seen(a), &seen(b));
    Some(if is_pair(ty) { test_halves(combine, holds) } else { test(combine, holds) })
}

/// `slct`: the first source where the third is not negative.
fn by_sign(before: &[&str], selector: Type) -> Option<Form> {
    let (flush, ty) = match before {
        ["ftz", ty] => (true, types::parse(ty)?),
        [ty] => (false, types::parse(ty)?),
        _ => return None,
    };
    if !ty.is_moved() {
        return None;
    }
    let apply = match selector {
        Type::Signed(32) if !flush => three(|a: u64, b: u64, c: i32| if c >= 0 { a } else { b }),
        // Neither NaN nor, where it is flushed to -0, a subnormal number is negative.
        Type::Float(32) => three(move |a: u64, b: u64, c: f32| {
            let c = if flush { c.flushed() } else { c };
            if c >= 0.0 {
                a
            } else {
                b
            }
        }),
        _ => return None,
    };
    Some(Form { sources: vec![ty, ty, selector], result: ty, unit: unit(selector), apply })
}

/// `testp`.
fn class(before: &[&str], ty: Type) -> Option<Form> {
    let [class] = before else { return None };
    macro_rules! class {
        ($float:ty) => {
            match *class {
                "finite" => test_one(|a: $float| a.is_finite()),
                "infinite" => test_one(|a: $float| a.is_infinite()),
                "number" => test_one(|a: $float| !a.is_nan()),
                "notanumber" => test_one(|a: $float| a.is_nan()),
                // Zeros are normal.
                "normal" => test_one(|a: $float| a.is_normal() || a == 0.0),
                "subnormal" => test_one(|a: $float| a.is_subnormal()),
                _ => return None,
            }
        };
    }
    let apply = match ty {
        Type::Float(32) => class!(f32),
        Type::Float(64) => class!(f64),
        _ => return None,
    };
    Some(Form { sources: vec![ty], result: Type::Predicate, unit: unit(ty), apply })
}
