//! `blockyard regress soak` as a process: killed, interrupted, resumed.

use super::command::{ended, Place};
use std::process::{Child, Stdio};

/// Random lockstep on one SMX, one case after the other.
const SOAK: [&str; 8] = ["regress", "soak", "--filter", "/n1/", "--jobs", "1", "--out", "o"];

fn started(place: &Place, more: &[&str]) -> Child {
    let mut command = place.command(&[&SOAK[..], more].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Whole lines of the journal behind its header.
fn kept(place: &Place) -> Vec<String> {
    let text = std::fs::read_to_string(place.file("o/results.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).map(str::to_owned).collect()
}

fn wait_for(place: &Place, child: &mut Child, cases: usize) {
    while kept(place).len() < cases {
        assert!(child.try_wait().expect("a child").is_none(), "it goes on until it is stopped");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn a_kill_loses_no_result_and_ctrl_c_ends_it_whole() {
    let place = Place::new();
    let mut child = started(&place, &[]);
    wait_for(&place, &mut child, 1);
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    let before = kept(&place);

    let mut child = started(&place, &["--resume", "--hours", "1000"]);
    wait_for(&place, &mut child, before.len() + 1);
    let kill = format!("kill -INT {}", child.id());
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", &kill]).status().expect("a shell").success());
    let ended = ended(child.wait_with_output().expect("it ends"));
    assert_eq!(ended.status, 130, "{}", ended.stderr);
    let after = kept(&place);
    assert_eq!(after[..before.len()], before, "what was there stays");
    let ids: std::collections::BTreeSet<String> = after
        .iter()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["case"].to_string()
        })
        .collect();
    assert_eq!(ids.len(), after.len(), "no case ran twice");
    let said = format!("soak seed=1: {} cases, {} passed, 0 failed", after.len(), after.len());
    assert!(ended.stdout.contains(&said), "{}", ended.stdout);
    assert!(ended.stdout.contains("| together "), "{}", ended.stdout);
}

#[test]
fn bad_hours_and_what_is_for_suites_alone_are_refused() {
    let place = Place::new();
    for hours in ["0", "-1", "NaN", "inf", "soon", ""] {
        place.refused(&["regress", "soak", "--hours", hours], &["a number of hours above 0"]);
    }
    place.refused(&["regress", "quick", "--hours", "1"], &["`--hours` is for `regress soak`"]);
    for option in [&["--shard", "1/2"][..], &["--junit", "j.xml"], &["--list"]] {
        let words = format!("`{}` is for suites", option[0]);
        place.refused(&[&["regress", "soak"][..], option].concat(), &[&words]);
    }
    place.refused(&["regress", "soak", "--filter", "no such case"], &["no case of suite `soak`"]);
    place.refused(&["regress", "sock"], &["unknown suite `sock`", "soak: random lockstep"]);
    assert_eq!(place.names(), Vec::<String>::new());
}
