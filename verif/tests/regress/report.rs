//! The table, the JUnit report and `report.json`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use blockyard::regress::{
    buckets, render, CaseResult, Outcome, RegressOptions, RegressReport, Shard, Totals, Verdict,
};
use expect_test::expect;
use quick_junit::{NonSuccessKind, Report, TestCaseStatus};

use super::{noting_suite, quietly, with_jobs, RunLog};

fn result(id: &str, verdict: Verdict, cycles: u64, milliseconds: u64) -> CaseResult {
    CaseResult {
        id: id.to_owned(),
        seed: 7,
        outcome: Outcome { verdict, cycles },
        time: Duration::from_millis(milliseconds),
        met: Default::default(),
        resumed: milliseconds == 0,
    }
}

fn failed(message: &str, id: &str) -> Verdict {
    Verdict::Failed {
        message: message.to_owned(),
        repeat_command: Some(format!("blockyard regress lockstep --seed 1 --filter {id}")),
        artefacts: Vec::new(),
    }
}

fn sample() -> RegressReport {
    let mut with_window = failed("dispatch[3] differs\ncycle 41: expected 2, got 5", "rr/n4");
    if let Verdict::Failed { artefacts, .. } = &mut with_window {
        artefacts.push(PathBuf::from("cases/rr_n4.seed7/window.vcd"));
    }
    RegressReport {
        suite: "lockstep".to_owned(),
        seed: 1,
        shard: Shard::WHOLE,
        filter: None,
        version: "0.1.0".to_owned(),
        out: PathBuf::from("out"),
        results: vec![
            result("fifo/n1", failed("SMX 0 is over-committed", "fifo/n1"), 9, 10),
            result("rr/n1", Verdict::Passed, 1_000_000, 1_234),
            result("rr/n4", with_window, 41, 20),
            result("rr/n13", failed("dispatch[3] differs\nsomewhere", "rr/n13"), 77, 0),
            result("verilog/rr", Verdict::Skipped("no iverilog\non PATH".into()), 0, 5),
            result("rr/n16", Verdict::NotRun, 0, 0),
        ],
    }
}

