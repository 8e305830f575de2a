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

#[test]
fn the_runs_of_files_that_have_changed_are_not_gone_on_with() {
    let place = place(
        "axes.scheduler = \"rr\"\naxes.input = \"graph.txt\"\naxes.workload = \"bfs\"\n\
         axes.gpu = \"../own.toml\"\naxes.seed = [1, 2]\n",
    );
    let gpu = place.fine(&["list", "gpus", "c2050"]).stdout;
    std::fs::create_dir(place.file("study")).expect("a new folder");
    for (file, text) in [("graph.txt", "0 1\n1 2\n"), ("t.toml", &place.text("t.toml"))] {
        place.write(&format!("study/{file}"), text);
    }
    place.write("own.toml", &gpu);
    let args = ["study", "study/t.toml", "--resume"];
    place.fine(&args[..2]);
    let table = place.text("study-t/table.csv");
    place.fine(&args);
    assert_eq!(place.text("study-t/table.csv"), table);
    place.write("study/graph.txt", "0 1\n1 2\n2 3\n");
    let changed = "runs.jsonl line 1: these are runs of other files: study/graph.txt has changed";
    place.refused(&args, &[changed, "SHA-256", "start anew without --resume"]);
    place.write("study/graph.txt", "0 1\n1 2\n");
    place.write("own.toml", format!("# Mine.\n{gpu}"));
    place.refused(&args, &["own.toml has changed since"]);
    place.write("own.toml", gpu);
    place.fine(&args);
}

#[test]
fn a_study_is_not_written_over_by_what_flags_add_to_it() {
    let place = place(STUDY);
    place.write("study.toml", STUDY);
    place.fine(&["study", "study.toml", "--out", "."]);
    assert_eq!(place.text("study.toml"), STUDY);
    let args = ["study", "study.toml", "--out", ".", "--axis", "seed=3"];
    place.refused(&args, &["FILE.toml, to which flags add", "a file in --out", "study.toml"]);
    assert_eq!(place.text("study.toml"), STUDY);
    place.write("t.toml", STUDY.replace("s.toml", "table.csv"));
    place.write("table.csv", place.text("s.toml"));
    let reads = ["study", "t.toml", "--out", "."];
    place.refused(&reads, &["a file that the runs read and a file in --out are both"]);
}
