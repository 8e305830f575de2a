//! Every form of `atom` and `red` that is accepted, held against a second opinion
//! (`opinion/atomic.rs`), which was written from the manual's wording (PTX ISA 9.1, 9.7.13.15)
//! without sight of the interpreter.
//!
//! ```text
//!   32 lanes, one instruction:   place: v --lane 0--> v' --lane 1--> v'' ... --lane 31--> left
//!                                d:     lane 0 gets v,   lane 1 gets v', ...
//! ```
//!
//! The forms are found by asking for all combinations of operation, `.noftz` and type. The manual
//! has no order of the lanes; `docs/ptx.md` promises that of their numbers, and that is held to
//! here.

#[path = "opinion/mod.rs"]
mod opinion;
mod support;

use blockyard_ptx::Arguments;
use opinion::atomic::{known, left, width, Known, Memory};
use opinion::{edges, equal_bits};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::kernel;

const OPERATIONS: [&str; 10] =
    ["and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"];
const TYPES: [&str; 19] = [
    "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16",
    "f16x2", "bf16", "bf16x2", "f32", "f64",
];
const LANES: usize = 32;
/// Where, by name; what computes the address; and the operand that stands for it.
const PLACES: [(&str, Memory, &str, &str); 6] = [
    (".global", Memory::Global, "", "place"),
    (".shared", Memory::Shared, "", "sh"),
    (".shared::cta", Memory::Shared, "mov.u64 %d7, sh;", "%d7"),
    (".global", Memory::Global, "mov.u64 %d7, place; add.u64 %d7, %d7, -16;", "%d7+16"),
    ("", Memory::Global, "mov.u64 %d7, place; cvta.global.u64 %d7, %d7;", "%d7"),
    ("", Memory::Shared, "mov.u64 %d7, sh; cvta.shared.u64 %d7, %d7;", "%d7"),
];
/// Orders and scopes change nothing.
const ORDERS: [&str; 5] = ["", ".relaxed.cta", ".release.gpu", ".relaxed.sys", ".relaxed.cluster"];

type Form = (&'static str, String, &'static str);

/// All of them, whether the manual has them or not.
fn combinations() -> impl Iterator<Item = Form> {
    ["atom", "red"].into_iter().flat_map(|opcode| {
        OPERATIONS.into_iter().flat_map(move |operation| {
            ["", ".noftz"].into_iter().flat_map(move |rule| {
                TYPES.into_iter().map(move |ty| (opcode, format!("{operation}{rule}"), ty))
            })
        })
    })
}

/// The registers of such a value: their letter, and what they are in a `mov`, `ld` or `st`.
fn registers(ty: &str) -> (&'static str, &'static str) {
    match width(ty) {
        8 | 16 => ("%h", "b16"),
        32 => ("%r", "b32"),
        64 => ("%d", "b64"),
        _ => ("%w", "b128"),
    }
}

/// The instruction, of registers 0 to 2, or with the destination in front of them.
fn instruction((opcode, operation, ty): &Form, order: &str, space: &str, operand: &str) -> String {
    let (letter, _) = registers(ty);
    let target = if *opcode == "atom" { format!("{letter}0, ") } else { String::new() };
    let third = if operation == "cas" { format!(", {letter}2") } else { String::new() };
    format!("{opcode}{order}{space}.{operation}.{ty} {target}[{operand}], {letter}1{third};")
}

const ITEMS: &str = ".global .align 16 .b8 place[16];\n.shared .align 16 .b8 sh[16];";

fn loads(body: &str) -> Result<(), String> {
    let text = kernel(ITEMS, &format!(".reg .b128 %w<3>;\n{body}"));
    blockyard_ptx::load("test.ptx", &text).map(drop).map_err(|error| error.to_string())
}

