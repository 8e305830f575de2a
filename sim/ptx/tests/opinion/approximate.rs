//! Approximations: what they would give if they were rounded once, as far as the manual does not
//! say that they give something else.

use super::arithmetic::{over, root};
use super::float::Rules;
use super::form::{Form, Type};
use super::soft::{Format, Rounding};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, mut form: Form) -> Results {
    let full = opcode == "div" && form.take("full");
    if !full && !form.take("approx") {
        return None;
    }
    let flush = form.take("ftz");
    let rules = Rules { flush, clamp: false };
    match form.only_type()? {
        Type::Float(Format::SINGLE) => {}
        Type::Float(Format::DOUBLE) => return double(opcode, flush, &form),
        Type::Float(format) => return narrow(opcode, flush, format, 1, &form),
        Type::Floats(format) => return narrow(opcode, flush, format, 2, &form),
        _ => return None,
    }
    let single = Format::SINGLE;
    if opcode == "div" {
        let operands: [u64; 2] = form.operands()?;
        let result = rules.apply(single, operands, |[a, b]| {
            if full {
                over(single, Rounding::Nearest, a, b)
            } else {
                quotient(a, b)
            }
        });
        return Some(vec![result]);
    }
    let [a] = form.operands()?;
    if !matches!(opcode, "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh")
        || (opcode == "tanh" && flush)
    {
        return None;
    }
    Some(vec![rules.apply(single, [a], |[a]| match opcode {
        "rcp" => over(single, Rounding::Nearest, single.one(), a),
        "sqrt" => root(single, Rounding::Nearest, a),
        // "Subnormal inputs get passed through to the output."
        "tanh" if single.is_subnormal(a) => a & 0xffff_ffff,
        _ => {
            let value = function(opcode, f64::from(f32::from_bits(a as u32))) as f32;
            let bits = u64::from(value.to_bits());
            if single.is_nan(bits) {
                single.nan()
            } else {
                bits
            }
        }
    })])
}

/// `ex2` and `tanh` of floats of 16 bits. Only `ex2` of `.bf16` is flushed, and always.
fn narrow(opcode: &str, flush: bool, format: Format, parts: u32, form: &Form) -> Results {
    let brain = format == Format::BRAIN;
    let known = match opcode {
        "ex2" => flush == brain,
        "tanh" => !flush,
        _ => false,
    };
    if !known || format.width() != 16 {
        return None;
    }
    let [a] = form.operands()?;
    let rules = Rules { flush, clamp: false };
    let one = |bits: u64| {
        rules.apply(format, [bits], |[bits]| {
            let x = match (format.is_nan(bits), format.exact(bits)) {
                (true, _) => return format.nan(),
                (_, Some(exact)) => f64::from_bits(Format::DOUBLE.round(&exact, Rounding::Nearest)),
                (_, None) if format.is_negative(bits) => f64::NEG_INFINITY,
                _ => f64::INFINITY,
            };
            let y = function(opcode, x).to_bits();
            let sign = if Format::DOUBLE.is_negative(y) { format.sign() } else { 0 };
            match Format::DOUBLE.exact(y) {
                Some(exact) => format.round(&exact, Rounding::Nearest),
                None => sign | format.infinity(),
            }
        })
    };
    let parts = (0..parts).map(|part| one(a >> (16 * part) & 0xffff) << (16 * part));
    Some(vec![parts.sum()])
}

/// The function of that name, to the precision of `f64`.
pub fn function(opcode: &str, x: f64) -> f64 {
    match opcode {
        "rcp" => 1.0 / x,
        "sqrt" => x.sqrt(),
        "rsqrt" => 1.0 / x.sqrt(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "lg2" => x.log2(),
        "ex2" => x.exp2(),
        "tanh" => x.tanh(),
        _ => f64::NAN,
    }
}

/// `a * (1 / b)`: "for 2^126 < |b| < 2^128, if `a` is infinity, `div.approx.f32` returns `NaN`,
/// otherwise it returns a sign-preserving zero".
fn quotient(a: u64, b: u64) -> u64 {
    let single = Format::SINGLE;
    let large = (126 + 127) << single.fraction;
    let beyond = single.magnitude(b) > large && single.magnitude(b) < single.infinity();
    match beyond {
        true if single.is_infinite(a) || single.is_nan(a) => single.nan(),
        true => (a ^ b) & single.sign(),
        false => over(single, Rounding::Nearest, a, b),
    }
}

/// `rsqrt.approx.f64`, and the coarse `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: they look at
/// the upper word alone, and give one.
fn double(opcode: &str, flush: bool, form: &Form) -> Results {
    let [a] = form.operands()?;
    let double = Format::DOUBLE;
    if !matches!((opcode, flush), ("rsqrt", _) | ("rcp", true)) {
        return None;
    }
    if double.is_nan(a) {
        return Some(vec![0x7fff_ffff_0000_0000]);
    }
    let seen = if flush { double.flushed(a & !0xffff_ffff) } else { a };
    let result = function(opcode, f64::from_bits(seen)).to_bits();
    let delivered = if flush { double.flushed(result) & !0xffff_ffff } else { result };
    Some(vec![if double.is_nan(delivered) { 0x7fff_ffff_0000_0000 } else { delivered }])
}
