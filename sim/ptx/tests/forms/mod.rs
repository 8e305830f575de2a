//! All forms that compute values from values, found by asking for every combination of modifiers.

use blockyard_ptx::ast::Type;
use blockyard_ptx::semantics::{self, Form};
use rayon::prelude::*;

pub const OPCODES: &[&str] = &[
    "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign",
    "cos", "cvt", "div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "mad24",
    "madc", "max", "min", "mov", "mul", "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem",
    "rsqrt", "sad", "selp", "set", "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub",
    "subc", "szext", "tanh", "testp", "xor",
];

/// What may stand in front of the types, place by place; "" where nothing does.
const FIRST: &[&str] = &[
    "",
    "rn",
    "rz",
    "rm",
    "rp",
    "rni",
    "rzi",
    "rmi",
    "rpi",
    "lo",
    "hi",
    "wide",
    "approx",
    "full",
    "sat",
    "ftz",
    "cc",
    "NaN",
    "xorsign",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "ls",
    "hs",
    "equ",
    "neu",
    "ltu",
    "leu",
    "gtu",
    "geu",
    "num",
    "nan",
    "l",
    "r",
    "shiftamt",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",
    "relu",
    "clamp",
    "wrap",
];
const SECOND: &[&str] = &[
    "",
    "ftz",
    "sat",
    "cc",
    "and",
    "or",
    "xor",
    "clamp",
    "wrap",
    "NaN",
    "abs",
    "xorsign",
    "relu",
    "satfinite",
];
const THIRD: &[&str] = &["", "ftz", "sat", "abs", "xorsign", "relu", "satfinite"];
/// The same before two types.
const SECOND_OF_TWO: &[&str] = &["", "ftz", "sat", "and", "or", "xor", "relu", "satfinite"];
const THIRD_OF_TWO: &[&str] = &["", "ftz", "sat", "satfinite"];
/// Forms with types that no other has.
const OTHERS: &[&str] = &[
    "cvt.rna.tf32.f32",
    "cvt.rna.satfinite.tf32.f32",
    "cvt.rn.tf32.f32",
    "cvt.rz.relu.tf32.f32",
    "cvt.rn.relu.satfinite.tf32.f32",
    "cvt.rn.satfinite.e4m3x2.f32",
    "cvt.rn.satfinite.e5m2x2.f32",
    "cvt.rn.satfinite.relu.e4m3x2.f32",
    "cvt.rn.satfinite.e4m3x2.f16x2",
    "cvt.rn.satfinite.relu.e5m2x2.f16x2",
    "cvt.rn.f16x2.e4m3x2",
    "cvt.rn.f16x2.e5m2x2",
    "cvt.rn.relu.f16x2.e5m2x2",
    "cvt.pack.sat.u16.s32",
    "cvt.pack.sat.s16.s32",
    "cvt.pack.sat.u8.s32.b32",
    "cvt.pack.sat.s8.s32.b32",
    "cvt.pack.sat.u4.s32.b32",
    "cvt.pack.sat.s4.s32.b32",
    "cvt.pack.sat.u2.s32.b32",
    "cvt.pack.sat.s2.s32.b32",
];
const TYPES: &[&str] = &[
    "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "b8", "b16", "b32", "b64", "f16",
    "f16x2", "bf16", "bf16x2", "u16x2", "s16x2", "f32", "f64", "pred",
];

/// What `ask` finds of every form and its modifiers; opcodes are gone over beside each other.
pub fn of_each<T: Send>(ask: impl Fn(&'static str, &[&'static str], &Form) -> T + Sync) -> Vec<T> {
    let known = |name: &&str| OPCODES.iter().any(|opcode| Some(*opcode) == name.split('.').next());
    assert!(OTHERS.iter().all(known), "the forms of an opcode that is not gone over");
    let of_opcode = |opcode: &&'static str| {
        let asked = |(modifiers, form): (Vec<_>, Form)| ask(opcode, &modifiers, &form);
        forms(opcode).into_iter().map(asked).collect::<Vec<T>>()
    };
    OPCODES.par_iter().flat_map_iter(of_opcode).collect()
}

/// The forms of an opcode, with their modifiers.
fn forms(opcode: &str) -> Vec<(Vec<&'static str>, Form)> {
    let mut found = Vec::new();
    let two = matches!(opcode, "cvt" | "set" | "slct" | "dp2a" | "dp4a");
    let targets: &[&str] = if two { TYPES } else { &[""] };
    let (seconds, thirds) = if two { (SECOND_OF_TWO, THIRD_OF_TWO) } else { (SECOND, THIRD) };
    for &first in FIRST {
        for &second in seconds {
            for &third in thirds {
                // Each list of modifiers once: nothing behind a gap.
                if first.is_empty() && !second.is_empty() || second.is_empty() && !third.is_empty()
                {
                    continue;
                }
                for &target in targets {
                    for &ty in TYPES {
                        let all = [first, second, third, target, ty];
                        let modifiers: Vec<&str> =
                            all.into_iter().filter(|name| !name.is_empty()).collect();
                        if let Some(form) = semantics::form(opcode, &modifiers) {
                            found.push((modifiers, form));
                        }
                    }
                }
            }
        }
    }
    for name in OTHERS {
        let (of, modifiers) = name.split_once('.').unwrap();
        if of == opcode {
            let modifiers: Vec<&str> = modifiers.split('.').collect();
            let form = semantics::form(opcode, &modifiers);
            found.push((modifiers, form.unwrap_or_else(|| panic!("{name}"))));
        }
    }
    found
}

/// The name by which the second opinion and PTX know a type.
#[allow(dead_code)] // Not every test that has this module asks for it.
pub fn name(ty: Type) -> String {
    match ty {
        Type::Bits(width) => format!("b{width}"),
        Type::Unsigned(width) => format!("u{width}"),
        Type::Signed(width) => format!("s{width}"),
        Type::Float(width) => format!("f{width}"),
        Type::Halves => "f16x2".to_owned(),
        Type::Brain => "bf16".to_owned(),
        Type::Brains => "bf16x2".to_owned(),
        Type::Predicate => "pred".to_owned(),
        other => panic!("no form has {other:?}"),
    }
}
