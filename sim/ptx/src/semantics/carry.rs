//! Arithmetic over several words (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").

use super::lift::carrying;
use super::types;
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;

/// The forms of this module: `add.cc`, `addc`, `sub.cc`, `subc`, `mad.lo.cc`, `madc.hi` and so on.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (&last, before) = modifiers.split_last()?;
    let ty = types::parse(last)?;
    let (Type::Unsigned(width @ (32 | 64)) | Type::Signed(width @ (32 | 64))) = ty else {
        return None;
    };
    let (half, writes) = match before {
        [] => (None, false),
        ["cc"] => (None, true),
        [half] => (Some(*half), false),
        [half, "cc"] => (Some(*half), true),
        _ => return None,
    };
    let (base, reads) = match opcode {
        "addc" => ("add", true),
        "subc" => ("sub", true),
        "madc" => ("mad", true),
        // Without carry bits these are those of `integer`.
        "add" | "sub" | "mad" if writes => (opcode, false),
        _ => return None,
    };
    let carry = (reads, writes);
    let signed = matches!(ty, Type::Signed(_));
    let (arity, apply) = match (base, half) {
        ("add", None) => (2, of_width(width, carry, |[a, b], carry| sum([a, b], carry))),
        ("sub", None) => (2, of_width(width, carry, |[a, b], borrow| difference([a, b], borrow))),
        ("mad", Some(half @ ("lo" | "hi"))) => {
            let high = half == "hi";
            let product = move |a: u64, b: u64| match (width, signed) {
                (32, false) => u128::from(a as u32) * u128::from(b as u32),
                (32, true) => (i128::from(a as i32) * i128::from(b as i32)) as u128,
                (_, false) => u128::from(a) * u128::from(b),
                (_, true) => (i128::from(a as i64) * i128::from(b as i64)) as u128,
            };
            let shift = if high { u32::from(width) } else { 0 };
            let apply = of_width(width, carry, move |[a, b, c]: [u64; 3], carry| {
                sum([(product(a, b) >> shift) as u64, c], carry)
            });
            (3, apply)
        }
        _ => return None,
    };
    Some(Form { sources: vec![ty; arity], result: ty, unit: Unit::Integer, apply })
}

/// The sum of two words and a carry bit, as a longer word.
fn sum([a, b]: [u64; 2], carry: bool) -> Longer {
    Longer { words: [a, b], carry, negate: false }
}

/// The difference of two words and a borrow bit.
fn difference([a, b]: [u64; 2], borrow: bool) -> Longer {
    Longer { words: [a, b], carry: borrow, negate: true }
}

/// A sum or difference before it is cut off.
struct Longer {
    words: [u64; 2],
    carry: bool,
    negate: bool,
}

impl Longer {
    /// It, cut off at `width` bits, and the bit that leaves.
    fn cut(self, width: u8) -> (u64, bool) {
        let mask = u64::MAX >> (64 - width);
        let [a, b] = self.words.map(|word| i128::from(word & mask));
        let carry = i128::from(self.carry);
        let value = if self.negate { a - b - carry } else { a + b + carry };
        (value as u64 & mask, value >> width & 1 == 1)
    }
}

fn of_width<const N: usize>(
    width: u8,
    carry: (bool, bool),
    f: impl Fn([u64; N], bool) -> Longer + 'static,
) -> Apply {
    carrying(carry, move |sources, carry| f(sources, carry).cut(width))
}
