//! `vmad` against the manual's pseudocode, step by step.

use crate::support::kernel;
use crate::{expected, results, select};

/// Parts of both factors, and which of the three sources has a sign.
struct Case<'a> {
    signed: [bool; 2],
    parts: [&'a str; 2],
    negated: [bool; 3],
    plus_one: bool,
    sat: bool,
    scale: u32,
}

impl Case<'_> {
    fn instruction(&self) -> String {
        let ty = |signed: bool| if signed { ".s32" } else { ".u32" };
        let dot = |part: &str| if part.is_empty() { String::new() } else { format!(".{part}") };
        let minus = self.negated.map(|negated| if negated { "-" } else { "" });
        format!(
            "vmad{}{}{}{}{}{} %r3, {}%r1{}, {}%r2{}, {}%r4;",
            ty(self.signed_final()),
            ty(self.signed[0]),
            ty(self.signed[1]),
            if self.plus_one { ".po" } else { "" },
            if self.sat { ".sat" } else { "" },
            if self.scale == 0 { String::new() } else { format!(".shr{}", self.scale) },
            minus[0],
            dot(self.parts[0]),
            minus[1],
            dot(self.parts[1]),
            minus[2],
        )
    }

    fn signed_final(&self) -> bool {
        let [a, b, c] = self.negated;
        self.signed[0] || self.signed[1] || (a ^ b) || c
    }

    fn expected(&self, a: u32, b: u32, mut c: u32) -> u32 {
        let ta = select(a, self.signed[0], self.parts[0]);
        let tb = select(b, self.signed[1], self.parts[1]);
        let [a_negate, b_negate, c_negate] = self.negated;
        let mut tmp = ta * tb;
        let mut lsb = 0;
        if self.plus_one {
            lsb = 1;
        } else if a_negate ^ b_negate {
            tmp = !tmp;
            lsb = 1;
        } else if c_negate {
            c = !c;
            lsb = 1;
        }
        let c128 = if self.signed_final() { i128::from(c as i32) } else { i128::from(c) };
        tmp += c128 + lsb;
        let mut result = tmp >> self.scale;
        if self.sat {
            result = match self.signed_final() {
                true => result.clamp(i32::MIN.into(), i32::MAX.into()),
                false => result.clamp(0, u32::MAX.into()),
            };
        }
        result as u32
    }
}

#[test]
fn products_of_parts_are_negated_added_scaled_and_clamped() {
    for signed in [[false, false], [true, true], [false, true], [true, false]] {
        for parts in [["", ""], ["h0", "h1"], ["b3", ""], ["h1", "b0"]] {
            for (negated, plus_one) in [
                ([false, false, false], false),
                ([false, false, false], true),
                ([true, false, false], false),
                ([false, true, false], false),
                ([true, true, false], false),
                ([false, false, true], false),
                ([true, true, true], false),
            ] {
                for sat in [false, true] {
                    for scale in [0, 7, 15] {
                        let case = Case { signed, parts, negated, plus_one, sat, scale };
                        let instruction = case.instruction();
                        let of = |a: u32, b: u32| case.expected(a, b, 0x0102_0304);
                        assert_eq!(results(&instruction), expected(of), "{instruction}");
                    }
                }
            }
        }
    }
}

#[test]
fn other_forms_are_refused() {
    for body in [
        // One of product and third source is negated, and none of them where one is added.
        "vmad.s32.s32.s32 %r0, -%r1, %r2, -%r3;",
        "vmad.s32.s32.s32.po %r0, %r1, %r2, -%r3;",
        "vmad.s32.s32.s32.po %r0, -%r1, -%r2, %r3;",
        "vmad.s32.s32.s32.shr8 %r0, %r1, %r2, %r3;",
        "vmad.s32.s32.s32.shr7.sat %r0, %r1, %r2, %r3;",
        "vmad.s32.s32.s64 %r0, %r1, %r2, %r3;",
        "vmad.s32.s32.s32 %r0.b0, %r1, %r2, %r3;",
        "vmad.s32.s32.s32 %r0, %r1, %r2;",
        "add.s32 %r0, %r1, -%r2;",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &kernel("", body)).is_err(), "{body}");
    }
}