#[test]
fn the_table_lists_all_cases_then_failures_by_cause_then_totals() {
    expect![[r#"
        | case              |  cycles | result               |   time |
        |-------------------|---------|----------------------|--------|
        | fifo/n1 seed=7    |       9 | FAILED               | 0.01 s |
        | rr/n1 seed=7      | 1000000 | passed               | 1.23 s |
        | rr/n4 seed=7      |      41 | FAILED               | 0.02 s |
        | rr/n13 seed=7     |      77 | FAILED               | 0.00 s |
        | verilog/rr seed=7 |       0 | skipped: no iverilog | 0.01 s |
        | rr/n16 seed=7     |       0 | not run              |      - |

        FAILED (2 cases): dispatch[3] differs
          rr/n4 seed=7
            repeat: blockyard regress lockstep --seed 1 --filter rr/n4
            artefact: out/cases/rr_n4.seed7/window.vcd
            cycle 41: expected 2, got 5
          rr/n13 seed=7
            repeat: blockyard regress lockstep --seed 1 --filter rr/n13

        FAILED (1 case): SMX 0 is over-committed
          fifo/n1 seed=7
            repeat: blockyard regress lockstep --seed 1 --filter fifo/n1

        lockstep seed=1: 6 cases, 1 passed, 3 failed (2 causes), 1 skipped, 1 not run
        pass rate 25.0 %, 1000127 cycles, 1.27 s of case time, 2 results from the journal
        stopped early: the same command with --resume runs the rest
    "#]]
    .assert_eq(&render(&sample()));
}

#[test]
fn failures_with_the_same_first_line_are_one_bucket_and_the_largest_comes_first() {
    let report = sample();
    let found: Vec<(&str, usize)> =
        buckets(&report).iter().map(|bucket| (bucket.cause, bucket.results.len())).collect();
    assert_eq!(found, [("dispatch[3] differs", 2), ("SMX 0 is over-committed", 1)]);
}

#[test]
fn only_a_run_without_failures_has_a_pass_rate_of_100_percent() {
    let rate = |passed, failed| Totals { passed, failed, ..Totals::default() }.pass_permille();
    assert_eq!(rate(5, 0), Some(1000));
    assert_eq!(rate(9_999, 1), Some(999));
    assert_eq!(rate(0, 3), Some(0));
    assert_eq!(rate(0, 0), None);
}

#[test]
fn the_report_does_not_depend_on_the_order_of_finishing() {
    let read = |jobs| {
        let folder = tempfile::tempdir().unwrap();
        let options = with_jobs(folder.path(), jobs);
        quietly(&noting_suite(40, &RunLog::default(), None), &options).unwrap();
        fs::read_to_string(folder.path().join("report.json")).unwrap()
    };
    let one = read(1);
    assert_eq!(one, read(4));
    assert!(!one.contains("time"), "{one}");
    let parsed: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(parsed["cases"].as_array().unwrap().len(), 40);
    assert_eq!(parsed["cases"][39]["result"], "failed");
    assert_eq!(parsed["failed"], 14);
}

#[test]
fn junit_has_every_case_with_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xml");
    fs::write(&path, "an older report").unwrap();
    let mut options = RegressOptions::new(folder.path().join("out"));
    options.junit = Some(path.clone());
    options.seed = 11;
    let ours = quietly(&noting_suite(6, &RunLog::default(), None), &options).unwrap();

    let xml = fs::read_to_string(&path).unwrap();
    let parsed = Report::deserialize_from_str(&xml).unwrap();
    assert_eq!((parsed.tests, parsed.failures, parsed.skipped), (6, 2, 1));
    let suite = &parsed.test_suites[0];
    let property = |name: &str| {
        let found = suite.properties.iter().find(|p| p.name.as_str() == name);
        found.map(|p| p.value.as_str())
    };
    assert_eq!(property("seed"), Some("11"));
    assert_eq!(property("interrupted"), Some("false"));
    for name in ["version", "revision", "host"] {
        assert!(property(name).is_some_and(|value| !value.is_empty()), "{name}");
    }
    for (case, result) in suite.test_cases.iter().zip(&ours.results) {
        assert_eq!(case.name.as_str(), result.full_id());
        let seed = case.properties.iter().find(|p| p.name.as_str() == "seed");
        assert_eq!(seed.unwrap().value.as_str(), result.seed.to_string());
        let agrees = match (&case.status, &result.outcome.verdict) {
            (TestCaseStatus::Success { .. }, Verdict::Passed) => true,
            (TestCaseStatus::NonSuccess { kind, message, .. }, Verdict::Failed { .. }) => {
                let output = case.system_out.as_ref().unwrap().as_str();
                assert!(output.contains("blockyard regress synthetic --seed 11"), "{output}");
                assert_eq!(message.as_ref().unwrap().as_str(), "queue order");
                *kind == NonSuccessKind::Failure
            }
            (TestCaseStatus::Skipped { message, .. }, Verdict::Skipped(reason)) => {
                message.as_ref().unwrap().as_str() == reason
            }
            _ => false,
        };
        assert!(agrees, "{case:?}");
    }
}

#[test]
fn junit_of_an_interrupted_run_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xml");
    let mut options = with_jobs(&folder.path().join("out"), 1);
    options.junit = Some(path.clone());
    let stop = options.stop.clone();
    quietly(&noting_suite(4, &RunLog::default(), Some((1, stop))), &options).unwrap();
    let xml = fs::read_to_string(&path).unwrap();
    assert!(xml.contains(r#"<property name="interrupted" value="true"/>"#), "{xml}");
    assert_eq!(xml.matches("not run: the run was stopped").count(), 3);
}
