//! `--resume`: nothing is lost, and nothing is run twice.

use super::{place, STUDY};

#[test]
fn a_study_that_is_resumed_runs_nothing_twice() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    let table = place.bytes("study-t/table.csv");
    let journal = place.text("study-t/runs.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    // Killed while it wrote its fourth line, before the table was there.
    let killed = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..40]);
    place.write("study-t/runs.jsonl", &killed);
    std::fs::remove_file(place.file("study-t/table.csv")).expect("it was there");
    place.fine(&["study", "t.toml", "--resume"]);
    assert!(place.bytes("study-t/table.csv") == table);
    let resumed = place.text("study-t/runs.jsonl");
    assert!(resumed.starts_with(&lines[..3].join("\n")), "what was there stays");
    let mut runs: Vec<&str> = resumed.lines().skip(1).map(|line| &line[..30]).collect();
    runs.sort_unstable();
    let mut all: Vec<&str> = lines[1..].iter().map(|line| &line[..30]).collect();
    all.sort_unstable();
    assert_eq!(runs, all, "each run once");
}

#[test]
fn runs_that_are_finished_are_taken_from_the_journal() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    let other = place.text("study-t/runs.jsonl").replace("\"cycles\":", "\"cycles\":1");
    place.write("study-t/runs.jsonl", &other);
    place.fine(&["study", "t.toml", "--resume"]);
    assert_eq!(place.text("study-t/runs.jsonl"), other);
    // Anew, they are run; what was there is kept.
    place.fine(&["study", "t.toml"]);
    assert_ne!(place.text("study-t/runs.jsonl"), other);
    assert_eq!(place.text("study-t/runs.jsonl.old"), other);
}

#[test]
fn the_runs_of_another_study_are_not_gone_on_with() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    place.write("t.toml", STUDY.replace("to = 2", "to = 3"));
    place.refused(&["study", "t.toml", "--resume"], &["line 1: these are runs of another study"]);
    place.write("t.toml", STUDY);
    let wrong = place.text("study-t/runs.jsonl").replace("\"figures\"", "\"figrues\"");
    place.write("study-t/runs.jsonl", wrong);
    let said = ["runs.jsonl line 2", "expected the journal of a study"];
    place.refused(&["study", "t.toml", "--resume"], &said);
}
