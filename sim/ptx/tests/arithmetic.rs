//! Every form that computes values from values, held against a second opinion.
//!
//! The forms are found by asking for all combinations of modifiers; each runs as a kernel over
//! values at the edges of its types and drawn ones.

mod forms;
#[path = "opinion/mod.rs"]
mod opinion;
mod support;

use blockyard_ptx::ast::Type;
use blockyard_ptx::semantics::{self, Apply, Form};
use blockyard_ptx::Arguments;
use forms::name;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Bits of the register that holds a value of that type.
fn register(ty: Type) -> u32 {
    ty.width().max(16)
}

/// A kernel that computes the form for each thread: 5 words in, 2 words out.
fn kernel(opcode: &str, modifiers: &[&str], form: &Form) -> String {
    let mut text = String::from(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n\
         .reg .b64 %in, %out, %w<8>;\n.reg .b32 %t, %n, %c, %i<6>, %r;\n.reg .b16 %h<6>, %rh;\n.reg .b64 %l<6>, %rl;\n\
         .reg .pred %p<6>, %q, %rp;\n\
         mov.u32 %t, %ctaid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %c, %tid.x;\nmad.lo.s32 %t, %t, %n, %c;\n\
         ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n\
         mad.wide.u32 %in, %t, 40, %in;\nmad.wide.u32 %out, %t, 16, %out;\n",
    );
    let mut operands = Vec::new();
    for (index, ty) in form.sources.iter().enumerate() {
        text += &format!("ld.global.u64 %w{index}, [%in+{}];\n", 8 * index);
        let (conversion, operand) = match (ty, register(*ty)) {
            (Type::Predicate, _) => (
                format!("and.b64 %w{index}, %w{index}, 1;\nsetp.ne.u64 %p{index}, %w{index}, 0;\n"),
                format!("%p{index}"),
            ),
            (_, 16) => (format!("cvt.u16.u64 %h{index}, %w{index};\n"), format!("%h{index}")),
            (_, 32) => (format!("cvt.u32.u64 %i{index}, %w{index};\n"), format!("%i{index}")),
            _ => (format!("mov.u64 %l{index}, %w{index};\n"), format!("%l{index}")),
        };
        text += &conversion;
        operands.push(operand);
    }
    let carries = match &form.apply {
        Apply::Carry { reads, writes, .. } => (*reads, *writes),
        _ => (false, false),
    };
    if carries.0 {
        text += "ld.global.u32 %c, [%in+32];\nand.b32 %c, %c, 1;\nadd.cc.u32 %c, %c, 0xffffffff;\n";
    }
    let result = match (form.result, register(form.result)) {
        (Type::Predicate, _) => "%rp",
        (_, 16) => "%rh",
        (_, 32) => "%r",
        _ => "%rl",
    };
    let target = if opcode == "setp" { "%rp|%q" } else { result };
    text += &format!("{opcode}.{} {target}, {};\n", modifiers.join("."), operands.join(", "));
    text += match result {
        "%rp" => "selp.u64 %w0, 1, 0, %rp;\n",
        "%rh" => "cvt.u64.u16 %w0, %rh;\n",
        "%r" => "cvt.u64.u32 %w0, %r;\n",
        _ => "mov.u64 %w0, %rl;\n",
    };
    text += match (opcode, carries.1) {
        ("setp", _) => "selp.u64 %w1, 1, 0, %q;\n",
        (_, true) => "addc.u32 %c, 0, 0;\ncvt.u64.u32 %w1, %c;\n",
        _ => "mov.u64 %w1, 0;\n",
    };
    text += "st.global.u64 [%out], %w0;\nst.global.u64 [%out+8], %w1;\nret;\n}\n";
    text
}

/// Values for each source of the form, and a carry bit behind them.
fn inputs(form: &Form, random: &mut Pcg32, count: usize) -> Vec<[u64; 5]> {
    let edges: Vec<Vec<u64>> = form.sources.iter().map(|ty| opinion::edges(&name(*ty))).collect();
    assert!(edges.iter().all(|edges| !edges.is_empty()), "{:?}", form.sources);
    let shifts = opinion::edges("shift");
    let mut draw = |index: usize| -> u64 {
        let Some(edges) = edges.get(index) else { return random.random() };
        match random.random_range(0..8) {
            0 => random.random(),
            1 if index > 0 => shifts[random.random_range(0..shifts.len())],
            // Above the type's width nothing matters.
            _ => {
                let value = edges[random.random_range(0..edges.len())];
                let above = form.sources[index].width();
                let garbage: u64 = if random.random() { random.random() } else { 0 };
                if above < 64 && form.sources[index] != Type::Predicate {
                    value | garbage << above
                } else {
                    value
                }
            }
        }
    };
    (0..count).map(|_| std::array::from_fn(&mut draw)).collect()
}

