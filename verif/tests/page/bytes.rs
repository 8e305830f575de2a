//! `run --blocks`: the same bytes however a run is made.

use super::command::{worked_example, Place};
use std::collections::BTreeSet;

/// The log of a run with these options, and its dispatch log.
fn logs(args: &[&str], how: &[&str]) -> (String, String) {
    let place = Place::new();
    let files = ["--blocks", "b.csv", "--dispatch-log", "d.csv"];
    place.fine(&[&["run"], args, how, &files[..]].concat());
    (place.text("b.csv"), place.text("d.csv"))
}

const HOW: [&[&str]; 5] = [
    &["--engine", "golden", "--no-skip"],
    &["--engine", "golden", "--threads", "3"],
    &["--engine", "rtl"],
    &["--engine", "lockstep"],
    &["--engine", "lockstep", "--no-skip"],
];

fn check(args: &[&str], how: &[&[&str]]) -> String {
    let (blocks, dispatches) = logs(args, &["--engine", "golden"]);
    for how in how {
        assert!(logs(args, how).0 == blocks, "{args:?} {how:?}");
    }
    // Each dispatch is the begin of a stay.
    let of = |line: &str, columns: [usize; 8]| {
        let fields: Vec<&str> = line.split(',').collect();
        columns.map(|column| fields[column]).join(",")
    };
    let stays: Vec<String> =
        blocks.lines().skip(1).map(|line| of(line, [0, 2, 3, 4, 5, 6, 7, 8])).collect();
    let dispatched: BTreeSet<&str> = dispatches.lines().skip(1).collect();
    assert_eq!(stays.len(), dispatched.len());
    assert_eq!(stays.iter().map(String::as_str).collect::<BTreeSet<_>>(), dispatched);
    let completed =
        |line: &str| line.split(',').nth(1).expect("a column").parse::<u64>().expect("a cycle");
    let order: Vec<u64> = blocks.lines().skip(1).map(completed).collect();
    assert!(order.is_sorted(), "in the order of completion");
    blocks
}

#[test]
fn every_engine_writes_the_same_blocks_with_skipping_or_without_and_on_any_number_of_threads() {
    let scenario = worked_example("claso-case-study");
    let blocks =
        check(&["--scheduler", "rr+claso", "--gpu", "c2050", "--scenario", &scenario], &HOW);
    assert_eq!(blocks.lines().count(), 1 + 17, "the blocks of the example");
    let scenario = worked_example("laperm-figure-4");
    for launch in ["cdp", "dtbl"] {
        let args =
            ["--scheduler", "laperm/adaptive-bind", "--launch", launch, "--scenario", &scenario];
        check(&args, &HOW[..4]);
    }
}

#[test]
fn a_block_that_waits_for_what_it_launched_has_a_line_for_each_stay() {
    let args = ["--scheduler", "rr", "--launch", "cdp", "--workload", "sort"];
    let blocks = check(&args, &HOW[..2]);
    let name = |line: &str| line.split(',').skip(3).map(str::to_owned).collect::<Vec<_>>();
    let names: Vec<_> = blocks.lines().skip(1).map(name).collect();
    let different: BTreeSet<_> = names.iter().collect();
    assert!(different.len() < names.len(), "{} stays of {} blocks", names.len(), different.len());
}
