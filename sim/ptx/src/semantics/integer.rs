//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").

use super::half::both;
use super::lift::{one, three, two};
use super::types::{self, integers};
use super::{Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;

/// An integer of Rust, with what PTX asks of it.
trait Integer: super::types::Word {
    /// The type of twice the width.
    type Wide: super::types::Word;
    fn low_product(self, other: Self) -> Self;
    fn high_product(self, other: Self) -> Self;
    fn wide_product(self, other: Self) -> Self::Wide;
    /// The quotient, whole numbers, towards zero; all ones where the divisor is 0.
    fn quotient(self, divisor: Self) -> Self;
    /// What is left of that; all ones where the divisor is 0.
    fn remainder(self, divisor: Self) -> Self;
}

macro_rules! integer {
    ($($word:ty, $wide:ty, $longest:ty;)*) => { $(
        impl Integer for $word {
            type Wide = $wide;

            #[inline]
            fn low_product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline]
            fn high_product(self, other: Self) -> Self {
                (<$longest>::from(self) * <$longest>::from(other) >> Self::BITS) as Self
            }

            #[inline]
            fn wide_product(self, other: Self) -> $wide {
                (<$longest>::from(self) * <$longest>::from(other)) as $wide
            }

            #[inline]
            fn quotient(self, divisor: Self) -> Self {
                if divisor == 0 { !0 } else { self.wrapping_div(divisor) }
            }

            #[inline]
            fn remainder(self, divisor: Self) -> Self {
                if divisor == 0 { !0 } else { self.wrapping_rem(divisor) }
            }
        }
    )* };
}

// There is no wide product of 64 bits: its "wide" type is never used.
integer! {
    u16, u32, u32;
    u32, u64, u64;
    u64, u64, u128;
    i16, i32, i32;
    i32, i64, i64;
    i64, i64, i128;
}

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    if let ("dp4a" | "dp2a", _) = (opcode, modifiers) {
        return dot_product(opcode, modifiers);
    }
    let (&last, before) = modifiers.split_last()?;
    if let "u16x2" | "s16x2" = last {
        return by_halves(opcode, before, last == "s16x2");
    }
    let ty = types::parse(last)?;
    let uniform = |arity: usize, apply: Option<Apply>, result: Type| {
        Some(Form { sources: vec![ty; arity], result, unit: unit(opcode), apply: apply? })
    };
    match (opcode, before) {
        ("abs", []) => uniform(1, integers!(ty, [i16 i32 i64], T => one(T::wrapping_abs)), ty),
        ("neg", []) => uniform(1, integers!(ty, [i16 i32 i64], T => one(T::wrapping_neg)), ty),
        ("mul" | "mad", ["wide"]) => wide(opcode, ty),
        ("mul24" | "mad24", _) => of_24_bits(opcode, before, ty),
        ("sad", []) => {
            let apply = integers!(ty, [u16 u32 u64 i16 i32 i64], T => {
                three(|a: T, b: T, c: T| c.wrapping_add(if a < b { b.wrapping_sub(a) } else { a.wrapping_sub(b) }))
            });
            uniform(3, apply, ty)
        }
        ("mad", _) => uniform(3, multiply_add(before, ty), ty),
        _ => uniform(2, binary(opcode, before, ty), ty),
    }
}

/// `add`, `min` and `max` of two halves of a word.
fn by_halves(opcode: &str, before: &[&str], signed: bool) -> Option<Form> {
    let f: fn(i32, i32) -> i32 = match (opcode, before) {
        ("add", []) => |a, b| a + b,
        ("min", []) => i32::min,
        ("max", []) => i32::max,
        ("min", ["relu"]) if signed => |a, b| a.min(b).max(0),
        ("max", ["relu"]) if signed => |a, b| a.max(b).max(0),
        _ => return None,
    };
    let wide = move |half: u16| if signed { i32::from(half as i16) } else { i32::from(half) };
    let apply = two(move |a: u32, b: u32| both(|part| f(wide(part(a)), wide(part(b))) as u16));
    let word = Type::Bits(32);
    Some(Form { sources: vec![word; 2], result: word, unit: Unit::Integer, apply })
}

fn unit(opcode: &str) -> Unit {
    match opcode {
        "div" | "rem" => Unit::Special,
        _ => Unit::Integer,
    }
}

