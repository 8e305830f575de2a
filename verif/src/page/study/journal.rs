//! What a study's folder holds: the header of its journal, and the runs that are finished.

use crate::line_file::LineFile;
use crate::study::row::Row;
use miette::{miette, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The figure that says how many times as fast a run is as the baseline's.
pub const SPEEDUP: &str = "speedup";

/// The first line of `runs.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The study's name.
    pub name: String,
    /// Where the baseline lies, by axis; empty if there is none.
    #[serde(default)]
    pub baseline: BTreeMap<String, String>,
    /// Its axes in order.
    pub axes: Vec<HeaderAxis>,
    /// The build that ran it.
    pub version: String,
    /// When it began, in seconds since 1970.
    pub created: u64,
}

/// An axis with its values in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderAxis {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The header and the finished runs of a study, as they finished, with speed-ups.
///
/// # Errors
/// When there is no journal, or a line is something else.
pub fn read(folder: &Path) -> Result<(Header, Vec<Row>)> {
    let path = folder.join("runs.jsonl");
    let lines = LineFile::lines(&path)
        .map_err(|error| miette!("cannot {} {}: {}", error.action, path.display(), error.source))?;
    let Some((header, rows)) = lines.split_first() else {
        return Err(miette!(
            help =
                "expected the folder of a study: `blockyard study FILE.toml --out DIR` makes one",
            "there are no runs in {}",
            folder.display()
        ));
    };
    let header: Header = parse(&path, 1, header, "the header of a study")?;
    let rows = rows.iter().enumerate();
    let rows: Result<Vec<Row>> =
        rows.map(|(number, line)| parse(&path, number + 2, line, "a run of a study")).collect();
    let mut rows = rows?;
    compare(&header.baseline, &mut rows);
    Ok((header, rows))
}

fn parse<T: for<'a> Deserialize<'a>>(
    path: &Path,
    number: usize,
    line: &str,
    what: &str,
) -> Result<T> {
    serde_json::from_str(line).map_err(|error| {
        let found: String = line.chars().take(60).collect();
        miette!(
            "{} line {number}: found `{found}`, expected {what} (column {}: {error})",
            path.display(),
            error.column()
        )
    })
}

/// Adds to each row the cycles of the baseline by its own; the baseline of a row lies where it lies
/// but on the axes of `baseline`, and axes that only one of both has do not count.
fn compare(baseline: &BTreeMap<String, String>, rows: &mut [Row]) {
    if baseline.is_empty() {
        return;
    }
    let is_base =
        |row: &&Row| baseline.iter().all(|(axis, label)| row.axes.get(axis) == Some(label));
    let cycles = |row: &Row| row.figures.get("cycles").copied().filter(|cycles| *cycles > 0.0);
    let bases: Vec<Row> = rows.iter().filter(is_base).cloned().collect();
    for row in rows.iter_mut() {
        let is_own = |base: &&Row| {
            let others = base.axes.iter().filter(|(axis, _)| !baseline.contains_key(*axis));
            others.clone().all(|(axis, label)| row.axes.get(axis).is_none_or(|own| own == label))
        };
        let base = bases.iter().find(is_own).and_then(cycles);
        if let (Some(base), Some(own)) = (base, cycles(row)) {
            row.figures.insert(SPEEDUP.to_owned(), base / own);
        }
    }
}
