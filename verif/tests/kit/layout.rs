//! The layout of the ports: values that are known, through the structs of the package in three
//! tools.

use super::command::Place;
use super::{fine, has_icarus, has_verilator, has_yosys, map, tool, write, SCHEDULERS};
use serde_json::Value;
use std::fmt::Write;

const KIT: &str = "v/blockyard_kit";

/// A number of so many bits; of each `place` another one.
fn known(place: usize, width: u64) -> String {
    let spread = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(place as u64 + 1);
    format!("{width}'h{:x}", spread >> (64 - width))
}

/// A module whose output `ok` is 1 if members that are set lie where the map says, and if bits that
/// are set where the map says come out as members.
fn check(map: &Value) -> String {
    let mut text = String::from(
        "`ifdef YOSYS\n`define TYPE(name) blockyard_pkg::name\n`else\n`define TYPE(name) name\n\
         import blockyard_pkg::*;\n`endif\nmodule check(output wire ok);\n",
    );
    let mut claims = vec![];
    for port in map["ports"].as_array().expect("ports") {
        let Some(type_name) = port["struct"].as_str() else { continue };
        let (name, width) = (port["name"].as_str().expect("a name"), &port["width"]);
        let _ = write!(
            text,
            "    `TYPE({type_name}) {name}_packed, {name}_unpacked;\n    \
             wire [{width}-1:0] {name}_bits = {name}_packed;\n    wire [{width}-1:0] {name}_set;\n    \
             assign {name}_unpacked = {name}_set;\n"
        );
        for field in port["fields"].as_array().expect("fields") {
            let number = |key: &str| field[key].as_u64().expect("a number");
            let value = known(claims.len(), number("width"));
            let member = field["name"].as_str().expect("a name");
            let slice = format!("[{}:{}]", number("high"), number("low"));
            let _ = writeln!(text, "    assign {name}_packed.{member} = {value};");
            let _ = writeln!(text, "    assign {name}_set{slice} = {value};");
            claims.push(format!("{name}_bits{slice} == {value}"));
            claims.push(format!("{name}_unpacked.{member} == {value}"));
        }
    }
    assert!(claims.len() > 20, "there are structs");
    let _ = writeln!(text, "    assign ok = {};\nendmodule", claims.join("\n        && "));
    text
}

const RUN: &str = "module run;\n    wire ok;\n    check check(.ok(ok));\n    initial begin\n        \
                   #1 if (ok === 1'b1) $display(\"LAYOUT IS RIGHT\");\n        $finish;\n    end\nendmodule\n";

/// A kit with the module, and with the same module for a map in which two neighbours have changed
/// places.
fn prepared(scheduler: &[&str]) -> Place {
    let place = Place::new();
    write(&place, "v", scheduler);
    let mut map = map(&place, "v");
    place.write(&format!("{KIT}/check.sv"), check(&map));
    place.write(&format!("{KIT}/run.sv"), RUN);
    let launch = &mut map["ports"][0];
    assert_eq!(launch["name"], "launch");
    let fields = launch["fields"].as_array_mut().expect("fields");
    let (x, y) = (fields[3]["name"].clone(), fields[4]["name"].clone());
    assert_eq!((&x, &y), (&"context_block_x".into(), &"context_block_y".into()));
    (fields[3]["name"], fields[4]["name"]) = (y, x);
    place.write(&format!("{KIT}/wrong.sv"), check(&map));
    place
}

#[test]
fn members_of_structs_are_the_bits_of_the_map_in_icarus() {
    for scheduler in SCHEDULERS.into_iter().filter(|_| has_icarus()) {
        let place = prepared(scheduler);
        for (file, is_right) in [("check.sv", true), ("wrong.sv", false)] {
            let files = ["-g2012", "-o", "run.vvp", "rtl/blockyard_pkg.sv", file, "run.sv"];
            fine(&place, KIT, "iverilog", &files);
            let said = fine(&place, KIT, "vvp", &["run.vvp"]);
            assert_eq!(said.contains("LAYOUT IS RIGHT"), is_right, "{file}: {said}");
        }
    }
}

#[test]
fn members_of_structs_are_the_bits_of_the_map_in_verilator() {
    for scheduler in SCHEDULERS.into_iter().take(1).filter(|_| has_verilator()) {
        let place = prepared(scheduler);
        for (file, is_right) in [("check.sv", true), ("wrong.sv", false)] {
            let made =
                ["--binary", "-Wno-fatal", "--top-module", "run", "--Mdir", file, "-o", "run"];
            let fast = ["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"];
            let files = ["rtl/blockyard_pkg.sv", file, "run.sv"];
            let file = file.trim_end_matches(".sv");
            let made = made.map(|word| if word.ends_with(".sv") { file } else { word });
            fine(&place, KIT, "verilator", &[&made[..], &fast, &files].concat());
            let said = fine(&place, KIT, &format!("./{file}/run"), &[]);
            assert_eq!(said.contains("LAYOUT IS RIGHT"), is_right, "{file}: {said}");
        }
    }
}

#[test]
fn members_of_structs_are_the_bits_of_the_map_in_yosys() {
    for scheduler in SCHEDULERS.into_iter().filter(|_| has_yosys()) {
        let place = prepared(scheduler);
        for (file, is_right) in [("check.sv", true), ("wrong.sv", false)] {
            let script = format!(
                "read_verilog -sv rtl/blockyard_pkg.sv {file}; hierarchy -check -top check; proc; opt; \
                 sat -verify -prove ok 1"
            );
            let (success, said) = tool(&place, KIT, "yosys", &["-q", "-p", &script]);
            assert_eq!(success, is_right, "{file}: {said}");
        }
    }
}

#[test]
fn the_map_has_a_schema_and_tells_of_every_port_of_the_verilog() {
    for scheduler in SCHEDULERS {
        let place = Place::new();
        write(&place, "v", scheduler);
        let map = map(&place, "v");
        assert_eq!((&map["schema"], &map["version"]), (&"blockyard-ports".into(), &1.into()));
        let top = place.text("v/blockyard_top.v");
        let arguments = top.split("// Module arguments\n").nth(1).expect("ports");
        let declared =
            arguments.lines().map_while(|line| line.trim().strip_suffix(';')).filter(|line| {
                let is_port = line.starts_with("input ") || line.starts_with("output ");
                is_port && !line.ends_with(" clock") && !line.ends_with(" reset")
            });
        let ports = map["ports"].as_array().expect("ports");
        assert!(ports.len() > 10);
        let told = ports.iter().map(|port| {
            let number = |key: &str| port[key].as_u64().expect("a number");
            let text = |key: &str| port[key].as_str().expect("a text").to_owned();
            (text("direction"), number("width"), text("top_name"))
        });
        let found: Vec<(String, u64, String)> = declared.take(ports.len()).map(parsed).collect();
        assert_eq!(found, told.collect::<Vec<_>>());
    }
}

/// Direction, width and name of `output reg  [68:0] dispatch$0`.
fn parsed(declaration: &str) -> (String, u64, String) {
    let words: Vec<&str> = declaration.split_whitespace().collect();
    let high = words[2].strip_prefix('[').and_then(|range| range.strip_suffix(":0]"));
    let width = high.map_or(1, |high| high.parse::<u64>().expect("a number") + 1);
    (words[0].to_owned(), width, words[words.len() - 1].to_owned())
}
