//! The journal of finished runs: a header line, then a line a run.

use crate::line_file::{LineFile, LineFileError};
use crate::provenance::Input;
use blockyard_sim::diagnostic::InputError;
use miette::{miette, IntoDiagnostic, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the runs of a journal have in common.
pub trait Common: Serialize + DeserializeOwned {
    /// Whether runs of `other` are runs of this too, as long as they read the same files.
    fn agrees(&self, other: &Self) -> bool;

    /// The files that the runs read, in an order that depends on the runs alone.
    fn inputs(&self) -> &[Input];
}

/// An open journal.
#[derive(Debug)]
pub struct Journal(LineFile);

impl Journal {
    /// The journal at `path`, with the finished runs that it holds if it is to go on with them.
    /// Else an older one is kept as `*.old`.
    ///
    /// # Errors
    /// A journal of something else or of files that have changed since, a line that none has
    /// written, or a file that cannot be used.
    pub fn open<H: Common, F: DeserializeOwned>(
        path: PathBuf,
        header: &H,
        resume: bool,
    ) -> Result<(Self, Vec<F>)> {
        let found = if resume { read::<H, F>(&path)? } else { None };
        let Some((common, finished)) = found else {
            keep_old(&path)?;
            let file = LineFile::create(path).map_err(unusable)?;
            file.append(header).map_err(unusable)?;
            return Ok((Self(file), Vec::new()));
        };
        if !header.agrees(&common) {
            return Err(miette!(
                help =
                    "go on with the same study and the same build, or start anew without --resume",
                "{} line 1: these are runs of another study: found {}, expected {}",
                path.display(),
                serde_json::to_string(&common).into_diagnostic()?,
                serde_json::to_string(header).into_diagnostic()?
            ));
        }
        check_inputs(&path, common.inputs(), header.inputs())?;
        Ok((Self(LineFile::reopen(path).map_err(unusable)?), finished))
    }

    /// Adds a finished run and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, finished: &impl Serialize) -> Result<()> {
        self.0.append(finished).map_err(unusable)
    }
}

/// Refuses the journal at `path`, whose runs have read `then`, where they would read `now`.
fn check_inputs(path: &Path, then: &[Input], now: &[Input]) -> Result<()> {
    let hashes = |inputs: &[Input]| inputs.iter().map(|i| i.sha256.clone()).collect::<Vec<_>>();
    if hashes(then) == hashes(now) {
        return Ok(());
    }
    let lacks = |all: &[Input], one: &Input| all.iter().all(|other| other.sha256 != one.sha256);
    let gone = then.iter().find(|input| lacks(now, input));
    let new: Vec<&Input> = now.iter().filter(|input| lacks(then, input)).collect();
    // From another folder it may have another path.
    let same = |was: &Input| new.iter().find(|is| is.path.file_name() == was.path.file_name());
    let what = match (gone, new.first()) {
        (Some(was), _) => match same(was) {
            Some(is) => format!(
                "{} has changed since: its SHA-256 was {}, and is {}",
                is.path.display(),
                was.sha256,
                is.sha256
            ),
            None => format!("{} is not there any more", was.path.display()),
        },
        (None, Some(input)) => format!("they have not read {}", input.path.display()),
        (None, None) => "they have read these files in the place of one another".to_owned(),
    };
    Err(miette!(
        help = "go on with the files as they were, or start anew without --resume",
        "{} line 1: these are runs of other files: {what}",
        path.display()
    ))
}

/// The header and the finished runs of the journal at `path`; nothing if there is none, or none but
/// a torn header.
///
/// # Errors
/// A line that no journal has, or a file that cannot be read.
pub fn read<H: DeserializeOwned, F: DeserializeOwned>(path: &Path) -> Result<Option<(H, Vec<F>)>> {
    let lines = LineFile::lines(path).map_err(unusable)?;
    let mut lines = (1..).zip(&lines);
    let Some((number, header)) = lines.next() else { return Ok(None) };
    let header = parse(path, number, header)?;
    let finished: Result<Vec<F>> = lines.map(|(number, line)| parse(path, number, line)).collect();
    Ok(Some((header, finished?)))
}

/// A line of the file at `path`.
///
/// # Errors
/// It is none.
pub fn parse<T: DeserializeOwned>(path: &Path, number: usize, line: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|error| {
        miette!(
            help = "mend the line, or start anew without --resume",
            "{} line {number}: found `{}`, expected the journal of a study (column {}: {error})",
            path.display(),
            line.chars().take(60).collect::<String>(),
            error.column()
        )
    })
}

/// What is wrong with a file of lines.
pub fn unusable(error: LineFileError) -> miette::Report {
    let LineFileError { action, path, source } = error;
    InputError::file(action, &path, &source)
        .help("expected a folder that can be written; choose another one with --out")
        .into()
}

/// Finished runs are never thrown away.
fn keep_old(path: &Path) -> Result<()> {
    let mut old = path.as_os_str().to_owned();
    old.push(".old");
    match std::fs::rename(path, old) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(InputError::file("rename", path, &error).into())
        }
        _ => Ok(()),
    }
}
