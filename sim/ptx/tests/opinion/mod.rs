//! A second opinion of what an instruction computes for one thread, from the wording of the manual
//! (PTX ISA 9.1) alone: slow, obvious, and independent of the interpreter.
//!
//! ```text
//!   opcode, modifiers, operands -- Form --> a group of instructions --> results
//!                                             |  floats: exact, then rounded once
//! ```

mod approximate;
mod arithmetic;
#[allow(dead_code)] // Not every test that has this module asks for it.
pub mod atomic;
mod bits;
mod carry;
mod compare;
mod convert;
mod edges;
mod float;
mod form;
mod integer;
mod logic;
mod natural;
mod packed;
mod sign;
mod soft;
mod tolerance;

use form::Form;

#[allow(unused_imports)] // Not every test that has this module asks for all of them.
pub use edges::edges;
#[allow(unused_imports)]
pub use tolerance::{allows, tolerance, Tolerance};

/// The results of an instruction as raw bits, zero-extended; a predicate is 0 or 1. `None` for a
/// form that the manual does not have or that is not covered here.
///
/// * `modifiers` stand as in the instruction; types keep their order, the others may have any.
/// * `operands` are the sources in the manual's order. Bits above an operand's width do not matter.
/// * `setp` of types but halves always gives both results, `p` and `q`. `setp.f16x2` gives that of
///   the low half first.
/// * `add.cc` and the like: behind the others comes an operand that is the carry in, 0 or 1
///   (`add.cc`, `sub.cc` and `mad.cc` do without it just as well, and do not look at it); behind
///   the result comes the carry out where there is a `.cc`.
/// * `lop3.or` and `lop3.and`: the predicate is the fifth operand, the one written the second
///   result.
pub fn opinion(opcode: &str, modifiers: &[&str], operands: &[u64]) -> Option<Vec<u64>> {
    let groups = [
        integer::opinion,
        bits::opinion,
        carry::opinion,
        logic::opinion,
        compare::opinion,
        float::opinion,
        sign::opinion,
        packed::opinion,
        convert::opinion,
        approximate::opinion,
    ];
    groups.iter().find_map(|group| group(opcode, Form::new(modifiers, operands)))
}

/// Whether the manual leaves the result open, so that [`opinion`] says what NVIDIA's hardware is
/// known to give, or only what seems likely.
#[allow(dead_code)]
pub fn unspecified(opcode: &str, modifiers: &[&str], operands: &[u64]) -> bool {
    let form = Form::new(modifiers, operands);
    let Some(ty) = form.only_type() else { return false };
    match (opcode, operands) {
        ("div" | "rem", [_, below]) => ty.is_wide_integer() && ty.integer(*below) == 0,
        ("fns", [_, base, _]) => *base as u32 > 31,
        _ => false,
    }
}

/// Whether bits of that type (`"f32"`) are as expected: a NaN is as good as any other, except that
/// it has to be one in every part of a vector where one is expected.
#[allow(dead_code)]
pub fn equal_bits(ty: &str, got: u64, expected: u64) -> bool {
    use form::Type;
    match Form::new(&[ty], &[]).only_type() {
        Some(Type::Float(format)) => same(format, got, expected),
        Some(Type::Floats(format)) => {
            let width = format.width();
            same(format, got, expected) && same(format, got >> width, expected >> width)
        }
        _ => got == expected,
    }
}

/// Of one float in the low bits; what stands above does not matter.
fn same(format: soft::Format, got: u64, expected: u64) -> bool {
    let low = form::ones(format.width());
    (format.is_nan(got) && format.is_nan(expected)) || got & low == expected & low
}
