//! Atomic operations on vectors: what each element of each lane finds and leaves is what the
//! operation on that element alone does, which is held against a second opinion elsewhere
//! (`atomic_forms.rs` the sums, `arithmetic.rs` `min` and `max`).

use super::left_by;
use proptest::prelude::*;
use std::fmt::Write;

const LANES: usize = 32;
const OPERATIONS: [&str; 4] = ["add", "add.noftz", "min.noftz", "max.noftz"];
const TYPES: [&str; 8] = ["f16", "bf16", "f16x2", "bf16x2", "f32", "f64", "u32", "b32"];
const LENGTHS: [usize; 3] = [2, 4, 8];

/// Bytes of a value of type `ty`.
fn bytes(ty: &str) -> usize {
    match ty {
        "f16" | "bf16" => 2,
        "f64" => 8,
        _ => 4,
    }
}

/// Whether the manual has it (PTX ISA, "atom": sums of two and four floats; sums and extremes of 4
/// to 16 bytes of halves and of pairs of them).
fn is_known(operation: &str, length: usize, ty: &str) -> bool {
    match ty {
        "f32" => operation == "add" && length <= 4,
        "f16" | "bf16" => operation != "add",
        "f16x2" | "bf16x2" => operation != "add" && length <= 4,
        _ => false,
    }
}

fn forms() -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    let of = |operation| LENGTHS.into_iter().map(move |length| (operation, length));
    let forms = OPERATIONS.into_iter().flat_map(of);
    forms.flat_map(|(operation, length)| TYPES.into_iter().map(move |ty| (operation, length, ty)))
}

/// `{%v0, %v1}`
fn vector(name: &str, length: usize) -> String {
    let elements: Vec<String> = (0..length).map(|element| format!("%{name}{element}")).collect();
    format!("{{{}}}", elements.join(", "))
}

/// What the operation stands in, with `answer` of `atom` or without one of `red`.
fn instruction(form: (&str, usize, &str), answers: bool, space: &str, place: &str) -> String {
    let (operation, length, ty) = form;
    let value = vector("v", length);
    match answers {
        true => {
            let old = vector("o", length);
            format!("atom{space}.{operation}.v{length}.{ty} {old}, [{place}], {value};")
        }
        false => format!("red{space}.{operation}.v{length}.{ty} [{place}], {value};"),
    }
}

fn registers(ty: &str) -> String {
    let bits = 8 * bytes(ty);
    format!(".reg .b{bits} %v<8>, %o<8>;\n")
}

#[test]
fn the_forms_of_the_manual_are_accepted_in_global_memory_and_no_others() {
    for form in forms() {
        for (space, is_there) in
            [("", true), (".global", true), (".shared", false), (".local", false)]
        {
            for answers in [true, false] {
                let body = registers(form.2) + &instruction(form, answers, space, "%a");
                let text = crate::support::kernel("", &body);
                let loads = blockyard_ptx::load("test.ptx", &text).is_ok();
                assert_eq!(loads, is_there && is_known(form.0, form.1, form.2), "{body}");
            }
        }
    }
}

/// The numbers `values` of the type as an initializer of bytes.
fn initial(values: &[u32], bytes: usize) -> String {
    let all = values.iter().flat_map(|value| value.to_le_bytes()[..bytes].to_vec());
    all.map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ")
}

/// `place`, where `first` is, and `brought`, what the elements of lane after lane are.
fn items(first: &[u32], brought: &[u32], bytes: usize) -> String {
    format!(
        ".global .align 32 .b8 place[{}] = {{{}}};\n.global .align 32 .b8 brought[{}] = {{{}}};",
        first.len() * bytes,
        initial(first, bytes),
        brought.len() * bytes,
        initial(brought, bytes)
    )
}

/// Bits of an element: edges of both formats of halves and of f32, and any.
fn bits() -> impl Strategy<Value = u32> {
    let halves = prop::sample::select(vec![
        0_u32, 0x8000, 1, 0x8001, 0x03ff, 0x0400, 0x3c00, 0x3f80, 0x7bff, 0x7c00, 0xfc00, 0x7e01,
        0x7f80, 0xff80, 0x7fc1,
    ]);
    let both = (halves.clone(), halves).prop_map(|(low, high)| high << 16 | low);
    prop_oneof![both, any::<u32>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_vector_is_its_elements_one_by_one(
        first in prop::collection::vec(bits(), 8),
        brought in prop::collection::vec(bits(), 8 * LANES),
    ) {
        for form in forms().filter(|form| is_known(form.0, form.1, form.2)) {
            let (operation, length, ty) = form;
            let (bytes, bits) = (bytes(ty), 8 * bytes(ty));
            let items = items(&first[..length], &brought[..length * LANES], bytes);
            let (all, words) = (length * bytes, length * bytes * LANES / 4);
            let mut load = registers(ty) + "mov.u64 %d0, brought;\n";
            writeln!(load, "mad.wide.u32 %d0, %t, {all}, %d0;").unwrap();
            let mut store = format!("mad.wide.u32 %d1, %t, {all}, %a;\n");
            for element in 0..length {
                let offset = element * bytes;
                writeln!(load, "ld.global.b{bits} %v{element}, [%d0+{offset}];").unwrap();
                writeln!(store, "st.global.b{bits} [%d1+{offset}], %o{element};").unwrap();
            }
            let found =
                left_by(32, &items, &(load.clone() + &instruction(form, true, ".global", "place") + &store), words);
            let mut last = String::new();
            for element in 0..length {
                let offset = element * bytes;
                writeln!(last, "ld.global.b{bits} %o0, [place+{offset}]; st.global.b{bits} [%a+{offset}], %o0;")
                    .unwrap();
            }
            let reduce = instruction(form, false, ".global", "place");
            let left = left_by(32, &items, &(load + &reduce + &last), all / 4);

            // One thread does it all, value by value.
            let mut alone = registers(ty);
            for (at, place) in (0..length * LANES).map(|at| (at * bytes, at % length * bytes)) {
                writeln!(alone, "ld.global.b{bits} %v0, [brought+{at}]; ld.global.b{bits} %o0, [place+{place}];")
                    .unwrap();
                writeln!(alone, "st.global.b{bits} [%a+{at}], %o0;").unwrap();
                match operation.split('.').next() {
                    Some("add") => writeln!(alone, "red.global.{operation}.{ty} [place+{place}], %v0;"),
                    Some(extreme) => writeln!(
                        alone,
                        "{extreme}.{ty} %o0, %o0, %v0; st.global.b{bits} [place+{place}], %o0;"
                    ),
                    None => Ok(()),
                }
                .unwrap();
            }
            prop_assert_eq!(&found, &left_by(1, &items, &alone, words), "{:?}", form);
            let expected = left_by(1, &items, &(alone + &last), words);
            prop_assert_eq!(&left, &expected[..all / 4], "{:?}", form);
        }
    }
}
