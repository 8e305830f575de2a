//! The journal `results.jsonl`: what survives Ctrl-C, a crash and a power cut.
//!
//! The first line is the header, every other line one finished case, which is on the disk before
//! the next case starts on that worker. The case of a torn line runs again.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use blockyard_sim::sched::cover::Counts;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::record::{Record, Word};
use super::{CaseResult, RegressError};
use crate::line_file::{LineFile, LineFileError};

/// What a run and the journal that it resumes must have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) suite: String,
    pub(super) seed: u64,
    pub(super) shard: String,
    pub(super) filter: Option<String>,
    pub(super) version: String,
    /// Whether each line has what its case met.
    #[serde(default)]
    pub(super) coverage: bool,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    record: Record,
    time_us: u64,
    /// What the case met; not in `report.json`, which has no more than it shows.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    met: Counts,
}

impl Line {
    fn into_result(self) -> CaseResult {
        let Self { record, time_us, met } = self;
        CaseResult { met, ..record.into_result(Duration::from_micros(time_us)) }
    }
}

/// An open journal that takes one line after the other.
#[derive(Debug)]
pub(super) struct Journal(pub(super) LineFile);

impl Journal {
    /// Starts anew; the journal of an earlier run is renamed to `results.jsonl.old`.
    ///
    /// # Errors
    /// [`RegressError::Folder`] if the file cannot be renamed or written.
    pub(super) fn start(folder: &Path, header: &Header) -> Result<Self, RegressError> {
        let path = folder.join("results.jsonl");
        match fs::rename(&path, folder.join("results.jsonl.old")) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(RegressError::Folder { action: "rename", path, source })
            }
            _ => Self::create(&path, header),
        }
    }

    /// Goes on with the journal in `folder`; starts one if there is none, or none but a torn
    /// header. Gives the results that it holds. `seed_of` knows the cases of this run by their ids.
    ///
    /// # Errors
    /// [`RegressError::JournalOfAnotherRun`], [`RegressError::JournalLine`], or
    /// [`RegressError::Folder`] if the file cannot be read or written.
    pub(super) fn resume(
        folder: &Path,
        header: &Header,
        seed_of: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<(Self, Vec<CaseResult>), RegressError> {
        let path = folder.join("results.jsonl");
        let lines = LineFile::lines(&path)?;
        let mut lines = (1..).zip(lines.iter().map(String::as_str));
        let Some((number, first)) = lines.next() else {
            return Ok((Self::create(&path, header)?, Vec::new()));
        };
        let found = parse(&path, number, first, "the header of a journal")?;
        compare(&path, &found, header)?;
        let mut results = Vec::new();
        let mut seen = HashSet::new();
        for (number, line) in lines {
            let line: Line = parse(&path, number, line, "the result of a case")?;
            let record = &line.record;
            let wrong = |found: String, expected: &str| RegressError::JournalLine {
                path: path.clone(),
                line: number,
                found,
                expected: expected.to_owned(),
            };
            match seed_of(&record.case) {
                None => return Err(wrong(record.case.clone(), "a case of this run")),
                Some(seed) if seed != record.seed => {
                    let expected = format!("the seed {seed} of {}", record.case);
                    return Err(wrong(record.seed.to_string(), &expected));
                }
                Some(_) if record.result == Word::NotRun => {
                    return Err(wrong("not_run".into(), "`passed`, `failed` or `skipped`"));
                }
                Some(_) if !seen.insert(record.case.clone()) => {
                    return Err(wrong(record.case.clone(), "every case at most once"));
                }
                Some(_) => results.push(line.into_result()),
            }
        }
        Ok((Self(LineFile::reopen(path)?), results))
    }

    /// Adds a finished case and waits until it is on the disk. After a failure the journal takes
    /// no more lines.
    ///
    /// # Errors
    /// [`RegressError::Folder`], the first time that the file cannot be written.
    pub(super) fn append(&self, result: &CaseResult) -> Result<(), RegressError> {
        self.0.append(&Line {
            record: Record::of(result),
            time_us: u64::try_from(result.time.as_micros()).unwrap_or(u64::MAX),
            met: result.met.clone(),
        })?;
        Ok(())
    }

    fn create(path: &Path, header: &Header) -> Result<Self, RegressError> {
        let file = LineFile::create(path.to_owned())?;
        file.append(header)?;
        Ok(Self(file))
    }
}

/// The result that a line of a journal is.
///
/// # Errors
/// It is something else, as the header is.
pub(super) fn result(line: &str) -> Result<CaseResult, serde_json::Error> {
    let line: Line = serde_json::from_str(line)?;
    Ok(CaseResult { resumed: false, ..line.into_result() })
}

impl From<LineFileError> for RegressError {
    fn from(error: LineFileError) -> Self {
        let LineFileError { action, path, source } = error;
        Self::Folder { action, path, source }
    }
}

fn parse<T: DeserializeOwned>(
    path: &Path,
    line: usize,
    text: &str,
    expected: &str,
) -> Result<T, RegressError> {
    serde_json::from_str(text).map_err(|e| RegressError::JournalLine {
        path: path.to_owned(),
        line,
        found: text.chars().take(60).collect(),
        expected: format!("{expected} (column {}: {e})", e.column()),
    })
}

fn compare(path: &Path, found: &Header, expected: &Header) -> Result<(), RegressError> {
    let filter = |header: &Header| header.filter.clone().unwrap_or_else(|| "none".to_owned());
    let fields = [
        ("suite", found.suite.clone(), expected.suite.clone()),
        ("seed", found.seed.to_string(), expected.seed.to_string()),
        ("shard", found.shard.clone(), expected.shard.clone()),
        ("filter", filter(found), filter(expected)),
        ("version", found.version.clone(), expected.version.clone()),
        ("coverage", found.coverage.to_string(), expected.coverage.to_string()),
    ];
    match fields.into_iter().find(|(_, found, expected)| found != expected) {
        None => Ok(()),
        Some((field, found, expected)) => {
            Err(RegressError::JournalOfAnotherRun { path: path.to_owned(), field, found, expected })
        }
    }
}
