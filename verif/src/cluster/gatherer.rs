//! Reads what tasks have finished, as it comes.

use blockyard_sim::diagnostic::InputError;
use miette::Result;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How far each file was read, in bytes.
#[derive(Debug, Default)]
pub struct Gatherer(HashMap<PathBuf, u64>);

impl Gatherer {
    /// Shows `keep` the whole lines, with their file, that were not there the last time, of all
    /// files in the folders of `folder` whose names end in `name`.
    ///
    /// # Errors
    /// When a file cannot be read, or an error of `keep`.
    pub fn new_lines(
        &mut self,
        folder: &Path,
        name: &str,
        keep: &mut dyn FnMut(&Path, &str) -> Result<()>,
    ) -> Result<()> {
        for folder in subfolders(folder)? {
            for path in entries(&folder)? {
                if path.to_string_lossy().ends_with(name) {
                    self.new_lines_of(&path, keep)?;
                }
            }
        }
        Ok(())
    }

    fn new_lines_of(
        &mut self,
        path: &Path,
        keep: &mut dyn FnMut(&Path, &str) -> Result<()>,
    ) -> Result<()> {
        let from = self.0.get(path).copied().unwrap_or(0);
        let mut text = Vec::new();
        let mut rest = || -> std::io::Result<()> {
            if fs::metadata(path)?.len() > from {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(from))?;
                file.read_to_end(&mut text)?;
            }
            Ok(())
        };
        rest().map_err(|error| InputError::file("read", path, &error))?;
        // A line without its end is still written.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        for line in String::from_utf8_lossy(&text[..whole]).lines() {
            keep(path, line)?;
        }
        self.0.insert(path.to_owned(), from + whole as u64);
        Ok(())
    }
}

/// The folders in `folder`, in order; none if it is not there.
///
/// # Errors
/// When it cannot be read.
pub fn subfolders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> =
        entries(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = |error| InputError::file("read", folder, &error);
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(read(error).into()),
        Ok(entries) => {
            let paths = entries.map(|entry| Ok(entry.map_err(read)?.path()));
            paths.collect()
        }
    }
}
