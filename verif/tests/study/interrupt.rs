//! Ctrl-C: status 130, and what is finished is kept.

#![cfg(unix)]

use super::command::ended;
use super::{place, Table, SCENARIO};
use std::process::{Command, Stdio};

#[test]
fn ctrl_c_keeps_what_is_finished() {
    let place = place(
        "[axes]\nscheduler = \"rr\"\nscenario = [\"s.toml\", \"endless.toml\"]\nengine = \"golden\"\n",
    );
    // Blocks beyond number, one after the other: nothing of it can be skipped at once.
    let endless = SCENARIO.replace("[9, 1, 1]", "[2_000_000_000, 1, 1]");
    place.write("endless.toml", endless);
    let mut command = place.command(&["study", "t.toml", "--jobs", "1"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let finished = || {
        let journal = std::fs::read_to_string(place.file("study-t/runs.jsonl"));
        journal.is_ok_and(|journal| journal.lines().count() == 2)
    };
    while !finished() {
        assert!(child.try_wait().expect("a child").is_none(), "ended before Ctrl-C");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    let ended = ended(child.wait_with_output().expect("it ends"));
    assert_eq!(ended.status, 130, "{}", ended.stderr);
    assert!(ended.stdout.contains("1 runs, 0 failed, stopped"), "{}", ended.stdout);
    assert_eq!(Table::of(&place, "study-t/table.csv").column("scenario"), ["s.toml"]);
}
