//! `atom` and `red`: PTX ISA 9.1, 9.7.13.15 and 9.7.13.16. What an operation leaves of what was
//! there.
//!
//! ```text
//!     atomic { d = *a; *a = (operation == cas) ? operation(*a, b, c) : operation(*a, b); }
//!     inc(r, s) = (r >= s) ? 0 : r + 1          exch(r, s)   = s
//!     dec(r, s) = (r == 0 || r > s) ? s : r - 1 cas(r, s, t) = (r == s) ? t : r
//! ```
//!
//! What the manual leaves open, and how it is decided here:
//!
//! * *Current implementation of* `atom.add.f32` *on global memory flushes subnormal inputs and
//!   results to sign-preserving zero; on shared memory* it does not. That is what implementations
//!   do, so it is held to here, for `red` too. A result counts as subnormal after it was rounded.
//! * Of `add` the table of types is not given any more. Sums of `s64` have the bits of those of
//!   `u64`; whether they may be asked for is left to the interpreter.
//! * In which order the lanes of a warp come is not said; see the test.

use super::arithmetic::plus;
use super::form::{low, Form, Type};
use super::soft::{Format, Rounding};

/// Where the value is that an instruction changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `.global`, or a generic address of it.
    Global,
    /// `.shared`, or a generic address of it.
    Shared,
}

/// What the manual says of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It has it.
    Yes,
    /// It does not.
    No,
    /// It does not say.
    Open,
}

/// Whether there is such a form, of an operation with its `.noftz`.
pub fn known(opcode: &str, operation: &str, ty: &str) -> Known {
    let types: &[&str] = match operation {
        "and" | "or" | "xor" => &["b32", "b64"],
        "cas" if opcode == "atom" => &["b16", "b32", "b64", "b128"],
        "exch" if opcode == "atom" => &["b32", "b64", "b128"],
        "add" => &["u32", "s32", "u64", "f32", "f64"],
        "add.noftz" => &["f16", "f16x2", "bf16", "bf16x2"],
        "inc" | "dec" => &["u32"],
        "min" | "max" => &["u32", "s32", "u64", "s64"],
        _ => &[],
    };
    match (operation, ty) {
        ("add", "s64") => Known::Open,
        _ if types.contains(&ty) => Known::Yes,
        _ => Known::No,
    }
}

/// Bits of a value in memory.
pub fn width(ty: &str) -> u32 {
    match Form::new(&[ty], &[]).only_type() {
        Some(ty) => ty.width(),
        None => 128,
    }
}

/// What is in memory behind the operation: of `was` there before, and of `b` and `c`.
///
/// # Panics
/// For a form that [`known`] does not have.
pub fn left(operation: &str, ty: &str, memory: Memory, was: u128, [b, c]: [u128; 2]) -> u128 {
    match operation {
        "exch" => return b,
        "cas" => return if was == b { c } else { was },
        _ => {}
    }
    let kind = Form::new(&[ty], &[]).only_type().expect("it is a type");
    let (was, b) = (was as u64, b as u64);
    u128::from(match (operation, kind) {
        ("and", _) => was & b,
        ("or", _) => was | b,
        ("xor", _) => was ^ b,
        ("inc", _) if was >= b => 0,
        ("inc", _) => was + 1,
        ("dec", _) if was == 0 || was > b => b,
        ("dec", _) => was - 1,
        ("min", _) => low(kind.integer(was).min(kind.integer(b)), kind.width()),
        ("max", _) => low(kind.integer(was).max(kind.integer(b)), kind.width()),
        ("add", Type::Unsigned(width) | Type::Signed(width)) => {
            low(i128::from(was) + i128::from(b), width)
        }
        ("add" | "add.noftz", Type::Float(format)) => sum(format, memory, was, b),
        ("add.noftz", Type::Floats(format)) => {
            let high = |bits: u64| bits >> format.width();
            sum(format, memory, high(was), high(b)) << format.width() | sum(format, memory, was, b)
        }
        _ => panic!("there is no {operation}.{ty}"),
    })
}

/// Rounded to the nearest even.
fn sum(format: Format, memory: Memory, was: u64, b: u64) -> u64 {
    let flushes = format == Format::SINGLE && memory == Memory::Global;
    let flush =
        |bits| if flushes { format.flushed(bits) } else { low(i128::from(bits), format.width()) };
    flush(plus(format, Rounding::Nearest, flush(was), flush(b)))
}
