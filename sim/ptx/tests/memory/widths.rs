//! Every width and vector of loads and stores, in every space.

use super::{left, module};
use crate::support;
use blockyard_ptx::Arguments;

const TYPES: &[(&str, u32)] = &[
    ("u8", 8),
    ("s8", 8),
    ("b8", 8),
    ("u16", 16),
    ("s16", 16),
    ("b16", 16),
    ("u32", 32),
    ("s32", 32),
    ("b32", 32),
    ("f32", 32),
    ("u64", 64),
    ("s64", 64),
    ("b64", 64),
    ("f64", 64),
];

/// What a register of 32 or 64 bits holds of `value` after a load of `ty`.
fn loaded(ty: &str, width: u32, value: u64) -> u64 {
    let unused = 64 - width;
    match (ty.starts_with('s'), width) {
        (true, 64) | (false, _) => value << unused >> unused,
        (true, _) => u64::from(((value << unused) as i64 >> unused) as u32),
    }
}

/// A list of `count` registers for values of `width` bits.
fn registers(count: usize, width: u32, first: usize) -> String {
    let name = if width == 64 { "%d" } else { "%r" };
    let all: Vec<String> = (first..first + count).map(|number| format!("{name}{number}")).collect();
    if count == 1 {
        all[0].clone()
    } else {
        format!("{{{}}}", all.join(", "))
    }
}

/// Stores the low words of `%d0` to `%d3` in registers of `width` bits.
fn narrowed(width: u32) -> &'static str {
    match width {
        64 => "",
        _ => "cvt.u32.u64 %r0, %d0;\ncvt.u32.u64 %r1, %d1;\ncvt.u32.u64 %r2, %d2;\ncvt.u32.u64 %r3, %d3;\n",
    }
}

#[test]
fn what_is_stored_is_loaded_in_every_space_and_width() {
    const VALUES: [u64; 4] =
        [0x8182_8384_8586_8788, 0x0102_0304_0506_0708, u64::MAX, 0x7fff_0000_8000_7f80];
    for space in ["global", "shared", "local", "generic"] {
        for &(ty, width) in TYPES {
            for count in [1, 2, 4] {
                if count as u32 * width > 128 {
                    continue;
                }
                let vector = ["", "", ".v2", "", ".v4"][count];
                let (dot, place) = match space {
                    "generic" => (String::new(), "%d8"),
                    space => (format!(".{space}"), "place"),
                };
                let declared = if space == "generic" { "global" } else { space };
                let (module_variable, own) = match declared {
                    "local" => ("", ".local .align 16 .b8 place[32];"),
                    "shared" => (".shared .align 16 .b8 place[32];", ""),
                    _ => (".global .align 16 .b8 place[32];", ""),
                };
                let mut body = format!("{own}\nmov.u64 %d8, place;\n");
                for (number, value) in VALUES.iter().enumerate() {
                    body += &format!("mov.u64 %d{number}, {value:#x};\n");
                }
                body += narrowed(width);
                let (from, to) = (registers(count, width, 0), registers(count, width, 4));
                body += &format!("st{dot}{vector}.{ty} [{place}+16], {from};\n");
                body += &format!("ld{dot}{vector}.{ty} {to}, [{place}+16];\n");
                for number in 0..count {
                    if width < 64 {
                        body += &format!("cvt.u64.u32 %d{0}, %r{0};\n", 4 + number);
                    }
                    body += &format!("st.global.u64 [%a+{}], %d{};\n", 8 * number, 4 + number);
                }
                let words = left(module_variable, &body, 2 * count);
                let found = words.chunks_exact(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32);
                let expected = VALUES.iter().map(|value| loaded(ty, width, *value));
                assert_eq!(
                    found.collect::<Vec<_>>(),
                    expected.take(count).collect::<Vec<_>>(),
                    "{space} {vector}.{ty}"
                );
            }
        }
    }
}

