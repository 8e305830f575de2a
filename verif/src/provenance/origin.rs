//! Which program made a result, and where.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The revision of its sources: git's, with `-dirty` behind it if they were changed since;
/// `unknown` of a debug build, and where there was no git.
pub const REVISION: &str = env!("BLOCKYARD_REVISION");

/// Both, as `blockyard --version` prints them.
pub const VERSION_AND_REVISION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("BLOCKYARD_REVISION"), ")");

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The program's version.
    pub version: String,
    /// The revision of its sources.
    pub revision: String,
    /// Where it ran.
    pub host: Host,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// What it calls itself; `unknown` if it does not say.
    pub name: String,
    /// Its operating system: `linux`.
    pub system: String,
    /// Of its processor: `x86_64`.
    pub architecture: String,
}

impl Origin {
    /// This program on this machine.
    pub fn here() -> Self {
        let host = Host {
            name: host_name().unwrap_or_else(|| "unknown".to_owned()),
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
        };
        Self { version: VERSION.to_owned(), revision: REVISION.to_owned(), host }
    }
}

impl Origin {
    /// The program: `Blockyard 0.1.0 (revision)`.
    pub fn program(&self) -> String {
        format!("Blockyard {} ({})", self.version, self.revision)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, system, architecture } = self;
        write!(f, "{name} ({system}, {architecture})")
    }
}

#[cfg(unix)]
fn host_name() -> Option<String> {
    nix::unistd::gethostname().ok()?.into_string().ok()
}

#[cfg(not(unix))]
fn host_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
