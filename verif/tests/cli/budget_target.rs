//! `blockyard budget --target`: what a scheduler takes on an FPGA.

use super::command::Place;
use blockyard::budget::{Hierarchy, Kind, Mapping, Target};
use blockyard_rtl::catalog;
use serde_json::Value;
use std::process::Command;

fn yosys_is_there() -> bool {
    let found = Command::new("yosys").arg("-V").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "yosys is missing");
    if !found {
        println!("skipped: yosys not found");
    }
    found
}

/// Round robin over SMXs, whose storage is a pointer of 5 bits.
fn round_robin(target: Target, hierarchy: Hierarchy) -> Mapping {
    let entry = catalog::entries().into_iter().find(|entry| entry.name == "dispatch/round_robin");
    let module = entry.expect("an entry").configurations[0].build();
    let folder = tempfile::tempdir().expect("a folder");
    Mapping::new(&*module, (target, hierarchy), folder.path(), None).expect("Yosys maps it")
}

#[test]
fn a_small_module_takes_the_flip_flops_that_it_declares_on_both_families() {
    if !yosys_is_there() {
        return;
    }
    for (target, lut) in [(Target::Ice40, "SB_LUT4"), (Target::Ecp5, "LUT4")] {
        let mapping = round_robin(target, Hierarchy::Flattened);
        let kept = round_robin(target, Hierarchy::Kept);
        assert_eq!(kept.count(Kind::FlipFlops), mapping.count(Kind::FlipFlops));
        // Nothing is optimized from one module into another.
        assert!(kept.count(Kind::Luts) >= mapping.count(Kind::Luts), "{kept:?}");
        assert_eq!(mapping.target, target.name());
        assert!((1..=5).contains(&mapping.count(Kind::FlipFlops)), "{mapping:?}");
        assert_eq!(mapping.count(Kind::BlockRams), 0);
        let luts = mapping.count(Kind::Luts);
        assert!((5..200).contains(&luts) && mapping.cells[lut] == luts, "{mapping:?}");
        let levels = mapping.lut_levels.expect("no loop");
        assert!((1..=luts).contains(&levels), "{mapping:?}");
        assert_eq!(mapping.kinds.values().sum::<u64>(), mapping.cells.values().sum::<u64>());
    }
}

#[test]
fn a_scheduler_is_mapped_in_text_and_json() {
    if !yosys_is_there() {
        return;
    }
    let place = Place::new();
    let args = ["budget", "--set", "smx=1", "--target", "ecp5", "--json", "rr.json"];
    let text = place.fine(&args).stdout;
    for part in ["Mapped to ecp5 by Yosys ", "LUTs of four inputs", "LUTs on the longest way"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let json: Value = serde_json::from_str(&place.text("rr.json")).expect("JSON");
    let mapping = &json["mapping"];
    let declared = json["total"]["register_bits"].as_u64().expect("a number");
    let found = mapping["flip_flops"].as_u64().expect("a number");
    assert!(found >= declared, "{found} flip-flops for {declared} bits of registers");
    assert!(mapping["lut_levels"].as_u64() > Some(5), "{mapping}");
}

/// A folder with a program `yosys` that runs this script.
#[cfg(unix)]
pub fn with_yosys(script: &str) -> Place {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::create_dir(place.file("bin")).expect("a folder");
    place.write("bin/yosys", format!("#!/bin/sh\n{script}\n"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.file("bin/yosys"), mode).expect("a mode");
    place
}

/// The folder before all others.
#[cfg(unix)]
pub fn search_path(place: &Place) -> String {
    format!("{}:{}", place.file("bin").display(), std::env::var("PATH").expect("a path"))
}

#[cfg(unix)]
#[test]
fn an_error_of_yosys_is_shown_by_its_last_lines() {
    let place = with_yosys("seq 100 120; echo 'ERROR: no such thing'; exit 1");
    let mut command = place.command(&["budget", "--target", "ice40", "--json", "a.json"]);
    let output = command.env("PATH", search_path(&place)).output().expect("it starts");
    let ended = super::command::ended(output);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("120\nERROR: no such thing"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("100"), "{}", ended.stderr);
    assert_eq!(place.names(), ["bin"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_yosys_and_all_that_it_started_and_leaves_nothing() {
    // Stands for Yosys, which starts ABC: the child would write a file if it went on.
    let place = with_yosys("(sleep 2; touch \"$HERE/late\") & touch \"$HERE/begun\"; wait");
    let mut command = place.command(&["budget", "--target", "ecp5", "--json", "a.json"]);
    command.env("PATH", search_path(&place)).env("HERE", place.path());
    command.env("TMPDIR", place.path());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    while !place.file("begun").exists() {
        assert!(child.try_wait().expect("a child").is_none(), "ended before Ctrl-C");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    let ended = super::command::ended(child.wait_with_output().expect("it ends"));
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{}", ended.stderr);
    assert_eq!(ended.stderr.trim(), "stopped while yosys was running");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert_eq!(place.names(), ["begun", "bin"]);
}
