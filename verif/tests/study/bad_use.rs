//! What is wrong with a study is said with line and key before anything runs.

use super::{place, STUDY};

/// Refused for what stands in `study`, which leaves nothing.
fn refused(study: &str, said: &[&str]) {
    let place = place(study);
    place.refused(&["study", "t.toml"], said);
    assert_eq!(place.names(), ["s.toml", "t.toml"], "nothing was made");
}

/// The study with one more line at its end, the eighth.
fn with(line: &str, said: &[&str]) {
    refused(&format!("{STUDY}{line}\n"), &[&["t.toml line 8: "], said].concat());
}

#[test]
fn an_axis_that_is_none_names_line_and_key() {
    with(
        "shceduler = [1]",
        &["`shceduler` is no option of `run`", "did you mean `scheduler`? expected scheduler, gpu"],
    );
    with("smx.count = [4]", &["smx.count: found `[4]`", "a key with a dot stands in quotes"]);
    with("\"smx.cuont\" = [4]", &["smx.cuont: unknown GPU key `smx.cuont`"]);
    with("\"smx.count\" = [4, \"four\"]", &["smx.count", "four"]);
    with("workload = [\"bsf\"]", &["workload: unknown workload `bsf`"]);
    with("launch = [\"flat\", \"cpd\"]", &["launch", "`cpd`", "expected one of flat, cdp, dtbl"]);
    with("seed = [1, -1]", &["seed", "`-1`", "whole number"]);
    with("seed = []", &["seed: found `[]`, expected at least one value"]);
    with("seed = [1, 1]", &["seed: `1` stands there twice"]);
    with("input = [\"none.txt\"]", &["input: cannot read none.txt"]);
    with("seed = { from = 3, to = 2 }", &["seed", "expected numbers from one up to another"]);
    with("seed = { from = 3, top = 4 }", &["unknown key `top`", "from, to, step, times"]);
    with("seed = { from = 0, to = 4, times = 2 }", &["expected numbers from one up to another"]);
    with("seed = { from = 1, to = 4, step = 0 }", &["expected numbers from one up to another"]);
    let both = "seed = { from = 1, to = 8, step = 1, times = 2 }";
    with(both, &["times: found `2`, expected only one of step and times"]);
    with("seed = 1979-05-27", &["seed: found `1979-05-27`"]);
    with("launch = \"{mode}\"", &["launch: there is no axis `mode`", "[axes] needs mode"]);
}

#[test]
fn a_scheduler_that_is_none_names_line_and_value() {
    let study = STUDY.replace("[\"rr\", ", "[\"rr\", \"rrr\", ");
    refused(&study, &["t.toml line 3: scheduler: ", "rrr"]);
    let study = STUDY.replace("pl=10", "pl=0").replace("pl={pl}", "pl=0");
    refused(&study, &["t.toml line 5: `pl` is no option of `run`, and no value has `{pl}`"]);
}

#[test]
fn other_keys_name_their_lines_too() {
    let first = |line: &str, said: &[&str]| refused(&format!("{line}\n{STUDY}"), said);
    first(
        "nmae = \"x\"",
        &["t.toml line 1: unknown key `nmae`", "did you mean `name`? expected one of name"],
    );
    first("max_cycles = -1", &["line 1: max_cycles: found `-1`"]);
    first("storage = 1", &["line 1: storage: found `1`, expected true or false"]);
    first("engine = \"gold\"", &["line 1: engine", "`gold`", "golden, rtl, lockstep"]);
    first("name = ", &["t.toml line 1: "]);
    let base = STUDY.replace("{ scheduler = \"rr\" }", "{ scheduler = \"rrr\" }");
    refused(
        &base,
        &["t.toml line 1: baseline: the axis `scheduler` has no value `rrr`", "did you mean `rr`"],
    );
    refused("name = \"x\"\n", &["there are no axes"]);
    refused("axes.scheduler = \"rr\"\n", &["0 things to run"]);
}

#[test]
fn constraints_are_checked() {
    let rule = |rule: &str, said: &[&str]| {
        refused(&format!("{STUDY}[[constraint]]\n{rule}\n"), said);
    };
    rule("when = { pa = 1 }", &["t.toml line 8: ", "expected what holds: only, not or without"]);
    rule("only = { pa = 7 }", &["line 8: constraint: the axis `pa` has no value `7`"]);
    rule("only = { px = 7 }", &["constraint: there is no axis `px`", "the axes are scheduler, pa"]);
    rule("without = \"pa\"", &["line 8: constraint: `pa` is a parameter"]);
    let none = "only = { scheduler = \"rr\" }\nnot = { scheduler = \"rr\" }";
    rule(none, &["line 8: ", "leave no point to run"]);
    rule("onyl = { pa = 1 }", &["line 9: unknown key `onyl`", "did you mean `only`?"]);
}

#[test]
fn ten_million_runs_are_refused_with_their_number_before_they_start() {
    with(
        "seed = { from = 1, to = 10_000_000 }",
        &["these axes make 50,000,000 runs, more than 100,000; `seed` alone has 10,000,000 values"],
    );
    with("seed = { from = 0, to = 0x7fffffffffffffff }", &["`seed` alone has 9,223,372,036,854"]);
    // As many as are allowed, and one more.
    let seeds = |most: u64, last: u64| {
        format!("max_runs = {most}\n{STUDY}seed = {{ from = 1, to = {last} }}\n")
    };
    place(&seeds(10, 2)).fine(&["study", "t.toml", "--dry-run"]);
    refused(&seeds(9, 2), &["these axes make 10 runs, more than 9", "set max_runs = 10"]);
}
