//! Tasks of a cluster: idempotent, and what a killed worker had is made again.

use super::command::Place;
use super::{place, STUDY};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process of HyperQueue, killed when it is dropped.
struct Process(Child);

impl Process {
    fn start(role: &str, server: &str) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/study/hq.py");
        let mut command = Command::new("python3");
        command.args([script, role, server]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("python3");
        let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
        assert!(said.any(|line| line.is_ok_and(|line| line == "ready")), "{role} does not start");
        Self(child)
    }

    fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it was killed");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether there is HyperQueue; a plain run may do without it, CI may not.
fn has_hyperqueue() -> bool {
    let import = Command::new("python3").args(["-c", "import hyperqueue"]).output();
    let found = import.is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none(), "CI needs HyperQueue: pip install hyperqueue");
        eprintln!("skipped: the Python package hyperqueue not found");
    }
    found
}

fn lines(place: &Place, path: &str) -> usize {
    std::fs::read_to_string(place.file(path)).map_or(0, |text| text.lines().count())
}

#[test]
fn a_worker_of_hyperqueue_that_is_killed_loses_nothing() {
    if !has_hyperqueue() {
        return;
    }
    // Runs that take some time each: what is on its way when the worker dies must be made again.
    let place = place(
        "axes.scheduler = [\"rr\", \"rr+claso\"]\naxes.seed = { from = 1, to = 30 }\n\
        axes.workload = \"bfs\"\naxes.\"graph.kind\" = \"rmat\"\naxes.\"graph.scale\" = 9\n",
    );
    place.fine(&["study", "t.toml", "--out", "here"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("text");
    let _server = Process::start("server", path);
    let mut first = Process::start("worker", path);
    let _second = Process::start("worker", path);
    let args = ["study", "t.toml", "--out", "there", "--on", "hyperqueue", "--per-task", "2"];
    let mut study = place.command(&args);
    let mut study =
        study.env("HQ_SERVER_DIR", path).stdout(Stdio::piped()).spawn().expect("it starts");
    let start = Instant::now();
    while lines(&place, "there/runs.jsonl") < 1 + 10 {
        assert!(study.try_wait().expect("a child").is_none(), "ended before the worker was killed");
        assert!(start.elapsed() < Duration::from_secs(120), "nothing comes");
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill();
    assert!(study.wait().expect("it ends").success());
    assert!(place.bytes("here/table.csv") == place.bytes("there/table.csv"), "the same bytes");
    assert_eq!(lines(&place, "there/runs.jsonl"), 1 + 60, "each run once");
    assert!(!place.file("there/parts").exists(), "nothing is left over");
}

/// A folder of tasks with the runs of [`STUDY`], as a cluster would find it.
fn array() -> Place {
    let place = place(STUDY);
    // The plan of a study that is stopped at once: there is no python3 on this path.
    let mut command = place.command(&["study", "t.toml", "--on", "hyperqueue"]);
    let ended = command.env("PATH", "").output().expect("it starts");
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("cannot start python3"), "{said}");
    place
}

#[test]
fn a_task_that_is_started_again_makes_only_what_is_left() {
    let place = array();
    let folder = "study-t/parts/0";
    let task = ["study", "task", folder, "1-3"];
    place.fine(&task);
    let first = place.text(&format!("{folder}/1-3.0.jsonl.part"));
    assert_eq!(first.lines().count(), 3);
    // Its worker was killed while it wrote the third.
    place.write(&format!("{folder}/1-3.0.jsonl.part"), &first[..first.len() - 9]);
    place.fine(&task);
    let second = place.text(&format!("{folder}/1-3.1.jsonl.part"));
    assert_eq!(second, first.lines().last().expect("three").to_owned() + "\n");
    place.refused(&["study", "task", folder, "4-5"], &["plan.jsonl: it has no runs 4-5"]);
    place.refused(&["study", "task", folder, "5-4"], &["expected FROM-TO"]);
    place.refused(&["study", "task", "none", "0-1"], &["expected the folder of an array"]);
}

#[test]
fn what_tasks_left_is_gathered_when_a_study_is_resumed() {
    let place = array();
    place.fine(&["study", "task", "study-t/parts/0", "0-4"]);
    // Nobody needs a server: there is nothing left to make.
    let args = ["study", "t.toml", "--on", "hyperqueue", "--resume"];
    place.fine(&args);
    assert_eq!(lines(&place, "study-t/runs.jsonl"), 1 + 5);
    place.fine(&["study", "t.toml", "--out", "whole"]);
    assert!(place.bytes("study-t/table.csv") == place.bytes("whole/table.csv"));
}

#[test]
fn a_regression_on_a_cluster_has_the_report_of_one_here() {
    if !has_hyperqueue() {
        return;
    }
    let place = Place::new();
    let run = |more: &[&str]| {
        place.command(&[&["regress", "quick", "--filter", "lockstep/dtbl8/rr/n1"], more].concat())
    };
    let ended = super::command::ended(run(&["--out", "here"]).output().expect("it starts"));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("text");
    let _server = Process::start("server", path);
    let _worker = Process::start("worker", path);
    let on = ["--out", "there", "--on", "hyperqueue", "--tasks", "4"];
    let there = run(&on).env("HQ_SERVER_DIR", path).output().expect("it starts");
    let there = super::command::ended(there);
    assert_eq!(there.status, 0, "{}", there.stderr);
    assert!(place.bytes("here/report.json") == place.bytes("there/report.json"), "the same bytes");
    assert_eq!(lines(&place, "here/results.jsonl"), lines(&place, "there/results.jsonl"));
    assert!(!place.file("there/parts").exists(), "nothing is left over");
    place.refused(
        &["regress", "quick", "--on", "slurm", "--shard", "1/2"],
        &["`--shard` and `--on` do not go together"],
    );
}
