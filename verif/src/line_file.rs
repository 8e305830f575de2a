//! A file of JSON lines that survives Ctrl-C, a crash and a power cut.
//!
//! A line is written in one piece and is on the disk before [`LineFile::append`] returns. A last
//! line without its newline is torn: it is dropped when the file is opened again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// What could not be done with the file.
#[derive(Debug)]
pub struct LineFileError {
    /// Such as `make`.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// An open file that takes one line after the other.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    /// `None` after a failed write: a further line would be glued to the torn one.
    file: Mutex<Option<File>>,
}

impl LineFile {
    /// An empty file at `path`, whatever stood there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: PathBuf) -> Result<Self, LineFileError> {
        let made = OpenOptions::new().append(true).create(true).open(&path);
        let file = made.map_err(|e| failed("make", &path, e))?;
        file.set_len(0).map_err(|e| failed("write", &path, e))?;
        // A file that a power cut takes away together with its synced lines would be no journal.
        #[cfg(unix)]
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            synced.map_err(|e| failed("write", &path, e))?;
        }
        Ok(Self::over(path, file))
    }

    /// The whole lines of the file at `path`; none if there is no file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn lines(path: &Path) -> Result<Vec<String>, LineFileError> {
        let text = String::from_utf8_lossy(&whole_lines(path)?).into_owned();
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The file at `path`, without a torn last line, for further lines.
    ///
    /// # Errors
    /// When it cannot be read, opened or shortened.
    pub fn reopen(path: PathBuf) -> Result<Self, LineFileError> {
        let whole = whole_lines(&path)?.len();
        let opened = OpenOptions::new().append(true).open(&path);
        let file = opened.map_err(|e| failed("open", &path, e))?;
        file.set_len(whole as u64).map_err(|e| failed("shorten", &path, e))?;
        Ok(Self::over(path, file))
    }

    /// Lines to a file that is open.
    pub fn over(path: PathBuf, file: File) -> Self {
        Self { path, file: Mutex::new(Some(file)) }
    }

    /// Adds `line` and waits until it is on the disk. After a failure the file takes no more lines.
    ///
    /// # Errors
    /// The first time that the file cannot be written.
    pub fn append(&self, line: &impl Serialize) -> Result<(), LineFileError> {
        let mut slot = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = slot.as_mut() else {
            return Ok(());
        };
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            file.write_all(&bytes)?;
            file.flush()?;
            file.sync_data()
        });
        written.map_err(|e| {
            *slot = None;
            failed("write", &self.path, e)
        })
    }
}

fn whole_lines(path: &Path) -> Result<Vec<u8>, LineFileError> {
    let mut bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(e) => return Err(failed("read", path, e)),
    };
    bytes.truncate(bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1));
    Ok(bytes)
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> LineFileError {
    LineFileError { action, path: path.to_owned(), source }
}
