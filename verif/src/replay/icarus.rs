//! Replay in Icarus Verilog: four-valued and event-driven, so what is never set stays X.

use super::case::TOP;
use super::command::{run, write};
use super::ports::Direction;
use super::trace::PortTrace;
use super::verdict::verdict;
use super::ReplayError;
use std::fmt::Write;
use std::path::Path;

const COMPILE_SECONDS: u64 = 120;
const SIMULATE_SECONDS: u64 = 600;

/// Warnings that say nothing of the design: a combinational read of a memory watches all of it.
const HARMLESS: &[&str] = &["@* is sensitive to all", "Unable to get version from"];

/// Replays `trace` on `verilog`, whose top module is [`TOP`], in the existing folder `directory`.
///
/// # Errors
/// When Icarus warns of the Verilog, or any compared output differs.
pub fn replay(verilog: &str, trace: &PortTrace, directory: &Path) -> Result<(), ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    write(&directory.join("testbench.v"), testbench(trace))?;
    write(&directory.join("inputs.hex"), rows(trace, Direction::Input))?;
    write(&directory.join("outputs.hex"), rows(trace, Direction::Output))?;
    let arguments =
        ["-g2005", "-Wall", "-s", "testbench", "-o", "replay.vvp", "testbench.v", "top.v"];
    let compiled = run("iverilog", &arguments, directory, COMPILE_SECONDS)?;
    let complaints: Vec<&str> = compiled
        .log
        .lines()
        .filter(|line| !HARMLESS.iter().any(|harmless| line.contains(harmless)))
        .collect();
    if !compiled.success || !complaints.is_empty() {
        return Err(ReplayError::Rejected { tool: "iverilog", log: complaints.join("\n") });
    }
    let simulated = run("vvp", &["-n", "replay.vvp"], directory, SIMULATE_SECONDS)?;
    verdict("iverilog", &simulated.log, trace.cycles.len())
}

/// One row a line, the last word first. A row of outputs has the mark of compared cycles on top.
fn rows(trace: &PortTrace, direction: Direction) -> String {
    let mut text = String::new();
    for cycle in &trace.cycles {
        let words = match direction {
            Direction::Input => &cycle.inputs,
            Direction::Output => &cycle.outputs,
        };
        if direction == Direction::Output {
            text.push_str(if cycle.compared { "1" } else { "0" });
        }
        for word in words.iter().rev() {
            let _ = write!(text, "{word:08x}");
        }
        text.push('\n');
    }
    text
}

/// Inputs change with the falling edge, outputs are compared just before the rising one.
fn testbench(trace: &PortTrace) -> String {
    let inputs = 32 * trace.row_words(Direction::Input).max(1);
    let outputs = 32 * trace.row_words(Direction::Output);
    let last = trace.cycles.len().saturating_sub(1);
    let (mut declarations, mut connections) = (String::new(), Vec::new());
    let (mut drives, mut checks) = (String::new(), String::new());
    if trace.clocked {
        connections.push(".clock(clock)".to_owned());
    }
    for port in &trace.ports {
        let (name, bits) = (&port.name, port.bits);
        let slice = format!("[{} +: {bits}]", 32 * port.offset);
        connections.push(format!(".{name}(port${name})"));
        match port.direction {
            Direction::Input => {
                let _ = writeln!(declarations, "    reg [{}:0] port${name};", bits - 1);
                let _ = writeln!(drives, "            port${name} = in_row{slice};");
            }
            Direction::Output => {
                let _ = writeln!(declarations, "    wire [{}:0] port${name};", bits - 1);
                let _ = writeln!(
                    checks,
                    "            if (!failed && out_row[{outputs}] && port${name} !== out_row{slice}) begin\n                \
                     $display(\"MISMATCH cycle %0d, port {name}: expected %h, got %h\", cycle, out_row{slice}, port${name});\n                \
                     failed = 1;\n            end"
                );
            }
        }
    }
    format!(
        "module testbench;\n    reg clock;\n    reg failed;\n    integer cycle;\n    \
         reg [{in_high}:0] inputs [0:{last}];\n    reg [{outputs}:0] expected [0:{last}];\n    \
         reg [{in_high}:0] in_row;\n    reg [{outputs}:0] out_row;\n{declarations}    \
         {TOP} dut(\n        {connections});\n    initial begin\n        \
         $readmemh(\"inputs.hex\", inputs);\n        $readmemh(\"outputs.hex\", expected);\n        \
         failed = 0;\n        for (cycle = 0; cycle <= {last} && !failed; cycle = cycle + 1) begin\n            \
         clock = 0;\n            in_row = inputs[cycle];\n            out_row = expected[cycle];\n\
         {drives}            #5;\n{checks}            clock = 1;\n            #5;\n        end\n        \
         if (!failed) $display(\"PASS %0d cycles\", cycle);\n        $finish;\n    end\nendmodule\n",
        in_high = inputs - 1,
        connections = connections.join(",\n        "),
    )
}
