//! The folder of a study.

use super::baseline;
use super::header::Header;
use super::journal;
use super::row::Row;
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// The study as it was read.
pub fn study_file(folder: &Path) -> PathBuf {
    folder.join("study.toml")
}

/// A [`Header`] and the finished runs, as they finished.
pub fn journal_file(folder: &Path) -> PathBuf {
    folder.join("runs.jsonl")
}

/// The files of a cluster's tasks, until all runs are in the journal.
pub fn parts_folder(folder: &Path) -> PathBuf {
    folder.join("parts")
}

/// The table of finished runs.
pub fn table_file(folder: &Path) -> PathBuf {
    folder.join("table.csv")
}

/// What the folder of a study holds: its header, and its finished runs as they finished, with
/// speed-ups.
///
/// # Errors
/// There is no journal, or something else.
pub fn load(folder: &Path) -> Result<(Header, Vec<Row>)> {
    let path = journal_file(folder);
    let Some((header, mut rows)) = journal::read::<Header, Row>(&path)? else {
        return Err(miette!(
            help =
                "expected the folder of a study: `blockyard study FILE.toml --out DIR` makes one",
            "there are no runs in {}",
            folder.display()
        ));
    };
    baseline::compare(&header.baseline, &mut rows);
    Ok((header, rows))
}
