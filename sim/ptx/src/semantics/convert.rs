//! `cvt` (PTX ISA, "Data Movement and Conversion Instructions").

use super::half;
use super::lift::one;
use super::rounding::{Real, Rounding};
use super::types::{self, integers, Word};
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::{ieee, Float, FloatConvert};

/// The forms of this module: `cvt{.rounding}{.ftz}{.sat}.to.from`.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let [before @ .., to, from] = modifiers else { return None };
    if opcode != "cvt" {
        return None;
    }
    let (to, from) = (types::parse(to)?, types::parse(from)?);
    let modes = Modes::parse(before)?;
    let single = matches!((to, from), (Type::Float(32), _) | (_, Type::Float(32)));
    if modes.flush && !single {
        return None;
    }
    let apply = match (to, from) {
        _ if is_float(to) && is_float(from) => float_to_float(to, from, modes)?,
        _ if modes.relu || modes.finite => return None,
        _ if is_float(from) => float_to_integer(to, from, modes)?,
        _ if is_float(to) => integer_to_float(to, from, modes)?,
        _ => integer_to_integer(to, from, modes)?,
    };
    let unit = match (to, from) {
        (Type::Float(64), _) | (_, Type::Float(64)) => Unit::Double,
        _ => Unit::Integer,
    };
    Some(Form { sources: vec![from], result: to, unit, apply })
}

#[derive(Clone, Copy)]
struct Modes {
    /// Of the number that is represented.
    rounding: Option<Rounding>,
    /// To a whole number: `.rni` and so on.
    whole: Option<Rounding>,
    flush: bool,
    saturate: bool,
    /// Negative numbers become 0.
    relu: bool,
    /// Infinity becomes the largest number.
    finite: bool,
}

/// An f32 to f16 or bf16 as `cvt` with these modifiers does it, bits to bits.
pub(super) fn single_to(before: &[&str], to: Type) -> Option<impl Fn(u64) -> u64> {
    let modes = Modes::parse(before)?;
    let rounding = modes.rounding.filter(|_| !modes.flush && !modes.saturate)?;
    matches!(rounding, Rounding::Nearest | Rounding::Zero).then_some(())?;
    let narrow = narrow(to, rounding, modes)?;
    Some(move |bits: u64| {
        let exact: ieee::Quad = f32::from_bits(bits as u32).exact().convert(&mut false).value;
        narrow(exact)
    })
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Float(_) | Type::Brain)
}

/// Bits of its exponent and of its fraction.
fn format(ty: Type) -> (u32, u32) {
    match ty {
        Type::Float(16) => (5, 10),
        Type::Brain => (8, 7),
        Type::Float(32) => (8, 23),
        _ => (11, 52),
    }
}

impl Modes {
    fn parse(mut names: &[&str]) -> Option<Self> {
        let first = names.first().copied().unwrap_or_default();
        let rounding = Rounding::parse(first);
        let whole = first.strip_suffix('i').and_then(Rounding::parse);
        names = &names[usize::from(rounding.is_some() || whole.is_some())..];
        let mut take = |name: &str| {
            let found = names.first() == Some(&name);
            names = &names[usize::from(found)..];
            found
        };
        let (flush, saturate) = (take("ftz"), take("sat"));
        let (relu, finite) = (take("relu"), take("satfinite"));
        let apart = !(saturate && (relu || finite));
        (names.is_empty() && apart).then_some(Self {
            rounding,
            whole,
            flush,
            saturate,
            relu,
            finite,
        })
    }
}

/// Whether it is an integer type of 8 to 64 bits, signed or not, and its width.
fn integer(ty: Type) -> Option<(bool, u32)> {
    match ty {
        Type::Unsigned(width) => Some((false, u32::from(width))),
        Type::Signed(width) => Some((true, u32::from(width))),
        _ => None,
    }
}

/// The value of `bits`.
fn value(bits: u64, (signed, width): (bool, u32)) -> i128 {
    let shift = 128 - width;
    let above = u128::from(bits) << shift;
    if signed {
        above as i128 >> shift
    } else {
        (above >> shift) as i128
    }
}

/// The least and the largest value.
fn range((signed, width): (bool, u32)) -> (i128, i128) {
    if signed {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    }
}

fn low(value: i128, width: u32) -> u64 {
    value as u64 & (u64::MAX >> (64 - width))
}

fn integer_to_integer(to: Type, from: Type, modes: Modes) -> Option<Apply> {
    if modes.rounding.is_some() || modes.whole.is_some() || modes.flush {
        return None;
    }
    let (target, source) = (integer(to)?, integer(from)?);
    if modes.saturate {
        let (least, most) = range(target);
        let (first, last) = range(source);
        // Only where values may lie outside.
        (first < least || last > most).then_some(())?;
        return Some(one(move |a: u64| low(value(a, source).clamp(least, most), target.1)));
    }
    let fast = |width| {
        integers!(from, [u16 u32 u64 i16 i32 i64], T => {
            let mask = u64::MAX >> (64 - width);
            one(move |a: u64| Extend::extended(T::of(a)) & mask)
        })
    };
    fast(target.1).or_else(|| Some(one(move |a: u64| low(value(a, source), target.1))))
}

/// An integer with 64 bits.
trait Extend {
    fn extended(self) -> u64;
}

macro_rules! extend {
    ($($word:ty),*) => { $(
        impl Extend for $word {
            #[inline]
            fn extended(self) -> u64 {
                self as u64
            }
        }
    )* };
}

extend!(u16, u32, u64, i16, i32, i64);

