//! What a run, or several shards of it, has met.

use super::points;
use crate::regress::{RegressReport, Shard, Verdict};
use blockyard_sim::diagnostic::InputError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The file that `--coverage` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageReport {
    /// The suite.
    pub suite: String,
    /// The seed of the run.
    pub seed: u64,
    /// The shares of the suite that were run, such as `1/4`.
    pub shards: BTreeSet<String>,
    /// The filter, if there was one.
    pub filter: Option<String>,
    /// Cases that were not run, or failed: what they would have met is not known.
    pub unfinished: usize,
    /// Every point.
    pub points: Vec<Row>,
}

/// A point and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its full name.
    pub name: String,
    /// Where it is described.
    pub section: String,
    /// How often it was met.
    pub met: u64,
    /// Why nothing can meet it, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never: Option<String>,
}

/// Why files do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum CoverageError {
    /// They are of different runs.
    #[error("{path}: its {what} is `{found}`, that of the files before it is `{expected}`")]
    #[diagnostic(help("merge the shards of one run: the same suite, seed, filter and build"))]
    Another {
        /// The file.
        path: String,
        /// What differs.
        what: &'static str,
        /// Of this file.
        found: String,
        /// Of the others.
        expected: String,
    },
    /// A shard is there twice.
    #[error("{path}: shard {shard} is in a file before it, too")]
    #[diagnostic(help("give each shard once"))]
    Twice {
        /// The file.
        path: String,
        /// The shard.
        shard: String,
    },
}

impl CoverageReport {
    /// What the cases of a run have met.
    pub fn of(run: &RegressReport) -> Self {
        let mut met = BTreeMap::<&str, u64>::new();
        for result in &run.results {
            for (name, times) in &result.met {
                *met.entry(name).or_default() += times;
            }
        }
        let open = |verdict: &Verdict| matches!(verdict, Verdict::NotRun | Verdict::Failed { .. });
        let points = points().into_iter().map(|point| Row {
            met: met.get(point.name.as_str()).copied().unwrap_or(0),
            name: point.name,
            section: point.section.to_owned(),
            never: point.never.map(str::to_owned),
        });
        Self {
            suite: run.suite.clone(),
            seed: run.seed,
            shards: BTreeSet::from([run.shard.to_string()]),
            filter: run.filter.clone(),
            unfinished: run.results.iter().filter(|result| open(&result.outcome.verdict)).count(),
            points: points.collect(),
        }
    }

