//! `cvt` to tf32, to and from floats of 8 bits, and `cvt.pack`: 9.7.9.21 and 9.7.9.22.

use super::form::{low, ones, Form, Type};
use super::soft::{Exact, Format, Rounding};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`]; types that no other instruction has are taken as modifiers.
pub fn opinion(opcode: &str, mut form: Form) -> Results {
    if opcode != "cvt" {
        return None;
    }
    if form.take("pack") {
        return pack(form);
    }
    if form.take("tf32") {
        return tensor(form);
    }
    let byte = form.take_any(&["e4m3x2", "e5m2x2"])?;
    let relu = form.take("relu");
    let finite = form.take("satfinite");
    if !form.take("rn") {
        return None;
    }
    match form.only_type()? {
        Type::Float(Format::SINGLE) if finite => {
            let [a, b] = form.operands()?;
            let [above, below] = [a, b].map(|bits| narrow(byte, Format::SINGLE, relu, bits));
            Some(vec![above << 8 | below])
        }
        Type::Floats(Format::HALF) => {
            let [a] = form.operands()?;
            let parts = |width: u32, of: &dyn Fn(u64) -> u64| {
                of(a >> (24 - width)) << width | of(a & ones(24 - width))
            };
            Some(vec![if finite {
                // Two halves to two bytes.
                parts(8, &|bits| narrow(byte, Format::HALF, relu, bits & 0xffff))
            } else {
                parts(16, &|bits| half(byte, relu, bits & 0xff))
            }])
        }
        _ => None,
    }
}

/// What the byte stands for: `None` for a NaN, and the infinity of `e5m2` as the next number would
/// be.
fn value(byte: &str, bits: u64) -> Option<Exact> {
    let (exponent, fraction, bias) = if byte == "e4m3x2" { (4, 3, 7) } else { (5, 2, 15) };
    let magnitude = bits & 0x7f;
    let nan = if byte == "e4m3x2" { magnitude == 0x7f } else { magnitude > 0x7c };
    let raised = (magnitude >> fraction) & ones(exponent);
    let whole = magnitude & ones(fraction);
    let (whole, power) = if raised == 0 {
        (whole, 1 - bias)
    } else {
        (whole + (1 << fraction), raised as i64 - bias)
    };
    (!nan).then(|| Exact::new(bits & 0x80 != 0, u128::from(whole), power - i64::from(fraction)))
}

/// To a half, exactly.
fn half(byte: &str, relu: bool, bits: u64) -> u64 {
    match value(byte, bits) {
        None => Format::HALF.nan(),
        Some(exact) if relu && exact.negative => 0,
        // What is beyond the largest half is infinite.
        Some(exact) => Format::HALF.round(&exact, Rounding::Nearest),
    }
}

/// The byte next to a float, by looking at all of them; the even one of two. What is too large
/// becomes the largest.
fn narrow(byte: &str, from: Format, relu: bool, bits: u64) -> u64 {
    if from.is_nan(bits) {
        return 0x7f;
    }
    if relu && from.is_negative(bits) {
        return 0;
    }
    let sign = if from.is_negative(bits) { 0x80 } else { 0 };
    let last = if byte == "e4m3x2" { 0x7e } else { 0x7b };
    let number = |exact: &Exact| {
        f64::from_bits(
            Format::DOUBLE.round(&Exact { negative: false, ..exact.clone() }, Rounding::Zero),
        )
    };
    let Some(exact) = from.exact(bits) else { return sign | last };
    // Far enough beyond the largest one, and near enough to tell distances apart.
    let wanted = number(&exact).min(1e6);
    let off =
        |candidate: u64| (number(&value(byte, candidate).expect("it is finite")) - wanted).abs();
    let nearest = (0..=last).reduce(|best, next| {
        let nearer = off(next) < off(best) || (off(next) == off(best) && next % 2 == 0);
        if nearer {
            next
        } else {
            best
        }
    });
    sign | nearest.unwrap_or(0)
}

/// An `.f32` with a fraction of 10 bits; `.rna`: of two as near the one that is farther from zero.
fn tensor(mut form: Form) -> Results {
    let away = form.take("rna");
    let rounding = if away { Some(Rounding::Nearest) } else { super::float::rounding(&mut form) };
    let relu = form.take("relu");
    let finite = form.take("satfinite");
    if form.only_type()? != Type::Float(Format::SINGLE) || away && relu {
        return None;
    }
    let rounding = rounding.filter(|it| matches!(it, Rounding::Nearest | Rounding::Zero))?;
    let [a] = form.operands()?;
    let (single, short) = (Format::SINGLE, Format { exponent: 8, fraction: 10 });
    let a = a & ones(32);
    if single.is_nan(a) {
        return Some(vec![single.nan()]);
    }
    if relu && single.is_negative(a) {
        return Some(vec![0]);
    }
    let sign = a & single.sign();
    let magnitude = match single.exact(single.magnitude(a)) {
        None => short.infinity(),
        Some(exact) => {
            let down = short.round(&exact, Rounding::Zero);
            // Half way between it and the next one: a bit below the last is set.
            let half = a & 0x1000 != 0;
            if away {
                down + u64::from(half)
            } else {
                short.round(&exact, rounding)
            }
        }
    };
    let magnitude = if finite { magnitude.min(short.infinity() - 1) } else { magnitude };
    Some(vec![sign | magnitude << 13])
}

/// Both numbers, clamped, the first above the second; what there was before them above both.
fn pack(mut form: Form) -> Results {
    if !form.take("sat") {
        return None;
    }
    let names = ["u2", "s2", "u4", "s4"];
    let small = form.take_any(&names).map(|name| {
        let width = if name.ends_with('2') { 2 } else { 4 };
        if name.starts_with('s') {
            Type::Signed(width)
        } else {
            Type::Unsigned(width)
        }
    });
    let types = form.types.clone();
    let (target, rest) = match small {
        Some(target) => (target, &types[..]),
        None => types.split_first().map(|(first, rest)| (*first, rest))?,
    };
    let (least, most) = target.range();
    let width = target.width();
    let clamped =
        |bits: u64| low(Type::Signed(32).integer(bits).clamp(least, most), target.width());
    match rest {
        [Type::Signed(32)] if width == 16 => {
            let [a, b] = form.operands()?;
            Some(vec![clamped(a) << 16 | clamped(b)])
        }
        [Type::Signed(32), Type::Bits(32)] if width <= 8 => {
            let [a, b, c] = form.operands()?;
            Some(vec![(c << (2 * width) | clamped(a) << width | clamped(b)) & ones(32)])
        }
        _ => None,
    }
}
