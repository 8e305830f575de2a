//! `docs/ptx.md` says what is accepted: its first table is what the implementation says of itself,
//! its second one has instructions that are loaded here, and its third one some that must be
//! refused.

mod forms;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use blockyard_gpu::program::Unit;
use support::kernel;

const PAGE: &str = include_str!("../../../docs/ptx.md");

/// What is between the lines `<!-- name -->` and `<!-- end -->` of the page.
fn part(name: &str) -> &'static str {
    let start = format!("<!-- {name} -->\n");
    let behind = PAGE.split_once(&start).unwrap_or_else(|| panic!("{start} is not there")).1;
    behind.split_once("<!-- end -->").expect("the part ends").0
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Integer => "integer",
        Unit::Single => "single",
        Unit::Double => "double",
        Unit::Special => "special",
        Unit::Tensor => "tensor",
    }
}

#[derive(Default)]
struct Row {
    units: BTreeSet<&'static str>,
    types: BTreeSet<String>,
    modifiers: BTreeSet<String>,
}

/// The first table: a row for each opcode that computes values from values.
fn table() -> String {
    let is_type = |name: &str| blockyard_ptx::semantics::parse_type(name).is_some();
    let more = ["u16x2", "s16x2", "tf32", "e4m3x2", "e5m2x2", "u2", "s2", "u4", "s4"];
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let all = forms::of_each(|opcode, names, form| (opcode, names.to_vec(), unit(form.unit)));
    for (opcode, modifiers, unit) in all {
        let row = rows.entry(opcode).or_default();
        row.units.insert(unit);
        for name in modifiers {
            let types = is_type(name) || more.contains(&name);
            let set = if types { &mut row.types } else { &mut row.modifiers };
            set.insert(name.to_owned());
        }
    }
    let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
    let row = |(opcode, row): (&&str, &Row)| {
        let units = row.units.iter().copied().collect::<Vec<_>>().join(", ");
        format!("| `{opcode}` | {units} | {} | {} |\n", list(&row.types), list(&row.modifiers))
    };
    let head = "| opcode | unit | types | modifiers |\n| --- | --- | --- | --- |\n";
    head.to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn the_table_of_arithmetic_is_what_is_there() {
    let table = table();
    assert!(
        part("arithmetic") == table,
        "docs/ptx.md is not up to date; between its first two marks stands\n{table}"
    );
}

/// The instructions in backticks in the first column of a part, each to be loaded alone.
fn instructions(name: &str) -> Vec<String> {
    let lines = part(name).lines().filter(|line| line.starts_with("| `"));
    let cells = lines.filter_map(|line| line.split("` | ").next());
    let all = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    all.map(|text| text.replace("\\|", "|")).collect()
}

/// What loading a kernel of one instruction gives.
fn load(instruction: &str) -> Result<(), String> {
    let items = ".global .texref tex; .global .surfref surf; .shared .align 16 .b8 sh[1024];
        .func (.reg .u32 %o) f (.reg .u32 %i) { mov.u32 %o, %i; ret; }";
    let body = format!(
        ".reg .f32 %f<9>; .reg .f64 %e<4>; .reg .b32 %q<32>; .reg .b128 %b<3>; .param .b64 par0;
        list: .branchtargets L; proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);
        {instruction};\nL:"
    );
    match blockyard_ptx::load("test.ptx", &kernel(items, &body)) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn every_instruction_that_the_page_accepts_loads() {
    let all = instructions("others");
    assert!(all.len() > 50);
    for instruction in all {
        assert_eq!(load(&instruction), Ok(()), "{instruction}");
    }
}

#[test]
fn every_instruction_that_the_page_refuses_is_refused_by_name() {
    for instruction in instructions("refused") {
        let opcode = instruction.split([' ', '.']).next().unwrap();
        let message = load(&instruction).expect_err(&instruction);
        assert!(message.contains(opcode) && message.contains("kernel `k`"), "{message}");
    }
}

#[test]
fn an_instruction_that_is_newer_than_the_target_is_executed_all_the_same() {
    // The manual has `fma.bf16x2` from sm_80 on, and `add.bf16x2` from sm_90 on.
    let body = "mov.b32 %r1, 0x3f804000; mov.b32 %r2, 0x40403f80;
        fma.rn.bf16x2 %r3, %r1, %r2, %r2; add.rn.bf16x2 %r4, %r3, %r1;
        st.global.v2.u32 [%a], {%r3, %r4};";
    for target in ["sm_20", "sm_70", "sm_80", "sm_90"] {
        let text = kernel("", body).replace("sm_70", target);
        assert!(text.contains(target));
        let machine = support::machine(&text);
        let at = machine.array(&[0; 2]).unwrap();
        let arguments = blockyard_ptx::Arguments::new().long(at).long(0);
        support::run(&machine, "k", (1, 1), arguments).unwrap();
        // 1 * 3 + 3 and 2 * 1 + 1; then 6 + 1 and 3 + 2.
        assert_eq!(machine.words(at, 2), Some(vec![0x40c0_4040, 0x40e0_40a0]), "{target}");
    }
}

#[test]
fn every_opcode_stands_in_one_of_the_tables() {
    let first = forms::OPCODES.iter().copied();
    let second = instructions("others");
    let others = second.iter().map(|of| of.split([' ', '.']).next().unwrap());
    let documented: BTreeSet<&str> = first.chain(others).collect();
    let there: BTreeSet<&str> = blockyard_ptx::OPCODES.iter().copied().collect();
    assert_eq!(documented, there);
}
