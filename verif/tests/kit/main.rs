//! The kit that goes with the Verilog.
//!
//! Rationale. 1. What is in it is read by those for whom it is: Icarus, Verilator, Yosys and
//! cocotb. 2. The layout of the ports stands in the map, the package and the wrapper; values that
//! are known go through each. 3. The test benches are run on two schedulers, and on recordings,
//! maps and plans with a fault, where they must fail.

mod bench;
#[path = "../cli/command.rs"]
mod command;
mod layout;
mod tools;
mod written;

use command::Place;
use serde_json::Value;
use std::process::Command;

/// Two schedulers: the baseline with a gate, and one with ports of every group.
const SCHEDULERS: [&[&str]; 2] = [
    &["--scheduler", "rr+claso", "--set", "smx=4"],
    &["--scheduler", "laperm/adaptive-bind", "--launch", "dtbl", "--set", "smx=2"],
];

/// Writes the Verilog and the kit of a scheduler into `folder`.
fn write(place: &Place, folder: &str, arguments: &[&str]) {
    place.fine(&[&["verilog", "--out", folder, "--cycles", "300"], arguments].concat());
}

/// The map of the ports.
fn map(place: &Place, folder: &str) -> Value {
    serde_json::from_str(&place.text(&format!("{folder}/blockyard_kit/ports.json"))).expect("JSON")
}

/// What a tool says in `folder`, and whether it was content.
fn tool(place: &Place, folder: &str, program: &str, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(place.file(folder));
    let output = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// As [`tool`], for one that must be content.
fn fine(place: &Place, folder: &str, program: &str, arguments: &[&str]) -> String {
    let (success, said) = tool(place, folder, program, arguments);
    assert!(success, "{program} {arguments:?}: {said}");
    said
}

/// Whether a program can be used, which is found if it ends well with these arguments. Says so when
/// it cannot; on a machine for continuous integration it has to be there.
fn has(name: &str, program: &str, arguments: &[&str]) -> bool {
    let found = Command::new(program).args(arguments).output();
    let found = found.is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("CI").is_none(), "CI needs {name}");
    if !found {
        println!("skipped: {name} not found");
    }
    found
}

fn has_icarus() -> bool {
    has("iverilog", "iverilog", &["-V"])
}

fn has_verilator() -> bool {
    has("verilator", "verilator", &["--version"])
}

fn has_yosys() -> bool {
    has("yosys", "yosys", &["-V"])
}

fn has_cocotb() -> bool {
    has("cocotb", "cocotb-config", &["--version"]) && has("make", "make", &["--version"])
}
