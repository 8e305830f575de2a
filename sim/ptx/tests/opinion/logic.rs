//! Logic and shifts, 9.7.8, and `prmt`, 9.7.9.7.

use super::form::{low, ones, Form, Type};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, form: Form) -> Results {
    match opcode {
        "and" | "or" | "xor" => combine(opcode, form),
        "not" | "cnot" => negate(opcode, form),
        "lop3" => table(form),
        "shf" => funnel(form),
        "shl" | "shr" => shift(opcode, form),
        "prmt" => permute(form),
        "mov" => plain(form),
        _ => None,
    }
}

fn bits_type(form: &Form) -> Option<u32> {
    match form.only_type()? {
        Type::Bits(width) => Some(width),
        Type::Predicate => Some(1),
        _ => None,
    }
}

fn combine(opcode: &str, form: Form) -> Results {
    let width = bits_type(&form)?;
    let [a, b] = form.operands()?;
    let result = match opcode {
        "and" => a & b,
        "or" => a | b,
        _ => a ^ b,
    };
    Some(vec![result & ones(width)])
}

fn negate(opcode: &str, form: Form) -> Results {
    let width = bits_type(&form)?;
    let [a] = form.operands()?;
    match opcode {
        "not" => Some(vec![!a & ones(width)]),
        _ if width == 1 => None,
        _ => Some(vec![u64::from(a & ones(width) == 0)]),
    }
}

/// Line `abc` of the truth table is the bit of that number in the table's constant.
fn table(mut form: Form) -> Results {
    let boolean = form.take_any(&["and", "or"]);
    if bits_type(&form)? != 32 {
        return None;
    }
    let (a, b, c, lines, predicate) = if boolean.is_some() {
        let [a, b, c, lines, predicate] = form.operands()?;
        (a, b, c, lines, predicate & 1 == 1)
    } else {
        let [a, b, c, lines] = form.operands()?;
        (a, b, c, lines, false)
    };
    let mut result = 0;
    for place in 0..32 {
        let line = (a >> place & 1) * 4 + (b >> place & 1) * 2 + (c >> place & 1);
        result |= (lines >> line & 1) << place;
    }
    let mut results = vec![result];
    match boolean {
        Some("and") => results.push(u64::from(result != 0 && predicate)),
        Some(_) => results.push(u64::from(result != 0 || predicate)),
        None => {}
    }
    Some(results)
}

fn funnel(mut form: Form) -> Results {
    let left = form.take_any(&["l", "r"])? == "l";
    let clamped = form.take_any(&["clamp", "wrap"])? == "clamp";
    if bits_type(&form)? != 32 {
        return None;
    }
    let [a, b, c] = form.operands()?;
    let c = c as u32;
    let amount = if clamped { c.min(32) } else { c & 31 };
    let both = u128::from(b & ones(32)) << 32 | u128::from(a & ones(32));
    let shifted = if left { both << amount >> 32 } else { both >> amount };
    Some(vec![shifted as u64 & ones(32)])
}

/// The amount is always a word.
fn shift(opcode: &str, form: Form) -> Results {
    let ty = form.only_type()?;
    let [a, amount] = form.operands()?;
    let width = ty.width();
    let known = match ty {
        Type::Bits(_) => true,
        _ => opcode == "shr" && ty.is_wide_integer(),
    };
    if !known {
        return None;
    }
    let amount = (amount as u32).min(width);
    let a = ty.integer(a);
    // Shifting a negative number right fills with its sign.
    let shifted = if opcode == "shl" { a << amount.min(63) } else { a >> amount };
    Some(vec![if opcode == "shl" && amount == width { 0 } else { low(shifted, width) }])
}

/// Byte of each selector, for `d.b3`, `d.b2`, `d.b1`, `d.b0`: the manual's table.
const MODES: [(&str, [[u64; 4]; 4]); 6] = [
    ("f4e", [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]),
    ("b4e", [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]]),
    ("rc8", [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]),
    ("ecl", [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]]),
    ("ecr", [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]]),
    ("rc16", [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]),
];

fn permute(mut form: Form) -> Results {
    let mode = MODES.iter().find(|(name, _)| form.take(name));
    if bits_type(&form)? != 32 {
        return None;
    }
    let [a, b, c] = form.operands()?;
    let source = (b & ones(32)) << 32 | (a & ones(32));
    let byte = |place: u64| source >> (8 * place) & 0xff;
    let mut result = 0;
    for place in 0..4 {
        let value = match mode {
            Some((_, bytes)) => byte(bytes[(c & 3) as usize][3 - place]),
            None => {
                let selector = c >> (4 * place) & 0xf;
                let value = byte(selector & 7);
                match (selector & 8 != 0, value & 0x80 != 0) {
                    (false, _) => value,
                    (true, true) => 0xff,
                    (true, false) => 0,
                }
            }
        };
        result |= value << (8 * place);
    }
    Some(vec![result])
}

fn plain(form: Form) -> Results {
    let ty = form.only_type()?;
    let known = match ty {
        Type::Bits(_) | Type::Predicate => true,
        Type::Float(format) => format.width() >= 32,
        _ => ty.is_wide_integer(),
    };
    let [a] = form.operands()?;
    known.then(|| vec![a & ones(ty.width())])
}
