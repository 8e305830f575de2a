//! The soak: what it draws, keeps and says.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use blockyard::regress::progress::Silent;
use blockyard::regress::soak::{render, run, Soaked};
use blockyard::regress::{
    case_seed, CaseResult, Draws, Outcome, RegressError, RegressOptions, RegressReport, Shard,
    Verdict,
};

use super::shown;

/// A case of one SMX on which little happens.
fn small(draws: &Draws) -> String {
    let ids = (0..50 * draws.round()).map(|number| draws.case(number).id);
    let mut small = ids.filter(|id| id.contains("/flat/rr/") && id.contains("/n1/"));
    small.next().expect("fifty rounds have one")
}

fn options(folder: &Path, filter: &str) -> RegressOptions {
    RegressOptions { filter: Some(filter.to_owned()), ..RegressOptions::new(folder) }
}

#[test]
fn the_id_of_a_case_runs_it_alone_and_resuming_takes_it_from_the_journal() {
    let draws = Draws::new(1);
    let id = small(&draws);
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path(), &id);
    let first = run(&draws, &options, None, &Silent).unwrap().report.results;
    assert_eq!(first.len(), 1);
    assert_eq!((&*first[0].id, first[0].seed), (&*id, case_seed(1, &id)));
    assert_eq!(first[0].outcome, Outcome::passed(16_000));
    options.resume = true;
    let second = run(&draws, &options, None, &Silent).unwrap().report.results;
    assert_eq!(second.len(), 1);
    assert!(second[0].resumed && !first[0].resumed);
}

#[test]
fn no_case_starts_when_the_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let options = RegressOptions::new(folder.path());
    let soaked = run(&Draws::new(1), &options, Some(Duration::ZERO), &Silent).unwrap();
    assert_eq!(soaked.report.results, []);
    let journal = fs::read_to_string(folder.path().join("results.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1, "the header alone: {journal}");
}

#[test]
fn a_stopped_soak_starts_no_case() {
    let folder = tempfile::tempdir().unwrap();
    let options = RegressOptions::new(folder.path());
    options.stop.raise();
    assert_eq!(run(&Draws::new(1), &options, None, &Silent).unwrap().report.results, []);
}

#[test]
fn a_filter_that_leaves_nothing_and_the_journal_of_another_seed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let draws = Draws::new(1);
    match run(&draws, &options(folder.path(), "zebra"), None, &Silent) {
        Err(RegressError::NothingMatches { .. }) => {}
        other => panic!("{other:?}"),
    }
    let options = RegressOptions::new(folder.path());
    run(&draws, &options, Some(Duration::ZERO), &Silent).unwrap();
    let other = RegressOptions { seed: 2, resume: true, ..options };
    let error = run(&Draws::new(2), &other, Some(Duration::ZERO), &Silent).unwrap_err();
    assert!(shown(error).contains("the journal has seed `1`, this run has `2`"));
}

#[test]
fn the_summary_has_cycles_by_family_and_each_failure_with_its_command() {
    let draws = Draws::new(1);
    let result = |number: u64, resumed, verdict| CaseResult {
        met: Default::default(),
        id: draws.case(number).id,
        seed: 5,
        outcome: Outcome { verdict, cycles: 8_000 },
        time: Duration::from_secs(2),
        resumed,
    };
    let failed = |message: &str| Verdict::Failed {
        message: message.to_owned(),
        repeat_command: Some("blockyard regress soak --seed 1 --filter X".to_owned()),
        artefacts: Vec::new(),
    };
    let other = (1..).find(|number| draws.family(*number) != draws.family(0));
    let other = other.expect("there are several families");
    let results = vec![
        result(0, true, Verdict::Passed),
        result(other, false, failed("SMX 3 is over-committed")),
        result(draws.round(), false, failed("SMX 12 is over-committed")),
    ];
    let families = [draws.family(0), draws.family(other)];
    let report = RegressReport {
        suite: "soak".to_owned(),
        seed: 1,
        shard: Shard::WHOLE,
        filter: None,
        version: "0.1.0".to_owned(),
        out: PathBuf::from("out"),
        results,
    };
    let text = render(&draws, &Soaked { report, wall: Duration::from_secs(4) });
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let row = |name: &str| rows.iter().find(|row| row[0] == name).expect(&text)[1..].to_vec();
    // One of its two cases is of the second round.
    assert_eq!(row(families[0]), ["2", "16000", "4000", "1"]);
    assert_eq!(row(families[1]), ["1", "8000", "4000", "1"]);
    assert_eq!(row("together"), ["3", "24000", "4000", "2"]);
    assert!(text.contains("FAILED (2 cases): SMX # is over-committed"), "{text}");
    assert_eq!(text.matches("repeat: blockyard regress soak --seed 1 --filter X").count(), 2);
    assert!(text.contains("this run: 16000 cycles in 0.0011 h, 4000 cycles/s"), "{text}");
}
