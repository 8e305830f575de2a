//! Arithmetic of f32 and f64 (PTX ISA, "Floating Point Instructions"), but for what is approximate.
//!
//! Results that are rounded to nearest are the processor's own; the other directions are computed
//! exactly and rounded once.

use super::lift::{one, three, two};
use super::rounding::{Modifiers, Real, Rounding};
use super::types;
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::{Float, Round};
use std::ops::{Add, Mul, Sub};

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    let (arity, apply) = match ty {
        Type::Float(32) => single(opcode, before)?,
        Type::Float(64) => double(opcode, before)?,
        _ => return None,
    };
    let unit = match (ty, opcode) {
        (Type::Float(64), _) => Unit::Double,
        (_, "div") => Unit::Special,
        _ => Unit::Single,
    };
    Some(Form { sources: vec![ty; arity], result: ty, unit, apply })
}

fn single(opcode: &str, before: &[&str]) -> Option<(usize, Apply)> {
    if let Some(found) = minimum_or_maximum(opcode, before) {
        return Some((2, found));
    }
    let modifiers = Modifiers::parse(before)?;
    let Modifiers { rounding, flush, saturate } = modifiers;
    match opcode {
        "add" | "sub" | "mul" => Some((2, arithmetic::<f32>(opcode, modifiers))),
        "fma" if rounding.is_some() => Some((3, fused::<f32>(modifiers))),
        // From sm_20 on the same as fma.
        "mad" => Some((3, fused::<f32>(modifiers))),
        "div" if rounding.is_some() && !saturate => Some((2, arithmetic::<f32>(opcode, modifiers))),
        "abs" | "neg" if rounding.is_none() && !saturate => Some((1, sign::<f32>(opcode, flush))),
        "copysign" if before.is_empty() => {
            Some((2, two(|a: u32, b: u32| a & 1 << 31 | b & !(1 << 31))))
        }
        _ => None,
    }
}

fn double(opcode: &str, before: &[&str]) -> Option<(usize, Apply)> {
    let modifiers = Modifiers::parse(before)?;
    if modifiers.flush || modifiers.saturate {
        return None;
    }
    match (opcode, modifiers.rounding) {
        ("add" | "sub" | "mul", _) => Some((2, arithmetic::<f64>(opcode, modifiers))),
        // Without a rounding: files for sm_1x.
        ("div", _) => Some((2, arithmetic::<f64>(opcode, modifiers))),
        ("fma", Some(_)) | ("mad", _) => Some((3, fused::<f64>(modifiers))),
        ("abs" | "neg", None) => Some((1, sign::<f64>(opcode, false))),
        ("min", None) => Some((2, two(|a: f64, b: f64| least(a, b)))),
        ("max", None) => Some((2, two(|a: f64, b: f64| -least(-a, -b)))),
        ("copysign", None) => Some((2, two(|a: u64, b: u64| a & 1 << 63 | b & !(1 << 63)))),
        _ => None,
    }
}

/// What both types have of arithmetic.
trait Arithmetic: Real + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn binary(opcode: &str) -> fn(Self, Self) -> Self;
    fn fused(self, b: Self, c: Self) -> Self;
    fn sign_dropped(self) -> Self;
    fn sign_changed(self) -> Self;
}

macro_rules! arithmetic {
    ($float:ty) => {
        impl Arithmetic for $float {
            fn binary(opcode: &str) -> fn(Self, Self) -> Self {
                match opcode {
                    "add" => |a, b| a + b,
                    "sub" => |a, b| a - b,
                    "mul" => |a, b| a * b,
                    _ => |a, b| a / b,
                }
            }

            #[inline]
            fn fused(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }

            fn sign_dropped(self) -> Self {
                self.abs()
            }

            fn sign_changed(self) -> Self {
                -self
            }
        }
    };
}

arithmetic!(f32);
arithmetic!(f64);

fn arithmetic<F: Arithmetic>(opcode: &str, modifiers: Modifiers) -> Apply {
    if modifiers.plain() {
        // One loop for each, which the compiler can vectorize.
        return match opcode {
            "add" => two(|a: F, b: F| a + b),
            "sub" => two(|a: F, b: F| a - b),
            "mul" => two(|a: F, b: F| a * b),
            _ => two(F::binary(opcode)),
        };
    }
    let round = modifiers.rounding.unwrap_or(Rounding::Nearest).exact();
    if round == Round::NearestTiesToEven {
        let f = F::binary(opcode);
        return two(move |a, b| modifiers.after(f(modifiers.before(a), modifiers.before(b))));
    }
    let f: fn(F::Exact, F::Exact, Round) -> F::Exact = match opcode {
        "add" => |a, b, round| a.add_r(b, round).value,
        "sub" => |a, b, round| a.sub_r(b, round).value,
        "mul" => |a, b, round| a.mul_r(b, round).value,
        _ => |a, b, round| a.div_r(b, round).value,
    };
    two(move |a: F, b: F| {
        let (a, b) = (modifiers.before(a).exact(), modifiers.before(b).exact());
        modifiers.after(F::of_exact(f(a, b, round)))
    })
}

fn fused<F: Arithmetic>(modifiers: Modifiers) -> Apply {
    if modifiers.plain() {
        return three(F::fused);
    }
    let round = modifiers.rounding.unwrap_or(Rounding::Nearest).exact();
    three(move |a: F, b: F, c: F| {
        let [a, b, c] = [a, b, c].map(|value| modifiers.before(value));
        modifiers.after(if round == Round::NearestTiesToEven {
            a.fused(b, c)
        } else {
            F::of_exact(a.exact().mul_add_r(b.exact(), c.exact(), round).value)
        })
    })
}

fn sign<F: Arithmetic>(opcode: &str, flush: bool) -> Apply {
    let f = if opcode == "abs" { F::sign_dropped } else { F::sign_changed };
    one(move |a: F| f(if flush { a.flushed() } else { a }))
}

/// `min` and `max` of f32, `{.ftz}{.NaN}{.xorsign.abs}`.
fn minimum_or_maximum(opcode: &str, before: &[&str]) -> Option<Apply> {
    let largest = match opcode {
        "min" => false,
        "max" => true,
        _ => return None,
    };
    let mut rest = before;
    let mut take = |names: &[&str]| {
        let found = rest.starts_with(names);
        rest = &rest[if found { names.len() } else { 0 }..];
        found
    };
    let (flush, keep_nan) = (take(&["ftz"]), take(&["NaN"]));
    let xor_sign = take(&["xorsign", "abs"]);
    rest.is_empty().then_some(())?;
    Some(two(move |a: f32, b: f32| {
        let [a, b] = [a, b].map(|value| if flush { value.flushed() } else { value });
        let sign = a.to_bits() ^ b.to_bits();
        let [a, b] = [a, b].map(|value| if xor_sign { value.abs() } else { value });
        if keep_nan && (a.is_nan() || b.is_nan()) {
            return f32::NAN;
        }
        let found = if largest { -least32(-a, -b) } else { least32(a, b) };
        if xor_sign {
            found.copysign(f32::from_bits(sign))
        } else {
            found
        }
    }))
}

/// The smaller one; -0 is smaller than 0, and a number smaller than NaN.
fn least(a: f64, b: f64) -> f64 {
    if a == b {
        if a.is_sign_negative() {
            a
        } else {
            b
        }
    } else {
        a.min(b)
    }
}

fn least32(a: f32, b: f32) -> f32 {
    least(f64::from(a), f64::from(b)) as f32
}
