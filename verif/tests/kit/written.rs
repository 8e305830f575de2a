//! What `blockyard verilog` writes, and what it leaves alone.

use super::command::Place;
use super::{write, SCHEDULERS};
use std::collections::BTreeMap;
use std::path::Path;

const RR: [&str; 5] = ["verilog", "--scheduler", "rr", "--set", "smx=2"];

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"))
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.path().is_dir() {
            true => found.extend(
                files(&entry.path())
                    .into_iter()
                    .map(|(below, text)| (format!("{name}/{below}"), text)),
            ),
            false => {
                found.insert(name, std::fs::read(entry.path()).expect("a file"));
            }
        }
    }
    found
}

#[test]
fn the_verilog_is_the_same_with_a_kit_without_one_and_on_standard_output() {
    let place = Place::new();
    let with = |more: &[&str]| place.fine(&[&RR[..], more].concat()).stdout;
    assert_eq!(with(&["--out", "with"]), "with/blockyard_top.v\n");
    assert_eq!(with(&["--out", "without", "--no-kit"]), "without/blockyard_top.v\n");
    let text = place.text("with/blockyard_top.v");
    assert_eq!(text, place.text("without/blockyard_top.v"));
    assert_eq!(text, with(&["--out", "-"]));
    assert_eq!(files(&place.file("without")).len(), 1);
    // What loads `*.v` loads what it did.
    let names = files(&place.file("with"));
    let verilog: Vec<&String> = names.keys().filter(|name| name.ends_with(".v")).collect();
    assert_eq!(verilog, ["blockyard_top.v"]);
    assert!(names
        .keys()
        .all(|name| name == "blockyard_top.v" || name.starts_with("blockyard_kit/")));
}

#[test]
fn a_kit_has_the_same_bytes_again_and_others_for_another_seed() {
    let place = Place::new();
    for folder in ["one", "two"] {
        write(&place, folder, SCHEDULERS[1]);
    }
    // It is written over an older one.
    write(&place, "two", SCHEDULERS[1]);
    let one = files(&place.file("one"));
    assert!(one == files(&place.file("two")), "the same command gives the same bytes");
    write(&place, "three", &[SCHEDULERS[1], &["--seed", "2"]].concat());
    let three = files(&place.file("three"));
    let differ: Vec<&String> = one.keys().filter(|name| one[*name] != three[*name]).collect();
    assert_eq!(differ, ["blockyard_kit/cocotb/replay.csv"]);
}

#[test]
fn no_name_of_the_hardware_has_a_dollar() {
    let place = Place::new();
    for (number, scheduler) in SCHEDULERS.into_iter().enumerate() {
        let folder = format!("v{number}");
        write(&place, &folder, scheduler);
        assert!(place.text(&format!("{folder}/blockyard_top.v")).contains('$'));
        for (name, text) in files(&place.file(&folder)) {
            let text = String::from_utf8(text).expect("text");
            if name.ends_with(".sv") {
                assert!(!text.contains('$'), "{name}");
            }
        }
    }
}

#[test]
fn a_recording_has_as_many_cycles_as_are_asked_for_behind_its_reset() {
    let place = Place::new();
    for (folder, cycles) in [("one", "1"), ("many", "40")] {
        place.fine(&[&RR[..], &["--cycles", cycles, "--out", folder]].concat());
        let text = place.text(&format!("{folder}/blockyard_kit/cocotb/replay.csv"));
        assert_eq!(text.lines().count(), 1 + 2 + cycles.parse::<usize>().expect("a number"));
        let compared: Vec<&str> = text.lines().skip(1).map(|line| &line[..4]).take(3).collect();
        assert_eq!(compared, ["0,0,", "1,0,", "2,1,"]);
    }
    place.refused(&[&RR[..], &["--cycles", "0", "--out", "none"]].concat(), &["--cycles"]);
    assert_eq!(place.names(), ["many", "one"]);
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_is_written() {
    let place = Place::new();
    place.write("file", "mine");
    place.refused(&[&RR[..], &["--out", "file"]].concat(), &["cannot make the folder file"]);
    place.refused(&[&RR[..], &["--out", "file/v"]].concat(), &["cannot make the folder file/v"]);
    // A folder where a file of the kit is to be.
    std::fs::create_dir_all(place.file("v/blockyard_kit/ports.json/mine")).expect("a folder");
    place.refused(
        &[&RR[..], &["--out", "v"]].concat(),
        &["v/blockyard_kit/ports.json", "directory"],
    );
    assert!(!place.file("v/blockyard_top.v").exists() && files(&place.file("v")).is_empty());
    let unknown = ["verilog", "--scheduler", "rx", "--out", "w"];
    place.refused(&unknown, &["rx"]);
    place.refused(&["verilog", "--scheduler", "sjf", "--out", "w"], &["needs the run times"]);
    place.refused(&[&RR[..], &["--no-kit", "--seed", "2", "--out", "w"]].concat(), &["--no-kit"]);
    assert_eq!(place.names(), ["file", "v"]);
}

#[test]
fn files_of_others_beside_the_kit_stay() {
    let place = Place::new();
    for name in ["README.md", "Makefile", "ports.json"] {
        place.write(name, "mine");
    }
    place.fine(&[&RR[..], &["--out", "."]].concat());
    assert_eq!(
        place.names(),
        ["Makefile", "README.md", "blockyard_kit", "blockyard_top.v", "ports.json"]
    );
    for name in ["README.md", "Makefile", "ports.json"] {
        assert_eq!(place.text(name), "mine");
    }
}
