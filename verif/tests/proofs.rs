//! What modules promise, proved.
//!
//! Rationale. 1. State space: all inputs and all states that can be reached, by induction or PDR:
//! that is what a proof is. 2. Parameters: the quick sizes of rtl/src/proofs.rs; `blockyard prove`
//! does the others. 3. Every property has to fail on a module with a fault, every cover point has
//! to be reached, and a name that nothing has is an error.

use blockyard::export::{self, properties::Whose};
use blockyard::prove::{faults, prove, selected, Limits, Outcome, Row};
use blockyard::replay::{run_until, write_file, Patience, Tool, ToolStatus};
use blockyard_rtl::catalog::{self, Size};
use blockyard_rtl::proofs::{proofs, Proof, Takes};
use blockyard_rtl::property::Kind;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Seconds for a module, on a machine that is busy with other tests.
const SECONDS: u64 = 300;

/// Memory of a process of Yosys or ABC.
const MEBIBYTES: u64 = 4096;

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proofs").join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Whether Yosys and ABC are there; says so when they are not.
fn can_prove() -> bool {
    let status = Tool::Abc.status();
    if let Some(message) = status.message() {
        println!("{message}");
    }
    assert!(!matches!(status, ToolStatus::Required(_)), "a build server has every tool");
    status == ToolStatus::Found
}

fn limits(out: &Path) -> Limits<'_> {
    Limits { seconds: SECONDS, mebibytes: MEBIBYTES, out, stop: None }
}

fn quick() -> Vec<Proof> {
    proofs().into_iter().filter(|proof| proof.takes <= Takes::Seconds).collect()
}

#[test]
fn what_can_be_proved_in_seconds_is_proved_for_all_time() {
    if !can_prove() {
        return;
    }
    let folder = folder("proved");
    let run = |(number, proof): (usize, &Proof)| {
        let rows = prove(proof, &folder.join(number.to_string()), limits(&folder));
        rows.expect("it runs")
    };
    let rows: Vec<Row> = quick().par_iter().enumerate().flat_map_iter(run).collect();
    assert!(rows.len() > 60, "{} properties", rows.len());
    for row in &rows {
        let fine = match row.kind {
            Kind::Cover => matches!(row.outcome, Outcome::Reached { .. }),
            _ => row.outcome == Outcome::Proved,
        };
        assert!(fine, "{} ({}): {}: {}", row.module, row.size, row.property, row.outcome);
    }
}

#[test]
fn every_promise_that_is_proved_in_seconds_is_refuted_by_some_fault() {
    if !can_prove() {
        return;
    }
    let folder = folder("faults");
    let mut smallest = quick();
    smallest.dedup_by_key(|proof| proof.module);
    let run = |(number, proof): (usize, &Proof)| {
        let verdicts = faults::hunt(proof, &folder.join(number.to_string()), limits(&folder));
        let verdicts = verdicts.expect("it runs").into_iter();
        verdicts.map(|verdict| (proof.module, verdict)).collect::<Vec<_>>()
    };
    let verdicts: Vec<_> = smallest.par_iter().enumerate().flat_map_iter(run).collect();
    assert!(verdicts.len() > 40, "{} properties", verdicts.len());
    for (module, faults::Verdict { property, fate }) in verdicts {
        assert!(matches!(fate, faults::Fate::Refuted(..)), "{module}: {property}: {fate}");
    }
}

#[test]
fn every_module_with_properties_is_exported_with_them_in_its_small_configurations() {
    for entry in catalog::entries() {
        let places = entry.configurations.iter().enumerate();
        let small = places.filter(|(place, of)| *place == 0 || of.size == Size::Small);
        for (_, configuration) in small {
            let module = configuration.build();
            let text = export::with_properties(&*module, "top", Whose::All);
            let text =
                text.unwrap_or_else(|e| panic!("{} {}: {e}", entry.name, configuration.name));
            let plain = export::verilog(&*module, "top").expect("it is exported");
            let without = without_properties(&text.0);
            if text.0.matches("`ifdef").count() == 0 {
                assert_eq!(text.0, plain, "{} {}", entry.name, configuration.name);
            } else if text.0.matches("\nmodule ").count() == plain.matches("\nmodule ").count() {
                assert_eq!(without, plain, "{} {}", entry.name, configuration.name);
            }
        }
    }
}

