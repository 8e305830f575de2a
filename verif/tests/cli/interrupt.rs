//! Ctrl-C or `SIGTERM` during a run: status 130, and whole files of what there is.

#![cfg(unix)]

use super::command::{ended, worked_example, Ended, Place};
use std::process::{Command, Stdio};

/// A run that would take hours: two blocks of 2^40 cycles, each of them evaluated.
const ENDLESS: &str = "[gpu]\nsmx = 2\n[[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\n\
    block = [32, 1, 1]\nduration = 1_000_000_000_000\n";

/// Starts `command` in `place`, sends `signal` as soon as a temporary file is there, and waits.
fn interrupted(place: &Place, mut command: Command, signal: &str) -> Ended {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !place.names().iter().any(|name| name.starts_with(".blockyard-")) {
        assert!(child.try_wait().expect("a child").is_none(), "ended before Ctrl-C");
        std::thread::yield_now();
    }
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    ended(child.wait_with_output().expect("it ends"))
}

const ARGS: [&str; 12] = [
    "run",
    "--scheduler",
    "rr",
    "--scenario",
    "s.toml",
    "--no-skip",
    "--wave",
    "w.vcd",
    "--dispatch-log",
    "log.csv",
    "--stats",
    "stats.json",
];

/// What a run in `place` left that was stopped: the two blocks that are dispatched, what they have
/// done, and a dump that ends where they do.
fn assert_cut_off(place: &Place, ended: &Ended) {
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{}", ended.stderr);
    let cycle = ended.stderr.trim_end().strip_prefix("stopped in cycle ");
    let cycle: u64 = cycle.and_then(|cycle| cycle.parse().ok()).expect(&ended.stderr);
    assert_eq!(place.names(), ["log.csv", "s.toml", "stats.json", "w.gtkw", "w.sucl", "w.vcd"]);
    let log = place.text("log.csv");
    assert!((1..=3).contains(&log.lines().count()) && log.ends_with('\n'), "{log}");
    let stats: serde_json::Value = serde_json::from_str(&place.text("stats.json")).expect("JSON");
    assert_eq!((&stats["cut_off"], &stats["cycles"]), (&cycle.into(), &cycle.into()));
    assert_eq!(stats["kernels"][0]["finish"], serde_json::Value::Null);
    let dump = place.text("w.vcd");
    let last = dump.lines().rev().find_map(|line| line.strip_prefix('#')).expect("a time");
    // The last cycle that is dumped is the one before, and ends with that in which it stopped.
    assert_eq!(last.parse::<u64>().expect("a number"), cycle, "the end of the dump");
}

#[test]
fn ctrl_c_ends_a_run_with_130_and_leaves_what_there_is() {
    let place = Place::new();
    place.write("s.toml", ENDLESS);
    place.write("log.csv", "older");
    let ended = interrupted(&place, place.command(&ARGS), "INT");
    assert_cut_off(&place, &ended);
}

#[test]
fn a_termination_ends_a_run_as_ctrl_c_does() {
    let place = Place::new();
    place.write("s.toml", ENDLESS);
    let ended = interrupted(&place, place.command(&ARGS), "TERM");
    assert_cut_off(&place, &ended);
}

#[test]
fn ctrl_c_ends_a_run_without_timing_too_and_leaves_nothing_half_recorded() {
    let place = Place::new();
    let header = ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n";
    place.write("k.ptx", format!("{header}{{\n$again:\nbra $again;\n}}\n"));
    place.write("k.toml", "[[launch]]\ngrid = 1\nblock = 32\n");
    let args = ["run", "--functional", "--kernel", "k.ptx", "--record", "trace"];
    let ended = interrupted(&place, place.command(&args), "INT");
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{}", ended.stderr);
    let count = ended.stderr.strip_prefix("stopped after ").expect("a count");
    let count: u64 = count
        .trim_end()
        .strip_suffix(" warp instructions")
        .expect("so many")
        .parse()
        .expect("a number");
    assert!(count > 0);
    assert_eq!(place.names(), ["k.ptx", "k.toml"]);
}

#[test]
fn a_run_that_ends_by_itself_is_not_cut_off() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    place.fine(&["run", "--scheduler", "rr", "--scenario", &path, "--stats", "stats.json"]);
    assert!(!place.text("stats.json").contains("cut_off"));
}

#[test]
fn a_run_that_starts_with_the_signal_ignored_can_be_interrupted_too() {
    let place = Place::new();
    place.write("s.toml", ENDLESS);
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"trap "" INT; exec "$0" "$@""#, env!("CARGO_BIN_EXE_blockyard")]);
    shell.args(ARGS).current_dir(place.path());
    let ended = interrupted(&place, shell, "INT");
    assert_cut_off(&place, &ended);
}

#[test]
fn a_run_that_nobody_interrupts_is_not_stopped() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let ended = place.fine(&["run", "--scheduler", "rr", "--scenario", &path, "--no-skip"]);
    assert!(ended.stdout.contains("lockstep   no difference"), "{}", ended.stdout);
}