fn binary(opcode: &str, before: &[&str], ty: Type) -> Option<Apply> {
    let saturates = before == ["sat"] && ty == Type::Signed(32);
    match (opcode, before) {
        ("add", ["sat"]) if saturates => return Some(two(i32::saturating_add)),
        ("sub", ["sat"]) if saturates => return Some(two(i32::saturating_sub)),
        ("mul", ["lo"]) => {
            return integers!(ty, [u16 u32 u64 i16 i32 i64], T => two(T::low_product))
        }
        ("mul", ["hi"]) => {
            return integers!(ty, [u16 u32 u64 i16 i32 i64], T => two(T::high_product))
        }
        ("min", ["relu"]) if ty == Type::Signed(32) => {
            return Some(two(|a: i32, b: i32| a.min(b).max(0)));
        }
        ("max", ["relu"]) if ty == Type::Signed(32) => {
            return Some(two(|a: i32, b: i32| a.max(b).max(0)));
        }
        (_, []) => {}
        _ => return None,
    }
    integers!(ty, [u16 u32 u64 i16 i32 i64], T => match opcode {
        "add" => two(T::wrapping_add),
        "sub" => two(T::wrapping_sub),
        "div" => two(T::quotient),
        "rem" => two(T::remainder),
        "min" => two(|a: T, b: T| a.min(b)),
        "max" => two(|a: T, b: T| a.max(b)),
        _ => return None,
    })
}

fn multiply_add(before: &[&str], ty: Type) -> Option<Apply> {
    match before {
        ["hi", "sat"] if ty == Type::Signed(32) => {
            Some(three(|a: i32, b: i32, c: i32| a.high_product(b).saturating_add(c)))
        }
        ["lo"] => integers!(ty, [u16 u32 u64 i16 i32 i64], T => {
            three(|a: T, b: T, c: T| a.low_product(b).wrapping_add(c))
        }),
        ["hi"] => integers!(ty, [u16 u32 u64 i16 i32 i64], T => {
            three(|a: T, b: T, c: T| a.high_product(b).wrapping_add(c))
        }),
        _ => None,
    }
}

/// `mul.wide` and `mad.wide`: the result has twice the width.
fn wide(opcode: &str, ty: Type) -> Option<Form> {
    let result = match ty {
        Type::Unsigned(width @ (16 | 32)) => Type::Unsigned(2 * width),
        Type::Signed(width @ (16 | 32)) => Type::Signed(2 * width),
        _ => return None,
    };
    let (sources, apply) = if opcode == "mul" {
        (vec![ty; 2], integers!(ty, [u16 u32 i16 i32], T => two(T::wide_product)))
    } else {
        let apply = integers!(ty, [u16 u32 i16 i32], T => {
            three(|a: T, b: T, c: <T as Integer>::Wide| a.wide_product(b).wrapping_add(c))
        });
        (vec![ty, ty, result], apply)
    };
    Some(Form { sources, result, unit: Unit::Integer, apply: apply? })
}

/// Products of the low 24 bits: bits 0 to 31, or 16 to 47.
fn of_24_bits(opcode: &str, before: &[&str], ty: Type) -> Option<Form> {
    let (high, saturates) = match before {
        ["lo"] => (false, false),
        ["hi"] => (true, false),
        ["hi", "sat"] if opcode == "mad24" && ty == Type::Signed(32) => (true, true),
        _ => return None,
    };
    let signed = match ty {
        Type::Unsigned(32) => false,
        Type::Signed(32) => true,
        _ => return None,
    };
    let product = move |a: u32, b: u32| {
        let product = if signed {
            let low = |value: u32| i64::from((value << 8) as i32 >> 8);
            (low(a) * low(b)) as u64
        } else {
            u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
        };
        (if high { product >> 16 } else { product }) as u32
    };
    let (arity, apply) = match (opcode, saturates) {
        ("mul24", _) => (2, two(product)),
        (_, false) => (3, three(move |a, b, c: u32| product(a, b).wrapping_add(c))),
        (_, true) => (3, three(move |a, b, c: i32| (product(a, b) as i32).saturating_add(c))),
    };
    Some(Form { sources: vec![ty; arity], result: ty, unit: Unit::Integer, apply })
}

/// `dp4a` and `dp2a`: the sum of four (two) products of bytes (a half and a byte), plus `c`.
fn dot_product(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    let (bytes, high, types) = match (opcode, modifiers) {
        ("dp4a", types @ [_, _]) => (4, false, types),
        ("dp2a", ["lo", types @ ..]) => (2, false, types),
        ("dp2a", ["hi", types @ ..]) => (2, true, types),
        _ => return None,
    };
    let [a, b] = types else { return None };
    let signed = |name: &str| match name {
        "u32" => Some(false),
        "s32" => Some(true),
        _ => None,
    };
    let (first, second) = (signed(a)?, signed(b)?);
    let field = |word: u32, bits: u32, index: u32, signed: bool| {
        let value = word >> (bits * index);
        let shift = 32 - bits;
        if signed {
            (value << shift) as i32 >> shift
        } else {
            (value << shift >> shift) as i32
        }
    };
    let apply = three(move |a: u32, b: u32, c: u32| {
        (0..bytes).fold(c, |sum, index| {
            let x = field(a, 32 / bytes, index, first);
            let y = field(b, 8, index + if high { 2 } else { 0 }, second);
            sum.wrapping_add(x.wrapping_mul(y) as u32)
        })
    });
    let ty = |signed| if signed { Type::Signed(32) } else { Type::Unsigned(32) };
    let result = ty(first || second);
    let sources = vec![ty(first), ty(second), result];
    Some(Form { sources, result, unit: Unit::Integer, apply })
}
