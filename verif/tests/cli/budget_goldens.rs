//! Budgets in the repository: no bit changes unseen.
//!
//! Rationale. A budget is a result, and a change of one is looked at like a change of code: more
//! bits, fewer bits, and bits that move from one row to another. `UPDATE_EXPECT=1` writes the files
//! anew.
//!
//! What the hardware declares is in `verif/budgets`, at the papers' sizes. What Yosys finds is in
//! `verif/budgets/yosys`, at sizes that it counts in seconds, with its version: flip-flop and
//! memory bits are the same for every version, cells and depths are not.

use super::command::Place;
use blockyard::family::{KeptBudget as Case, WORKBENCHES};
use expect_test::expect_file;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/budgets");

/// What the families declare.
fn declared() -> impl Iterator<Item = &'static Case> {
    WORKBENCHES.iter().flat_map(|workbench| workbench.budgets)
}

static BY_YOSYS: [Case; 8] = [
    ("rr-2smx", "rr", "k20c", "flat", &["smx=2"]),
    ("rr-claso-2smx", "rr+claso", "k20c", "flat", &["smx=2"]),
    ("rr-dyncta-2smx", "rr+dyncta", "k20c", "flat", &["smx=2"]),
    ("rr-gpgpusim-2smx", "rr-gpgpusim", "k20c", "flat", &["smx=2"]),
    ("rr-dtbl-2smx", "rr", "k20c", "dtbl", &["smx=2", "launch.table=16"]),
    (
        "laperm-adaptive-bind-2smx",
        "laperm/adaptive-bind",
        "k20c",
        "dtbl",
        &["smx=2", "laperm.entries=16"],
    ),
    ("ikra-steal-2smx", "ikra/steal", "denovo15", "flat", &["smx=2"]),
    ("mpmax-2smx", "mpmax", "k20c", "flat", &["smx=2"]),
];

/// The JSON of a case, but for what it comes from: hosts and revisions change.
fn budget(case: &Case, more: &[&str]) -> String {
    let (_, scheduler, gpu, launch, settings) = case;
    let mut args = vec!["budget", "--scheduler", scheduler, "--gpu", gpu, "--launch", launch];
    settings.iter().for_each(|setting| args.extend(["--set", setting]));
    args.push("--json");
    args.extend(more);
    let text = Place::new().fine(&args).stdout;
    let (figures, _) = text.rsplit_once(",\n  \"run\": {").expect("what it comes from");
    format!("{figures}\n}}\n")
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn budgets_in_the_repository_have_not_changed_by_a_bit() {
    for case in declared() {
        expect_file![format!("{FOLDER}/{}.json", case.0)].assert_eq(&budget(case, &[]));
    }
}

#[test]
fn every_budget_in_the_repository_is_compared() {
    let of = |cases: &mut dyn Iterator<Item = &'static Case>| {
        cases.map(|case| format!("{}.json", case.0)).collect::<BTreeSet<String>>()
    };
    for (folder, cases) in [
        (FOLDER.to_owned(), of(&mut declared())),
        (format!("{FOLDER}/yosys"), of(&mut BY_YOSYS.iter())),
    ] {
        let files = std::fs::read_dir(&folder).expect("a folder");
        let files =
            files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
        let files: BTreeSet<String> = files.filter(|file| file.ends_with(".json")).collect();
        assert_eq!(files, cases, "in {folder}");
    }
}

/// The register files of more than a kilobit in the budgets, and those that the page gives reasons
/// for: the last name of their path, words and bits of one.
#[test]
fn every_register_file_of_more_than_a_kilobit_has_a_reason_on_the_page() {
    let number = |text: &str| text.replace(',', "").parse::<u64>().expect("a number");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/budgets.md");
    let page = std::fs::read_to_string(page).expect("a page");
    let (_, section) = page.split_once("### What is no SRAM, and why").expect("a section");
    let mut stated = BTreeSet::new();
    for row in section.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let columns: Vec<&str> = row.split('|').collect();
        let (words, rest) = columns[3].trim().split_once(" x ").expect("words x width");
        let width = rest.split(", ").next().expect("width");
        for part in columns[2].split('`').skip(1).step_by(2) {
            stated.insert((part.to_owned(), number(words), number(width)));
        }
        assert!(columns[4].trim().len() > 10, "no reason: {row}");
    }
    let mut found = BTreeSet::new();
    for case in declared() {
        let text = std::fs::read_to_string(format!("{FOLDER}/{}.json", case.0)).expect("a file");
        for row in parsed(&text)["rows"].as_array().expect("rows") {
            let memory = &row["memory"];
            let (words, width) = (memory["words"].as_u64(), memory["width"].as_u64());
            let (Some(words), Some(width)) = (words, width) else { continue };
            if memory["kind"] == "register-file" && words * width > 1024 {
                let path = row["path"].as_str().expect("a path");
                let part = path.rsplit('.').next().expect("a name").to_owned();
                found.insert((part, words, width));
            }
        }
    }
    assert_eq!(found, stated);
}

