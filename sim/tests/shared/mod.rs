//! The data beside the repository.

use std::path::{Path, PathBuf};

/// `../shared/data/NAME`, or `None`, said on the standard output, where `../shared` is absent.
pub fn data(name: &str) -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    if !folder.exists() {
        println!("skipped: ../shared is absent");
        return None;
    }
    Some(folder.join("data").join(name))
}
