//! Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions", and those integer
//! instructions that work on bits).

use super::lift::{four, one, three, two};
use super::types;
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;

const AMOUNT: Type = Type::Unsigned(32);

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    let (sources, result, apply) = match (opcode, before, ty) {
        ("and" | "or" | "xor", [], Type::Bits(16..=64)) => (vec![ty; 2], ty, logic(opcode)),
        ("and" | "or" | "xor", [], Type::Predicate) => (vec![ty; 2], ty, of_predicates(opcode)),
        ("not", [], Type::Predicate) => {
            (vec![ty], ty, Apply::Logic(Box::new(|sources| !sources[0])))
        }
        ("mov", [], Type::Predicate) => {
            (vec![ty], ty, Apply::Logic(Box::new(|sources| sources[0])))
        }
        ("not", [], Type::Bits(width @ 16..=64)) => {
            (vec![ty], ty, one(move |a: u64| !a & ones(width)))
        }
        ("cnot", [], Type::Bits(16..=64)) => (vec![ty], ty, one(|a: u64| u64::from(a == 0))),
        ("mov", [], _) if ty.is_moved() => (vec![ty], ty, one(|a: u64| a)),
        ("lop3", [], Type::Bits(32)) => (vec![ty; 4], ty, four(any_of_three)),
        ("shl", [], Type::Bits(width @ 16..=64)) => (vec![ty, AMOUNT], ty, shl(width)),
        ("shr", [], _) => (vec![ty, AMOUNT], ty, shr(ty)?),
        ("shf", [direction @ ("l" | "r"), mode @ ("clamp" | "wrap")], Type::Bits(32)) => {
            let (left, clamps) = (*direction == "l", *mode == "clamp");
            (vec![ty, ty, AMOUNT], ty, three(move |a, b, c| funnel(left, clamps, a, b, c)))
        }
        ("popc", [], Type::Bits(32 | 64)) => (vec![ty], AMOUNT, one(|a: u64| a.count_ones())),
        ("clz", [], Type::Bits(width @ (32 | 64))) => {
            (vec![ty], AMOUNT, one(move |a: u64| a.leading_zeros() - (64 - u32::from(width))))
        }
        ("brev", [], Type::Bits(width @ (32 | 64))) => {
            (vec![ty], ty, one(move |a: u64| a.reverse_bits() >> (64 - width)))
        }
        ("bfind", shifted @ ([] | ["shiftamt"]), _) => {
            (vec![ty], AMOUNT, highest(ty, !shifted.is_empty())?)
        }
        ("szext", [mode @ ("clamp" | "wrap")], Type::Unsigned(32) | Type::Signed(32)) => {
            let signed = matches!(ty, Type::Signed(_));
            let clamps = *mode == "clamp";
            (vec![ty, AMOUNT], ty, two(move |a: u32, bits: u32| extended(signed, clamps, a, bits)))
        }
        ("bmsk", ["clamp"], Type::Bits(32)) => {
            (vec![AMOUNT; 2], ty, two(|at: u32, length: u32| span(at.into(), length.into())))
        }
        ("bmsk", ["wrap"], Type::Bits(32)) => {
            let wrapped = |at: u32, length: u32| span((at & 31).into(), (length & 31).into());
            (vec![AMOUNT; 2], ty, two(wrapped))
        }
        ("fns", [], Type::Bits(32)) => {
            let sources = vec![ty, AMOUNT, Type::Signed(32)];
            (sources, ty, three(nth_set))
        }
        ("bfe", [], _) => (vec![ty, AMOUNT, AMOUNT], ty, extract(ty)?),
        ("bfi", [], Type::Bits(width @ (32 | 64))) => {
            let insert =
                four(move |a: u64, b: u64, at: u32, length: u32| insert(width, a, b, at, length));
            (vec![ty, ty, AMOUNT, AMOUNT], ty, insert)
        }
        ("prmt", mode, Type::Bits(32)) if mode.len() <= 1 => {
            (vec![ty; 3], ty, permute(mode.first().copied())?)
        }
        _ => return None,
    };
    Some(Form { sources, result, unit: Unit::Integer, apply })
}

/// `width` ones.
fn ones(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

fn logic(opcode: &str) -> Apply {
    match opcode {
        "and" => two(|a: u64, b: u64| a & b),
        "or" => two(|a: u64, b: u64| a | b),
        _ => two(|a: u64, b: u64| a ^ b),
    }
}

fn of_predicates(opcode: &str) -> Apply {
    Apply::Logic(match opcode {
        "and" => Box::new(|sources| sources[0] & sources[1]),
        "or" => Box::new(|sources| sources[0] | sources[1]),
        _ => Box::new(|sources| sources[0] ^ sources[1]),
    })
}

/// Bit by bit the entry of `table` that the three bits choose.
fn any_of_three(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8).filter(|row| table >> row & 1 == 1).fold(0, |found, row| {
        let chosen = |word: u32, bit: u32| if row >> bit & 1 == 1 { word } else { !word };
        found | chosen(a, 2) & chosen(b, 1) & chosen(c, 0)
    })
}

fn shl(width: u8) -> Apply {
    two(move |a: u64, amount: u32| a.checked_shl(amount).unwrap_or(0) & ones(width))
}

fn shr(ty: Type) -> Option<Apply> {
    match ty {
        Type::Bits(16..=64) | Type::Unsigned(16..=64) => {
            Some(two(|a: u64, amount: u32| a.checked_shr(amount).unwrap_or(0)))
        }
        Type::Signed(16) => Some(two(|a: i16, amount: u32| a >> amount.min(15))),
        Type::Signed(32) => Some(two(|a: i32, amount: u32| a >> amount.min(31))),
        Type::Signed(64) => Some(two(|a: i64, amount: u32| a >> amount.min(63))),
        _ => None,
    }
}

