//! Tasks for a cluster, in a folder that all of its machines see.

use crate::line_file::LineFile;
use crate::study::journal::unusable;
use crate::study::plan::Planned;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::output::{unwritable, write_file};
use miette::{IntoDiagnostic, Result};
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The runs of a task: from one place in the plan to another one, both included; written `FROM-TO`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub from: usize,
    /// The last.
    pub to: usize,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for Range {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = text.split_once('-').and_then(|(from, to)| {
            let (from, to) = (from.parse().ok()?, to.parse().ok()?);
            (from <= to).then_some(Self { from, to })
        });
        range.ok_or("expected FROM-TO, two places from 0, such as 0-9")
    }
}

/// Tasks that are submitted at once.
#[derive(Clone, Debug)]
pub struct Array {
    /// Where their files are.
    pub folder: PathBuf,
    /// What each of them makes.
    pub tasks: Vec<Range>,
}

impl Array {
    /// Tasks of `per_task` runs each for the runs of `plan` at `open`, in `folder`, which is made.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(folder: PathBuf, plan: &[Planned], open: &[usize], per_task: usize) -> Result<Self> {
        std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
        let folder = std::path::absolute(&folder).into_diagnostic()?;
        write_file(&plan_file(&folder), |out| {
            for &place in open {
                serde_json::to_writer(&mut *out, &plan[place])?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?;
        let firsts = (0..open.len()).step_by(per_task);
        let tasks = firsts.map(|from| Range { from, to: (from + per_task).min(open.len()) - 1 });
        let array = Self { folder, tasks: tasks.collect() };
        write_file(&array.tasks_file(), |out| {
            array.tasks.iter().try_for_each(|task| writeln!(out, "{task}"))
        })?;
        Ok(array)
    }

    /// The ranges of its tasks, a line each.
    pub fn tasks_file(&self) -> PathBuf {
        self.folder.join("tasks")
    }
}

/// The runs of an array's tasks, a line each.
pub fn plan_file(folder: &Path) -> PathBuf {
    folder.join("plan.jsonl")
}

/// As soon as it is there, an array's tasks end.
pub fn stop_file(folder: &Path) -> PathBuf {
    folder.join("stop")
}

/// What the files of finished runs end in.
pub const FINISHED: &str = ".jsonl.part";

/// The files of a task's finished runs: one of each time that it was started, and a new one, for which
/// no other process has a use.
///
/// # Errors
/// When they cannot be read or made.
pub fn finished_files(folder: &Path, range: Range) -> Result<(Vec<PathBuf>, LineFile)> {
    let mut older = Vec::new();
    loop {
        let path = folder.join(format!("{range}.{}{FINISHED}", older.len()));
        match std::fs::OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((older, LineFile::over(path, file))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => older.push(path),
            Err(error) => return Err(InputError::file("make", &path, &error).into()),
        }
    }
}

/// The whole lines of a file.
///
/// # Errors
/// When it cannot be read.
pub fn lines(path: &Path) -> Result<Vec<String>> {
    LineFile::lines(path).map_err(unusable)
}