#[test]
fn every_scheduler_with_hardware_has_a_budget_in_the_repository() {
    let names = |text: &str| -> Vec<String> {
        let items = parsed(text);
        let items = items.as_array().expect("a list").iter();
        items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };
    let place = Place::new();
    let listed = names(&place.fine(&["list", "schedulers", "--json"]).stdout);
    let kept: BTreeSet<String> = declared()
        .map(|case| std::fs::read_to_string(format!("{FOLDER}/{}.json", case.0)).expect("a file"))
        .map(|text| parsed(&text)["scheduler"].as_str().expect("a name").to_owned())
        .collect();
    let mut seen = 0;
    for name in &listed {
        if let Some(gate) = name.strip_prefix('+').and_then(|gate| gate.split('(').next()) {
            assert!(kept.iter().any(|kept| kept.contains(&format!("+{gate}"))), "{gate}");
            continue;
        }
        let ended = place.run(&["budget", "--scheduler", name, "--json"]);
        if ended.said().contains("the run times that it needs come from outside") {
            continue;
        }
        let scheduler = parsed(&ended.stdout)["scheduler"].as_str().expect("a name").to_owned();
        assert!(kept.contains(&scheduler), "{name} is {scheduler}");
        seen += 1;
    }
    assert!(seen >= 14, "{listed:?}");
}

/// What of Yosys' figures must be the same as kept: all of it for the same version, else the bits
/// that it reads.
fn comparable(kept: &Value, found: &Value) -> (Value, Value) {
    if kept["yosys"]["yosys"] == found["yosys"]["yosys"] {
        return (kept.clone(), found.clone());
    }
    let bits = |budget: &Value| {
        let yosys = &budget["yosys"];
        let places = yosys["places"].as_array().cloned().unwrap_or_default();
        let place =
            |place: &Value| json!([place["path"], place["register_bits"], place["memory_bits"]]);
        json!([
            yosys["register_bits"],
            yosys["memory_bits"],
            places.iter().map(place).collect::<Vec<_>>()
        ])
    };
    (bits(kept), bits(found))
}

#[test]
fn what_yosys_finds_has_not_changed() {
    let there = Command::new("yosys").arg("-V").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "yosys is missing");
    if !there {
        println!("skipped: yosys not found");
        return;
    }
    for case in &BY_YOSYS {
        let found = parsed(&budget(case, &["--yosys"]));
        let found = json!({
            "scheduler": found["scheduler"],
            "launch": found["launch"],
            "smx": found["smx"],
            "settings": case.4,
            "total": found["total"],
            "yosys": found["yosys"],
        });
        let path = format!("{FOLDER}/yosys/{}.json", case.0);
        let kept = std::fs::read_to_string(&path).map_or(Value::Null, |text| parsed(&text));
        let text = |value: &Value| serde_json::to_string_pretty(value).expect("plain") + "\n";
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            expect_file![path].assert_eq(&text(&found));
            continue;
        }
        let (kept, found) = comparable(&kept, &found);
        let hint = "UPDATE_EXPECT=1 accepts it";
        assert_eq!(text(&kept), text(&found), "{}: left is kept; {hint}", case.0);
    }
}

#[test]
fn another_version_of_yosys_is_held_to_bits_alone() {
    let yosys = |version: &str, bits: u64, cells: u64| {
        let place = json!({ "path": "a", "register_bits": bits, "memory_bits": 0 });
        let cells = json!({ "$and": cells });
        json!({ "yosys": { "yosys": version, "register_bits": bits, "places": [place], "cells": cells } })
    };
    let same = |left: &Value, right: &Value| {
        let (left, right) = comparable(left, right);
        left == right
    };
    assert!(same(&yosys("Yosys 0.23", 5, 9), &yosys("Yosys 0.23", 5, 9)));
    assert!(!same(&yosys("Yosys 0.23", 5, 9), &yosys("Yosys 0.23", 5, 8)), "fewer cells");
    assert!(same(&yosys("Yosys 0.23", 5, 9), &yosys("Yosys 0.33", 5, 8)), "of another version");
    assert!(!same(&yosys("Yosys 0.23", 5, 9), &yosys("Yosys 0.33", 6, 9)), "more bits");
    assert!(!same(&Value::Null, &yosys("Yosys 0.23", 5, 9)), "nothing is kept");
}
