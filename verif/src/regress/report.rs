//! What a run gives back.

use std::path::PathBuf;
use std::time::Duration;

use blockyard_sim::sched::cover::Counts;
use serde::Serialize;

use crate::provenance::Origin;

use super::record::Record;
use super::{full_id, ExitStatus, Outcome, Shard, Verdict};

/// One case with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// The id without the seed.
    pub id: String,
    /// The seed that the case was given.
    pub seed: u64,
    /// How it ended. A failure always has its repeat command here; artefacts under the folder of
    /// the run are relative to it, others absolute.
    pub outcome: Outcome,
    /// Wall time that the case took, zero if it was not run.
    pub time: Duration,
    /// How often the case met each cover point, if the run counts that.
    pub met: Counts,
    /// Whether the result comes from the journal of an earlier run.
    pub resumed: bool,
}

impl CaseResult {
    /// The id with the seed.
    pub fn full_id(&self) -> String {
        full_id(&self.id, self.seed)
    }

    /// `passed`, `FAILED`, `skipped` or `not run`.
    pub fn word(&self) -> &'static str {
        match self.outcome.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed { .. } => "FAILED",
            Verdict::Skipped(_) => "skipped",
            Verdict::NotRun => "not run",
        }
    }

    /// The first line of what a failed or skipped case says, empty for others.
    pub fn cause(&self) -> &str {
        let text = match &self.outcome.verdict {
            Verdict::Failed { message, .. } => message,
            Verdict::Skipped(reason) => reason,
            Verdict::Passed | Verdict::NotRun => "",
        };
        text.lines().next().unwrap_or("")
    }
}

/// The results of a run, including those that it took from the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressReport {
    /// The suite.
    pub suite: String,
    /// The seed of the run.
    pub seed: u64,
    /// The share of the suite that was run.
    pub shard: Shard,
    /// The filter, if there was one.
    pub filter: Option<String>,
    /// The build of the tool, as in [`super::RegressOptions::version`].
    pub version: String,
    /// The folder of the run.
    pub out: PathBuf,
    /// Every selected case, in the order of the suite.
    pub results: Vec<CaseResult>,
}

/// Sums over a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that cannot run here.
    pub skipped: usize,
    /// Cases that the stop flag kept from running.
    pub not_run: usize,
    /// Cases whose result comes from the journal.
    pub resumed: usize,
    /// Simulated clock cycles.
    pub cycles: u64,
    /// Wall time of all cases, one after the other.
    pub time: Duration,
}

impl Totals {
    /// Passed cases in those that passed or failed, in tenths of a percent, rounded down so that
    /// only a run without failures shows 1000; `None` if no case passed or failed.
    pub fn pass_permille(&self) -> Option<usize> {
        (self.passed * 1000).checked_div(self.passed + self.failed)
    }
}

impl RegressReport {
    /// Sums over all results.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for result in &self.results {
            match result.outcome.verdict {
                Verdict::Passed => totals.passed += 1,
                Verdict::Failed { .. } => totals.failed += 1,
                Verdict::Skipped(_) => totals.skipped += 1,
                Verdict::NotRun => totals.not_run += 1,
            }
            totals.resumed += usize::from(result.resumed);
            totals.cycles = totals.cycles.saturating_add(result.outcome.cycles);
            totals.time += result.time;
        }
        totals
    }

    /// The exit status that the run deserves: interrupted if any case was not run, else failed if
    /// any failed.
    pub fn status(&self) -> ExitStatus {
        let totals = self.totals();
        if totals.not_run > 0 {
            ExitStatus::Interrupted
        } else if totals.failed > 0 {
            ExitStatus::Failed
        } else {
            ExitStatus::Passed
        }
    }

    /// The content of `report.json`: no times, no trace of what came from the journal, so that
    /// the same cases with the same results give the same bytes wherever they were run, but for the
    /// host that is named.
    ///
    /// # Errors
    /// None that are known; whatever `serde_json` says.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let totals = self.totals();
        let mut text = serde_json::to_string_pretty(&JsonReport {
            run: Origin::here(),
            suite: &self.suite,
            seed: self.seed,
            shard: self.shard.to_string(),
            filter: self.filter.as_deref(),
            passed: totals.passed,
            failed: totals.failed,
            skipped: totals.skipped,
            not_run: totals.not_run,
            cycles: totals.cycles,
            cases: self.results.iter().map(Record::of).collect(),
        })?;
        text.push('\n');
        Ok(text)
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    run: Origin,
    suite: &'a str,
    seed: u64,
    shard: String,
    filter: Option<&'a str>,
    passed: usize,
    failed: usize,
    skipped: usize,
    not_run: usize,
    cycles: u64,
    cases: Vec<Record>,
}
