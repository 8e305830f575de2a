//! Conversions to and from several small numbers in a register, and to tf32 (PTX ISA, `cvt` and
//! `cvt.pack`).

use super::half::value;
use super::lift::{one, three, two};
use super::{convert, Apply, Form};
use crate::ast::Type;
use blockyard_gpu::program::Unit;
use rustc_apfloat::{ieee, Float, FloatConvert, Round};

const BITS16: Type = Type::Bits(16);
const BITS32: Type = Type::Bits(32);
const SINGLE: Type = Type::Float(32);
const SIGNED: Type = Type::Signed(32);

/// The forms of this module.
pub(super) fn form(opcode: &str, modifiers: &[&str]) -> Option<Form> {
    if opcode != "cvt" {
        return None;
    }
    if let ["pack", "sat", types @ ..] = modifiers {
        return packed(types);
    }
    let [before @ .., to, from] = modifiers else { return None };
    let (sources, result, apply) = match (*to, *from) {
        ("f16x2", "f32") => (vec![SINGLE; 2], Type::Halves, pair(before, Type::Float(16))?),
        ("bf16x2", "f32") => (vec![SINGLE; 2], Type::Brains, pair(before, Type::Brain)?),
        ("tf32", "f32") => (vec![SINGLE], BITS32, tensor(before)?),
        ("e4m3x2" | "e5m2x2", "f32") => {
            let narrow = Byte::parse(to)?.narrow(before)?;
            let apply = two(move |a: f32, b: f32| u16::from(narrow(a)) << 8 | u16::from(narrow(b)));
            (vec![SINGLE; 2], BITS16, apply)
        }
        ("e4m3x2" | "e5m2x2", "f16x2") => {
            let narrow = Byte::parse(to)?.narrow(before)?;
            let part = move |bits: u32| u16::from(narrow(value(bits as u16)));
            (vec![Type::Halves], BITS16, one(move |a: u32| part(a >> 16) << 8 | part(a)))
        }
        ("f16x2", "e4m3x2" | "e5m2x2") => {
            let format = Byte::parse(from)?;
            let relu = match before {
                ["rn"] => false,
                ["rn", "relu"] => true,
                _ => return None,
            };
            let part = move |byte: u16| u32::from(format.widened(byte as u8, relu));
            (vec![BITS16], Type::Halves, one(move |a: u16| part(a >> 8) << 16 | part(a & 0xff)))
        }
        _ => return None,
    };
    Some(Form { sources, result, unit: Unit::Integer, apply })
}

/// Two f32 to a pair: the first becomes the upper half.
fn pair(before: &[&str], to: Type) -> Option<Apply> {
    let narrow = convert::single_to(before, to)?;
    Some(two(move |a: u32, b: u32| (narrow(a.into()) as u32) << 16 | narrow(b.into()) as u32))
}

/// f32 with 10 bits of its fraction.
fn tensor(before: &[&str]) -> Option<Apply> {
    const LOST: u32 = 13;
    let (&rounding, rest) = before.split_first()?;
    let (relu, finite) = match rest {
        [] => (false, false),
        ["relu"] if rounding != "rna" => (true, false),
        ["satfinite"] => (false, true),
        ["relu", "satfinite"] if rounding != "rna" => (true, true),
        _ => return None,
    };
    let half = 1_u32 << (LOST - 1);
    let more: fn(u32, u32) -> u32 = match rounding {
        "rn" => |bits, half| half - 1 + (bits >> LOST & 1),
        "rz" => |_, _| 0,
        "rna" => |_, half| half,
        _ => return None,
    };
    Some(one(move |a: u32| {
        let value = f32::from_bits(a);
        if value.is_nan() {
            return super::types::NAN32;
        }
        if relu && value.is_sign_negative() {
            return 0;
        }
        let kept = if value.is_infinite() { a } else { a.wrapping_add(more(a, half)) };
        let kept = kept >> LOST << LOST;
        if finite && f32::from_bits(kept).is_infinite() {
            return kept - (1 << LOST);
        }
        kept
    }))
}

/// A float of 8 bits.
#[derive(Clone, Copy)]
enum Byte {
    /// `.e4m3`, which has no infinities.
    Four,
    /// `.e5m2`
    Five,
}

impl Byte {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "e4m3x2" => Some(Self::Four),
            "e5m2x2" => Some(Self::Five),
            _ => None,
        }
    }

    /// To the nearest one, and to the largest instead of infinity.
    fn narrow(self, before: &[&str]) -> Option<impl Fn(f32) -> u8> {
        let relu = match before {
            ["rn", "satfinite"] => false,
            ["rn", "satfinite", "relu"] => true,
            _ => return None,
        };
        Some(move |value: f32| {
            if value.is_nan() {
                return 0x7f;
            }
            if relu && value.is_sign_negative() {
                return 0;
            }
            let exact = ieee::Single::from_bits(u128::from(value.to_bits()));
            let round = Round::NearestTiesToEven;
            let (found, largest) = match self {
                Self::Four => {
                    let found: ieee::Float8E4M3FN = exact.convert_r(round, &mut false).value;
                    (found.to_bits() as u8, 0x7e)
                }
                Self::Five => {
                    let found: ieee::Float8E5M2 = exact.convert_r(round, &mut false).value;
                    (found.to_bits() as u8, 0x7b)
                }
            };
            found & 0x80 | (found & 0x7f).min(largest)
        })
    }

    /// As f16, which represents all of them.
    fn widened(self, byte: u8, relu: bool) -> u16 {
        let round = Round::NearestTiesToEven;
        let bits = u128::from(byte);
        let half: ieee::Half = match self {
            Self::Four => ieee::Float8E4M3FN::from_bits(bits).convert_r(round, &mut false).value,
            Self::Five => ieee::Float8E5M2::from_bits(bits).convert_r(round, &mut false).value,
        };
        if half.is_nan() {
            super::half::NAN
        } else if relu && half.is_negative() {
            0
        } else {
            half.to_bits() as u16
        }
    }
}

/// `cvt.pack`: two numbers, clamped, in front of others.
fn packed(types: &[&str]) -> Option<Form> {
    let (name, chained) = match types {
        [name, "s32"] => (name, false),
        [name, "s32", "b32"] => (name, true),
        _ => return None,
    };
    let width: u32 = name.get(1..)?.parse().ok()?;
    if !matches!((width, chained), (16, false) | (2 | 4 | 8, true)) {
        return None;
    }
    let (least, most) = match name.get(..1)? {
        "u" => (0, (1 << width) - 1),
        "s" => (-1 << (width - 1), (1 << (width - 1)) - 1),
        _ => return None,
    };
    let mask = (1_u32 << width) - 1;
    let small = move |value: i32| value.clamp(least, most) as u32 & mask;
    let (sources, apply) = if chained {
        (
            vec![SIGNED, SIGNED, BITS32],
            three(move |a: i32, b: i32, c: u32| c << (2 * width) | small(a) << width | small(b)),
        )
    } else {
        (vec![SIGNED; 2], two(move |a: i32, b: i32| small(a) << width | small(b)))
    };
    Some(Form { sources, result: BITS32, unit: Unit::Integer, apply })
}
