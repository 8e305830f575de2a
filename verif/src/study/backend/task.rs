//! A task of a cluster: makes some runs, on one core.

use super::Range;
use crate::cluster::ends_with;
use crate::line_file::LineFile;
use crate::regress::StopFlag;
use crate::study::journal::{parse, unusable};
use crate::study::plan::Planned;
use crate::study::row::Row;
use blockyard_sim::diagnostic::InputError;
use miette::{miette, Result};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// What the names of the files of finished runs end in.
pub const FINISHED: &str = ".jsonl.part";

/// The runs of an array's tasks, a line each.
pub fn plan_file(folder: &Path) -> PathBuf {
    folder.join("plan.jsonl")
}

/// Makes the runs of `range` in the plan in `folder` that no earlier start of the same task has
/// finished. Whether it was stopped before it had made all of them.
///
/// # Errors
/// When the folder is not that of an array, or cannot be written.
pub fn task(folder: &Path, range: Range, stop: &StopFlag) -> Result<bool> {
    let runs = planned(&plan_file(folder), range)?;
    let (older, file) = finished_files(folder, range)?;
    let mut finished = HashSet::new();
    for path in older {
        for line in LineFile::lines(&path).map_err(unusable)? {
            finished.insert(parse::<Row>(&path, 1, &line)?.run);
        }
    }
    ends_with(folder, stop, || {
        let left = runs.iter().filter(|planned| !finished.contains(&planned.run));
        left.filter_map(|planned| planned.perform(stop).transpose())
            .try_for_each(|row| file.append(&row?).map_err(unusable))
    })?;
    Ok(stop.is_raised())
}

fn planned(path: &Path, range: Range) -> Result<Vec<Planned>> {
    let help = "expected the folder of an array, which `blockyard study --on` makes";
    let wrong = |what: String| miette!(help = help, "{}: {what}", path.display());
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut runs = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate().take(range.to + 1) {
        let line = line.map_err(|error| wrong(error.to_string()))?;
        if number >= range.from {
            runs.push(parse(path, number + 1, &line)?);
        }
    }
    if runs.len() != range.to - range.from + 1 {
        return Err(wrong(format!("it has no runs {range}")));
    }
    Ok(runs)
}

/// The files of a task's finished runs: one of each time that it was started, and a new one, for
/// which no other process has a use.
fn finished_files(folder: &Path, range: Range) -> Result<(Vec<PathBuf>, LineFile)> {
    let mut older = Vec::new();
    loop {
        let path = folder.join(format!("{range}.{}{FINISHED}", older.len()));
        match File::options().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((older, LineFile::over(path, file))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => older.push(path),
            Err(error) => return Err(InputError::file("make", &path, &error).into()),
        }
    }
}
