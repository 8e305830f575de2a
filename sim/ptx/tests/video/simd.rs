//! SIMD video instructions against the manual's pseudocode, step by step.

use crate::support::kernel;
use crate::{expected, results};

/// "extractAndSignExt_2" and "_4": the elements that `sel` names, of which the last one is
/// element 0.
fn extract(a: u32, b: u32, sel: &str, signed: bool, count: usize) -> Vec<i64> {
    let all: Vec<i64> = [a, b]
        .iter()
        .flat_map(|word| {
            let bytes = word.to_le_bytes();
            match count {
                2 => vec![[bytes[0], bytes[1]], [bytes[2], bytes[3]]]
                    .into_iter()
                    .map(|half| match signed {
                        true => i16::from_le_bytes(half).into(),
                        false => u16::from_le_bytes(half).into(),
                    })
                    .collect::<Vec<i64>>(),
                _ => bytes
                    .map(|byte| if signed { (byte as i8).into() } else { byte.into() })
                    .to_vec(),
            }
        })
        .collect();
    let digits = sel[1..].chars().map(|digit| digit.to_digit(10).unwrap() as usize);
    digits.rev().map(|digit| all[digit]).collect()
}

/// An operation with the types of the result and of both sources.
struct Case<'a> {
    name: &'a str,
    count: usize,
    signed: [bool; 3],
    /// `sat`, `add`, or nothing.
    then: &'a str,
    /// The parts that are named, or "" for what holds if none is.
    mask: &'a str,
    sel: [&'a str; 2],
}

impl Case<'_> {
    fn instruction(&self) -> String {
        let ty = |signed: bool| if signed { ".s32" } else { ".u32" };
        let dot = |part: &str| if part.is_empty() { String::new() } else { format!(".{part}") };
        let [d, a, b] = self.signed.map(ty);
        let types = match self.name.split_once('.') {
            Some((_, operator)) => format!("{a}{b}.{operator}"),
            None => format!("{d}{a}{b}"),
        };
        let name = self.name.split('.').next().unwrap();
        format!(
            "{name}{}{types}{} %r3{}, %r1{}, %r2{}, %r4;",
            self.count,
            dot(self.then),
            dot(self.mask),
            dot(self.sel[0]),
            dot(self.sel[1])
        )
    }

    fn expected(&self, a: u32, b: u32, c: u32) -> u32 {
        let (default, other, all) = match self.count {
            2 => ("h10", "h32", "h10"),
            _ => ("b3210", "b7654", "b3210"),
        };
        let or = |given: &str, otherwise: &str| {
            if given.is_empty() {
                otherwise.to_owned()
            } else {
                given.to_owned()
            }
        };
        let mask = or(self.mask, all);
        let va = extract(a, b, &or(self.sel[0], default), self.signed[1], self.count);
        let vb = extract(a, b, &or(self.sel[1], other), self.signed[2], self.count);
        let bits = 32 / self.count as u32;
        let mut t = Vec::new();
        for (a, b) in va.into_iter().zip(vb) {
            let mut value = match self.name {
                "vadd" => a + b,
                "vsub" => a - b,
                "vavrg" if a + b >= 0 => (a + b + 1) >> 1,
                "vavrg" => (a + b) >> 1,
                "vabsdiff" => (a - b).abs(),
                "vmin" => a.min(b),
                "vmax" => a.max(b),
                "vset.eq" => i64::from(a == b),
                "vset.ne" => i64::from(a != b),
                "vset.lt" => i64::from(a < b),
                "vset.le" => i64::from(a <= b),
                "vset.gt" => i64::from(a > b),
                "vset.ge" => i64::from(a >= b),
                other => panic!("{other}"),
            };
            if self.then == "sat" {
                value = match self.signed[0] {
                    true => value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
                    false => value.clamp(0, (1 << bits) - 1),
                };
            }
            t.push(value);
        }
        let chosen = |i: usize| mask[1..].contains(&i.to_string());
        if self.then == "add" {
            let sum: i64 = (0..self.count).filter(|i| chosen(*i)).map(|i| t[i]).sum();
            return (i64::from(c) + sum) as u32;
        }
        let one = (1_u64 << bits) - 1;
        let part = |i: usize| {
            let at = bits * i as u32;
            let old = u64::from(c) >> at & one;
            (if chosen(i) { t[i] as u64 & one } else { old }) << at
        };
        (0..self.count).fold(0, |d, i| d | part(i)) as u32
    }
}

/// What is named of the result, and of both sources.
type Chosen = (&'static str, [&'static str; 2]);

const NAMES: [&str; 12] = [
    "vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset.eq", "vset.ne", "vset.lt",
    "vset.le", "vset.gt", "vset.ge",
];

#[test]
fn halves_and_bytes_are_chosen_computed_clamped_and_merged_or_added() {
    let choices: [(usize, [Chosen; 4]); 2] = [
        (2, [("", ["", ""]), ("h0", ["h10", "h32"]), ("h1", ["h02", "h31"]), ("h10", ["h33", ""])]),
        (
            4,
            [
                ("", ["", ""]),
                ("b20", ["b0123", "b7654"]),
                ("b3", ["b7074", "b5511"]),
                ("b3210", ["", "b0000"]),
            ],
        ),
    ];
    for (count, choices) in choices {
        for name in NAMES {
            for signed in [[false; 3], [true; 3], [true, false, true], [false, true, false]] {
                for (mask, sel) in choices {
                    for then in ["", "sat", "add"] {
                        if name.starts_with("vset") && then == "sat" {
                            continue;
                        }
                        let case = Case { name, count, signed, then, mask, sel };
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
        // Parts that are not there, twice there, in another order, of the other width.
        "vadd2.u32.u32.u32 %r0.h2, %r1, %r2, %r3;",
        "vadd2.u32.u32.u32 %r0.h01, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r0.b11, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r0, %r1.b8000, %r2, %r3;",
        "vadd4.u32.u32.u32 %r0, %r1.b321, %r2, %r3;",
        "vadd4.u32.u32.u32 %r0, %r1.h10, %r2, %r3;",
        "vadd2.u32.u32.u32 %r0, %r1.h4, %r2, %r3;",
        "vadd2.u32.u32.u32 %r0, %r1.h40, %r2, %r3;",
        // Modifiers and operands.
        "vadd2.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;",
        "vset2.u32.u32.lt.sat %r0, %r1, %r2, %r3;",
        "vset4.u32.u32 %r0, %r1, %r2, %r3;",
        "vadd2.u16.u32.u32 %r0, %r1, %r2, %r3;",
        "vadd2.u32.u32.u32 %r0, %r1, %r2;",
        "vadd2.u32.u32.u32 %r0, -%r1, %r2, %r3;",
        "vshl2.u32.u32.u32 %r0, %r1, %r2, %r3;",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &kernel("", body)).is_err(), "{body}");
    }
}
