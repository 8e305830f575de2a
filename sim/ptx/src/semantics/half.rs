//! Arithmetic of f16, bf16 and pairs of them (PTX ISA, "Half Precision Floating Point
//! Instructions"): computed exactly, rounded once.

use super::lift::{one, three, two};
use super::types::{self, Word};
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::{ieee, Float, FloatConvert, Round};

/// A format of 16 bits.
pub(super) trait Narrow: Float + 'static {
    /// 1.
    const ONE: u16;
    /// The same value: there is one for each.
    fn single(self) -> f32;
    /// The nearest one.
    fn nearest(value: f64) -> Self;
}

/// NaN as arithmetic gives it, in both formats.
pub(super) const NAN: u16 = 0x7fff;

macro_rules! narrow {
    ($format:ty, $one:expr) => {
        impl Narrow for $format {
            const ONE: u16 = $one;

            fn single(self) -> f32 {
                let single: ieee::Single = self.convert(&mut false).value;
                f32::from_bits(single.to_bits() as u32)
            }

            fn nearest(value: f64) -> Self {
                let double = ieee::Double::from_bits(u128::from(value.to_bits()));
                double.convert_r(Round::NearestTiesToEven, &mut false).value
            }
        }
    };
}

narrow!(ieee::Half, 0x3c00);
narrow!(ieee::BFloat, 0x3f80);

/// The value of the f16 with these bits.
pub(super) fn value(bits: u16) -> f32 {
    ieee::Half::from_bits(u128::from(bits)).single()
}

/// The value of the bf16 with these bits.
pub(super) fn brain_value(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The forms of this module: `add sub mul fma neg abs min max ex2 tanh`.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    let modes = Modes::parse(before)?;
    let (arity, apply) = match ty {
        Type::Float(16) | Type::Halves => build::<ieee::Half>(opcode, modes, ty)?,
        Type::Brain | Type::Brains if !modes.saturate => build::<ieee::BFloat>(opcode, modes, ty)?,
        _ => return None,
    };
    let unit = if modes.approximate { Unit::Special } else { Unit::Single };
    Some(Form { sources: vec![ty; arity], result: ty, unit, apply })
}

/// Whether `ty` is a type of this module.
pub fn is_half(ty: Type) -> bool {
    matches!(ty, Type::Float(16) | Type::Halves | Type::Brain | Type::Brains)
}

/// What [`of_halves`] makes of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfHalves {
    /// Their sum.
    Sum,
    /// The smaller one, as `min` has it.
    Least,
    /// The larger one, as `max` has it.
    Most,
}

/// `what` of two values of a type of this module, half by half; nothing is flushed.
pub fn of_halves(what: OfHalves, ty: Type, a: u64, b: u64) -> u64 {
    fn of<F: Narrow>(what: OfHalves, a: u16, b: u16) -> u16 {
        let [a, b] = [a, b].map(|bits| F::from_bits(u128::from(bits)));
        let found = match what {
            OfHalves::Sum => (a + b).value,
            OfHalves::Least => least(a, b),
            OfHalves::Most => -least(-a, -b),
        };
        if found.is_nan() {
            NAN
        } else {
            found.to_bits() as u16
        }
    }
    let of = if matches!(ty, Type::Brain | Type::Brains) {
        of::<ieee::BFloat>
    } else {
        of::<ieee::Half>
    };
    let both = both(|part| of(what, part(a as u32), part(b as u32)));
    u64::from(if ty.width() == 32 { both } else { both & 0xffff })
}

/// The number that the low bits of an f16 or bf16 stand for.
pub fn widened(ty: Type, bits: u64) -> f64 {
    f64::from(if ty == Type::Brain { brain_value(bits as u16) } else { value(bits as u16) })
}

/// The nearest float of type f16, f32 or f64.
pub fn narrowed(ty: Type, value: f64) -> u64 {
    match ty {
        Type::Float(32) => (value as f32).bits(),
        Type::Float(64) => value.bits(),
        _ if value.is_nan() => NAN.into(),
        _ => <ieee::Half as Narrow>::nearest(value).to_bits() as u64,
    }
}

/// All modifiers, in their order.
#[derive(Clone, Copy)]
struct Modes {
    rounded: bool,
    approximate: bool,
    flush: bool,
    saturate: bool,
    relu: bool,
    keep_nan: bool,
    xor_sign: bool,
}

impl Modes {
    fn parse(mut names: &[&str]) -> Option<Self> {
        let mut take = |wanted: &[&str]| {
            let found = names.starts_with(wanted);
            names = &names[if found { wanted.len() } else { 0 }..];
            found
        };
        let modes = Self {
            rounded: take(&["rn"]),
            approximate: take(&["approx"]),
            flush: take(&["ftz"]),
            saturate: take(&["sat"]),
            relu: take(&["relu"]),
            keep_nan: take(&["NaN"]),
            xor_sign: take(&["xorsign", "abs"]),
        };
        names.is_empty().then_some(modes)
    }

