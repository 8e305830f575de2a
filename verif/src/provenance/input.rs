//! A file that was read, with the hash that tells whether it is still the same.

use blockyard_sim::diagnostic::InputError;
use blockyard_sim::input;
use miette::{miette, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As the user named it, from the folder in which the run was started.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl Input {
    /// The file at `path`, as it is now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: PathBuf) -> Result<Self> {
        let sha256 = hash(&path).map_err(|error| InputError::file("read", &path, &error))?;
        Ok(Self { path, sha256 })
    }

    /// Whether the file is what it was.
    ///
    /// # Errors
    /// When it is another one, with both hashes, or cannot be read.
    pub fn check(&self) -> Result<()> {
        let now = hash(&self.path).map_err(|error| {
            let help = "paths are from the folder in which the run was started";
            InputError::file("read", &self.path, &error).help(help)
        })?;
        if now == self.sha256 {
            return Ok(());
        }
        Err(miette!(
            help = "expected the file that the run read; name it to `run` to run it as it is now",
            "{} has changed since: its SHA-256 was {}, and is {now}",
            self.path.display(),
            self.sha256
        ))
    }
}

fn hash(path: &Path) -> io::Result<String> {
    let mut file = input::open(path)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            bytes => hasher.update(&chunk[..bytes]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
