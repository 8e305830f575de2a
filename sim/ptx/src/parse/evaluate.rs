//! Arithmetic of constant expressions, in 64-bit two's complement.

/// A whole number: `.s64` or `.u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    /// In two's complement.
    pub bits: u64,
    /// Whether it is a `.u64`.
    pub unsigned: bool,
}

/// `operator` of `value`: `-`, `~`, `!` or `+`.
pub(super) fn unary(operator: &str, value: Whole) -> Whole {
    let Whole { bits, unsigned } = value;
    match operator {
        "-" => Whole { bits: bits.wrapping_neg(), unsigned },
        "~" => Whole { bits: !bits, unsigned },
        "!" => truth(bits == 0),
        _ => value,
    }
}

/// `a operator b`; `None`: it divides by zero.
pub(super) fn binary(operator: &str, a: Whole, b: Whole) -> Option<Whole> {
    // As in C: an operation on numbers of both kinds is one on unsigned numbers.
    let unsigned = a.unsigned || b.unsigned;
    let (x, y) = (a.bits, b.bits);
    let (signed_x, signed_y) = (x as i64, y as i64);
    let less = |x: u64, y: u64| if unsigned { x < y } else { (x as i64) < y as i64 };
    let bits = match operator {
        "*" => x.wrapping_mul(y),
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "/" | "%" if y == 0 => return None,
        "/" if unsigned => x / y,
        "/" => signed_x.wrapping_div(signed_y) as u64,
        "%" if unsigned => x % y,
        "%" => signed_x.wrapping_rem(signed_y) as u64,
        "&" => x & y,
        "^" => x ^ y,
        "|" => x | y,
        // The kind of a shifted number is its own.
        "<<" => return Some(Whole { bits: if y < 64 { x << y } else { 0 }, ..a }),
        ">>" if a.unsigned => return Some(Whole { bits: if y < 64 { x >> y } else { 0 }, ..a }),
        ">>" => return Some(Whole { bits: (signed_x >> y.min(63)) as u64, ..a }),
        "<" => return Some(truth(less(x, y))),
        ">" => return Some(truth(less(y, x))),
        "<=" => return Some(truth(!less(y, x))),
        ">=" => return Some(truth(!less(x, y))),
        "==" => return Some(truth(x == y)),
        "!=" => return Some(truth(x != y)),
        "&&" => return Some(truth(x != 0 && y != 0)),
        _ => return Some(truth(x != 0 || y != 0)),
    };
    Some(Whole { bits, unsigned })
}

fn truth(holds: bool) -> Whole {
    Whole { bits: holds.into(), unsigned: false }
}
