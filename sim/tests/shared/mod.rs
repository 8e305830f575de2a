//! The data beside the repository.

use std::path::{Path, PathBuf};

/// `../shared/data/NAME`, or `None`, said on the standard output, where `../shared` is absent.
#[allow(dead_code)] // Each test file has a copy of its own.
pub fn data(name: &str) -> Option<PathBuf> {
    Some(folder()?.join("data").join(name))
}

/// `../shared/tools/NAME`, or `None`, as [`data`].
#[allow(dead_code)] // As above.
pub fn tool(name: &str) -> Option<PathBuf> {
    Some(folder()?.join("tools").join(name))
}

fn folder() -> Option<&'static Path> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    if !folder.exists() {
        println!("skipped: ../shared is absent");
        return None;
    }
    Some(folder)
}