/// What is wrong with what the form gives, if anything is.
fn differences(opcode: &str, modifiers: &[&str], form: &Form, random: &mut Pcg32) -> Vec<String> {
    const BLOCKS: u32 = 6;
    let inputs = inputs(form, random, (BLOCKS * 64) as usize);
    let machine = support::machine(&kernel(opcode, modifiers, form));
    let bytes: Vec<u8> = inputs.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let input = machine.allocate(bytes.len() as u64).unwrap();
    let output = machine.allocate(16 * inputs.len() as u64).unwrap();
    assert!(machine.write(input, &bytes));
    let arguments = Arguments::new().long(input).long(output);
    support::run(&machine, "k", (BLOCKS, 64), arguments).unwrap();
    let output = machine.read(output, 16 * inputs.len() as u64).unwrap();
    let word = |at: usize| u64::from_le_bytes(output[8 * at..8 * at + 8].try_into().unwrap());
    let ty = name(form.result);
    let mut wrong = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let mut operands = input[..form.sources.len()].to_vec();
        for (operand, ty) in operands.iter_mut().zip(&form.sources) {
            if *ty == Type::Predicate {
                *operand &= 1;
            }
        }
        if let Apply::Carry { .. } = form.apply {
            operands.push(input[4] & 1);
        }
        // What files for sm_1x leave out, and a modifier that changes nothing.
        let asked = older(opcode, modifiers);
        let Some(expected) = opinion::opinion(opcode, &asked, &operands) else {
            return vec![format!(
                "{opcode}.{}: the second opinion has no such form",
                modifiers.join(".")
            )];
        };
        if opinion::unspecified(opcode, &asked, &operands) {
            continue;
        }
        let mut got = [word(2 * index), word(2 * index + 1)];
        // Registers have 16 bits at least, to which signed bytes are extended.
        if form.result == Type::Signed(8) && got[0] == got[0] as u8 as i8 as u16 as u64 {
            got[0] &= 0xff;
        }
        let same = match opinion::allows(opcode, &asked, &operands, got[0]) {
            Some(allowed) => allowed,
            None => {
                opinion::equal_bits(&ty, got[0], expected[0])
                    && expected.get(1).is_none_or(|second| got[1] == *second)
            }
        };
        if !same {
            wrong.push(format!(
                "{opcode}.{} of {operands:x?} gives {got:x?}, expected {expected:x?}",
                modifiers.join(".")
            ));
        }
    }
    wrong
}

/// The modifiers as the manual of today has them.
fn older<'a>(opcode: &str, modifiers: &[&'a str]) -> Vec<&'a str> {
    let first = modifiers.first().copied().unwrap_or_default();
    let mut asked = modifiers.to_vec();
    let bare = matches!(first, "f32" | "f64");
    match opcode {
        "div" | "rcp" | "sqrt" if first == "f64" => asked.insert(0, "rn"),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" if bare => {
            asked.insert(0, "approx");
        }
        _ => {}
    }
    asked
}

#[test]
fn every_form_that_is_accepted_computes_what_the_manual_says() {
    let found = forms::of_each(|opcode, modifiers, form| {
        let mut hasher = DefaultHasher::new();
        (opcode, modifiers).hash(&mut hasher);
        let mut random = Pcg32::seed_from_u64(hasher.finish());
        differences(opcode, modifiers, form, &mut random)
    });
    assert!(found.len() > 800, "{} forms", found.len());
    let wrong: Vec<String> = found.into_iter().flat_map(|of| of.into_iter().take(2)).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_table_of_three_words_is_also_tested_for_zero() {
    const WORDS: [u32; 5] = [0, 1, 0x00ff_00ff, 0xaaaa_5555, u32::MAX];
    for name in ["or", "and"] {
        for table in [0, 0xff, 0x01, 0x80, 0x96, 0xe8] {
            // Thread t: words t mod 5, t / 5 mod 5, t / 25 mod 5, and whether the predicate holds.
            let operands = |t: u32| {
                let word = |by: u32| u64::from(WORDS[(t / by % 5) as usize]);
                [word(1), word(5), word(25), table, u64::from(t / 125 % 2)]
            };
            let list = WORDS.map(|word| word.to_string()).join(", ");
            let word = |to: &str, by: u32| {
                format!(
                    "div.u32 %r5, %t, {by}; rem.u32 %r5, %r5, 5;
                    mad.wide.u32 %d1, %r5, 4, %d0; ld.global.u32 {to}, [%d1];\n"
                )
            };
            let body = format!(
                "mov.u64 %d0, words;
                {}{}{}div.u32 %r5, %t, 125; setp.eq.u32 %p0, %r5, 1;
                lop3.{name}.b32 %r6|%p1, %r1, %r2, %r3, {table}, %p0;
                lop3.{name}.b32 _|%p2, %r1, %r2, %r3, {table}, !%p0;
                selp.u32 %r7, 1, 0, %p1; selp.u32 %r8, 1, 0, %p2;
                mad.wide.u32 %d1, %t, 12, %a;
                st.global.u32 [%d1], %r6; st.global.u32 [%d1+4], %r7; st.global.u32 [%d1+8], %r8;",
                word("%r1", 1),
                word("%r2", 5),
                word("%r3", 25)
            );
            let items = format!(".global .u32 words[5] = {{{list}}};");
            let found = support::left_by(250, &items, &body, 750);
            for t in 0..250 {
                let [a, b, c, table, q] = operands(t);
                let of =
                    |q| opinion::opinion("lop3", &[name, "b32"], &[a, b, c, table, q]).unwrap();
                let (same, other) = (of(q), of(1 - q));
                let expected = [same[0], same[1], other[1]].map(|value| value as u32);
                let at = 3 * t as usize;
                assert_eq!(found[at..at + 3], expected, "{name} {table:#x} {t}");
            }
        }
    }
    for body in [
        "lop3.xor.b32 %r0|%p0, %r1, %r2, %r3, 1, %p1;",
        "lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 1;",
        "lop3.or.b64 %r0|%p0, %r1, %r2, %r3, 1, %p1;",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &support::kernel("", body)).is_err(), "{body}");
    }
}

#[test]
fn numbers_are_packed_into_no_other_widths() {
    for (name, chained) in
        [("u8", false), ("u0", true), ("s16", true), ("s33", true), ("u99", true)]
    {
        let modifiers = ["pack", "sat", name, "s32", "b32"];
        let modifiers = &modifiers[..4 + usize::from(chained)];
        assert!(semantics::form("cvt", modifiers).is_none(), "{modifiers:?}");
    }
}
