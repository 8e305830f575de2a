//! What runs, in which order, with which seed, and what a panic or a stop does.

use std::sync::Mutex;

use blockyard::regress::progress::{Lines, Silent};
use blockyard::regress::{
    case_seed, run, Case, ExitStatus, Outcome, RegressOptions, Shard, StopFlag, Verdict,
};
use proptest::prelude::*;

use super::{failure_of, ids, noting_suite, quietly, suite, with_jobs, RunLog};

#[test]
fn the_heaviest_case_starts_first_and_the_report_keeps_the_order_of_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let log = RunLog::default();
    let case = |(id, weight): (&'static str, u32)| {
        let log = log.clone();
        Case::new(id, weight, move |_| {
            log.lock().unwrap().push(id.to_owned());
            Outcome::passed(0)
        })
    };
    let cases = [("light", 1), ("heavy", 9), ("b", 5), ("a", 5)].map(case);
    let report = quietly(&suite(cases.into()), &with_jobs(folder.path(), 1)).unwrap();
    assert_eq!(*log.lock().unwrap(), ["heavy", "b", "a", "light"]);
    assert_eq!(ids(&report), ["light", "heavy", "b", "a"]);
}

#[test]
fn a_case_gets_the_same_seed_alone_and_in_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let case = |id: &'static str| Case::new(id, 1, |context| Outcome::passed(context.seed));
    let whole = suite(vec![case("n1"), case("n13"), case("n2")]);
    let mut options = RegressOptions::new(folder.path());
    options.seed = 7;
    let together = quietly(&whole, &options).unwrap();
    options.filter = Some("n1".to_owned());
    let alone = quietly(&whole, &options).unwrap();
    assert_eq!(ids(&alone), ["n1"], "an exact id wins over a part of one");
    assert_eq!(alone.results[0].outcome.cycles, case_seed(7, "n1"));
    assert_eq!(alone.results[0].outcome, together.results[0].outcome);
    assert_ne!(together.results[0].seed, together.results[1].seed);
}

#[test]
fn the_full_id_is_a_filter_and_so_is_a_part_of_several_ids() {
    let folder = tempfile::tempdir().unwrap();
    let whole = noting_suite(12, &RunLog::default(), None);
    let mut options = RegressOptions::new(folder.path());
    options.filter = Some(format!("case1 seed={}", case_seed(1, "case1")));
    assert_eq!(ids(&quietly(&whole, &options).unwrap()), ["case1"]);
    options.filter = Some("se1".to_owned());
    let report = quietly(&whole, &options).unwrap();
    assert_eq!(ids(&report), ["case1", "case10", "case11"]);
}

#[test]
fn a_panic_is_a_failure_of_its_case_alone() {
    let folder = tempfile::tempdir().unwrap();
    let cases = vec![
        Case::new("before", 3, |_| Outcome::passed(1)),
        Case::new("rr(pa=1)", 2, |_| panic!("slot {} is taken", 4)),
        Case::new("after", 1, |_| Outcome::passed(1)),
    ];
    let report = quietly(&suite(cases), &with_jobs(folder.path(), 1)).unwrap();
    let (message, command) = failure_of(&report, 1);
    assert!(message.contains("run.rs:"), "{message}");
    assert!(message.ends_with("slot 4 is taken"), "{message}");
    assert_eq!(command, "blockyard regress synthetic --seed 1 --filter 'rr(pa=1)'");
    assert_eq!(report.totals().passed, 2);
    assert_eq!(report.status(), ExitStatus::Failed);
}

#[test]
fn a_stop_finishes_the_running_case_and_starts_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let log = RunLog::default();
    let options = with_jobs(folder.path(), 1);
    let whole = noting_suite(6, &log, Some((2, options.stop.clone())));
    let report = quietly(&whole, &options).unwrap();
    assert_eq!(*log.lock().unwrap(), ["case0", "case1"]);
    assert_eq!(report.results.len(), 6);
    let totals = report.totals();
    assert_eq!((totals.passed, totals.failed, totals.not_run), (1, 1, 4));
    assert_eq!(report.status(), ExitStatus::Interrupted);
}

