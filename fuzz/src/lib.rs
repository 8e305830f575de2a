//! What the fuzz targets share: rendering of diagnostics, and folders for what must be a file.

use std::path::{Path, PathBuf};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// Renders `error` as the tool does: a diagnostic that cannot be shown is as bad as a panic.
///
/// # Panics
/// When it cannot be rendered, or says nothing.
pub fn render(error: &dyn Diagnostic) -> String {
    let mut text = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .render_report(&mut text, error)
        .expect("a string takes everything");
    assert!(!error.to_string().is_empty() && !text.is_empty());
    text
}

/// A folder in memory, where the system has such.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        Self(folder.expect("a temporary folder"))
    }

    /// Writes the file `name` and gives its path.
    pub fn write(&self, name: &str, contents: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).expect("a writable folder");
        path
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

/// The text before the first line `---`, and the `key=value` lines behind it.
pub fn with_settings(text: &str) -> (&str, impl Iterator<Item = (&str, &str)>) {
    let (text, settings) = text.split_once("\n---\n").unwrap_or((text, ""));
    (text, settings.lines().filter_map(|line| line.split_once('=')))
}
