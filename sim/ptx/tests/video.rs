//! Scalar video instructions against the manual's pseudocode, step by step.

mod support;
mod video {
    mod products;
    mod simd;
}

use support::{kernel, left_by};

const WORDS: [u32; 8] =
    [0, 1, 0x7f80_ff01, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x1234_8765, 0x0000_0023];

/// "partSelectSignExtend"
fn select(word: u32, signed: bool, part: &str) -> i128 {
    let bytes = word.to_le_bytes();
    let number = part.chars().nth(1).map_or(0, |digit| digit as usize - '0' as usize);
    match (part.chars().next(), signed) {
        (None, true) => (word as i32).into(),
        (None, false) => word.into(),
        (Some('b'), true) => (bytes[number] as i8).into(),
        (Some('b'), false) => bytes[number].into(),
        (_, signed) => {
            let half = u16::from_le_bytes([bytes[2 * number], bytes[2 * number + 1]]);
            if signed {
                (half as i16).into()
            } else {
                half.into()
            }
        }
    }
}

/// "optSaturate" and "optMerge" or "optSecondaryOp".
fn finish(mut value: i128, sat: bool, signed: bool, part: &str, then: &str, c: u32) -> u32 {
    let bits = match part.chars().next() {
        None => 32,
        Some('b') => 8,
        _ => 16,
    };
    if sat {
        value = match signed {
            true => value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => value.clamp(0, (1 << bits) - 1),
        };
    }
    let seen = |word: u32| if signed { i128::from(word as i32) } else { i128::from(word) };
    match then {
        "add" => (value + seen(c)) as u32,
        "min" => seen(value as u32).min(seen(c)) as u32,
        "max" => seen(value as u32).max(seen(c)) as u32,
        _ if part.is_empty() => value as u32,
        _ => {
            let mut bytes = c.to_le_bytes();
            let count = bits / 8;
            let first = (part.as_bytes()[1] - b'0') as usize * count;
            let low = (value as u32).to_le_bytes();
            bytes[first..first + count].copy_from_slice(&low[..count]);
            u32::from_le_bytes(bytes)
        }
    }
}

/// What `instruction` leaves in `%r3` for every pair of words in `%r1` and `%r2`; `%r3` is
/// 0x01020304 before, and so is `%r4`.
fn results(instruction: &str) -> Vec<u32> {
    let list = WORDS.map(|word| word.to_string()).join(", ");
    let body = format!(
        "mov.u64 %d0, words;
        shr.u32 %r5, %t, 3; and.b32 %r6, %t, 7;
        mad.wide.u32 %d1, %r5, 4, %d0; ld.global.u32 %r1, [%d1];
        mad.wide.u32 %d1, %r6, 4, %d0; ld.global.u32 %r2, [%d1];
        mov.u32 %r3, 0x01020304; mov.u32 %r4, 0x01020304;
        {instruction}
        mad.wide.u32 %d1, %t, 4, %a; st.global.u32 [%d1], %r3;"
    );
    left_by(64, &format!(".global .u32 words[8] = {{{list}}};"), &body, 64)
}

fn expected(of: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    (0..64).map(|t| of(WORDS[t / 8], WORDS[t % 8])).collect()
}

#[test]
fn parts_are_widened_computed_clamped_and_merged() {
    type Operation = fn(i128, i128) -> i128;
    let operations: [(&str, &str, Operation); 9] = [
        ("vadd", "", |a, b| a + b),
        ("vsub", "", |a, b| a - b),
        ("vabsdiff", "", |a, b| (a - b).abs()),
        ("vmin", "", |a, b| a.min(b)),
        ("vmax", "", |a, b| a.max(b)),
        ("vshl", ".clamp", |a, b| a << b.min(32)),
        ("vshl", ".wrap", |a, b| a << (b & 31)),
        ("vshr", ".clamp", |a, b| a >> b.min(32)),
        ("vshr", ".wrap", |a, b| a >> (b & 31)),
    ];
    let selections = [("", ""), ("b0", "h1"), ("b3", "b1"), ("h0", ""), ("", "b2")];
    for (opcode, mode, operation) in operations {
        for types in [["u32"; 3], ["s32"; 3], ["s32", "u32", "s32"], ["u32", "s32", "u32"]] {
            let [d, a, b] = types.map(|ty| ty == "s32");
            let b = b && !opcode.starts_with("vsh");
            for (asel, bsel) in selections {
                for (sat, then, dsel) in [
                    (false, "", ""),
                    (true, "", ""),
                    (false, "add", ""),
                    (true, "min", ""),
                    (false, "max", ""),
                    (false, "", "h1"),
                    (true, "", "b2"),
                ] {
                    let name = |signed: bool| if signed { "s32" } else { "u32" };
                    let dot = |part: &str| {
                        if part.is_empty() {
                            String::new()
                        } else {
                            format!(".{part}")
                        }
                    };
                    let third = !then.is_empty() || !dsel.is_empty();
                    let instruction = format!(
                        "{opcode}.{}.{}.{}{}{mode}{} %r3{}, %r1{}, %r2{}{};",
                        name(d),
                        name(a),
                        name(b),
                        if sat { ".sat" } else { "" },
                        dot(then),
                        dot(dsel),
                        dot(asel),
                        dot(bsel),
                        if third { ", %r4" } else { "" },
                    );
                    let of = |x: u32, y: u32| {
                        let value = operation(select(x, a, asel), select(y, b, bsel));
                        finish(value, sat, d, dsel, then, 0x0102_0304)
                    };
                    assert_eq!(results(&instruction), expected(of), "{instruction}");
                }
            }
        }
    }
}

#[test]
fn comparisons_give_one_or_zero() {
    type Operator = fn(&i128, &i128) -> bool;
    let operators: [(&str, Operator); 6] = [
        ("eq", i128::eq),
        ("ne", i128::ne),
        ("lt", i128::lt),
        ("le", i128::le),
        ("gt", i128::gt),
        ("ge", i128::ge),
    ];
    for (operator, holds) in operators {
        for (then, dsel) in [("", ""), ("add", ""), ("", "b1")] {
            let rest = match (then, dsel) {
                ("", "") => format!("vset.s32.u32.{operator} %r3, %r1.b3, %r2.h0;"),
                ("", part) => {
                    format!("vset.s32.u32.{operator} %r3.{part}, %r1.b3, %r2.h0, %r4;")
                }
                (then, _) => format!("vset.s32.u32.{operator}.{then} %r3, %r1.b3, %r2.h0, %r4;"),
            };
            let of = |x: u32, y: u32| {
                let held = holds(&select(x, true, "b3"), &select(y, false, "h0"));
                finish(held.into(), false, false, dsel, then, 0x0102_0304)
            };
            assert_eq!(results(&rest), expected(of), "{rest}");
        }
    }
}

#[test]
fn forms_that_are_not_there_are_refused() {
    for body in [
        "vadd.s32.s32.s32 %r0, %r1.b4, %r2;",
        "vadd.s32.s32.s32 %r0.b0, %r1, %r2;",
        "vadd.s64.s32.s32 %r0, %r1, %r2;",
        "vshl.s32.s32.u32 %r0, %r1, %r2;",
        "vshl.s32.s32.s32.clamp %r0, %r1, %r2;",
        "vadd.s32.s32.s32.mul %r0, %r1, %r2, %r3;",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &kernel("", body)).is_err(), "{body}");
    }
}
