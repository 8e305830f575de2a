//! The test benches, run as those run them who get the kit.

use super::command::Place;
use super::{fine, has_cocotb, has_icarus, has_verilator, tool, write, SCHEDULERS};

const BENCH: &str = "v/blockyard_kit/cocotb";

/// A bench of 300 cycles runs for less time than Verilator's C++ takes to be optimized.
const FAST: [&str; 2] = ["OPT_FAST=-O0", "OPT_GLOBAL=-O0"];

/// Changes the last cell of a column that is neither empty nor in a cycle that is not compared: its
/// lowest bit.
fn flip(place: &Place, file: &str, column: &str) -> String {
    let text = place.text(file);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = lines[0].split(',').position(|name| name == column).expect("a column");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let found = lines.iter().rposition(|line| {
        let cells = cells(line);
        cells[1] == "1" && !cells[at].is_empty()
    });
    let line = found.expect("a cell");
    let mut cells = cells(&lines[line]);
    let value = u128::from_str_radix(&cells[at], 16).expect("a number");
    cells[at] = format!("{:x}", value ^ 1);
    lines[line] = cells.join(",");
    place.write(file, lines.join("\n") + "\n");
    cells[0].clone()
}

fn replace(place: &Place, file: &str, from: &str, to: &str) {
    let text = place.text(file);
    assert!(text.contains(from), "{file} has no `{from}`");
    place.write(file, text.replacen(from, to, 1));
}

/// Runs one test in Icarus, which must fail and say `expected`.
fn fails(place: &Place, test: &str, expected: &str) {
    let (success, said) = tool(place, BENCH, "make", &[&format!("TESTCASE={test}")]);
    assert!(!success, "{test} passes: {said}");
    assert!(said.contains(expected) && said.contains("a test has failed"), "{said}");
}

// Of the other scheduler they do so below, with assertions and before a bit is wrong.
#[test]
fn both_benches_pass_in_icarus_and_in_verilator() {
    for (name, has) in [("icarus", has_icarus as fn() -> bool), ("verilator", has_verilator)] {
        if !has_cocotb() || !has() {
            continue;
        }
        let place = Place::new();
        write(&place, "v", SCHEDULERS[1]);
        let said = fine(&place, BENCH, "make", &[&[&*format!("SIM={name}")], &FAST[..]].concat());
        assert!(said.contains("TESTS=2 PASS=2 FAIL=0"), "{name}: {said}");
    }
}

#[test]
fn assertions_hold_in_the_benches() {
    if !has_cocotb() || !has_verilator() {
        return;
    }
    let place = Place::new();
    write(&place, "v", SCHEDULERS[0]);
    let core = place.text("v/blockyard_kit/rtl/blockyard_core.sv");
    assert!(core.contains("`ifdef BLOCKYARD_PROPERTIES"), "the scheduler has properties");
    let arguments = [&["SIM=verilator", "PROPERTIES=1"], &FAST[..]].concat();
    let said = fine(&place, BENCH, "make", &arguments);
    assert!(said.contains("TESTS=2 PASS=2 FAIL=0"), "{said}");
}

#[test]
fn assertions_are_verilog_where_there_is_but_one_of_something() {
    if !has_icarus() {
        return;
    }
    let place = Place::new();
    for scheduler in ["rr", "clusters", "clusters(policy=balance)", "launch-control(policy=spread)"]
    {
        for smxs in ["smx.count=1", "smx.count=3"] {
            let args = ["verilog", "--scheduler", scheduler, "--set", smxs, "--out", "v"];
            place.fine(&[&args[..], &["--properties", "--no-kit"]].concat());
            let file = ["-g2012", "-DBLOCKYARD_PROPERTIES", "-t", "null", "blockyard_top.v"];
            let said = fine(&place, "v", "iverilog", &file);
            assert!(!said.contains("error"), "{scheduler}, {smxs}: {said}");
        }
    }
}

#[test]
fn a_wrong_bit_in_a_recording_makes_its_bench_fail_with_cycle_and_port() {
    if !has_cocotb() || !has_icarus() {
        return;
    }
    let place = Place::new();
    write(&place, "v", SCHEDULERS[0]);
    let said = fine(&place, BENCH, "make", &[]);
    assert!(said.contains("TESTS=2 PASS=2 FAIL=0"), "{said}");
    for (test, column) in [("replay", "dispatch_3"), ("closed_loop", "launch_ready")] {
        let file = format!("{BENCH}/{test}.csv");
        let sound = place.bytes(&file);
        let cycle = flip(&place, &file, column);
        fails(&place, test, &format!("cycle {cycle}: {column}"));
        place.write(&file, sound);
    }
    fine(&place, BENCH, "make", &[]);
}

#[test]
fn the_bench_with_its_own_traffic_has_checks_of_its_own() {
    if !has_cocotb() || !has_icarus() {
        return;
    }
    let plan = format!("{BENCH}/closed_loop.json");
    let faults = [
        // A block more than is launched, one fewer, more than fits, and the wrong time.
        (plan.as_str(), "\"grid\": [\n        9,", "\"grid\": [\n        10,", "entry 0 ends"),
        (&plan, "\"grid\": [\n        9,", "\"grid\": [\n        8,", "not of the grid, or twice"),
        (&plan, "\"threads\": 64,", "\"threads\": 1500,", "too many threads"),
        (&plan, "\"duration\": 20,", "\"duration\": 19,", "recorded"),
    ];
    for (file, from, to, expected) in faults {
        let place = Place::new();
        write(&place, "v", SCHEDULERS[0]);
        replace(&place, file, from, to);
        fails(&place, "closed_loop", expected);
    }
}
