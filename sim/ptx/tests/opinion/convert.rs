//! `cvt`, 9.7.9.21, between integers and floats of all sizes, but not of eight bits and less.

use super::float::{clamped, rounding};
use super::form::{low, Form, Type};
use super::natural::Natural;
use super::soft::{Exact, Format, Rounding};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, mut form: Form) -> Results {
    if opcode != "cvt" {
        return None;
    }
    let manner = Manner {
        float: rounding(&mut form),
        integer: integer_rounding(&mut form),
        flush: form.take("ftz"),
        clamp: form.take("sat"),
        relu: form.take("relu"),
        finite: form.take("satfinite"),
    };
    if manner.float.is_some() && manner.integer.is_some() {
        return None;
    }
    let (target, source) = form.two_types()?;
    let single = |ty| ty == Type::Float(Format::SINGLE);
    if manner.flush && !single(target) && !single(source) {
        return None;
    }
    if let (Type::Floats(to), true) = (target, single(source)) {
        return pair(to, manner, &form);
    }
    let narrow = |ty| ty == Type::Float(Format::HALF) || ty == Type::Float(Format::BRAIN);
    if (manner.relu || manner.finite) && !(narrow(target) && single(source) && !manner.clamp) {
        return None;
    }
    let [a] = form.operands()?;
    let result = match (target, source) {
        (Type::Float(to), Type::Float(from)) => float_to_float(to, from, manner, a)?,
        (Type::Float(to), _) => integer_to_float(to, source, manner, a)?,
        (_, Type::Float(from)) => float_to_integer(target, from, manner, a)?,
        _ => integer_to_integer(target, source, manner, a)?,
    };
    Some(vec![result])
}

#[derive(Clone, Copy)]
struct Manner {
    float: Option<Rounding>,
    integer: Option<Rounding>,
    flush: bool,
    clamp: bool,
    relu: bool,
    finite: bool,
}

impl Manner {
    /// Only floats of 32 bits are flushed.
    fn seen(self, format: Format, bits: u64) -> u64 {
        if self.flush && format == Format::SINGLE {
            format.flushed(bits)
        } else {
            bits & (format.sign() | (format.sign() - 1))
        }
    }

    /// The result as it is delivered; `None` if the format cannot be clamped.
    fn delivered(self, format: Format, bits: u64) -> Option<u64> {
        let mut bits = self.seen(format, bits);
        if self.relu && format.is_negative(bits) && !format.is_nan(bits) {
            bits = 0;
        }
        if self.finite && format.is_infinite(bits) {
            bits -= 1;
        }
        match self.clamp {
            true if format == Format::BRAIN => None,
            true => Some(clamped(format, bits)),
            false => Some(bits),
        }
    }
}

fn integer_rounding(form: &mut Form) -> Option<Rounding> {
    Some(match form.take_any(&["rni", "rzi", "rmi", "rpi"])? {
        "rni" => Rounding::Nearest,
        "rzi" => Rounding::Zero,
        "rmi" => Rounding::Down,
        _ => Rounding::Up,
    })
}

fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::Unsigned(_) | Type::Signed(_))
}

fn integer_to_integer(target: Type, source: Type, manner: Manner, a: u64) -> Option<u64> {
    let rounded = manner.float.is_some() || manner.integer.is_some();
    if rounded || manner.flush || !is_integer(target) || !is_integer(source) {
        return None;
    }
    let value = source.integer(a);
    if !manner.clamp {
        return Some(low(value, target.width()));
    }
    // "Illegal in cases where saturation is not possible based on the types".
    let ((least, most), (lowest, highest)) = (target.range(), source.range());
    let possible = lowest < least || highest > most;
    possible.then(|| low(value.clamp(least, most), target.width()))
}

/// A rounding is mandatory, even where every integer of the type has its float.
fn integer_to_float(to: Format, source: Type, manner: Manner, a: u64) -> Option<u64> {
    let rounding = manner.float.filter(|_| is_integer(source))?;
    manner.delivered(to, to.round(&Exact::integer(source.integer(a)), rounding))
}

/// Clamped to the range of the integers, with and without `.sat`.
fn float_to_integer(target: Type, from: Format, manner: Manner, a: u64) -> Option<u64> {
    let rounding = manner.integer.filter(|_| is_integer(target))?;
    let (least, most) = target.range();
    let a = manner.seen(from, a);
    if from.is_nan(a) {
        // "Zero if source is not .f64 and destination is not .s64, .u64. Otherwise 1 <<
        // (BitWidth(dst) - 1)."
        let zero = from != Format::DOUBLE && target.width() != 64;
        return Some(if zero { 0 } else { 1 << (target.width() - 1) });
    }
    let beyond = if from.is_negative(a) { least } else { most };
    let value = match from.exact(a) {
        None => beyond,
        Some(exact) => match exact.in_units(0, rounding).small() {
            None => beyond,
            Some(whole) if exact.negative => -(whole as i128),
            Some(whole) => whole as i128,
        },
    };
    Some(low(value.clamp(least, most), target.width()))
}

fn float_to_float(to: Format, from: Format, manner: Manner, a: u64) -> Option<u64> {
    let lossy = to.fraction < from.fraction || to.exponent < from.exponent;
    let known = match (manner.float, manner.integer) {
        (Some(_), _) => lossy,
        (None, Some(_)) => to == from,
        (None, None) => !lossy,
    };
    if !known {
        return None;
    }
    let a = manner.seen(from, a);
    let result = if from.is_nan(a) {
        to.nan()
    } else {
        let sign = if from.is_negative(a) { to.sign() } else { 0 };
        match (from.exact(a), manner.integer) {
            (None, _) => sign | to.infinity(),
            (Some(exact), None) => to.round(&exact, manner.float.unwrap_or(Rounding::Nearest)),
            (Some(exact), Some(_)) if exact.power >= 0 => a,
            (Some(exact), Some(rounding)) => {
                // A whole number below two to the fraction's length has its float.
                let whole: Natural = exact.in_units(0, rounding);
                to.round(&Exact { negative: exact.negative, whole, power: 0 }, Rounding::Zero)
            }
        }
    };
    manner.delivered(to, result)
}

/// The first operand goes into the upper half.
fn pair(to: Format, manner: Manner, form: &Form) -> Results {
    let known = matches!(manner.float, Some(Rounding::Nearest | Rounding::Zero));
    if !known || manner.flush || manner.clamp || to == Format::SINGLE {
        return None;
    }
    let [a, b] = form.operands()?;
    let above = float_to_float(to, Format::SINGLE, manner, a)?;
    let below = float_to_float(to, Format::SINGLE, manner, b)?;
    Some(vec![above << to.width() | below])
}
