//! What is refused, and what the diagnostic then names.

use std::fs;

use blockyard::regress::{main, Case, Outcome, RegressArgs, RegressError, RegressOptions, Shard};
use clap::Parser;

use super::{noting_suite, quietly, shown, suite, RunLog};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: RegressArgs,
}

fn parse(words: &[&str]) -> Result<RegressArgs, clap::Error> {
    Cli::try_parse_from(std::iter::once(&"regress").chain(words)).map(|cli| cli.args)
}

#[test]
fn arguments_out_of_range_end_with_status_2_and_name_the_value() {
    for (option, value) in [
        ("--shard", "0/3"),
        ("--shard", "4/3"),
        ("--shard", "x"),
        ("--jobs", "0"),
        ("--jobs", "-1"),
        ("--seed", "-1"),
        ("--seed", "x"),
    ] {
        let error = parse(&[&format!("{option}={value}")]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(&format!("'{value}'")), "{error}");
    }
    let args = parse(&["--shard", "3/3", "--jobs", "1", "--filter", "-x"]).unwrap();
    assert_eq!(args.shard, Shard::new(3, 3).unwrap());
    assert_eq!(args.filter.as_deref(), Some("-x"));
    let defaults = parse(&[]).unwrap();
    assert_eq!((defaults.seed, defaults.shard), (1, Shard::WHOLE));
}

#[test]
fn an_unknown_suite_is_refused_with_those_that_exist() {
    let args = parse(&["lockstap"]).unwrap();
    let report = main(&args, vec![noting_suite(1, &RunLog::default(), None)]).unwrap_err();
    let text = shown(report.downcast().unwrap());
    assert!(text.contains("unknown suite `lockstap`"), "{text}");
    assert!(text.contains("synthetic: cases for the tests of the runner"), "{text}");
    assert!(main(&parse(&[]).unwrap(), Vec::new()).is_err());
}

#[test]
fn a_run_of_nothing_is_refused_with_what_exists() {
    let folder = tempfile::tempdir().unwrap();
    let whole = noting_suite(25, &RunLog::default(), None);
    let options = RegressOptions::new(folder.path().join("out"));
    let nothing = RegressOptions { filter: Some("laperm".to_owned()), ..options.clone() };
    let text = shown(quietly(&whole, &nothing).unwrap_err());
    assert!(text.contains("no case of suite `synthetic` matches `laperm`"), "{text}");
    assert!(text.contains("case0 seed=") && text.contains("and 5 more"), "{text}");

    let beyond = RegressOptions { shard: Shard::new(26, 26).unwrap(), ..options.clone() };
    let text = shown(quietly(&whole, &beyond).unwrap_err());
    assert!(text.contains("shard 26/26") && text.contains("25 to run"), "{text}");

    let empty = quietly(&suite(Vec::new()), &options);
    assert!(matches!(empty, Err(RegressError::EmptySuite { .. })));
    assert!(!options.out.exists(), "refused before anything is made");
}

#[test]
fn two_cases_with_one_id_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let case = || Case::new("twin", 1, |_| Outcome::passed(0));
    let result = quietly(&suite(vec![case(), case()]), &RegressOptions::new(folder.path()));
    assert!(matches!(result, Err(RegressError::DuplicateCase { id, .. }) if id == "twin"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named_before_any_case_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for out in [file.clone(), file.join("out")] {
        let log = RunLog::default();
        let result = quietly(&noting_suite(1, &log, None), &RegressOptions::new(&out));
        let text = shown(result.unwrap_err());
        assert!(text.contains(&format!("cannot make {}", out.display())), "{text}");
        assert!(log.lock().unwrap().is_empty());
    }
}

#[test]
fn a_journal_that_cannot_be_written_is_named_before_any_case_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("results.jsonl/x")).unwrap();
    fs::create_dir_all(folder.path().join("results.jsonl.old/x")).unwrap();
    let log = RunLog::default();
    for resume in [false, true] {
        let options = RegressOptions { resume, ..RegressOptions::new(folder.path()) };
        let text = shown(quietly(&noting_suite(1, &log, None), &options).unwrap_err());
        assert!(text.contains("results.jsonl"), "{text}");
    }
    assert!(log.lock().unwrap().is_empty());
}

#[test]
fn a_junit_file_that_cannot_be_written_is_named_before_any_case_runs() {
    let folder = tempfile::tempdir().unwrap();
    let log = RunLog::default();
    for junit in [folder.path().to_owned(), folder.path().join("missing/report.xml")] {
        let options = RegressOptions {
            junit: Some(junit.clone()),
            ..RegressOptions::new(folder.path().join("out"))
        };
        let text = shown(quietly(&noting_suite(1, &log, None), &options).unwrap_err());
        assert!(text.contains(&junit.display().to_string()), "{text}");
    }
    assert!(log.lock().unwrap().is_empty());
}

#[test]
fn a_junit_file_may_lie_in_the_folder_of_the_run_which_is_made_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let words = ["--out", &path("new"), "--junit", &path("new/report.xml")].map(str::to_owned);
    let args = parse(&words.each_ref().map(String::as_str)).unwrap();
    let log = RunLog::default();
    main(&args, vec![noting_suite(1, &log, None)]).unwrap();
    assert_eq!(log.lock().unwrap().len(), 1);
    assert!(folder.path().join("new/report.xml").is_file());
}

#[test]
fn a_second_run_in_the_folder_of_a_running_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let outer = Case::new("outer", 1, move |_| {
        let log = RunLog::default();
        let inner = quietly(&noting_suite(1, &log, None), &RegressOptions::new(&path));
        match inner {
            Err(error @ RegressError::Locked { .. }) if log.lock().unwrap().is_empty() => {
                Outcome::failed(shown(error), 0)
            }
            other => panic!("{other:?}"),
        }
    });
    let report = quietly(&suite(vec![outer]), &RegressOptions::new(folder.path())).unwrap();
    let (message, _) = super::failure_of(&report, 0);
    let owner = format!("in use by another run (process {})", std::process::id());
    assert!(message.contains(&owner), "{message}");
    // The lock is gone with the run.
    quietly(&noting_suite(1, &RunLog::default(), None), &RegressOptions::new(folder.path()))
        .unwrap();
}
