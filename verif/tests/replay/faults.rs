//! Verilog that is known to be wrong must not pass.

use super::{cache, folder, has};
use blockyard::replay::{
    cases, lint, replay_in_icarus, replay_in_verilator, yosys_report, Check, ReplayCase,
    ReplayError, Tool,
};

/// Module, what its Verilog says, and what it is changed to: one operator each.
const MUTATIONS: [(&str, &str, &str); 10] = [
    ("prim/round_robin_arbiter/n5", "i[5:0] >= origin", "i[5:0] > origin"),
    ("prim/budget_arbiter/n4", "< start;", "<= start;"),
    ("prim/claim_arbiter/n3", "up_to$2 | up_to$1", "up_to$2"),
    ("prim/counter_bank/n1_w2", "kept - 2'h1", "kept + 2'h1"),
    ("dispatch/smx_resources/k20c", "< most_slots", "<= most_slots"),
    (
        "dispatch/smx_resources/k20c",
        "threads_slack = most_threads -",
        "threads_slack = most_threads - 1 -",
    ),
    (
        "dispatch/smx_resources/k20c",
        "registers_slack = most_registers -",
        "registers_slack = most_registers - 1 -",
    ),
    (
        "dispatch/smx_resources/k20c",
        "shared_memory_slack = most_shared_memory -",
        "shared_memory_slack = most_shared_memory - 1 -",
    ),
    ("dispatch/scheduler/n4", "kept + {5'h0, increase_by}", "kept - {5'h0, increase_by}"),
    ("dispatch/scheduler/n4_claso", "> threshold", ">= threshold"),
];

fn case(check: Check, module: &str) -> ReplayCase {
    let id = format!("replay/{}/{module}", check.name());
    cases().into_iter().find(|case| case.id == id).expect("the catalog has it")
}

/// Replays every mutation, after making sure that the unchanged text passes.
fn catches(tool: &str, replay: impl Fn(&str, &ReplayCase, &str) -> Result<(), ReplayError>) {
    for (module, from, to) in MUTATIONS {
        let case = case(Check::Verilator, module);
        let verilog = case.verilog().expect("it can be exported");
        assert!(verilog.contains(from), "{module} has no `{from}`:\n{verilog}");
        let place = format!("{tool}-{}", module.replace('/', "-"));
        replay(&verilog, &case, &place).unwrap_or_else(|error| panic!("{module}: {error}"));
        let result = replay(&verilog.replacen(from, to, 1), &case, &place);
        assert!(matches!(result, Err(ReplayError::Mismatch { .. })), "{module}, {to}: {result:?}");
    }
}

#[test]
fn icarus_catches_a_changed_operator() {
    if has(Tool::Icarus) {
        catches("icarus", |verilog, case, place| {
            replay_in_icarus(verilog, &case.trace(1, 1_000), &folder(place))
        });
    }
}

#[test]
fn verilator_catches_a_changed_operator() {
    if has(Tool::Verilator) {
        catches("verilator", |verilog, case, place| {
            replay_in_verilator(verilog, &case.trace(1, 1_000), &folder(place), &cache())
        });
    }
}

#[test]
fn icarus_catches_a_block_of_constants_that_never_fires() {
    if !has(Tool::Icarus) {
        return;
    }
    let case = case(Check::Icarus, "prim/bundle/n1");
    let text =
        "module top(input wire bits$0, output reg word);\nalways @(*) word = 1'h0;\nendmodule\n";
    let result = replay_in_icarus(text, &case.trace(1, 10), &folder("constants"));
    let Err(ReplayError::Rejected { log, .. }) = result else {
        panic!("it passes: {result:?}");
    };
    assert!(log.contains("found no sensitivities"), "{log}");
}

#[test]
fn verilator_lint_and_replay_catch_latches_loops_and_mixed_widths() {
    if !has(Tool::Verilator) {
        return;
    }
    let body = |text: &str| {
        format!("module top(input wire a, input wire [3:0] c, output reg b, output reg [7:0] d);\n{text}\nendmodule\n")
    };
    let folder = folder("lint");
    let trace = case(Check::Verilator, "prim/bundle/n1").trace(1, 10);
    assert!(lint(&body("always @(*) begin b = a; d = {c, c}; end"), &folder).is_ok());
    for (code, text) in [
        ("LATCH", "always @(*) begin d = {c, c}; if (a) b = c[0]; end"),
        ("UNOPTFLAT", "reg e; always @(*) begin d = {c, c}; e = b | a; end always @(*) b = e ^ a;"),
        ("WIDTH", "always @(*) begin b = a; d = c; end"),
    ] {
        let text = body(text);
        let linted = lint(&text, &folder).expect_err(code).to_string();
        let replayed = replay_in_verilator(&text, &trace, &folder, &cache());
        for error in [linted, replayed.expect_err(code).to_string()] {
            assert!(error.contains(code), "{code}: {error}");
        }
    }
}

#[test]
fn yosys_catches_latches_undriven_wires_and_two_drivers() {
    if !has(Tool::Yosys) {
        return;
    }
    let body = |text: &str| {
        format!("module top(input wire a, input wire c, output reg b, output wire d);\n{text}\nendmodule\n")
    };
    let folder = folder("yosys-faults");
    let fine = yosys_report(&body("assign d = c; always @(posedge c) b <= a;"), &folder);
    assert_eq!(fine.expect("nothing is wrong").register_bits, 1);
    for (what, text) in [
        ("Latch inferred", "assign d = c; always @(*) if (a) b = c;"),
        ("no driver", "wire e; assign d = e; always @(*) b = a;"),
        ("multiple conflicting drivers", "assign d = c; assign d = a; always @(*) b = a;"),
        ("not part of the design", "other child(.a(a)); assign d = c; always @(*) b = a;"),
    ] {
        let error = yosys_report(&body(text), &folder).expect_err(what).to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
}

#[test]
fn yosys_counts_the_registers_and_memories_that_the_design_declares() {
    if !has(Tool::Yosys) {
        return;
    }
    // 32 places of 5 bits; the FIFO's 17 registers and 32 marks.
    let verilog = case(Check::Yosys, "dispatch/fcfs_control/k32").verilog().expect("it exports");
    let report = yosys_report(&verilog, &folder("yosys-counts")).expect("nothing is wrong");
    assert_eq!((report.register_bits, report.memory_bits), (17 + 32, 160));
}