    /// Whether there is `opcode` with these modifiers.
    fn fit(self, opcode: &str, brain: bool) -> bool {
        let Self { rounded, approximate, flush, saturate, relu, keep_nan, xor_sign } = self;
        let chooses = matches!(opcode, "min" | "max");
        let signs = chooses || matches!(opcode, "abs" | "neg");
        let estimates = matches!(opcode, "ex2" | "tanh");
        let flushes = match opcode {
            "ex2" => flush == brain,
            "tanh" => !flush,
            _ => !(flush && brain),
        };
        let rounds = if opcode == "fma" { rounded } else { !(rounded && (signs || estimates)) };
        flushes
            && rounds
            && approximate == estimates
            && !(saturate && (signs || estimates))
            && !(relu && (opcode != "fma" || saturate))
            && (chooses || !keep_nan && !xor_sign)
    }

    fn before<F: Narrow>(self, bits: u16) -> F {
        let half = F::from_bits(u128::from(bits));
        if self.flush && half.is_denormal() {
            F::ZERO.copy_sign(half)
        } else {
            half
        }
    }

    fn after<F: Narrow>(self, half: F) -> u16 {
        let below = half.is_negative() && !half.is_nan();
        if self.saturate && (half.is_nan() || below) || self.relu && below {
            return 0;
        }
        if half.is_nan() {
            return NAN;
        }
        if self.saturate && half.single() > 1.0 {
            return F::ONE;
        }
        self.before::<F>(half.to_bits() as u16).to_bits() as u16
    }
}

fn build<F: Narrow>(opcode: &str, modes: Modes, ty: Type) -> Option<(usize, Apply)> {
    modes.fit(opcode, matches!(ty, Type::Brain | Type::Brains)).then_some(())?;
    let pair = ty.width() == 32;
    let round = Round::NearestTiesToEven;
    let largest = opcode == "max";
    Some(match opcode {
        "add" => (2, binary(pair, modes, move |a: F, b| a.add_r(b, round).value)),
        "sub" => (2, binary(pair, modes, move |a: F, b| a.sub_r(b, round).value)),
        "mul" => (2, binary(pair, modes, move |a: F, b| a.mul_r(b, round).value)),
        "min" | "max" => (2, binary(pair, modes, move |a: F, b| modes.chosen(largest, a, b))),
        "abs" => (1, unary(pair, modes, |a: F| a.abs())),
        "neg" => (1, unary(pair, modes, |a: F| -a)),
        "ex2" => (1, unary(pair, modes, |a: F| F::nearest(libm::exp2(f64::from(a.single()))))),
        "tanh" => (1, unary(pair, modes, |a: F| F::nearest(libm::tanh(f64::from(a.single()))))),
        "fma" => (3, fused::<F>(pair, modes)),
        _ => return None,
    })
}

impl Modes {
    /// The smaller or the larger one; -0 is smaller than 0, and NaN is taken only where there is
    /// nothing else.
    fn chosen<F: Narrow>(self, largest: bool, a: F, b: F) -> F {
        let negative = a.is_negative() != b.is_negative();
        let [a, b] = if self.xor_sign { [a.abs(), b.abs()] } else { [a, b] };
        if self.keep_nan && (a.is_nan() || b.is_nan()) {
            return F::NAN;
        }
        let found = if largest { -least(-a, -b) } else { least(a, b) };
        match self.xor_sign {
            true if negative => -found.abs(),
            true => found.abs(),
            false => found,
        }
    }
}

fn unary<F: Narrow>(pair: bool, modes: Modes, f: impl Fn(F) -> F + Copy + 'static) -> Apply {
    let f = move |a: u16| modes.after(f(modes.before(a)));
    match pair {
        true => one(move |a: u32| both(|part| f(part(a)))),
        false => one(f),
    }
}

fn binary<F: Narrow>(pair: bool, modes: Modes, f: impl Fn(F, F) -> F + Copy + 'static) -> Apply {
    let f = move |a: u16, b: u16| modes.after(f(modes.before(a), modes.before(b)));
    match pair {
        true => two(move |a: u32, b: u32| both(|part| f(part(a), part(b)))),
        false => two(f),
    }
}

fn fused<F: Narrow>(pair: bool, modes: Modes) -> Apply {
    let f = move |a: u16, b: u16, c: u16| {
        let [a, b, c] = [a, b, c].map(|bits| modes.before::<F>(bits));
        modes.after(a.mul_add_r(b, c, Round::NearestTiesToEven).value)
    };
    match pair {
        true => three(move |a: u32, b: u32, c: u32| both(|part| f(part(a), part(b), part(c)))),
        false => three(f),
    }
}

/// `f` of the low halves and of the high halves, side by side.
pub(super) fn both(f: impl Fn(&dyn Fn(u32) -> u16) -> u16) -> u32 {
    let low = f(&|word| word as u16);
    let high = f(&|word| (word >> 16) as u16);
    u32::from(high) << 16 | u32::from(low)
}

/// The smaller one; -0 is smaller than 0, and a number smaller than NaN.
fn least<F: Narrow>(a: F, b: F) -> F {
    let (x, y) = (a.single(), b.single());
    let first = if x == y { a.is_negative() } else { x < y || y.is_nan() };
    if first {
        a
    } else {
        b
    }
}