/// `b` above `a`, shifted; the upper word of the result to the left, the lower one to the right.
fn funnel(left: bool, clamps: bool, a: u32, b: u32, amount: u32) -> u32 {
    let both = u64::from(b) << 32 | u64::from(a);
    let amount = if clamps { amount.min(32) } else { amount & 31 };
    if left {
        (both << amount >> 32) as u32
    } else {
        (both >> amount) as u32
    }
}

/// The place of the highest bit that is set (of a negative number: that is not); all ones if none.
fn highest(ty: Type, shifted: bool) -> Option<Apply> {
    let (Type::Unsigned(width @ (32 | 64)) | Type::Signed(width @ (32 | 64))) = ty else {
        return None;
    };
    let signed = matches!(ty, Type::Signed(_));
    Some(one(move |a: u64| {
        let negative = signed && a >> (width - 1) & 1 == 1;
        let a = if negative { !a & ones(width) } else { a };
        match a.checked_ilog2() {
            None => u32::MAX,
            Some(place) if shifted => u32::from(width) - 1 - place,
            Some(place) => place,
        }
    }))
}

/// The field of `length` bits from bit `at` on; what is beyond the word is its sign, or 0.
fn extract(ty: Type) -> Option<Apply> {
    let (Type::Unsigned(width @ (32 | 64)) | Type::Signed(width @ (32 | 64))) = ty else {
        return None;
    };
    let (signed, top) = (matches!(ty, Type::Signed(_)), u32::from(width) - 1);
    Some(three(move |a: u64, at: u32, length: u32| {
        let (at, length) = (at & 0xff, length & 0xff);
        if length == 0 {
            return 0;
        }
        let sign = signed && a >> (at + length - 1).min(top) & 1 == 1;
        let field = a.checked_shr(at).unwrap_or(0);
        let inside = 1_u64.checked_shl(length.min(64)).map_or(u64::MAX, |bit| bit - 1);
        let available = u32::from(width).saturating_sub(at).min(length);
        let present = 1_u64.checked_shl(available).map_or(u64::MAX, |bit| bit - 1);
        let kept = field & inside & present;
        let filled = if sign { kept | !present } else { kept };
        filled & ones(width)
    }))
}

/// The low `bits` bits of `a`, with the highest of them as sign if it has one.
fn extended(signed: bool, clamps: bool, a: u32, bits: u32) -> u32 {
    if clamps && bits >= 32 {
        return a;
    }
    match bits & 31 {
        0 => 0,
        bits if signed => ((a << (32 - bits)) as i32 >> (32 - bits)) as u32,
        bits => a << (32 - bits) >> (32 - bits),
    }
}

/// `length` ones from bit `at` on.
fn span(at: u64, length: u64) -> u32 {
    let below = |end: u64| if end >= 32 { u64::from(u32::MAX) } else { (1 << end) - 1 };
    (below(at + length) & !below(at)) as u32
}

/// The place of the bit of `mask` that is set as the `offset`th from bit `base` on, which is the
/// first; backwards if that is negative, and for 0 only that bit itself. All ones if there is none.
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    let found = match offset {
        _ if base > 31 => None,
        0 => (mask >> base & 1 == 1).then_some(base),
        1.. => (base..32).filter(|at| mask >> at & 1 == 1).nth(offset as usize - 1),
        _ => {
            let before = (0..=base).rev();
            before.filter(|at| mask >> at & 1 == 1).nth(offset.unsigned_abs() as usize - 1)
        }
    };
    found.unwrap_or(u32::MAX)
}

/// `b` with the low `length` bits of `a` from bit `at` on.
fn insert(width: u8, a: u64, b: u64, at: u32, length: u32) -> u64 {
    let (at, length) = (at & 0xff, length & 0xff);
    let field = 1_u64.checked_shl(length).map_or(u64::MAX, |bit| bit - 1);
    let mask = field.checked_shl(at).unwrap_or(0) & ones(width);
    (b & !mask | a.checked_shl(at).unwrap_or(0) & mask) & ones(width)
}

/// `prmt`: bytes of `a` and `b` in another order.
fn permute(mode: Option<&str>) -> Option<Apply> {
    let bytes = |a: u32, b: u32| (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let word = |chosen: [u8; 4]| u32::from_le_bytes(chosen);
    let Some(mode) = mode else {
        return Some(three(move |a: u32, b: u32, selection: u32| {
            let bytes = bytes(a, b);
            word(std::array::from_fn(|place| {
                let nibble = selection >> (4 * place);
                let byte = bytes[(nibble & 7) as usize];
                if nibble & 8 == 0 {
                    byte
                } else {
                    (byte as i8 >> 7) as u8
                }
            }))
        }));
    };
    // For each mode the byte that comes to lie in each place, by the two low bits of `c`.
    let source: fn(usize, usize) -> usize = match mode {
        "f4e" => |first, place| first + place,
        "b4e" => |first, place| (first + 8 - place) % 8,
        "rc8" => |first, _| first,
        "ecl" => |first, place| first.max(place),
        "ecr" => |first, place| first.min(place),
        "rc16" => |first, place| first % 2 * 2 + place % 2,
        _ => return None,
    };
    Some(three(move |a: u32, b: u32, selection: u32| {
        let bytes = bytes(a, b);
        let first = (selection & 3) as usize;
        word(std::array::from_fn(|place| bytes[source(first, place)]))
    }))
}
