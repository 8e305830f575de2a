//! Reciprocals, roots and transcendental functions (PTX ISA, "Floating Point Instructions").
//!
//! What PTX calls approximate is here the nearest f32 to the true value, within the errors that the
//! manual allows; the functions come from a library of our own language, so that results are the
//! same bits on every machine.

use super::lift::{one, two};
use super::rounding::{Modifiers, Real, Rounding};
use super::types;
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::Float;

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    let (arity, apply) = match ty {
        Type::Float(32) => single(opcode, before)?,
        Type::Float(64) => (1, double(opcode, before)?),
        _ => return None,
    };
    let exact_double = ty == Type::Float(64) && before.first() != Some(&"approx");
    let unit = if exact_double { Unit::Double } else { Unit::Special };
    Some(Form { sources: vec![ty; arity], result: ty, unit, apply })
}

fn single(opcode: &str, before: &[&str]) -> Option<(usize, Apply)> {
    match (opcode, before) {
        // Without a modifier: files for sm_1x.
        ("div", [] | ["approx"]) => Some((2, two(|a, b| quotient(a, b, false)))),
        ("div", ["approx", "ftz"]) => Some((2, two(|a, b| quotient(a, b, true)))),
        ("div", ["full"]) => Some((2, two(|a: f32, b: f32| a / b))),
        ("div", ["full", "ftz"]) => {
            Some((2, two(|a: f32, b: f32| (a.flushed() / b.flushed()).flushed())))
        }
        (_, [] | ["approx"]) => Some((1, one(approximate(opcode)?))),
        (_, ["approx", "ftz"]) if opcode != "tanh" => {
            let f = approximate(opcode)?;
            Some((1, one(move |a: f32| f(a.flushed()).flushed())))
        }
        ("rcp" | "sqrt", _) => {
            let modifiers = Modifiers::parse(before)?;
            let rounding = modifiers.rounding?;
            (!modifiers.saturate).then_some(())?;
            let f = if opcode == "rcp" { reciprocal::<f32> } else { root32 };
            Some((1, one(move |a| modifiers.after(f(modifiers.before(a), rounding)))))
        }
        _ => None,
    }
}

/// `a / b` as `div.approx` gives it: nothing for divisors beyond 2^126.
fn quotient(a: f32, b: f32, flush: bool) -> f32 {
    const LARGE: f32 = 8.507_059e37;
    let [a, b] = [a, b].map(|value| if flush { value.flushed() } else { value });
    let quotient = match b.is_finite() && b.abs() > LARGE {
        true if a.is_infinite() || a.is_nan() => f32::NAN,
        true => f32::copysign(0.0, a) * f32::copysign(1.0, b),
        false => a / b,
    };
    if flush {
        quotient.flushed()
    } else {
        quotient
    }
}

fn approximate(opcode: &str) -> Option<fn(f32) -> f32> {
    Some(match opcode {
        "rcp" => |a| 1.0 / a,
        "sqrt" => |a| a.sqrt(),
        "rsqrt" => |a| (1.0 / f64::from(a).sqrt()) as f32,
        "sin" => |a| libm::sin(f64::from(a)) as f32,
        "cos" => |a| libm::cos(f64::from(a)) as f32,
        "lg2" => |a| libm::log2(f64::from(a)) as f32,
        "ex2" => |a| libm::exp2(f64::from(a)) as f32,
        "tanh" => |a| libm::tanh(f64::from(a)) as f32,
        _ => return None,
    })
}

fn double(opcode: &str, before: &[&str]) -> Option<Apply> {
    match (opcode, before) {
        ("rcp", ["approx", "ftz"]) => Some(one(|a: f64| high_word((1.0 / a.flushed()).flushed()))),
        ("rsqrt", ["approx"]) => Some(one(|a: f64| 1.0 / a.sqrt())),
        ("rsqrt", ["approx", "ftz"]) => {
            Some(one(|a: f64| high_word((1.0 / a.flushed().sqrt()).flushed())))
        }
        ("rcp" | "sqrt", []) => double(opcode, &["rn"]),
        ("rcp" | "sqrt", [rounding]) => {
            let rounding = Rounding::parse(rounding)?;
            let f = if opcode == "rcp" { reciprocal::<f64> } else { root64 };
            Some(one(move |a| f(a, rounding)))
        }
        _ => None,
    }
}

/// Only the upper word, as hardware gives it.
fn high_word(value: f64) -> f64 {
    f64::from_bits(value.to_bits() >> 32 << 32)
}

fn reciprocal<F: Real>(value: F, rounding: Rounding) -> F {
    if rounding == Rounding::Nearest {
        return value.inverse();
    }
    let one = F::Exact::from_u128(1).value;
    F::of_exact(one.div_r(value.exact(), rounding.exact()).value)
}

fn root32(value: f32, rounding: Rounding) -> f32 {
    let root = value.sqrt();
    // Exact: a product of 48 bits.
    let excess = f64::from(root) * f64::from(root) - f64::from(value);
    nudged(f64::from(root), excess, rounding, |up| {
        f64::from(if up { root.next_up() } else { root.next_down() })
    }) as f32
}

fn root64(value: f64, rounding: Rounding) -> f64 {
    // Where the square of the root would lose bits at the lower end, both are moved up.
    let (scale, back) =
        if value < 1e-200 { (2_f64.powi(200), 2_f64.powi(-100)) } else { (1.0, 1.0) };
    let value = value * scale;
    let root = value.sqrt();
    let excess = root.mul_add(root, -value);
    let next = |up| if up { root.next_up() } else { root.next_down() };
    nudged(root, excess, rounding, next) * back
}

/// `root`, whose square is larger than it should be by something of the sign of `excess`, in the
/// direction of `rounding`.
fn nudged(root: f64, excess: f64, rounding: Rounding, next: impl Fn(bool) -> f64) -> f64 {
    if !root.is_finite() {
        return root;
    }
    match rounding {
        Rounding::Zero | Rounding::Down if excess > 0.0 => next(false),
        Rounding::Up if excess < 0.0 => next(true),
        _ => root,
    }
}
