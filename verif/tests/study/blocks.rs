//! `blocks = true`: when and where each block of each run ran.

use super::{place, Table, STUDY};

#[test]
fn the_blocks_of_every_run_are_those_that_run_writes_and_the_page_draws_them() {
    let place = place(&format!("blocks = true\n{STUDY}"));
    place.fine(&["study", "t.toml"]);
    let table = Table::of(&place, "study-t/table.csv");
    let runs = table.column("run");
    for (run, command) in runs.iter().zip(table.column("command")) {
        let words = command.replace('\'', "");
        let words: Vec<&str> = words.split(' ').skip(1).chain(["--blocks", "b.csv"]).collect();
        place.fine(&words);
        assert!(place.bytes(&format!("study-t/blocks/{run}.csv")) == place.bytes("b.csv"), "{run}");
    }
    assert_eq!(runs.len(), 5);
    place.fine(&["study", "report", "study-t"]);
    let page = place.text("study-t/report.html");
    assert!(page.contains("Blocks of "), "no blocks");
    assert!(page.contains("Shown are the first 4 of 5 runs"), "{page}");
}

#[test]
fn runs_whose_blocks_were_not_kept_are_not_gone_on_with() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    let args = ["study", "t.toml", "--resume", "--blocks"];
    place.refused(&args, &["line 1: these are runs of another study"]);
    place.fine(&["study", "t.toml", "--blocks"]);
    let first = &Table::of(&place, "study-t/table.csv").column("run")[0];
    let kept = format!("study-t/blocks/{first}.csv");
    assert!(place.text(&kept).starts_with("dispatched,completed,smx,"));
    // A study without them leaves none of an older one.
    place.fine(&["study", "t.toml"]);
    assert!(!place.file(&kept).exists());
}

#[test]
fn blocks_that_cannot_be_written_end_the_study_and_no_run_is_said_to_be_finished() {
    let place = place(&format!("blocks = true\n{STUDY}"));
    std::fs::create_dir(place.file("study-t")).expect("a folder");
    place.write("study-t/blocks", "a file");
    place.refused(&["study", "t.toml"], &["cannot write study-t/blocks"]);
    assert!(!place.file("study-t/runs.jsonl").exists());
}
