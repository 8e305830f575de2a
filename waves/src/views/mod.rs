//! Files beside a dump that make viewers show it well.

mod gtkw;
mod modules;
mod surfer;

use crate::contents::Contents;
use crate::error::WaveError;
use crate::read::Dump;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use modules::modules;

/// What viewers show of a dump, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What it is of, in one line.
    pub title: String,
    /// The signals that tell what happens, in groups.
    pub sections: Vec<Section>,
    /// Cycles worth a look.
    pub markers: Vec<Marker>,
}

/// A group of signals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// What stands above it.
    pub name: String,
    /// Whether its signals are seen at once.
    pub is_open: bool,
    /// Whether Surfer shows it; GTKWave shows all.
    pub is_raw: bool,
    /// Its signals.
    pub traces: Vec<Trace>,
    /// Groups in it, after its signals.
    pub sections: Vec<Section>,
}

/// A signal as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its path in the dump.
    pub path: String,
    /// What GTKWave calls it; the last part of its path when empty.
    pub label: String,
    /// Its bits; of a text, what the dump declares.
    pub width: u32,
    /// How its values are written.
    pub shown: Shown,
}

/// How values are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As bits.
    Binary,
    /// As an unsigned number.
    Decimal,
    /// As a number to the base 16.
    Hexadecimal,
    /// As what a variable of text says.
    Text,
    /// By the names of its values.
    Names(BTreeMap<u64, String>),
}

/// A cycle worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The cycle.
    pub cycle: u64,
    /// What happens in it.
    pub name: String,
}

/// Writes views of the dump at `dump` beside it and returns their paths: GTKWave's save file with a
/// filter file for each set of names of values, and Surfer's command file with a mapping for each.
///
/// `view` says what they show; [`modules`] is what can be said without knowing the design.
///
/// # Errors
/// When the dump cannot be read, or a file cannot be written.
pub fn write_views(
    dump: &Path,
    view: impl FnOnce(&Contents) -> View,
) -> Result<Vec<PathBuf>, WaveError> {
    Views::of(dump, &Dump::open(dump)?.contents(), view).write()
}

/// Views that are not written yet.
#[derive(Clone, Debug)]
pub struct Views {
    /// By path.
    files: Vec<(PathBuf, String)>,
}

impl Views {
    /// What [`write_views`] writes of a dump that is to be at `dump` and has these contents: it is
    /// not read.
    pub fn of(dump: &Path, contents: &Contents, view: impl FnOnce(&Contents) -> View) -> Self {
        let view = view(contents);
        let mut files = gtkw::files(dump, &view, &contents.stretch);
        files.extend(surfer::files(dump, &view));
        Self { files }
    }

    /// Writes them and returns their paths.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(self) -> Result<Vec<PathBuf>, WaveError> {
        let write = |(path, text): (PathBuf, String)| write_whole(&path, &text).map(|()| path);
        self.files.into_iter().map(write).collect()
    }
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), WaveError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || -> std::io::Result<()> {
        let folder = folder.unwrap_or(Path::new("."));
        // Surfer's mappings have a folder of their own beside the dump.
        if !folder.exists() && folder.ends_with(surfer::MAPPINGS) {
            std::fs::create_dir_all(folder)?;
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".blockyard-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|source| WaveError::File { action: "write", path: path.to_owned(), source })
}
