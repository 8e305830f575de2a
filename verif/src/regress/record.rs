//! A result as it stands in the journal and in `report.json`.

use std::path::PathBuf;
use std::time::Duration;

use blockyard_sim::sched::cover::Counts;
use serde::{Deserialize, Serialize};

use super::{CaseResult, Outcome, Verdict};

/// How a case ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    Passed,
    Failed,
    Skipped,
    NotRun,
}

/// A result without its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) case: String,
    pub(super) seed: u64,
    pub(super) result: Word,
    pub(super) cycles: u64,
    /// The message of a failure or the reason of a skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) repeat: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) artefacts: Vec<String>,
}

impl Record {
    /// The record of a result.
    pub(super) fn of(result: &CaseResult) -> Self {
        let mut record = Self {
            case: result.id.clone(),
            seed: result.seed,
            result: Word::Passed,
            cycles: result.outcome.cycles,
            message: None,
            repeat: None,
            artefacts: Vec::new(),
        };
        match &result.outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed { message, repeat_command, artefacts } => {
                record.result = Word::Failed;
                record.message = Some(message.clone());
                record.repeat = repeat_command.clone();
                record.artefacts =
                    artefacts.iter().map(|path| path.to_string_lossy().into_owned()).collect();
            }
            Verdict::Skipped(reason) => {
                record.result = Word::Skipped;
                record.message = Some(reason.clone());
            }
            Verdict::NotRun => record.result = Word::NotRun,
        }
        record
    }

    /// The result that the journal has kept.
    pub(super) fn into_result(self, time: Duration) -> CaseResult {
        let text = self.message.unwrap_or_default();
        let verdict = match self.result {
            Word::Passed => Verdict::Passed,
            Word::Failed => Verdict::Failed {
                message: text,
                repeat_command: self.repeat,
                artefacts: self.artefacts.into_iter().map(PathBuf::from).collect(),
            },
            Word::Skipped => Verdict::Skipped(text),
            Word::NotRun => Verdict::NotRun,
        };
        CaseResult {
            id: self.case,
            seed: self.seed,
            outcome: Outcome { verdict, cycles: self.cycles },
            time,
            met: Counts::new(),
            resumed: true,
        }
    }
}
