//! Whether what a run is to write can be written, before it runs.

use blockyard_sim::diagnostic::InputError;
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// The file that an option names.
#[derive(Clone, Debug)]
pub struct Named {
    /// The option, with its dashes.
    pub option: &'static str,
    /// Its value.
    pub path: PathBuf,
}

/// Checks that every file of `written` can be written, that no two of them are the same, and that
/// none is one of those that are `read`.
///
/// # Errors
/// The first that cannot be, with the path.
pub fn check(written: &[Named], read: &[Named]) -> Result<()> {
    for (index, output) in written.iter().enumerate() {
        let mut others = written[..index].iter().chain(read);
        if let Some(other) = others.find(|other| place(&other.path) == place(&output.path)) {
            return Err(miette!(
                help = "expected a file for each",
                "{} and {} are both {}",
                other.option,
                output.option,
                output.path.display()
            ));
        }
        probe(&output.path).map_err(|error| {
            let refused = InputError::file("write", &output.path, &error);
            refused.help("expected a path in a writable folder")
        })?;
    }
    Ok(())
}

/// Makes a temporary file where the output would be written, and removes it again.
fn probe(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    // First, because the error of a temporary file shows its name, which means nothing to the user.
    if !std::fs::metadata(folder(path))?.is_dir() {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    tempfile::Builder::new().prefix(".blockyard-").tempfile_in(folder(path)).map(drop)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path with everything resolved but the last name, which need not exist yet.
fn place(path: &Path) -> PathBuf {
    let resolved = folder(path).canonicalize().unwrap_or_else(|_| folder(path).to_owned());
    resolved.join(path.file_name().unwrap_or_default())
}
