//! Every form of `atom` and `red` that is accepted, held against a second opinion.
//!
//! The forms are found by asking for all combinations of operation, rounding and type; 32 lanes
//! after each other bring values at the edges of the type to one place in global and in shared
//! memory. What both values give says the second opinion of the instruction of the same name, or
//! the wording of the manual (PTX ISA 9.1, 9.7.13.15, `atom`).

#[path = "opinion/mod.rs"]
mod opinion;
mod support;

use blockyard_ptx::Arguments;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use support::kernel;

/// Operations of the manual, and some that it does not have.
const OPERATIONS: &[&str] =
    &["and", "or", "xor", "exch", "cas", "add", "sub", "mul", "inc", "dec", "min", "max"];
const TYPES: &[&str] = &[
    "b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16",
    "f16x2", "bf16", "bf16x2", "f32", "f64", "pred",
];

/// An operation with its type.
type Form = (&'static str, &'static str);

/// All forms of the manual but those of 128 bits and vectors.
const FORMS: &[Form] = &[
    ("and", "b32"),
    ("and", "b64"),
    ("or", "b32"),
    ("or", "b64"),
    ("xor", "b32"),
    ("xor", "b64"),
    ("exch", "b32"),
    ("exch", "b64"),
    ("cas", "b16"),
    ("cas", "b32"),
    ("cas", "b64"),
    ("add", "u32"),
    ("add", "u64"),
    ("add", "s32"),
    ("add", "s64"),
    ("add", "f16"),
    ("add", "f16x2"),
    ("add", "bf16"),
    ("add", "bf16x2"),
    ("add", "f32"),
    ("add", "f64"),
    ("inc", "u32"),
    ("dec", "u32"),
    ("min", "u32"),
    ("min", "u64"),
    ("min", "s32"),
    ("min", "s64"),
    ("max", "u32"),
    ("max", "u64"),
    ("max", "s32"),
    ("max", "s64"),
];

/// Bits of a type, and the registers that hold it.
fn register(ty: &str) -> (u32, &'static str) {
    let width = match ty {
        "f16x2" | "bf16x2" => 32,
        "pred" => 1,
        ty => ty.trim_start_matches(char::is_alphabetic).parse().unwrap(),
    };
    (width, if width <= 16 { "%h" } else { ["%r", "%d"][usize::from(width == 64)] })
}

/// The instruction on what is at `place`, which takes registers 1 and 2.
fn instruction(opcode: &str, (space, place): (&str, &str), (operation, ty): Form) -> String {
    let register = register(ty).1;
    // Halves are never flushed: the modifier is mandatory.
    let rounding = if operation == "add" && ty.contains("16") { ".noftz" } else { "" };
    let to = if opcode == "atom" { format!("{register}3, ") } else { String::new() };
    let second = if operation == "cas" { format!(", {register}2") } else { String::new() };
    format!("{opcode}{space}.{operation}{rounding}.{ty} {to}[{place}], {register}1{second};")
}

#[test]
fn the_forms_of_the_manual_are_accepted_and_no_others() {
    for opcode in ["atom", "red"] {
        for operation in OPERATIONS {
            for ty in TYPES {
                let known = FORMS.contains(&(operation, ty))
                    && (opcode == "atom" || !matches!(*operation, "exch" | "cas"));
                let body = instruction(opcode, (".global", "place"), (operation, ty));
                let text = kernel(".global .align 8 .b8 place[8];", &body);
                let loads = blockyard_ptx::load("test.ptx", &text).is_ok();
                assert_eq!(loads, known, "{body}");
            }
        }
    }
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
        "atom.global.add.v2.f32 %r1, [place], %r2;",
    ] {
        let text = kernel(".global .align 8 .b8 place[8];", body);
        let error = blockyard_ptx::load("test.ptx", &text).err().map(|error| error.to_string());
        let opcode = body.split(' ').next().unwrap();
        let error = error.unwrap_or_else(|| panic!("{body}"));
        assert!(error.contains(opcode), "{error}");
    }
}

/// What the operation leaves of what was there, from the wording of the manual.
fn left((operation, ty): Form, was: u64, [first, second]: [u64; 2]) -> u64 {
    let of = |opcode: &str, modifiers: &[&str]| {
        opinion::opinion(opcode, modifiers, &[was, first]).expect("an opinion")[0]
    };
    match operation {
        // "The .exch operation ... replaces the contents", "cas: the contents are replaced by c if
        // they are b".
        "exch" => first,
        "cas" => [was, second][usize::from(was == first)],
        // inc: (r >= s) ? 0 : r + 1; dec: ((r == 0) | (r > s)) ? s : r - 1.
        "inc" => [was.wrapping_add(1), 0][usize::from(was >= first)],
        "dec" => [was.wrapping_sub(1), first][usize::from(was == 0 || was > first)],
        "add" if ty.contains('f') => of("add", &["rn", ty]),
        other => of(other, &[ty]),
    }
}