#[test]
fn constants_and_parameters_are_loaded_in_every_width() {
    let bytes: Vec<u8> = (0..32).map(|byte| 0x70_u8.wrapping_add(byte * 5)).collect();
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let constant = format!(".const .align 16 .b8 place[32] = {{{}}};", list.join(", "));
    for space in ["const", "param"] {
        for &(ty, width) in TYPES {
            let register = registers(1, width, 4);
            let widen = if width < 64 { "cvt.u64.u32 %d4, %r4;" } else { "" };
            let body = format!(
                "ld.{space}.{ty} {register}, [place+8];\n{widen}\nst.global.u64 [%a], %d4;"
            );
            let text = module(&constant, &body);
            let text = match space {
                "const" => text,
                _ => text
                    .replace(&constant, "")
                    .replace(".param .u64 b)", ".param .u64 b, .param .align 16 .b8 place[32])"),
            };
            let machine = support::machine(&text);
            let at = machine.array(&[0; 2]).unwrap();
            let mut arguments = Arguments::new().long(at).long(0);
            if space == "param" {
                arguments = bytes.iter().fold(arguments, |all, byte| all.bytes(&[*byte]));
            }
            support::run(&machine, "k", (1, 1), arguments).unwrap();
            let words = machine.words(at, 2).unwrap();
            let value = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
            let found = u64::from(words[0]) | u64::from(words[1]) << 32;
            assert_eq!(found, loaded(ty, width, value), "{space} {ty}");
        }
    }
}

#[test]
fn a_load_may_overwrite_the_register_of_its_address() {
    let body = "st.global.v2.u64 [%a], {%b, %a};
        mov.u64 %d0, %a;
        ld.global.v2.u64 {%d0, %d1}, [%d0];
        sub.u64 %d1, %d1, %a;
        st.global.v2.u64 [%a], {%d0, %d1};";
    assert_eq!(left("", body, 4), [0x89ab_cdef, 0x0123_4567, 0, 0]);
}

#[test]
fn a_part_of_a_vector_may_go_nowhere() {
    let body = "st.global.u64 [%a+8], %b;
        mov.u32 %r0, 5;
        ld.global.v4.u32 {_, %r0, _, %r1}, [%a];
        st.global.v2.u32 [%a], {%r0, %r1};";
    assert_eq!(left("", body, 4), [0, 0x0123_4567, 0x89ab_cdef, 0x0123_4567]);
}

#[test]
fn global_memory_has_accesses_of_32_bytes() {
    for ty in ["b64", "u64", "s64", "f64"] {
        let body = format!(
            "mov.u64 %d8, place;
            ld.global.v4.{ty} {{%d0, %d1, _, %d3}}, [place];
            st.global.v4.{ty} [place+32], {{%d3, %d1, %d0, %b}};
            ld.global.v4.u64 {{%d4, %d5, %d6, %d7}}, [place+32];
            st.global.v2.u64 [%a], {{%d4, %d5}};
            st.global.v2.u64 [%a+16], {{%d6, %d7}};"
        );
        let items = ".global .align 32 .u64 place[8] = {1, 2, 3, 4};";
        let expected = [4, 0, 2, 0, 1, 0, 0x89ab_cdef, 0x0123_4567];
        assert_eq!(left(items, &body, 8), expected, "{ty}");
    }
    for ty in ["b32", "u32", "s32", "f32"] {
        let body = format!(
            "ld.global.v8.{ty} {{%r0, %r1, %r2, %r3, %r4, _, %r6, %r7}}, [place];
            st.global.v8.{ty} [place], {{%r7, %r6, %r4, %r3, %r2, %r1, %r0, %t}};
            ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [place];
            ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [place+16];
            st.global.v4.u32 [%a], {{%r0, %r1, %r2, %r3}};
            st.global.v4.u32 [%a+16], {{%r4, %r5, %r6, %r7}};"
        );
        let items = ".global .align 32 .u32 place[8] = {1, 2, 3, 4, 5, 6, 7, 8};";
        assert_eq!(left(items, &body, 8), [8, 7, 5, 4, 3, 2, 1, 0], "{ty}");
    }
    for body in [
        "ld.shared.v4.u64 {%d0, %d1, %d2, %d3}, [place];",
        "ld.v8.u32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%a];",
        "ld.global.v8.u64 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, [%a];",
        "ld.global.v8.u16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%a];",
    ] {
        let items = ".shared .align 32 .b8 place[64];";
        assert!(blockyard_ptx::load("test.ptx", &module(items, body)).is_err(), "{body}");
    }
}
