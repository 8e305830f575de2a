//! Files are written whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::diagnostic::InputError;
use crate::input::is_standard;

/// Most symbolic links on the way to a file, as on Linux.
const MOST_LINKS: usize = 40;

/// A file that takes its name only when it is whole; until then, and when it is dropped, an older
/// file stays as it was.
///
/// It is a temporary file in the folder of the one that it replaces. A symbolic link is followed
/// and stays, and the rights of an older file are kept. What is there but is no file, as
/// `/dev/null` or a pipe, is written directly: nothing could be put in its place. So is standard
/// output, for which `-` stands.
#[derive(Debug)]
pub struct WholeFile {
    target: PathBuf,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Beside(NamedTempFile),
    Direct(File),
    Standard(File),
}

impl WholeFile {
    /// An empty file that is to be at `path`.
    ///
    /// # Errors
    /// When there is a folder at `path`, or none to write it in.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_standard(path) {
            let contents = Contents::Standard(standard_output()?);
            return Ok(Self { target: path.to_owned(), contents });
        }
        let target = target(path)?;
        let older = older(&target)?;
        if older.as_ref().is_some_and(|older| !older.is_file()) {
            let contents = Contents::Direct(File::options().write(true).open(&target)?);
            return Ok(Self { target, contents });
        }
        let file = beside(&target)?;
        if let Some(older) = older {
            file.as_file().set_permissions(older.permissions())?;
        }
        Ok(Self { target, contents: Contents::Beside(file) })
    }

    /// Writes what is in it to the disk, where a crash of the machine leaves it.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        match &self.contents {
            Contents::Beside(file) => file.as_file().sync_all(),
            Contents::Direct(_) | Contents::Standard(_) => Ok(()),
        }
    }

    /// It is whole: gives it its name.
    ///
    /// # Errors
    /// What the system says; what was there is still there.
    pub fn finish(self) -> io::Result<()> {
        match self.contents {
            Contents::Beside(file) => {
                file.persist(self.target).map(drop).map_err(|error| error.error)
            }
            Contents::Direct(_) | Contents::Standard(_) => Ok(()),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.contents {
            Contents::Beside(file) => file.write(bytes),
            Contents::Direct(file) => file.write(bytes),
            // Who read it has gone away, as `head` does, and has seen enough.
            Contents::Standard(file) => match file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
                written => written,
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.contents {
            Contents::Beside(file) => file.flush(),
            Contents::Direct(file) | Contents::Standard(file) => file.flush(),
        }
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.contents {
            Contents::Beside(file) => file.seek(to),
            Contents::Direct(file) | Contents::Standard(file) => file.seek(to),
        }
    }
}

/// Writes a [`WholeFile`].
///
/// # Errors
/// When the folder is missing or not writable, or when `contents` fails.
pub fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), InputError> {
    let write = || -> io::Result<()> {
        let mut buffered = BufWriter::new(WholeFile::create(path)?);
        contents(&mut buffered)?;
        buffered.into_inner().map_err(|error| error.into_error())?.finish()
    };
    write().map_err(|error| unwritable(path, &error))
}

/// Standard output, past what buffers it: nothing else may be printed meanwhile.
fn standard_output() -> io::Result<File> {
    io::stdout().lock().flush()?;
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// Whether a [`WholeFile`] could be written to `path`, without touching what is there.
///
/// # Errors
/// What writing would say: better before hours of work than behind.
pub fn probe(path: &Path) -> io::Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    let target = target(path)?;
    match older(&target)? {
        Some(older) if !older.is_file() => Ok(()),
        _ => beside(&target).map(drop),
    }
}

/// The complaint about a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> InputError {
    if is_standard(path) {
        return InputError::new(format!("cannot write to standard output: {error}"));
    }
    InputError::file("write", path, error).help("expected a path in a writable folder")
}

/// What is written when `path` is: where its symbolic links lead, whether there is something or
/// not.
///
/// # Errors
/// When they lead round and round.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(link) if link.is_symlink() => path = folder(&path).join(fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// What is at `target`, if anything is.
fn older(target: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(target) {
        Ok(older) if older.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(older) => Ok(Some(older)),
        // Its folder tells more about a path through a file.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A temporary file that can be renamed to `target`.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    // First, because the error of a temporary file shows its name, which means nothing to the user.
    if !fs::metadata(folder)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".blockyard-");
    // As any new file: the owner's mask decides, not the privacy of temporary files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            Err(io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("disk full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_path_are_refused_by_name_and_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for path in
            [folder.path().join("missing/log.csv"), folder.path().to_owned(), file.join("x")]
        {
            assert!(probe(&path).is_err());
            let error = write_file(&path, |_| Ok(())).unwrap_err().to_string();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
        }
        assert!(probe(&folder.path().join("log.csv")).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{symlink, FileTypeExt, PermissionsExt};

        #[test]
        fn a_link_stays_one_and_what_it_leads_to_is_written() {
            let folder = tempfile::tempdir().unwrap();
            let (real, link) = (folder.path().join("real/log.csv"), folder.path().join("link"));
            fs::create_dir(real.parent().unwrap()).unwrap();
            symlink("second", &link).unwrap();
            symlink("real/log.csv", folder.path().join("second")).unwrap();
            // First there is nothing yet where it leads to.
            for text in ["new", "newer"] {
                probe(&link).unwrap();
                write_file(&link, |out| out.write_all(text.as_bytes())).unwrap();
                assert_eq!(fs::read_to_string(&real).unwrap(), text);
                assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            }
            assert_eq!(target(&link).unwrap(), real);
        }

        #[test]
        fn links_that_lead_round_are_refused() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink("link", &link).unwrap();
            assert!(probe(&link).is_err());
            assert!(write_file(&link, |_| Ok(())).is_err());
        }

        #[test]
        fn the_rights_of_an_older_file_stay() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log.csv");
            for rights in [0o600, 0o640] {
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(rights)).unwrap();
                write_file(&path, |out| out.write_all(b"new")).unwrap();
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, rights);
            }
        }

        #[test]
        fn what_is_no_file_is_written_directly_and_stays_what_it_is() {
            let folder = tempfile::tempdir().unwrap();
            let socket = folder.path().join("socket");
            let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            // A socket cannot be opened as a file: refused, and not replaced either.
            assert!(write_file(&socket, |out| out.write_all(b"new")).is_err());
            assert!(fs::symlink_metadata(&socket).unwrap().file_type().is_socket());
            drop(listener);
            let null = folder.path().join("null");
            symlink("/dev/null", &null).unwrap();
            probe(&null).unwrap();
            write_file(&null, |out| out.write_all(b"new")).unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        }
    }
}
