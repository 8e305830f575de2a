//! Files are written whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::diagnostic::InputError;

/// Writes a file through a temporary one in the same folder, which takes its name only when
/// everything is written; until then, and after an error, an older file stays as it was.
///
/// # Errors
/// When the folder is missing or not writable, or when `contents` fails.
pub fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), InputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || -> std::io::Result<()> {
        if path.is_dir() {
            return Err(std::io::ErrorKind::IsADirectory.into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".blockyard-");
        // As any new file: the owner's mask decides, not the privacy of temporary files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let mut buffered = std::io::BufWriter::new(file);
        contents(&mut buffered)?;
        let file = buffered.into_inner().map_err(|error| error.into_error())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| {
        InputError::file("write", path, &error).help("expected a path in a writable folder")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.csv");
        fs::write(&path, "old and longer").unwrap();
        write_file(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn an_error_on_the_way_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.csv");
        fs::write(&path, "old").unwrap();
        let error = write_file(&path, |out| {
            out.write_all(b"half")?;
            Err(std::io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("disk full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_path_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("missing/log.csv"), folder.path().to_owned()] {
            let error = write_file(&path, |_| Ok(())).unwrap_err().to_string();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
        }
    }
}
