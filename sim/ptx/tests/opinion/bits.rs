//! Integer instructions that look at single bits and bytes, 9.7.1.12 and on.

use super::form::{low, ones, Form, Type};

type Results = Option<Vec<u64>>;

/// Not found.
const NOWHERE: u64 = 0xffff_ffff;

/// See [`super::opinion`].
pub fn opinion(opcode: &str, form: Form) -> Results {
    match opcode {
        "popc" | "clz" | "brev" => count(opcode, form),
        "bfind" => find(form),
        "fns" => find_nth(form),
        "bfe" => extract(form),
        "bfi" => insert(form),
        "dp4a" => dot_4(form),
        "dp2a" => dot_2(form),
        "szext" => extend(form),
        "bmsk" => mask(form),
        _ => None,
    }
}

fn bit(value: u64, place: u32) -> bool {
    place < 64 && value >> place & 1 == 1
}

fn from_bits(width: u32, bit: impl Fn(u32) -> bool) -> u64 {
    (0..width).filter(|place| bit(*place)).map(|place| 1 << place).sum()
}

fn count(opcode: &str, form: Form) -> Results {
    let Some(Type::Bits(width @ (32 | 64))) = form.only_type() else { return None };
    let [a] = form.operands()?;
    Some(vec![match opcode {
        "popc" => (0..width).filter(|place| bit(a, *place)).count() as u64,
        "clz" => (0..width).rev().take_while(|place| !bit(a, *place)).count() as u64,
        _ => from_bits(width, |place| bit(a, width - 1 - place)),
    }])
}

fn is_word(ty: Type) -> bool {
    ty.is_wide_integer() && ty.width() >= 32
}

fn find(mut form: Form) -> Results {
    let shift = form.take("shiftamt");
    let ty = form.only_type().filter(|ty| is_word(*ty))?;
    let [a] = form.operands()?;
    let a = if ty.integer(a) < 0 { !a } else { a };
    let place = (0..ty.width()).rev().find(|place| bit(a, *place));
    Some(vec![match place {
        None => NOWHERE,
        Some(place) if shift => u64::from(ty.width() - 1 - place),
        Some(place) => u64::from(place),
    }])
}

/// Undefined for a base above 31: nothing is found then, as in the manual's loop.
fn find_nth(form: Form) -> Results {
    if form.only_type()? != Type::Bits(32) {
        return None;
    }
    let [mask, base, offset] = form.operands()?;
    let (base, offset) = (i64::from(base as u32), i64::from(offset as i32));
    let set = |place: i64| (0..32).contains(&place) && bit(mask, place as u32);
    if offset == 0 {
        return Some(vec![if set(base) { base as u64 } else { NOWHERE }]);
    }
    let mut place = base;
    let mut count = offset.abs() - 1;
    while (0..32).contains(&place) {
        if set(place) {
            if count == 0 {
                return Some(vec![place as u64]);
            }
            count -= 1;
        }
        place += offset.signum();
    }
    Some(vec![NOWHERE])
}

fn extract(form: Form) -> Results {
    let ty = form.only_type().filter(|ty| is_word(*ty))?;
    let [a, position, length] = form.operands()?;
    let (position, length) = (position as u32 & 0xff, length as u32 & 0xff);
    let most = ty.width() - 1;
    let signed = matches!(ty, Type::Signed(_)) && length != 0;
    let sign = signed && bit(a, (position + length).saturating_sub(1).min(most));
    Some(vec![from_bits(ty.width(), |place| {
        if place < length && position + place <= most {
            bit(a, position + place)
        } else {
            sign
        }
    })])
}

fn insert(form: Form) -> Results {
    let Some(Type::Bits(width @ (32 | 64))) = form.only_type() else { return None };
    let [a, b, position, length] = form.operands()?;
    let (position, length) = (position as u32 & 0xff, length as u32 & 0xff);
    Some(vec![from_bits(width, |place| {
        if (position..position + length).contains(&place) {
            bit(a, place - position)
        } else {
            bit(b, place)
        }
    })])
}

/// Part `place` of a word, `width` bits wide, with the sign of the word's type.
fn part(ty: Type, word: u64, place: u32, width: u32) -> Option<i128> {
    match ty {
        Type::Unsigned(32) => Some(Type::Unsigned(width).integer(word >> (place * width))),
        Type::Signed(32) => Some(Type::Signed(width).integer(word >> (place * width))),
        _ => None,
    }
}

fn dot_4(form: Form) -> Results {
    let (first, second) = form.two_types()?;
    let [a, b, c] = form.operands()?;
    let mut sum = i128::from(c as u32);
    for place in 0..4 {
        sum += part(first, a, place, 8)? * part(second, b, place, 8)?;
    }
    Some(vec![low(sum, 32)])
}

fn dot_2(mut form: Form) -> Results {
    let start = if form.take_any(&["lo", "hi"])? == "lo" { 0 } else { 2 };
    let (first, second) = form.two_types()?;
    let [a, b, c] = form.operands()?;
    let mut sum = i128::from(c as u32);
    for place in 0..2 {
        sum += part(first, a, place, 16)? * part(second, b, start + place, 8)?;
    }
    Some(vec![low(sum, 32)])
}

fn extend(mut form: Form) -> Results {
    let clamped = form.take_any(&["clamp", "wrap"])? == "clamp";
    let ty = form.only_type().filter(|ty| is_word(*ty) && ty.width() == 32)?;
    let [a, count] = form.operands()?;
    let count = count as u32;
    if clamped && count >= 32 {
        return Some(vec![a & ones(32)]);
    }
    let count = count & 31;
    let sign = matches!(ty, Type::Signed(_)) && count > 0 && bit(a, count - 1);
    Some(vec![from_bits(32, |place| if place < count { bit(a, place) } else { sign })])
}

fn mask(mut form: Form) -> Results {
    let clamped = form.take_any(&["clamp", "wrap"])? == "clamp";
    if form.only_type()? != Type::Bits(32) {
        return None;
    }
    let [start, count] = form.operands()?;
    let (start, count) =
        if clamped { (start & ones(32), count & ones(32)) } else { (start & 31, count & 31) };
    Some(vec![from_bits(32, |place| (start..start + count).contains(&u64::from(place)))])
}
