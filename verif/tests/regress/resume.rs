//! What `--resume` takes from the journal, and which journals it refuses.

use std::fs;
use std::path::Path;

use blockyard::regress::{Case, Outcome, RegressOptions, Shard};
use proptest::prelude::*;

use super::{noting_suite, quietly, shown, suite, with_jobs, RunLog};

fn resumed(options: &RegressOptions) -> RegressOptions {
    RegressOptions { resume: true, stop: Default::default(), ..options.clone() }
}

fn report_json(folder: &Path) -> String {
    fs::read_to_string(folder.join("report.json")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn stop_and_resume_run_every_case_once_and_report_as_one_run(
        count in 1_usize..12,
        stops in proptest::collection::vec(1_usize..5, 0..3),
        jobs in 1_usize..4,
    ) {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let log = RunLog::default();
        let mut options = with_jobs(folder.path(), jobs);
        for more in stops {
            let last = log.lock().unwrap().len() + more;
            quietly(&noting_suite(count, &log, Some((last, options.stop.clone()))), &options)
                .unwrap();
            options = resumed(&options);
        }
        let pieces = quietly(&noting_suite(count, &log, None), &options).unwrap();
        let mut ran = log.lock().unwrap().clone();
        ran.sort();
        ran.dedup();
        prop_assert_eq!(ran.len(), count);
        prop_assert_eq!(log.lock().unwrap().len(), count);
        quietly(&noting_suite(count, &RunLog::default(), None), &with_jobs(other.path(), 1))
            .unwrap();
        prop_assert_eq!(pieces.results.len(), count);
        prop_assert_eq!(report_json(folder.path()), report_json(other.path()));
    }
}

#[test]
fn a_journal_cut_anywhere_in_its_last_line_runs_that_case_again_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let options = with_jobs(folder.path(), 1);
    quietly(&noting_suite(4, &RunLog::default(), None), &options).unwrap();
    let (journal, report) = (fs::read(&path).unwrap(), report_json(folder.path()));
    let start = journal[..journal.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
    for cut in start..journal.len() {
        fs::write(&path, &journal[..cut]).unwrap();
        let log = RunLog::default();
        let whole = noting_suite(4, &log, None);
        let result = quietly(&whole, &resumed(&options)).unwrap();
        assert_eq!(*log.lock().unwrap(), ["case3"], "cut at byte {cut}");
        assert_eq!(result.totals().resumed, 3);
        assert_eq!(report_json(folder.path()), report);
        // No line is glued to the torn one: the journal is whole again.
        let again = quietly(&whole, &resumed(&options)).unwrap();
        assert_eq!(again.totals().resumed, 4, "cut at byte {cut}");
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
    }
}

#[test]
fn a_journal_cut_in_its_header_is_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let options = with_jobs(folder.path(), 1);
    for cut in [None, Some(""), Some("{\"suite\":\"synth")] {
        if let Some(text) = cut {
            fs::write(&path, text).unwrap();
        }
        let log = RunLog::default();
        quietly(&noting_suite(2, &log, None), &resumed(&options)).unwrap();
        assert_eq!(log.lock().unwrap().len(), 2, "{cut:?}");
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }
}

#[test]
fn failed_and_skipped_cases_are_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let options = with_jobs(folder.path(), 1);
    let first = quietly(&noting_suite(6, &RunLog::default(), None), &options).unwrap();
    let log = RunLog::default();
    let second = quietly(&noting_suite(6, &log, None), &resumed(&options)).unwrap();
    assert!(log.lock().unwrap().is_empty());
    for (a, b) in first.results.iter().zip(&second.results) {
        assert_eq!((&a.id, a.seed, &a.outcome), (&b.id, b.seed, &b.outcome));
        assert!(b.resumed && !a.resumed);
    }
}

