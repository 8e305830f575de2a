//! Files that are read, of which `-` is standard input.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The name that stands for standard input, and for standard output where something is written.
pub const STANDARD: &str = "-";

/// Standard input, which can be read only once.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// Whether `path` stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// What the file at `path` holds; of standard input the same every time.
///
/// # Errors
/// What the system says.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if !is_standard(path) {
        return Ok(Box::new(File::open(path)?));
    }
    if STANDARD_INPUT.get().is_none() {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        // Whoever was first has read what there was.
        let _ = STANDARD_INPUT.set(bytes);
    }
    Ok(Box::new(Cursor::new(STANDARD_INPUT.get().map_or(&[][..], Vec::as_slice))))
}

/// All bytes of [`open`].
///
/// # Errors
/// What the system says.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
