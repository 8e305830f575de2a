//! Instructions of floats that compute nothing new: signs, the lesser of two, properties.

use std::cmp::Ordering;

use super::compare::order;
use super::float::Rules;
use super::form::{Form, Type};
use super::soft::Format;

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, form: Form) -> Results {
    match opcode {
        "abs" | "neg" => sign(opcode, form),
        "min" | "max" => extreme(opcode, form),
        "copysign" => copy_sign(form),
        "testp" => test(form),
        _ => None,
    }
}

/// The format, how many of them an operand has, and whether the type goes with `.ftz`.
fn format(form: &Form) -> Option<(Format, u32, bool)> {
    let (format, parts) = match form.only_type()? {
        Type::Float(format) => (format, 1),
        Type::Floats(format) if format != Format::SINGLE => (format, 2),
        _ => return None,
    };
    Some((format, parts, format == Format::SINGLE || format == Format::HALF))
}

/// Does that to each part of the operands.
fn by_parts<const N: usize>(
    format: Format,
    parts: u32,
    operands: [u64; N],
    one: impl Fn([u64; N]) -> u64,
) -> Results {
    let mut result = 0;
    for place in 0..parts {
        let down = place * format.width();
        result |= one(operands.map(|bits| bits >> down)) << down;
    }
    Some(vec![result])
}

/// `abs.f64` passes a NaN through; of the others it is not stated which NaN they give.
fn sign(opcode: &str, mut form: Form) -> Results {
    let flush = form.take("ftz");
    let (format, parts, flushable) = format(&form)?;
    let [a] = form.operands()?;
    if flush && !flushable {
        return None;
    }
    by_parts(format, parts, [a], |operands| {
        Rules { flush, clamp: false }.apply(format, operands, |[a]| match opcode {
            _ if format.is_nan(a) => format.nan(),
            "abs" => format.magnitude(a),
            _ => format.magnitude(a) | (a & format.sign() ^ format.sign()),
        })
    })
}

fn extreme(opcode: &str, mut form: Form) -> Results {
    let flush = form.take("ftz");
    let with_nan = form.take("NaN");
    let by_sign = form.take("xorsign");
    let absolute = form.take("abs");
    let (format, parts, flushable) = format(&form)?;
    let three = form.count() == 3;
    let known = match format {
        Format::DOUBLE => !flush && !with_nan && !absolute && !three,
        _ => flushable || !flush,
    };
    let alone = three && format == Format::SINGLE && !by_sign;
    // Of two operands, `.xorsign` and `.abs` go together.
    if !known || (three && !alone) || (!three && by_sign != absolute) {
        return None;
    }
    let choose = |a: u64, b: u64| match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => format.nan(),
        (true, false) | (false, true) if with_nan => format.nan(),
        (true, false) => b,
        (false, true) => a,
        _ => lesser_or_greater(format, opcode == "min", a, b),
    };
    let rules = Rules { flush, clamp: false };
    let see = |bits| if absolute { format.magnitude(bits) } else { bits };
    if three {
        let [a, b, c] = form.operands()?;
        let of_all = |[a, b, c]: [u64; 3]| choose(choose(see(a), see(b)), see(c));
        return Some(vec![rules.apply(format, [a, b, c], of_all)]);
    }
    let [a, b] = form.operands()?;
    by_parts(format, parts, [a, b], |operands| {
        rules.apply(format, operands, |[a, b]| {
            let chosen = choose(see(a), see(b));
            let whole = format.magnitude(chosen) | (chosen & format.sign());
            if by_sign && !format.is_nan(whole) {
                format.magnitude(whole) | ((a ^ b) & format.sign())
            } else {
                whole
            }
        })
    })
}

/// Of two numbers; minus zero is less than plus zero.
fn lesser_or_greater(format: Format, lesser: bool, a: u64, b: u64) -> u64 {
    let first_is_less = match order(format, a, b) {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => format.is_negative(a),
        _ => false,
    };
    if first_is_less == lesser {
        a
    } else {
        b
    }
}

/// The sign of the first, and all else of the second.
fn copy_sign(form: Form) -> Results {
    let (format, parts, _) = format(&form)?;
    let [a, b] = form.operands()?;
    let known = parts == 1 && (format == Format::SINGLE || format == Format::DOUBLE);
    known.then(|| vec![(a & format.sign()) | format.magnitude(b)])
}

fn test(mut form: Form) -> Results {
    let properties = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let property = form.take_any(&properties)?;
    let (format, parts, _) = format(&form)?;
    let [a] = form.operands()?;
    if parts != 1 || (format != Format::SINGLE && format != Format::DOUBLE) {
        return None;
    }
    let finite = !format.is_nan(a) && !format.is_infinite(a);
    Some(vec![u64::from(match property {
        "finite" => finite,
        "infinite" => format.is_infinite(a),
        "number" => !format.is_nan(a),
        "notanumber" => format.is_nan(a),
        // "As a special case, positive and negative zero are considered normal numbers."
        "normal" => finite && !format.is_subnormal(a),
        _ => format.is_subnormal(a),
    })])
}
