//! Atomic operations on every type, lane after lane, and those that only write.

use super::left_by;

type Both = fn(u64, u64) -> u64;

fn float(a: u64, b: u64) -> u64 {
    u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits())
}

fn double(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b)).to_bits()
}

/// An operation with its type, what was there, what lane `t` brings, and what both give.
type Case = (&'static str, u64, fn(u64) -> u64, Both);

fn cases() -> Vec<Case> {
    let wrapped = |a: u64, b: u64| u64::from((a as u32).wrapping_add(b as u32));
    vec![
        ("add.u32", 0xffff_fff0, |t| t, wrapped),
        ("add.s32", 0xffff_fff0, |t| t, wrapped),
        ("add.u64", u64::MAX - 5, |t| t, u64::wrapping_add),
        ("add.f32", 0x3f80_0000, |t| u64::from((t as f32 * 0.5).to_bits()), float),
        ("add.f64", 0x3ff0_0000_0000_0000, |t| (t as f64 * 0.5).to_bits(), double),
        // Small whole numbers: every sum is exact. 1.0 as f16 and bf16, in one half and both.
        ("add.noftz.f16", 0x3c00, |_| 0x3c00, |a, _| halves(a)),
        ("add.noftz.f16x2", 0x3c00_3c00, |_| 0x3c00_3c00, |a, _| halves(a >> 16) << 16 | halves(a)),
        ("add.noftz.bf16", 0x3f80, |_| 0x3f80, |a, _| brains(a)),
        (
            "add.noftz.bf16x2",
            0x3f80_3f80,
            |_| 0x3f80_3f80,
            |a, _| brains(a >> 16) << 16 | brains(a),
        ),
        ("min.u32", 20, |t| (t + 7) % 32, u64::min),
        ("max.u32", 20, |t| (t + 7) % 32, u64::max),
        (
            "min.s32",
            5,
            |t| t.wrapping_sub(9) & 0xffff_ffff,
            |a, b| u64::from((a as i32).min(b as i32) as u32),
        ),
        ("max.s64", u64::MAX, |t| t.wrapping_sub(9), |a, b| (a as i64).max(b as i64) as u64),
        ("and.b32", 0xffff_ffff, |t| !(1 << t) & 0xffff_ffff, |a, b| a & b),
        ("or.b64", 0, |t| 1 << (2 * t), |a, b| a | b),
        ("xor.b32", 0x1234_5678, |t| (t * 0x0101_0101) & 0xffff_ffff, |a, b| a ^ b),
        ("exch.b32", 77, |t| t, |_, b| b),
        ("exch.b64", 77, |t| t << 33, |_, b| b),
        ("inc.u32", 3, |_| 10, |a, b| if a >= b { 0 } else { a + 1 }),
        ("dec.u32", 3, |_| 10, |a, b| if a == 0 || a > b { b } else { a - 1 }),
    ]
}

/// The sum of a small whole f16 and 1.
fn halves(a: u64) -> u64 {
    let a = (a & 0xffff) as u32;
    let value = f32::from_bits((a & 0x7fff) << 13) * 2_f32.powi(112) + 1.0;
    u64::from((value * 2_f32.powi(-112)).to_bits() >> 13)
}

/// The sum of a small whole bf16 and 1.
fn brains(a: u64) -> u64 {
    u64::from((f32::from_bits(((a & 0xffff) << 16) as u32) + 1.0).to_bits() >> 16)
}

/// Bits of the type that ends `name`.
fn width(name: &str) -> u32 {
    match name.rsplit('.').next().unwrap() {
        "f16x2" | "bf16x2" => 32,
        ty => ty.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap(),
    }
}

#[test]
fn lanes_come_one_after_the_other_and_see_what_was_there_before() {
    for space in ["global", "shared"] {
        for (name, first, brought, both) in cases() {
            let bytes = width(name) / 8;
            let (register, narrow, widen) = match bytes {
                2 => ("%h", "cvt.u16.u64 %h0, %d1;", "cvt.u64.u16 %d2, %h1;"),
                4 => ("%r", "cvt.u32.u64 %r0, %d1;", "cvt.u64.u32 %d2, %r1;"),
                _ => ("%d", "mov.u64 %d0, %d1;", "mov.u64 %d2, %d1;"),
            };
            let (value, old) = (format!("{register}0"), format!("{register}1"));
            let list: Vec<String> = (0..32).map(|t| brought(t).to_string()).collect();
            let items = format!(
                ".global .align 8 .u64 list[32] = {{{}}};
                .{space} .align 8 .b8 place[8];",
                list.join(", ")
            );
            let prepare = format!(
                "setp.eq.u32 %p0, %t, 0;
                mov.u64 %d1, {first:#x};
                {narrow}
                @%p0 st.{space}.b{} [place], {value};
                mov.u64 %d3, list;
                mad.wide.u32 %d3, %t, 8, %d3;
                ld.global.u64 %d1, [%d3];
                {narrow}",
                8 * bytes
            );
            let body = format!(
                "{prepare}
                atom.{space}.{name} {old}, [place], {value};
                {widen}
                mad.wide.u32 %d3, %t, 8, %a;
                st.global.u64 [%d3], %d2;"
            );
            let mut now = first;
            let mut before = Vec::new();
            for lane in 0..32 {
                before.push(now);
                now = both(now, brought(lane));
            }
            assert_eq!(longs(&left_by(32, &items, &body, 64)), before, "{space} {name}");
            if name.starts_with("exch") {
                continue;
            }
            let body = format!(
                "{prepare}
                red.{space}.{name} [place], {value};
                ld.{space}.b{} {old}, [place];
                {widen}
                st.global.u64 [%a], %d2;",
                8 * bytes
            );
            assert_eq!(longs(&left_by(32, &items, &body, 2)), [now], "red {space} {name}");
        }
    }
}

/// Words of 64 bits from those of 32.
fn longs(words: &[u32]) -> Vec<u64> {
    words.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

#[test]
fn a_swap_takes_place_where_the_old_value_is_the_one_compared_with() {
    for (bits, register, narrow, widen) in [
        (16, "%h", "cvt.u16.u32", "cvt.u32.u16"),
        (32, "%r", "mov.u32", "mov.u32"),
        (64, "%d", "cvt.u64.u32", "cvt.u32.u64"),
    ] {
        // Lane t swaps t for t + 1, so that all of them do, one after the other.
        let body = format!(
            "add.u32 %r4, %t, 1;
            {narrow} {register}2, %t;
            {narrow} {register}3, %r4;
            atom.acq_rel.gpu.global.cas.b{bits} {register}5, [place], {register}2, {register}3;
            {widen} %r6, {register}5;
            mad.wide.u32 %d7, %t, 4, %a;
            st.global.u32 [%d7], %r6;"
        );
        let found = left_by(32, ".global .align 8 .b64 place;", &body, 32);
        assert_eq!(found, (0..32).collect::<Vec<_>>(), "{bits}");
    }
}

#[test]
fn words_of_128_bits_are_exchanged_and_compared_whole() {
    // Lane t expects {t, 2 t + 1} and leaves what lane t + 1 expects: all of them do, one after the
    // other.
    let body = |space: &str, compared: &str| {
        format!(
            ".reg .b128 %q<3>; .reg .b128 %found;
            setp.eq.u32 %p0, %t, 0;
            @%p0 st.{space}.v2.u64 [place], {{0, 1}};
            cvt.u64.u32 %d0, %t; shl.b64 %d1, %d0, 1; add.u64 %d2, %d0, 1; add.u64 %d1, %d1, 1;
            add.u64 %d3, %d1, {compared};
            mov.b128 %q0, {{%d0, %d3}};
            add.u64 %d3, %d1, 2;
            mov.b128 %q1, {{%d2, %d3}};
            atom.{space}.cas.b128 %found, [place], %q0, %q1;
            mov.b128 {{%d4, %d5}}, %found;
            ld.{space}.b128 %q2, [place];
            mov.b128 {{_, %d7}}, %q2;
            mad.wide.u32 %d8, %t, 12, %a;
            cvt.u32.u64 %r0, %d4; st.global.u32 [%d8], %r0;
            cvt.u32.u64 %r0, %d5; st.global.u32 [%d8+4], %r0;
            cvt.u32.u64 %r0, %d7; st.global.u32 [%d8+8], %r0;"
        )
    };
    for space in ["global", "shared"] {
        let items = format!(".{space} .align 16 .b8 place[16];");
        let found = left_by(32, &items, &body(space, "0"), 96);
        let expected: Vec<u32> = (0..32).flat_map(|t| [t, 2 * t + 1, 65]).collect();
        assert_eq!(found, expected, "{space}");
        // The high half is another one: nobody swaps.
        let found = left_by(32, &items, &body(space, "4"), 96);
        assert_eq!(found, [0, 1, 1].repeat(32), "{space}");
    }
    // Each lane finds what the one before has left.
    let body = ".reg .b128 %q, %old;
        cvt.u64.u32 %d0, %t; add.u64 %d1, %d0, 100;
        mov.b128 %q, {%d0, %d1};
        atom.relaxed.gpu.global.exch.b128 %old, [place], %q;
        mov.b128 {%d2, %d3}, %old;
        add.u64 %d3, %d2, %d3; cvt.u32.u64 %r0, %d3;
        mad.wide.u32 %d8, %t, 4, %a; st.global.u32 [%d8], %r0;";
    let found = left_by(32, ".global .align 16 .u64 place[2] = {7, 8};", body, 32);
    let expected: Vec<u32> = (0..32).map(|t| if t == 0 { 15 } else { 2 * t + 98 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn other_forms_of_128_bits_are_refused() {
    for body in [
        ".reg .b128 %q; atom.global.add.b128 %q, [%a], %q;",
        ".reg .b128 %q; atom.local.exch.b128 %q, [%a], %q;",
        ".reg .b128 %q; red.global.exch.b128 [%a], %q;",
        ".reg .b128 %q; atom.global.exch.b128 %q, [%a], %d0;",
        ".reg .b128 %q; add.u64 %d0, %q, %d1;",
        ".reg .b128 %q; mov.b128 {%d0, %d1, %d2}, %q;",
        ".reg .b128 %q; mov.b128 {%r0, %r1}, %q;",
        ".reg .b128 %q<5000>;",
        ".reg .v2 .b128 %q;",
    ] {
        let text = crate::support::kernel("", body);
        assert!(blockyard_ptx::load("test.ptx", &text).is_err(), "{body}");
    }
    let text = crate::support::module(".func f(.reg .b128 %q) { ret; }");
    assert!(blockyard_ptx::load("test.ptx", &text).is_err());
}

#[test]
fn sums_of_f32_flush_subnormal_numbers_in_global_memory_and_not_in_shared() {
    let sums = [
        // Two subnormal numbers, a subnormal result of normal numbers, one that is rounded to a
        // normal number, and a negative one.
        (1, 1, 0),
        (0x0080_0001, 0x8080_0000, 0),
        (0x0080_0000, 0x0000_0001, 0x0080_0000),
        (0x8000_0001, 0x8000_0001, 0x8000_0000),
    ];
    for (was, added, flushed) in sums {
        let exact = (f32::from_bits(was) + f32::from_bits(added)).to_bits();
        for (space, place, pointer, expected) in [
            (".global", "there", "mov.u64 %d0, there;", flushed),
            ("", "there", "mov.u64 %d0, there; cvta.global.u64 %d0, %d0;", flushed),
            (".shared", "here", "mov.u64 %d0, here;", exact),
            ("", "here", "mov.u64 %d0, here; cvta.shared.u64 %d0, %d0;", exact),
        ] {
            let of = if place == "here" { "shared" } else { "global" };
            for instruction in ["atom{}.add.f32 %r1, [%d0], %r0;", "red{}.add.f32 [%d0], %r0;"] {
                let body = format!(
                    "{pointer} st.{of}.u32 [{place}], {was}; mov.u32 %r0, {added}; {}
                    ld.{of}.u32 %r2, [{place}]; st.global.u32 [%a], %r2;",
                    instruction.replace("{}", space)
                );
                let items = ".global .u32 there; .shared .u32 here;";
                assert_eq!(left_by(1, items, &body, 1), [expected], "{body}");
            }
        }
    }
}

#[test]
fn sums_of_halves_say_that_they_are_not_flushed() {
    for ty in ["f16", "bf16", "f16x2", "bf16x2"] {
        let register = if ty.ends_with("x2") { "%r0" } else { "%h0" };
        for rule in ["", ".noftz"] {
            let body = format!("red.global.add{rule}.{ty} [%a], {register};");
            let loads = blockyard_ptx::load("test.ptx", &crate::support::kernel("", &body)).is_ok();
            assert_eq!(loads, !rule.is_empty(), "{body}");
        }
    }
}

#[test]
fn only_global_and_shared_memory_have_atomic_operations() {
    for (space, known) in
        [("global", true), ("shared", true), ("local", false), ("const", false), ("param", false)]
    {
        for instruction in ["atom.{}.add.u32 %r0, [%d0], %r1;", "red.{}.or.b32 [%d0], %r1;"] {
            let body = instruction.replace("{}", space);
            let loads = blockyard_ptx::load("test.ptx", &crate::support::kernel("", &body)).is_ok();
            assert_eq!(loads, known, "{body}");
        }
    }
}
