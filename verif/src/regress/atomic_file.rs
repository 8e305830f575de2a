//! Files that are written whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// A temporary file in the folder of `path`, so that a rename can put it in its place.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".part");
    // Temporary files are private by default; a report is for whoever may read the folder.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Whether `path` could be written now, without touching what is there.
///
/// # Errors
/// What writing would say: better before hours of work than after.
pub(super) fn probe(path: &Path) -> io::Result<()> {
    beside(path).map(drop)
}

/// Puts `bytes` in place of whatever is at `path`, whole or not at all.
///
/// # Errors
/// Whatever the file system says; what was at `path` is then still there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{probe, write};

    #[test]
    fn a_written_file_replaces_the_old_one_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.xml");
        write(&path, b"old").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_and_a_path_without_a_folder_are_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(probe(folder.path()).is_err());
        assert!(write(folder.path(), b"x").is_err());
        assert!(probe(&folder.path().join("missing/report.xml")).is_err());
        assert!(probe(&folder.path().join("report.xml")).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