#[test]
fn icarus_verilator_and_yosys_take_the_properties_of_whole_schedulers() {
    let folder = folder("tools");
    let schedulers = [
        ("dispatch/scheduler", "n4_claso"),
        ("dtbl/scheduler", "n3_size8"),
        ("laperm/linked_scheduler", "n3_c2_e2_l2"),
        ("ikra/steal_scheduler", "n3_e2_latency1"),
    ];
    for (module, prefix) in schedulers {
        let entry = catalog::find(module).expect("it is in the catalog");
        let found = entry.configurations.iter().find(|of| of.name.starts_with(prefix));
        let module = found.unwrap_or(&entry.configurations[0]).build();
        let (text, _) =
            export::with_properties(&*module, "top", Whose::All).expect("it is exported");
        assert!(text.contains("assert(holds$"), "{} has properties", entry.name);
        write_file(&folder.join("top.v"), &text).expect("a file");
        let define = "-DBLOCKYARD_PROPERTIES";
        let yosys = "read_verilog -sv -formal -DBLOCKYARD_PROPERTIES top.v; hierarchy -check -top top; proc";
        let commands: [(Tool, &str, Vec<&str>); 3] = [
            (
                Tool::Icarus,
                "iverilog",
                vec!["-g2012", define, "-s", "top", "-o", "top.vvp", "top.v"],
            ),
            (
                Tool::Verilator,
                "verilator",
                vec![
                    "--lint-only",
                    "--assert",
                    "-Wno-lint",
                    define,
                    "--top-module",
                    "top",
                    "top.v",
                ],
            ),
            (Tool::Yosys, "yosys", vec!["-Q", "-T", "-q", "-p", yosys]),
        ];
        for (tool, program, arguments) in commands {
            let status = tool.status();
            if let Some(message) = status.message() {
                println!("{message}");
                assert!(
                    !matches!(status, ToolStatus::Required(_)),
                    "a build server has every tool"
                );
                continue;
            }
            let patience = Patience { seconds: SECONDS, mebibytes: Some(MEBIBYTES), stop: None };
            let ended = run_until(program, &arguments, &folder, patience).expect("it runs");
            assert!(ended.success, "{} in {program}: {}", entry.name, ended.log);
        }
    }
}

fn without_properties(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in text.lines() {
        inside |= line == "`ifdef BLOCKYARD_PROPERTIES";
        if !inside {
            out += line;
            out.push('\n');
        }
        inside &= line != "`endif // properties";
    }
    out
}

#[test]
fn every_proof_names_a_module_and_has_a_property() {
    for proof in proofs() {
        let properties = proof.build().properties();
        assert!(!properties.is_empty(), "{}", proof.module);
        let covers = properties.properties.iter().any(|property| property.kind == Kind::Cover);
        assert!(covers, "{} shows that what it assumes leaves room", proof.module);
        for property in &properties.properties {
            assert!(!property.about.is_empty(), "{}: {}", proof.module, property.name);
        }
        let export = export::with_properties(&*proof.build(), "top", Whose::Top);
        assert!(export.is_ok(), "{}: {}", proof.module, export.expect_err("it fails"));
    }
}

#[test]
fn proofs_are_chosen_by_module_and_by_a_part_of_a_property_s_name() {
    assert_eq!(selected(Some("prim/fifo"), None).len(), 3);
    assert!(selected(Some("prim/fifo"), Some("no_such")).is_empty());
    let orders = selected(None, Some("prim/fifo: order"));
    assert_eq!(orders.len(), 3);
}
