//! Integer arithmetic, 9.7.1, but what looks at single bits.

use super::form::{low, ones, Form, Type};

type Results = Option<Vec<u64>>;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, form: Form) -> Results {
    let types = form.types.clone();
    if types.iter().any(|ty| matches!(ty, Type::Float(_) | Type::Floats(_))) {
        return None;
    }
    match opcode {
        "add" | "sub" => add(opcode, form),
        "mul" => multiply(form),
        "mad" => multiply_add(form),
        "mul24" | "mad24" => multiply_24(opcode, form),
        "sad" => difference(form),
        "div" | "rem" => divide(opcode, form),
        "abs" | "neg" => sign(opcode, form),
        "min" | "max" => extreme(opcode, form),
        _ => None,
    }
}

fn integer_type(form: &Form) -> Option<Type> {
    form.only_type().filter(|ty| ty.is_wide_integer())
}

/// Does that to both halves of two words.
fn by_halves(a: u64, b: u64, signed: bool, one: impl Fn(i128, i128) -> i128) -> Results {
    let half = if signed { Type::Signed(16) } else { Type::Unsigned(16) };
    let below = low(one(half.integer(a), half.integer(b)), 16);
    let above = low(one(half.integer(a >> 16), half.integer(b >> 16)), 16);
    Some(vec![above << 16 | below])
}

fn add(opcode: &str, mut form: Form) -> Results {
    let saturated = form.take("sat");
    let [a, b] = form.operands()?;
    if let Some(Type::Halfwords(signed)) = form.only_type() {
        let known = opcode == "add" && !saturated;
        return known.then(|| by_halves(a, b, signed, |a, b| a + b)).flatten();
    }
    let ty = integer_type(&form)?;
    let (a, b) = (ty.integer(a), ty.integer(b));
    let result = if opcode == "add" { a + b } else { a - b };
    fit(ty, result, saturated)
}

/// In the type: clamped to its range, or as many low bits as it has. Only `.s32` may be clamped.
fn fit(ty: Type, result: i128, saturated: bool) -> Results {
    if !saturated {
        return Some(vec![low(result, ty.width())]);
    }
    let (least, most) = ty.range();
    (ty == Type::Signed(32)).then(|| vec![low(result.clamp(least, most), 32)])
}

/// The product in 128 bits, two's complement if the type has a sign.
fn product(ty: Type, a: u64, b: u64) -> u128 {
    let (a, b) = (ty.integer(a), ty.integer(b));
    match ty {
        Type::Signed(_) => (a * b) as u128,
        // Two numbers of 64 bits: as i128 this would overflow.
        _ => a as u128 * b as u128,
    }
}

fn part(product: u128, from: u32, width: u32) -> u64 {
    (product >> from) as u64 & ones(width)
}

/// The part that the mode asks for, and its width.
pub fn multiplied(ty: Type, mode: &str, a: u64, b: u64) -> Option<(u64, Type)> {
    let width = ty.width();
    let product = product(ty, a, b);
    match mode {
        "hi" => Some((part(product, width, width), ty)),
        "lo" => Some((part(product, 0, width), ty)),
        "wide" if width < 64 => {
            let wide = match ty {
                Type::Signed(_) => Type::Signed(2 * width),
                _ => Type::Unsigned(2 * width),
            };
            Some((part(product, 0, 2 * width), wide))
        }
        _ => None,
    }
}

fn multiply(mut form: Form) -> Results {
    let mode = form.take_any(&["hi", "lo", "wide"])?;
    let [a, b] = form.operands()?;
    Some(vec![multiplied(integer_type(&form)?, mode, a, b)?.0])
}

fn multiply_add(mut form: Form) -> Results {
    let mode = form.take_any(&["hi", "lo", "wide"])?;
    let saturated = form.take("sat");
    let [a, b, c] = form.operands()?;
    let (part, ty) = multiplied(integer_type(&form)?, mode, a, b)?;
    if saturated && mode != "hi" {
        return None;
    }
    fit(ty, ty.integer(part) + ty.integer(c), saturated)
}

/// The operands are 24 bits wide, whatever stands above; their product has 48.
fn multiply_24(opcode: &str, mut form: Form) -> Results {
    let mode = form.take_any(&["hi", "lo"])?;
    let saturated = form.take("sat");
    let ty = form.only_type()?;
    let narrow = match ty {
        Type::Unsigned(32) => Type::Unsigned(24),
        Type::Signed(32) => Type::Signed(24),
        _ => return None,
    };
    let (a, b, c) = if opcode == "mad24" {
        let [a, b, c] = form.operands()?;
        (a, b, c)
    } else {
        let [a, b] = form.operands()?;
        (a, b, 0)
    };
    if saturated && (mode != "hi" || opcode != "mad24") {
        return None;
    }
    let part = part(product(narrow, a, b), if mode == "hi" { 16 } else { 0 }, 32);
    fit(ty, ty.integer(part) + ty.integer(c), saturated)
}

fn difference(form: Form) -> Results {
    let ty = integer_type(&form)?;
    let [a, b, c] = form.operands()?;
    let (a, b, c) = (ty.integer(a), ty.integer(b), ty.integer(c));
    fit(ty, c + if a < b { b - a } else { a - b }, false)
}

/// Division by zero gives "an unspecified, machine-specific value": on NVIDIA's hardware ones in
/// all bits, of the remainder too. That of the lowest number by -1 does not fit: its low bits.
/// The remainder of negative numbers "is machine-dependent": division rounds towards zero.
fn divide(opcode: &str, form: Form) -> Results {
    let ty = integer_type(&form)?;
    let [a, b] = form.operands()?;
    let (a, b) = (ty.integer(a), ty.integer(b));
    if b == 0 {
        return fit(ty, -1, false);
    }
    fit(ty, if opcode == "div" { a / b } else { a % b }, false)
}

fn sign(opcode: &str, form: Form) -> Results {
    let ty = integer_type(&form).filter(|ty| matches!(ty, Type::Signed(_)))?;
    let [a] = form.operands()?;
    let a = ty.integer(a);
    fit(ty, if opcode == "abs" { a.abs() } else { -a }, false)
}

fn extreme(opcode: &str, mut form: Form) -> Results {
    let clamped = form.take("relu");
    let [a, b] = form.operands()?;
    let ty = form.only_type()?;
    if clamped && ty != Type::Signed(32) && ty != Type::Halfwords(true) {
        return None;
    }
    let choose = |a: i128, b: i128| {
        let chosen = if opcode == "min" { a.min(b) } else { a.max(b) };
        if clamped {
            chosen.max(0)
        } else {
            chosen
        }
    };
    if let Type::Halfwords(signed) = ty {
        return by_halves(a, b, signed, choose);
    }
    let ty = integer_type(&form)?;
    fit(ty, choose(ty.integer(a), ty.integer(b)), false)
}
