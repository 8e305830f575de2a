//! What cases meet is counted if somebody asks, and survives the journal, shards and resuming.

use std::fs;

use blockyard::coverage::CoverageReport;
use blockyard::regress::{suites, Case, Outcome, RegressOptions, Shard, Suite};
use blockyard_sim::sched::cover;

use super::{quietly, suite, with_jobs};

/// A point that there is.
const POINT: &str = "dtbl/search: an equal kernel";

/// `case0` to `case3`; each meets [`POINT`] once more often than its number.
fn meeting() -> Suite {
    let case = |number: u64| {
        Case::new(format!("case{number}"), 1, move |_| {
            cover::add(POINT.into(), number + 1);
            Outcome::passed(1)
        })
    };
    suite((0..4).map(case).collect())
}

fn counting(options: RegressOptions) -> RegressOptions {
    RegressOptions { coverage: true, ..options }
}

fn times(report: &CoverageReport) -> u64 {
    report.points.iter().find(|row| row.name == POINT).expect("the point").met
}

#[test]
fn a_run_that_counts_has_what_was_met_and_one_that_does_not_has_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let report = quietly(&meeting(), &counting(with_jobs(folder.path(), 2))).unwrap();
    assert_eq!(times(&CoverageReport::of(&report)), 1 + 2 + 3 + 4);
    assert!(!report.to_json().unwrap().contains("\"met\""), "`report.json` is as it was");
    let report = quietly(&meeting(), &with_jobs(folder.path(), 2)).unwrap();
    assert!(report.results.iter().all(|result| result.met.is_empty()));
}

#[test]
fn a_resumed_run_has_what_was_met_before_and_refuses_a_journal_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = counting(with_jobs(folder.path(), 1));
    let whole = quietly(&meeting(), &options).unwrap();
    let resumed = RegressOptions { resume: true, ..options };
    let again = quietly(&meeting(), &resumed).unwrap();
    assert!(again.results.iter().all(|result| result.resumed));
    assert_eq!(CoverageReport::of(&again), CoverageReport::of(&whole));
    let error = quietly(&meeting(), &RegressOptions { coverage: false, ..resumed }).unwrap_err();
    assert!(error.to_string().contains("coverage"), "{error}");
}

#[test]
fn shards_have_together_what_the_whole_run_has() {
    let folder = tempfile::tempdir().unwrap();
    let whole = quietly(&meeting(), &counting(with_jobs(folder.path(), 1))).unwrap();
    let shard = |number| {
        let shard = Shard::new(number, 2).unwrap();
        let options = RegressOptions { shard, ..counting(with_jobs(folder.path(), 1)) };
        CoverageReport::of(&quietly(&meeting(), &options).unwrap())
    };
    let mut merged = shard(1);
    assert!(!merged.is_whole() && times(&merged) < 10);
    merged.merge(&shard(2), "second.json").unwrap();
    assert!(merged.is_whole());
    assert_eq!(merged.points, CoverageReport::of(&whole).points);
}

#[test]
fn random_traffic_has_near_misses_in_one_bit_and_grids_that_are_long_along_y() {
    let quick = suites().into_iter().find(|suite| suite.name == "quick").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let few = ["n2", "n3", "n4", "n5"].map(|smx| format!("lockstep/dtbl8/rr/{smx}/"));
    let case = quick.cases.iter().find(|case| few.iter().any(|id| case.id.starts_with(id)));
    let filter = Some(case.expect("one on a few SMXs").id.clone());
    let options = RegressOptions { filter, ..counting(with_jobs(folder.path(), 1)) };
    let report = CoverageReport::of(&quietly(&quick, &options).unwrap());
    for name in [
        "dtbl/search: only the PC differs",
        "dtbl/search: only the block's x differs",
        "dtbl/search: only the block's y differs",
        "dtbl/search: only the block's z differs",
        "dispatch/room: only threads lack",
        "rr/ports/grid: more than 255 blocks along y",
        "rr/ports/pair: a block ends, a block is dispatched",
    ] {
        let met = report.points.iter().find(|row| row.name == name).map(|row| row.met);
        assert!(met.is_some_and(|times| times > 0), "{name}: {met:?}");
    }
    let text = blockyard::coverage::page(&report, "blockyard regress").html();
    assert!(text.contains("only the PC differs") && text.contains("not held against"));
    fs::write(folder.path().join("c.json"), report.to_json().unwrap()).unwrap();
    let read = CoverageReport::read(&folder.path().join("c.json")).unwrap();
    assert_eq!(read, report);
}
