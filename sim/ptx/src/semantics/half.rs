//! Arithmetic of f16 and pairs of them (PTX ISA, "Half Precision Floating Point Instructions"):
//! computed exactly, rounded once.

use super::lift::{one, three, two};
use super::types;
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::{ieee::Half, Float, FloatConvert, Round};

/// NaN as f16 arithmetic gives it.
const NAN: u16 = 0x7fff;

/// The forms of this module: `add sub mul fma neg abs min max`, `{.rn}{.ftz}{.sat}`.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    if !matches!(ty, Type::Float(16) | Type::Halves) {
        return None;
    }
    let (rounding, before) = match before {
        ["rn", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (flush, saturate) = match before {
        [] => (false, false),
        ["ftz"] => (true, false),
        ["sat"] => (false, true),
        ["ftz", "sat"] => (true, true),
        _ => return None,
    };
    let only_sign = matches!(opcode, "abs" | "neg" | "min" | "max");
    if only_sign && (rounding || saturate) || opcode == "fma" && !rounding {
        return None;
    }
    let modes = Modes { flush, saturate };
    let round = Round::NearestTiesToEven;
    let (arity, apply) = match opcode {
        "add" => (2, binary(ty, modes, move |a, b| a.add_r(b, round).value)),
        "sub" => (2, binary(ty, modes, move |a, b| a.sub_r(b, round).value)),
        "mul" => (2, binary(ty, modes, move |a, b| a.mul_r(b, round).value)),
        "min" => (2, binary(ty, modes, least)),
        "max" => (2, binary(ty, modes, |a, b| -least(-a, -b))),
        "abs" => (1, unary(ty, modes, |a| a.abs())),
        "neg" => (1, unary(ty, modes, |a| -a)),
        "fma" => (3, fused(ty, modes)),
        _ => return None,
    };
    Some(Form { sources: vec![ty; arity], result: ty, unit: Unit::Single, apply })
}

#[derive(Clone, Copy)]
struct Modes {
    flush: bool,
    saturate: bool,
}

impl Modes {
    fn before(self, bits: u16) -> Half {
        let half = Half::from_bits(u128::from(bits));
        if self.flush && half.is_denormal() {
            Half::ZERO.copy_sign(half)
        } else {
            half
        }
    }

    fn after(self, half: Half) -> u16 {
        if self.saturate && (half.is_nan() || half.is_negative()) {
            return 0;
        }
        if half.is_nan() {
            return NAN;
        }
        if self.saturate && widened(half) > 1.0 {
            return ONE;
        }
        self.before(half.to_bits() as u16).to_bits() as u16
    }
}

/// 1 as f16.
pub(super) const ONE: u16 = 0x3c00;

/// The same value as f32: there is one for each.
pub(super) fn widened(half: Half) -> f32 {
    let single: rustc_apfloat::ieee::Single = half.convert(&mut false).value;
    f32::from_bits(single.to_bits() as u32)
}

/// The value of the f16 with these bits.
pub(super) fn value(bits: u16) -> f32 {
    widened(Half::from_bits(u128::from(bits)))
}

fn unary(ty: Type, modes: Modes, f: impl Fn(Half) -> Half + Copy + 'static) -> Apply {
    let f = move |a: u16| modes.after(f(modes.before(a)));
    match ty {
        Type::Halves => one(move |a: u32| pair(|part| f(part(a)))),
        _ => one(f),
    }
}

fn binary(ty: Type, modes: Modes, f: impl Fn(Half, Half) -> Half + Copy + 'static) -> Apply {
    let f = move |a: u16, b: u16| modes.after(f(modes.before(a), modes.before(b)));
    match ty {
        Type::Halves => two(move |a: u32, b: u32| pair(|part| f(part(a), part(b)))),
        _ => two(f),
    }
}

fn fused(ty: Type, modes: Modes) -> Apply {
    let f = move |a: u16, b: u16, c: u16| {
        let [a, b, c] = [a, b, c].map(|bits| modes.before(bits));
        modes.after(a.mul_add_r(b, c, Round::NearestTiesToEven).value)
    };
    match ty {
        Type::Halves => {
            three(move |a: u32, b: u32, c: u32| pair(|part| f(part(a), part(b), part(c))))
        }
        _ => three(f),
    }
}

/// `f` of the low halves and of the high halves, side by side.
fn pair(f: impl Fn(&dyn Fn(u32) -> u16) -> u16) -> u32 {
    let low = f(&|word| word as u16);
    let high = f(&|word| (word >> 16) as u16);
    u32::from(high) << 16 | u32::from(low)
}

/// The smaller one; -0 is smaller than 0, and a number smaller than NaN.
fn least(a: Half, b: Half) -> Half {
    let (x, y) = (widened(a), widened(b));
    let first = if x == y { a.is_negative() } else { x < y || y.is_nan() };
    if first {
        a
    } else {
        b
    }
}