#[test]
fn the_forms_of_the_manual_are_accepted_and_no_others() {
    let mut wrong = Vec::new();
    for form in combinations() {
        for (space, _, address, operand) in PLACES {
            let body = instruction(&form, "", space, operand);
            let loads = loads(&format!("{address}\n{body}")).is_ok();
            let known = known(form.0, &form.1, form.2);
            if known != Known::Open && loads != (known == Known::Yes) {
                wrong.push(body);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn modifiers_that_an_operation_does_not_have_are_refused() {
    for body in [
        "ld.global.add.u32 %r1, [place];",
        "st.global.exch.b32 [place], %r1;",
        "ld.global.noftz.f32 %r1, [place];",
        "atom.global.add.noftz.u32 %r1, [place], %r2;",
        "atom.global.add.noftz.f32 %r1, [place], %r2;",
        "atom.global.max.noftz.u32 %r1, [place], %r2;",
        "atom.global.u32 %r1, [place], %r2;",
        "atom.global.add.sat.u32 %r1, [place], %r2;",
    ] {
        let error = loads(body).err().unwrap_or_else(|| panic!("{body}"));
        assert!(error.contains(body.split(' ').next().unwrap()), "{error}");
    }
}

#[test]
fn orders_scopes_and_hints_of_the_manual_are_accepted() {
    for body in [
        "atom.acquire.sys.global.inc.u32 %r0, [place], %r1;",
        "atom.acq_rel.cluster.shared.or.b64 %d0, [sh], %d1;",
        "atom.global.add.L2::cache_hint.s32 %r0, [place], 1, %d0;",
        "atom.global.exch.L2::cache_hint.b128 %w0, [place], %w1, %d0;",
        "atom.global.cas.b16 %h0, [place], %h1, %h2;",
        "red.relaxed.gpu.global.and.L2::cache_hint.b32 [place], 1, %d0;",
        "red.release.cta.shared::cta.min.u32 [sh+4], 0;",
        "@%p0 red.global.add.s32 [place+4], -1;",
    ] {
        assert_eq!(loads(body), Ok(()), "{body}");
    }
    // A hint has its policy, and the other way round.
    assert!(loads("atom.global.add.L2::cache_hint.s32 %r0, [place], 1;").is_err());
    assert!(loads("atom.global.add.s32 %r0, [place], 1, %d0;").is_err());
}

#[test]
fn memory_of_other_blocks_of_the_cluster_has_the_same_operations_as_the_own_one() {
    assert_eq!(loads("atom.shared::cluster.add.u32 %r0, [sh], %r1;"), Ok(()));
    assert_eq!(loads("red.release.cluster.shared::cluster.or.b32 [sh], %r1;"), Ok(()));
    assert!(loads("red.shared::cluster.exch.b32 [sh], %r1;").is_err());
    assert!(loads("red.shared::cluster.add.v2.f32 [sh], {%f0, %f1};").is_err());
}

/// 16 bytes of what is there before and 16 behind; then 48 of each lane: `b`, `c`, `d`.
fn program(form: &Form, order: &str, (space, memory, address, operand): Place) -> String {
    let (letter, ty) = registers(form.2);
    let place = if memory == Memory::Global { "place" } else { "sh" };
    let from = if memory == Memory::Global { "global" } else { "shared" };
    let instruction = instruction(form, order, space, operand);
    let stored = if form.0 == "atom" {
        format!("st.global.{ty} [%d8+64], {letter}0;")
    } else {
        String::new()
    };
    kernel(
        ITEMS,
        &format!(
            ".reg .b128 %w<3>;
            mad.wide.u32 %d8, %t, 48, %a;
            setp.ne.u32 %p0, %t, 0;
            @%p0 bra READY;
            ld.global.v2.u64 {{%d0, %d1}}, [%a];
            st.{from}.v2.u64 [{place}], {{%d0, %d1}};
            READY: bar.sync 0;
            ld.global.{ty} {letter}1, [%d8+32];
            ld.global.{ty} {letter}2, [%d8+48];
            {address}
            {instruction}
            {stored}
            bar.sync 0;
            ld.{from}.v2.u64 {{%d0, %d1}}, [{place}];
            st.global.v2.u64 [%a+16], {{%d0, %d1}};"
        ),
    )
}

type Place = (&'static str, Memory, &'static str, &'static str);

fn words(value: u128) -> [u32; 4] {
    [0, 32, 64, 96].map(|down| (value >> down) as u32)
}

fn value(words: &[u32]) -> u128 {
    words.iter().rev().fold(0, |above, word| above << 32 | u128::from(*word))
}

/// As the type's numbers are equal: any NaN is as good as another one.
fn equal(ty: &str, got: u128, expected: u128) -> bool {
    got == expected || ty != "b128" && equal_bits(ty, got as u64, expected as u64)
}

/// A value of the type: at an edge, small, or any.
fn drawn(ty: &'static str) -> BoxedStrategy<u128> {
    if ty == "b128" {
        let half = drawn("b64");
        return (half.clone(), half).prop_map(|(high, low)| high << 64 | low).boxed();
    }
    let mask = (1_u128 << width(ty)) - 1;
    let edges = prop::sample::select(edges(ty));
    let all = prop_oneof![3 => edges, 1 => 0_u64..8, 1 => any::<u64>()];
    all.prop_map(move |value| u128::from(value) & mask).boxed()
}

/// What is there before, and `b` and `c` of each lane: few values, so that some meet their like.
fn case(ty: &'static str) -> impl Strategy<Value = (u128, Vec<[u128; 2]>)> {
    let picks = prop::collection::vec(prop::array::uniform2(0_usize..5), LANES);
    (prop::collection::vec(drawn(ty), 5), picks).prop_map(|(values, picks)| {
        (values[0], picks.into_iter().map(|pick| pick.map(|pick| values[pick])).collect())
    })
}

/// What is wrong with it, if anything.
fn check(form: &Form, order: &str, place: Place) -> Result<(), String> {
    let (opcode, operation, ty) = form;
    let text = program(form, order, place);
    let machine = support::machine(&text);
    // The bits of the place beyond the value stay as they are.
    let mask = if width(ty) == 128 { u128::MAX } else { (1 << width(ty)) - 1 };
    let mut runner = TestRunner::new(Config {
        cases: 12,
        max_shrink_iters: 200,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&case(ty), |(first, lanes)| {
        let rest = !mask & 0x5a5a_1234_8765_4321_0f0f_9876_1357_abcd;
        let mut all = [words(first | rest), [0; 4]].concat();
        for lane in &lanes {
            all.extend([words(lane[0]), words(lane[1]), [0; 4]].concat());
        }
        let at = machine.array(&all).unwrap();
        let arguments = Arguments::new().long(at).long(0);
        support::run(&machine, "k", (1, LANES as u32), arguments).unwrap();
        let found = machine.words(at, all.len() as u64).unwrap();
        let mut was = first;
        for (lane, both) in lanes.iter().enumerate() {
            if *opcode == "atom" {
                let got = value(&found[8 + 12 * lane + 8..][..4]) & mask;
                prop_assert!(equal(ty, got, was), "lane {lane}: {got:#x}, not {was:#x}");
            }
            was = left(operation, ty, place.1, was, *both);
        }
        let got = value(&found[4..8]);
        let right = equal(ty, got & mask, was) && got & !mask == rest;
        prop_assert!(right, "at last {got:#x}, not {was:#x}");
        Ok(())
    });
    outcome.map_err(|failure| format!("{} {failure}", instruction(form, order, place.0, place.3)))
}

#[test]
fn every_form_that_is_accepted_leaves_what_the_manual_says() {
    let (mut count, mut wrong) = (0, Vec::new());
    for form in combinations() {
        if known(form.0, &form.1, form.2) == Known::No
            || loads(&instruction(&form, "", ".global", "place")).is_err()
        {
            continue;
        }
        for (number, place) in PLACES.into_iter().enumerate() {
            wrong.extend(check(&form, ORDERS[(count + number) % ORDERS.len()], place).err());
        }
        count += 1;
    }
    // 32 of `atom` and 25 of `red`, and perhaps the sums of s64.
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!((57..=59).contains(&count), "{count}");
}
