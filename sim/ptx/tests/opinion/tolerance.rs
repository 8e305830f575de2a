//! How far an approximation may be off.

use super::approximate::function;
use super::form::{Form, Type};
use super::opinion;
use super::soft::Format;

/// How far a result may be from the right one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Units in the last place.
    Units(u64),
    /// A part of the right result.
    Relative(f64),
    /// A distance.
    Absolute(f64),
    /// The manual states none: results that [`opinion`] gives as zeros, infinities or NaNs still
    /// have to be that.
    Unstated,
}

/// What the manual allows an approximation; `None` for what is none.
///
/// It is that of the range in which the manual allows the least; see [`allows`] for others: `sin`
/// and `cos` beyond 2 pi, `lg2` outside of (0.5, 2), `div.approx` by what is below 2^-126.
#[allow(dead_code)]
pub fn tolerance(opcode: &str, modifiers: &[&str]) -> Option<Tolerance> {
    let one = if Form::new(modifiers, &[]).only_type()?.width() == 64 {
        Format::DOUBLE.one()
    } else {
        Format::SINGLE.one()
    };
    let operands = [one, one];
    let operands = if opcode == "div" { &operands[..] } else { &operands[..1] };
    tolerance_at(opcode, modifiers, operands)
}

/// Whether the manual allows an approximation to give those bits; `None` for what is none, or has
/// no such form.
///
/// Units in the last place are counted from the right result as it is rounded to nearest.
#[allow(dead_code)]
pub fn allows(opcode: &str, modifiers: &[&str], operands: &[u64], got: u64) -> Option<bool> {
    let tolerance = tolerance_at(opcode, modifiers, operands)?;
    let expected = *opinion(opcode, modifiers, operands)?.first()?;
    let mut form = Form::new(modifiers, operands);
    let format = if form.only_type()?.width() == 64 { Format::DOUBLE } else { Format::SINGLE };
    let flush = form.take("ftz");
    if opcode == "div" && tolerance == Tolerance::Unstated {
        return Some(true);
    }
    if flush && format.is_subnormal(got) {
        return Some(false);
    }
    // Zeros, infinities and NaNs of the manual's tables are exact, their sign included.
    let same = format.magnitude(got) | (got & format.sign()) == expected;
    if is_special(format, operands) || format.is_nan(expected) {
        return Some(same || (format.is_nan(got) && format.is_nan(expected)));
    }
    if tolerance == Tolerance::Unstated || same {
        return Some(true);
    }
    // On the other side of zero: only an absolute error allows that.
    let other_side = format.is_negative(expected) != format.is_negative(got);
    if format.is_nan(got) || (other_side && !matches!(tolerance, Tolerance::Absolute(_))) {
        return Some(false);
    }
    let (value, right) = match format {
        Format::DOUBLE => {
            let right = function(opcode, f64::from_bits(*operands.first()?));
            (f64::from_bits(got), right)
        }
        _ => {
            let x = f64::from(f32::from_bits(*operands.first()? as u32));
            (f64::from(f32::from_bits(got as u32)), function(opcode, x))
        }
    };
    Some(match tolerance {
        Tolerance::Units(units) => distance(format, flush, expected, got) <= units,
        Tolerance::Relative(part) => (value - right).abs() <= part * right.abs(),
        Tolerance::Absolute(most) => (value - right).abs() <= most,
        Tolerance::Unstated => true,
    })
}

fn tolerance_at(opcode: &str, modifiers: &[&str], operands: &[u64]) -> Option<Tolerance> {
    let mut form = Form::new(modifiers, operands);
    // Those of 16 bits are held against the nearest one.
    let Type::Float(Format::SINGLE | Format::DOUBLE) = form.only_type()? else { return None };
    let wide = form.only_type()?.width() == 64;
    let (approx, full, flush) = (form.take("approx"), form.take("full"), form.take("ftz"));
    let first = f64::from(f32::from_bits(*operands.first()? as u32));
    let known = opinion(opcode, modifiers, operands).is_some();
    match opcode {
        _ if !known || (!approx && !full) => None,
        // Nothing is stated. The coarse ones use 20 bits of the fraction: it is a guess that they
        // get most of them right. The CUDA guide gives the other as off by one unit at most.
        "rcp" | "rsqrt" if wide && flush => Some(Tolerance::Relative(2f64.powi(-17))),
        "rsqrt" if wide => Some(Tolerance::Units(1)),
        "div" if full => Some(Tolerance::Units(2)),
        "div" => {
            let below = f64::from(f32::from_bits(*operands.get(1)? as u32)).abs();
            let stated = below == 0.0 || flush || below.is_nan() || below >= 2f64.powi(-126);
            Some(if stated { Tolerance::Units(2) } else { Tolerance::Unstated })
        }
        "rcp" => Some(Tolerance::Units(1)),
        "sqrt" => Some(Tolerance::Relative(2f64.powi(-23))),
        "rsqrt" => Some(Tolerance::Relative(2f64.powf(-22.9))),
        "sin" | "cos" => Some(match first.abs() / std::f64::consts::PI {
            turns if turns <= 2.0 => Tolerance::Absolute(2f64.powf(-20.5)),
            turns if turns <= 100.0 => Tolerance::Absolute(2f64.powf(-14.7)),
            _ => Tolerance::Unstated,
        }),
        "lg2" if first > 0.5 && first < 2.0 => Some(Tolerance::Absolute(2f64.powi(-22))),
        "lg2" => Some(Tolerance::Relative(2f64.powi(-22))),
        "ex2" => Some(Tolerance::Units(2)),
        "tanh" => Some(Tolerance::Relative(2f64.powi(-11))),
        _ => None,
    }
}

/// Whether an operand is a zero, an infinity or a NaN.
fn is_special(format: Format, operands: &[u64]) -> bool {
    let special =
        |bits: &u64| format.is_zero(*bits) || format.magnitude(*bits) >= format.infinity();
    operands.iter().any(special)
}

/// How many floats two of one sign are apart. Where subnormal ones are flushed, there are none
/// between zero and the smallest normal number.
fn distance(format: Format, flush: bool, a: u64, b: u64) -> u64 {
    let missing = if flush { (1 << format.fraction) - 1 } else { 0 };
    let place = |bits| format.magnitude(bits).saturating_sub(missing);
    place(a).abs_diff(place(b))
}
