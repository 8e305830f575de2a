//! The regression runner on synthetic suites: what it runs, keeps, repeats and refuses.

mod bad_use;
mod coverage;
mod page;
mod process;
mod report;
mod resume;
mod run;
mod soak;

use std::path::Path;
use std::sync::{Arc, Mutex};

use blockyard::regress::progress::Silent;
use blockyard::regress::{
    run, Case, Outcome, RegressError, RegressOptions, RegressReport, StopFlag, Suite, Verdict,
};

/// The ids of the cases that have run, in order of starting.
type RunLog = Arc<Mutex<Vec<String>>>;

fn suite(cases: Vec<Case>) -> Suite {
    Suite::new("synthetic", "cases for the tests of the runner", || cases)
}

/// Cases `case0`, `case1`, ... that note their id, and raise `stop` if they are the `last` to run.
/// Every third fails, every fifth is skipped; the first of both is `case0`, which fails.
fn noting_suite(count: usize, log: &RunLog, last: Option<(usize, StopFlag)>) -> Suite {
    let case = |i: usize| {
        let (log, last) = (log.clone(), last.clone());
        Case::new(format!("case{i}"), 1, move |_| {
            let mut log = log.lock().unwrap();
            log.push(format!("case{i}"));
            match &last {
                Some((count, stop)) if log.len() == *count => stop.raise(),
                _ => {}
            }
            match i {
                _ if i.is_multiple_of(3) => Outcome::failed("queue order\nin this case", i as u64),
                _ if i.is_multiple_of(5) => Outcome::skipped("no iverilog"),
                _ => Outcome::passed(1000 + i as u64),
            }
        })
    };
    suite((0..count).map(case).collect())
}

fn quietly(suite: &Suite, options: &RegressOptions) -> Result<RegressReport, RegressError> {
    run(suite, options, &Silent)
}

fn with_jobs(folder: &Path, jobs: usize) -> RegressOptions {
    RegressOptions { jobs: Some(jobs.try_into().unwrap()), ..RegressOptions::new(folder) }
}

fn ids(report: &RegressReport) -> Vec<&str> {
    report.results.iter().map(|result| result.id.as_str()).collect()
}

fn failure_of(report: &RegressReport, i: usize) -> (&str, &str) {
    match &report.results[i].outcome.verdict {
        Verdict::Failed { message, repeat_command: Some(command), .. } => (message, command),
        other => panic!("{other:?}"),
    }
}

/// The diagnostic as the user sees it, without colours and line breaks.
fn shown(error: RegressError) -> String {
    let mut text = String::new();
    miette::NarratableReportHandler::new().render_report(&mut text, &error).unwrap();
    text
}