#[test]
fn a_stop_in_the_last_case_interrupts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let options = with_jobs(folder.path(), 1);
    let stop = options.stop.clone();
    let only = Case::new("only", 1, move |_| {
        stop.raise();
        Outcome::passed(1)
    });
    let report = quietly(&suite(vec![only]), &options).unwrap();
    assert_eq!(report.status(), ExitStatus::Passed);
}

#[test]
fn a_case_that_gives_up_when_stopped_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let options = with_jobs(folder.path(), 1);
    let long = Case::new("long", 1, |context| {
        context.stop.raise();
        Outcome::not_run()
    });
    let report = quietly(&suite(vec![long]), &options).unwrap();
    assert_eq!(report.results[0].outcome.verdict, Verdict::NotRun);
    assert_eq!(report.status(), ExitStatus::Interrupted);
    let journal = std::fs::read_to_string(folder.path().join("results.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1, "the header alone");
}

#[test]
fn artefacts_are_those_of_this_run() {
    let folder = tempfile::tempdir().unwrap();
    let seen = std::sync::Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let case = Case::new("a/../b", 1, move |context| {
        noted.lock().unwrap().push(context.out.exists());
        let window = context.make_out().unwrap().join("window.vcd");
        assert!(!window.exists());
        std::fs::write(&window, "x").unwrap();
        Outcome {
            verdict: Verdict::Failed {
                message: "m".to_owned(),
                repeat_command: Some("mine".to_owned()),
                artefacts: vec![window],
            },
            cycles: 0,
        }
    });
    let whole = suite(vec![case]);
    for _ in 0..2 {
        let report = quietly(&whole, &RegressOptions::new(folder.path())).unwrap();
        assert_eq!(failure_of(&report, 0), ("m", "mine"));
        let Verdict::Failed { artefacts, .. } = &report.results[0].outcome.verdict else {
            unreachable!("checked above")
        };
        assert!(artefacts[0].starts_with("cases"), "{artefacts:?}");
        assert!(folder.path().join(&artefacts[0]).is_file());
    }
    assert_eq!(*seen.lock().unwrap(), [false, false]);
}

#[test]
fn progress_lines_count_every_finished_case() {
    let folder = tempfile::tempdir().unwrap();
    let lines = Lines::new(Vec::new());
    let whole = noting_suite(6, &RunLog::default(), None);
    run(&whole, &with_jobs(folder.path(), 1), &lines).unwrap();
    let text = String::from_utf8(lines.into_inner()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("[1/6] FAILED  case0 seed="), "{text}");
    assert!(lines[0].ends_with("  queue order"), "{text}");
    assert!(lines[5].starts_with("[6/6] skipped case5 seed="), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn the_shards_together_run_every_case_once(count in 1_usize..20, shards in 1_u32..6) {
        let log = RunLog::default();
        let whole = noting_suite(count, &log, None);
        for number in 1..=shards {
            let folder = tempfile::tempdir().unwrap();
            let mut options = with_jobs(folder.path(), 2);
            options.shard = Shard::new(number, shards).unwrap();
            // A shard beyond the number of cases is empty and refused.
            prop_assert_eq!(quietly(&whole, &options).is_ok(), number as usize <= count);
        }
        let mut ran = log.lock().unwrap().clone();
        ran.sort();
        let mut all: Vec<String> = whole.cases.iter().map(|case| case.id.clone()).collect();
        all.sort();
        prop_assert_eq!(ran, all);
    }
}

#[test]
fn a_raised_flag_runs_nothing_and_is_not_a_pass() {
    let folder = tempfile::tempdir().unwrap();
    let stop = StopFlag::new();
    stop.raise();
    let options = RegressOptions { stop, ..RegressOptions::new(folder.path()) };
    let log = RunLog::default();
    let report = run(&noting_suite(3, &log, None), &options, &Silent).unwrap();
    assert!(log.lock().unwrap().is_empty());
    assert_eq!(report.status(), ExitStatus::Interrupted);
}