const LANES: usize = 32;
const BLOCKS: usize = 24;

/// Spaces by name, and where the lanes of a block meet in them; the last one is a generic address.
const SPACES: [(&str, &str); 3] = [(".global", "%start"), (".shared", "place"), ("", "%generic")];

/// A kernel whose lanes come to a place of their block, which begins as `%b` says. Values of each
/// thread, two words, follow the places there; `%a` takes what each lane found, and what is left of
/// each block's goes where it came from.
fn program(opcode: &str, space: (&str, &str), form: Form) -> String {
    let (_, register) = register(form.1);
    let (narrow, widen) = match register {
        "%h" => ("cvt.u16.u64 %h1, %d1; cvt.u16.u64 %h2, %d2;", "cvt.u64.u16 %d3, %h3;"),
        "%r" => ("cvt.u32.u64 %r1, %d1; cvt.u32.u64 %r2, %d2;", "cvt.u64.u32 %d3, %r3;"),
        _ => ("", ""),
    };
    let widen = if opcode == "red" { "" } else { widen };
    kernel(
        ".shared .align 8 .b8 place[8];",
        &format!(
            ".reg .b64 %own, %start, %generic;
            mov.u64 %generic, place;
            cvta.shared.u64 %generic, %generic;
            mov.u32 %r8, %ctaid.x;
            mad.wide.u32 %start, %r8, 8, %b;
            mad.lo.u32 %r7, %r8, {LANES}, %t;
            mad.wide.u32 %own, %r7, 16, %b;
            ld.global.u64 %d1, [%own+{values}];
            ld.global.u64 %d2, [%own+{values}+8];
            mov.u64 %d3, 0;
            {narrow}
            setp.eq.u32 %p1, %t, 0;
            ld.global.u64 %d4, [%start];
            st.shared.u64 [place], %d4;
            {instruction}
            ld{dot}.u64 %d5, [{place}];
            @%p1 st.global.u64 [%start], %d5;
            {widen}
            mad.wide.u32 %own, %r7, 8, %a;
            st.global.u64 [%own], %d3;",
            values = 8 * BLOCKS,
            instruction = instruction(opcode, space, form),
            dot = space.0,
            place = space.1,
        ),
    )
}

/// What lanes find, and what they leave, for values that `random` draws.
fn check(opcode: &str, space: (&str, &str), form: Form, random: &mut Pcg32) {
    let (width, _) = register(form.1);
    let mask = u64::MAX >> (64 - width);
    let edges = opinion::edges(form.1);
    let mut starts = Vec::new();
    let mut brought = Vec::new();
    for _ in 0..BLOCKS {
        // Few different values for each block, so that some are the same.
        let few: Vec<u64> = (0..5).map(|_| edges[random.random_range(0..edges.len())]).collect();
        let mut one = || match random.random_range(0..8) {
            0 => random.random::<u64>() & mask,
            at => few[at % few.len()],
        };
        starts.push(one());
        brought.extend((0..LANES).map(|_| [one(), one()]));
    }
    let machine = support::machine(&program(opcode, space, form));
    let words: Vec<u64> = starts.iter().chain(brought.iter().flatten()).copied().collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let from = machine.allocate(bytes.len() as u64).unwrap();
    let to = machine.allocate(8 * (BLOCKS * LANES) as u64).unwrap();
    assert!(machine.write(from, &bytes));
    let arguments = Arguments::new().long(to).long(from);
    support::run(&machine, "k", (BLOCKS as u32, LANES as u32), arguments).unwrap();
    let read = |at: u64, count: usize| -> Vec<u64> {
        let bytes = machine.read(at, 8 * count as u64).unwrap();
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    };
    let (found, ends) = (read(to, BLOCKS * LANES), read(from, BLOCKS));
    for (block, mut now) in starts.into_iter().enumerate() {
        for lane in 0..LANES {
            let at = block * LANES + lane;
            let what = format!("{opcode}{} {form:?} {:x?} in lane {lane}", space.0, brought[at]);
            if opcode == "atom" {
                let same = opinion::equal_bits(form.1, found[at], now);
                assert!(same, "{what} finds {:x}, expected {now:x}", found[at]);
            }
            now = left(form, now, brought[at]);
        }
        let same = opinion::equal_bits(form.1, ends[block] & mask, now);
        assert!(same, "{opcode}{} {form:?} leaves {:x?}", space.0, (ends[block], now));
    }
}

#[test]
fn every_form_that_is_accepted_leaves_what_the_manual_says() {
    let mut random = Pcg32::seed_from_u64(25);
    for &form in FORMS {
        for space in SPACES {
            check("atom", space, form, &mut random);
            if !matches!(form.0, "exch" | "cas") {
                check("red", space, form, &mut random);
            }
        }
    }
}