#[test]
fn without_resume_the_old_journal_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = with_jobs(folder.path(), 1);
    quietly(&noting_suite(2, &RunLog::default(), None), &options).unwrap();
    let old = fs::read(folder.path().join("results.jsonl")).unwrap();
    options.seed = 2;
    let log = RunLog::default();
    quietly(&noting_suite(2, &log, None), &options).unwrap();
    assert_eq!(log.lock().unwrap().len(), 2);
    assert_eq!(fs::read(folder.path().join("results.jsonl.old")).unwrap(), old);
    assert_ne!(fs::read(folder.path().join("results.jsonl")).unwrap(), old);
}

#[test]
fn the_journal_of_another_run_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let options = with_jobs(folder.path(), 1);
    let log = RunLog::default();
    quietly(&noting_suite(3, &log, None), &options).unwrap();
    let journal = fs::read(&path).unwrap();
    let good = resumed(&options);
    let others = [
        ("seed `1`, this run has `2`", RegressOptions { seed: 2, ..good.clone() }),
        (
            "shard `1/1`, this run has `1/2`",
            RegressOptions { shard: Shard::new(1, 2).unwrap(), ..good.clone() },
        ),
        (
            "filter `none`, this run has `case`",
            RegressOptions { filter: Some("case".to_owned()), ..good.clone() },
        ),
        (
            "version `0.1.0`, this run has `0.1.0+new`",
            RegressOptions { version: "0.1.0+new".to_owned(), ..good.clone() },
        ),
    ];
    for (expected, mut other) in others {
        if !expected.starts_with("version") {
            other.version.clone_from(&options.version);
        }
        let text = shown(quietly(&noting_suite(3, &log, None), &other).unwrap_err());
        let expected = expected.replace("0.1.0`,", &format!("{}`,", options.version));
        assert!(text.contains(&expected), "{text}");
        assert!(text.contains("results.jsonl line 1"), "{text}");
    }
    let mut renamed = noting_suite(3, &log, None);
    renamed.name = "other".to_owned();
    let text = shown(quietly(&renamed, &good).unwrap_err());
    assert!(text.contains("suite `synthetic`, this run has `other`"), "{text}");
    assert_eq!(log.lock().unwrap().len(), 3);
    assert_eq!(fs::read(&path).unwrap(), journal);
}

#[test]
fn a_whole_line_that_no_run_has_written_is_refused_with_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let options = with_jobs(folder.path(), 1);
    quietly(&noting_suite(2, &RunLog::default(), None), &options).unwrap();
    let journal = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let wrong = [
        ("garbage\n".to_owned(), "found `garbage`, expected the result of a case (column 1"),
        ("{}\n".to_owned(), "found `{}`, expected the result of a case"),
        (format!("{}\n", lines[1]), "found `case0`, expected every case at most once"),
        (lines[1].replace("case0", "gone") + "\n", "found `gone`, expected a case of this run"),
        (lines[2].replace("\"seed\":", "\"seed\":1"), "the seed"),
        (lines[2].replace("passed", "not_run"), "found `not_run`, expected `passed`"),
        (lines[0].to_owned(), "expected the result of a case"),
    ];
    for (line, expected) in wrong {
        let line = line.trim_end();
        fs::write(&path, format!("{}\n{}\n{line}\n", lines[0], lines[1])).unwrap();
        let error = quietly(&noting_suite(2, &RunLog::default(), None), &resumed(&options));
        let text = shown(error.unwrap_err());
        assert!(text.contains("results.jsonl line 3"), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_message_of_several_lines_survives_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let options = RegressOptions::new(folder.path());
    let text = "clock \"k\"\n\t|--+  +--\u{1b}[1m µ\r\nend";
    let whole = || suite(vec![Case::new("c", 1, move |_| Outcome::failed(text, u64::MAX))]);
    let first = quietly(&whole(), &options).unwrap();
    let second = quietly(&whole(), &resumed(&options)).unwrap();
    assert_eq!(first.results[0].outcome, second.results[0].outcome);
}