/// A float of any width as f64, which represents all of them.
fn widened(ty: Type, flush: bool) -> Option<fn(u64) -> f64> {
    Some(match (ty, flush) {
        (Type::Float(16), _) => |bits| f64::from(half::value(bits as u16)),
        (Type::Brain, _) => |bits| f64::from(half::brain_value(bits as u16)),
        (Type::Float(32), false) => |bits| f64::from(f32::from_bits(bits as u32)),
        (Type::Float(32), true) => |bits| f64::from(f32::from_bits(bits as u32).flushed()),
        (Type::Float(64), _) => f64::from_bits,
        _ => return None,
    })
}

fn whole(rounding: Rounding) -> fn(f64) -> f64 {
    match rounding {
        Rounding::Nearest => f64::round_ties_even,
        Rounding::Zero => f64::trunc,
        Rounding::Down => f64::floor,
        Rounding::Up => f64::ceil,
    }
}

fn float_to_integer(to: Type, from: Type, modes: Modes) -> Option<Apply> {
    let whole = whole(modes.whole?);
    let target = integer(to)?;
    let widened = widened(from, modes.flush)?;
    let (least, most) = range(target);
    // "Zero if source is not .f64 and destination is not .s64 or .u64, otherwise 1 << (width - 1)".
    let zero = from != Type::Float(64) && target.1 != 64;
    let of_nan = if zero { 0 } else { 1_u64 << (target.1 - 1) };
    Some(one(move |a: u64| {
        let value = whole(widened(a));
        if value.is_nan() {
            return of_nan;
        }
        low((value as i128).clamp(least, most), target.1)
    }))
}

fn integer_to_float(to: Type, from: Type, modes: Modes) -> Option<Apply> {
    let source = integer(from)?;
    if modes.whole.is_some() || modes.flush && to != Type::Float(32) {
        return None;
    }
    let rounding = modes.rounding?;
    let nearest = rounding == Rounding::Nearest && !modes.saturate;
    match (to, from) {
        (Type::Float(32), Type::Signed(32)) if nearest => return Some(one(|a: i32| a as f32)),
        (Type::Float(32), Type::Unsigned(32)) if nearest => return Some(one(|a: u32| a as f32)),
        (Type::Float(64), Type::Signed(32)) if nearest => return Some(one(|a: i32| f64::from(a))),
        _ => {}
    }
    let narrow = narrow(to, rounding, modes)?;
    Some(one(move |a: u64| {
        let exact = ieee::Quad::from_i128(value(a, source)).value;
        narrow(exact)
    }))
}

/// From a number of 113 bits, which integers and all floats are, to `to`.
fn narrow(to: Type, rounding: Rounding, modes: Modes) -> Option<impl Fn(ieee::Quad) -> u64> {
    let round = rounding.exact();
    let Modes { saturate, relu, finite, .. } = modes;
    if saturate && to == Type::Brain || (relu || finite) && to.width() != 16 {
        return None;
    }
    let largest = match to {
        Type::Brain => 0x7f7f,
        _ => 0x7bff,
    };
    let convert: fn(ieee::Quad, rustc_apfloat::Round) -> u64 = match to {
        Type::Float(16) => |exact, round| {
            let half: ieee::Half = exact.convert_r(round, &mut false).value;
            if half.is_nan() {
                half::NAN.into()
            } else {
                half.to_bits() as u64
            }
        },
        Type::Brain => |exact, round| {
            let brain: ieee::BFloat = exact.convert_r(round, &mut false).value;
            if brain.is_nan() {
                half::NAN.into()
            } else {
                brain.to_bits() as u64
            }
        },
        Type::Float(32) => |exact, round| {
            let single: ieee::Single = exact.convert_r(round, &mut false).value;
            f32::from_bits(single.to_bits() as u32).bits()
        },
        Type::Float(64) => |exact, round| {
            let double: ieee::Double = exact.convert_r(round, &mut false).value;
            f64::from_bits(double.to_bits() as u64).bits()
        },
        _ => return None,
    };
    Some(move |exact: ieee::Quad| {
        if saturate && (exact.is_nan() || exact.is_negative()) {
            return 0;
        }
        if relu && exact.is_negative() && !exact.is_nan() {
            return 0;
        }
        let one = ieee::Quad::from_u128(1).value;
        let found = convert(if saturate && exact > one { one } else { exact }, round);
        let magnitude = found & 0x7fff;
        if finite && magnitude == largest + 1 {
            return found - 1;
        }
        found
    })
}

fn float_to_float(to: Type, from: Type, modes: Modes) -> Option<Apply> {
    let ((exponent, fraction), (more_exponent, more_fraction)) = (format(to), format(from));
    let narrows = exponent < more_exponent || fraction < more_fraction;
    let to_half = from == Type::Float(32) && to.width() == 16;
    if (modes.relu || modes.finite) && !to_half {
        return None;
    }
    if narrows != modes.rounding.is_some() || modes.whole.is_some() && to != from {
        return None;
    }
    let widened = widened(from, modes.flush)?;
    let flush = modes.flush && to == Type::Float(32);
    match (to, from, modes.rounding) {
        (Type::Float(32), Type::Float(64), Some(Rounding::Nearest))
            if !modes.saturate && !flush =>
        {
            return Some(one(|a: f64| a as f32))
        }
        (Type::Float(64), Type::Float(32), None) if !modes.saturate && !modes.flush => {
            return Some(one(|a: f32| f64::from(a)))
        }
        _ => {}
    }
    let narrow = narrow(to, modes.rounding.unwrap_or(Rounding::Nearest), modes)?;
    let whole = modes.whole.map(whole);
    Some(one(move |a: u64| {
        let value = widened(a);
        let value = whole.map_or(value, |whole| whole(value));
        let exact: ieee::Quad = value.exact().convert(&mut false).value;
        let bits = narrow(exact);
        if flush {
            f32::from_bits(bits as u32).flushed().bits()
        } else {
            bits
        }
    }))
}
