//! Arithmetic of floats that is rounded as IEEE 754 has it: 9.7.3 and, of halves, 9.7.4.

use super::arithmetic::{fused, over, plus, root, times};
use super::form::{Form, Type};
use super::soft::{Format, Rounding};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, mut form: Form) -> Results {
    let rounding = rounding(&mut form);
    let rules = Rules { flush: form.take("ftz"), clamp: form.take("sat") };
    let relu = form.take("relu");
    let (format, parts) = match form.only_type()? {
        Type::Float(format) => (format, 1),
        Type::Floats(format) => (format, 2),
        _ => return None,
    };
    let narrow = format == Format::HALF || format == Format::BRAIN;
    if relu && (opcode != "fma" || !narrow || rules.clamp) {
        return None;
    }
    if !is_known(opcode, format, parts, rounding, rules) {
        return None;
    }
    // Where `add` and the like name no direction, and old files of `mad`, it is to the nearest.
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    let operands = match opcode {
        "sqrt" | "rcp" => {
            let [a] = form.operands()?;
            [a, 0, 0]
        }
        "fma" | "mad" => form.operands()?,
        _ => {
            let [a, b] = form.operands()?;
            [a, b, 0]
        }
    };
    let mut result = 0;
    for place in 0..parts {
        let down = place * format.width();
        let part = operands.map(|bits| bits >> down);
        let one = rules.apply(format, part, |part| compute(opcode, format, rounding, part));
        let below = relu && format.is_negative(one) && !format.is_nan(one);
        result |= if below { 0 } else { one } << down;
    }
    Some(vec![result])
}

/// `.rn` to `.rp`, taken off the form.
pub fn rounding(form: &mut Form) -> Option<Rounding> {
    Some(match form.take_any(&["rn", "rz", "rm", "rp"])? {
        "rn" => Rounding::Nearest,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        _ => Rounding::Up,
    })
}

/// Whether the manual has it.
fn is_known(
    opcode: &str,
    format: Format,
    parts: u32,
    rounding: Option<Rounding>,
    rules: Rules,
) -> bool {
    let nearest = matches!(rounding, None | Some(Rounding::Nearest));
    match opcode {
        "add" | "sub" | "mul" | "fma" => match (format, parts) {
            (Format::SINGLE, 1) => rounding.is_some() || opcode != "fma",
            (Format::SINGLE, _) => !rules.clamp && (rounding.is_some() || opcode != "fma"),
            (Format::DOUBLE, 1) => rules.none() && (rounding.is_some() || opcode != "fma"),
            (Format::HALF, _) => nearest && (rounding.is_some() || opcode != "fma"),
            (Format::BRAIN, _) => {
                nearest && rules.none() && (rounding.is_some() || opcode != "fma")
            }
            _ => false,
        },
        "mad" => {
            parts == 1 && (format == Format::SINGLE || (format == Format::DOUBLE && rules.none()))
        }
        "div" | "rcp" | "sqrt" if rounding.is_some() && parts == 1 && !rules.clamp => {
            format == Format::SINGLE || (format == Format::DOUBLE && rules.none())
        }
        _ => false,
    }
}

fn compute(opcode: &str, format: Format, rounding: Rounding, [a, b, c]: [u64; 3]) -> u64 {
    match opcode {
        "add" => plus(format, rounding, a, b),
        // A NaN stays one, whatever its sign.
        "sub" => plus(format, rounding, a, b ^ format.sign()),
        "mul" => times(format, rounding, a, b),
        "div" => over(format, rounding, a, b),
        "rcp" => over(format, rounding, format.one(), a),
        "sqrt" => root(format, rounding, a),
        _ => fused(format, rounding, [a, b, c]),
    }
}

/// `.ftz` and `.sat`.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Whether subnormal operands and results are zero, with their sign.
    pub flush: bool,
    /// Whether a result is clamped to 0 and 1, and a NaN is +0.
    pub clamp: bool,
}

impl Rules {
    fn none(self) -> bool {
        !self.flush && !self.clamp
    }

    /// Computes with operands and a result as the rules have them.
    ///
    /// A result counts as subnormal after it was rounded: one that is rounded up to the smallest
    /// normal number stays.
    pub fn apply<const N: usize>(
        self,
        format: Format,
        operands: [u64; N],
        compute: impl Fn([u64; N]) -> u64,
    ) -> u64 {
        let flush = |bits| if self.flush { format.flushed(bits) } else { bits };
        let result = flush(compute(operands.map(flush)));
        if self.clamp {
            clamped(format, result)
        } else {
            result
        }
    }
}

/// In the range [+0.0, 1.0]; minus zero and NaNs are +0.
pub fn clamped(format: Format, bits: u64) -> u64 {
    if format.is_nan(bits) || format.is_negative(bits) {
        0
    } else {
        format.magnitude(bits).min(format.one())
    }
}
