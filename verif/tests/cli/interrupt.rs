//! Ctrl-C during a run: status 130, and no partial file.

#![cfg(unix)]

use super::command::{ended, worked_example, Ended, Place};
use std::process::{Command, Stdio};

/// A run that would take hours: two blocks of 2^40 cycles, each of them evaluated.
const ENDLESS: &str = "[gpu]\nsmx = 2\n[[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\n\
    block = [32, 1, 1]\nduration = 1_000_000_000_000\n";

/// Starts `command` in `place`, sends the signal as soon as a temporary file is there, and waits.
fn interrupted(place: &Place, mut command: Command) -> Ended {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !place.names().iter().any(|name| name.starts_with(".blockyard-")) {
        assert!(child.try_wait().expect("a child").is_none(), "ended before Ctrl-C");
        std::thread::yield_now();
    }
    let kill = format!("kill -INT {}", child.id());
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

#[test]
fn ctrl_c_ends_a_run_with_130_and_leaves_nothing() {
    let place = Place::new();
    place.write("s.toml", ENDLESS);
    place.write("log.csv", "older");
    let ended = interrupted(&place, place.command(&ARGS));
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("stopped in cycle "), "{}", ended.stderr);
    assert_eq!(place.names(), ["log.csv", "s.toml"]);
    assert_eq!(place.text("log.csv"), "older");
}

#[test]
fn a_run_that_starts_with_the_signal_ignored_can_be_interrupted_too() {
    let place = Place::new();
    place.write("s.toml", ENDLESS);
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"trap "" INT; exec "$0" "$@""#, env!("CARGO_BIN_EXE_blockyard")]);
    shell.args(ARGS).current_dir(place.path());
    let ended = interrupted(&place, shell);
    assert_eq!(ended.status, 130, "{}", ended.stderr);
    assert_eq!(place.names(), ["s.toml"]);
}

#[test]
fn a_run_that_nobody_interrupts_is_not_stopped() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let ended = place.fine(&["run", "--scheduler", "rr", "--scenario", &path, "--no-skip"]);
    assert!(ended.stdout.contains("lockstep   no difference"), "{}", ended.stdout);
}