    /// Reads the file of another run.
    ///
    /// # Errors
    /// When it cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::new(format!("cannot read {name}: {error}")))?;
        serde_json::from_str(&text).map_err(|error| {
            let line = error.line();
            let text = format!("{name}:{line}: expected what `regress --coverage` writes: {error}");
            InputError::new(text)
        })
    }

    /// Its file.
    ///
    /// # Errors
    /// None that are known; whatever `serde_json` says.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Adds other shards of the same run, which stand in the file `path`.
    ///
    /// # Errors
    /// When they are of another run, or there already.
    pub fn merge(&mut self, other: &Self, path: &str) -> Result<(), CoverageError> {
        let names = |report: &Self| -> BTreeSet<String> {
            report.points.iter().map(|row| row.name.clone()).collect()
        };
        let points = |report: &Self| match names(report) == names(self) {
            true => "the same".to_owned(),
            false => "others".to_owned(),
        };
        let filter = |report: &Self| report.filter.clone().unwrap_or_else(|| "none".to_owned());
        for (what, found, expected) in [
            ("suite", other.suite.clone(), self.suite.clone()),
            ("seed", other.seed.to_string(), self.seed.to_string()),
            ("filter", filter(other), filter(self)),
            ("list of points", points(other), points(self)),
        ] {
            if found != expected {
                let path = path.to_owned();
                return Err(CoverageError::Another { path, what, found, expected });
            }
        }
        if let Some(shard) = self.shards.intersection(&other.shards).next() {
            return Err(CoverageError::Twice { path: path.to_owned(), shard: shard.clone() });
        }
        self.shards.extend(other.shards.iter().cloned());
        self.unfinished += other.unfinished;
        let more: BTreeMap<&str, u64> =
            other.points.iter().map(|row| (row.name.as_str(), row.met)).collect();
        for row in &mut self.points {
            row.met += more[row.name.as_str()];
        }
        Ok(())
    }

    /// Whether it is of all cases of the suite, none of which is open.
    pub fn is_whole(&self) -> bool {
        let shards: Vec<Shard> = self.shards.iter().filter_map(|text| text.parse().ok()).collect();
        let whole = shards.first().is_some_and(|first| {
            shards.iter().all(|shard| shard.count() == first.count())
                && shards.len() == first.count() as usize
        });
        whole && self.filter.is_none() && self.unfinished == 0
    }

    /// Points that were met, that nothing can meet, and that were not met.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for row in &self.points {
            counts[match (row.met, &row.never) {
                (1.., _) => 0,
                (0, Some(_)) => 1,
                (0, None) => 2,
            }] += 1;
        }
        counts
    }

    /// Points that were met although nothing should be able to.
    pub fn impossible(&self) -> impl Iterator<Item = &Row> {
        self.points.iter().filter(|row| row.met > 0 && row.never.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(shard: &str, met: [u64; 2]) -> CoverageReport {
        let row = |name: &str, met| Row {
            name: name.to_owned(),
            section: "x.md".to_owned(),
            met,
            never: None,
        };
        CoverageReport {
            suite: "quick".to_owned(),
            seed: 1,
            shards: BTreeSet::from([shard.to_owned()]),
            filter: None,
            unfinished: 0,
            points: vec![row("a/b", met[0]), row("a/c", met[1])],
        }
    }

    #[test]
    fn shards_are_whole_together_and_their_counts_add_up() {
        let mut first = report("1/2", [3, 0]);
        assert!(!first.is_whole() && report("1/1", [0, 0]).is_whole());
        first.merge(&report("2/2", [4, 0]), "second.json").expect("the other shard");
        assert!(first.is_whole());
        assert_eq!((first.points[0].met, first.counts()), (7, [1, 0, 1]));
    }

    #[test]
    fn what_does_not_go_together_is_refused_and_says_what_differs() {
        let mut first = report("1/2", [0, 0]);
        let again = first.merge(&report("1/2", [0, 0]), "b.json").expect_err("twice");
        assert!(again.to_string().contains("b.json: shard 1/2"), "{again}");
        let other = CoverageReport { seed: 2, ..report("2/2", [0, 0]) };
        let another = first.merge(&other, "c.json").expect_err("another seed");
        assert!(another.to_string().contains("seed is `2`"), "{another}");
        let fewer = CoverageReport { points: vec![], ..report("2/2", [0, 0]) };
        assert!(first.merge(&fewer, "d.json").is_err());
        assert_eq!(first, report("1/2", [0, 0]), "nothing was added");
    }

    #[test]
    fn an_open_case_or_a_filter_leaves_it_incomplete() {
        assert!(!CoverageReport { unfinished: 1, ..report("1/1", [0, 0]) }.is_whole());
        let filtered = CoverageReport { filter: Some("rr".into()), ..report("1/1", [0, 0]) };
        assert!(!filtered.is_whole());
    }

    #[test]
    fn the_file_is_read_as_it_was_written() {
        let written = report("1/1", [5, 0]);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.json");
        std::fs::write(&path, written.to_json().expect("JSON")).expect("a file");
        assert_eq!(CoverageReport::read(&path).expect("a report"), written);
        std::fs::write(&path, "{}").expect("a file");
        let error = CoverageReport::read(&path).expect_err("no report").to_string();
        assert!(error.contains("c.json:1: expected"), "{error}");
    }
}
