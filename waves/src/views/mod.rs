//! Files beside a dump that make viewers show it well.

mod gtkw;

use crate::error::WaveError;
use crate::read::Dump;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the views of the dump at `dump` beside it and returns their paths: a GTKWave save file
/// with a group for each module, and a filter file for each set of names that enum signals use.
///
/// # Errors
/// When the dump cannot be read, or a file cannot be written.
pub fn write_views(dump: &Path) -> Result<Vec<PathBuf>, WaveError> {
    let signals: Vec<_> = Dump::open(dump)?.signals().cloned().collect();
    let mut written = Vec::new();
    for (path, text) in gtkw::files(dump, &signals) {
        write_whole(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), WaveError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".blockyard-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|source| WaveError::File { action: "write", path: path.to_owned(), source })
}
