//! Tells the program the revision of its sources, as `BLOCKYARD_REVISION`.
//!
//! A variable of that name wins, for those who build without git. Only release builds ask git: a
//! debug build would be compiled again after every commit.

use std::path::Path;
use std::process::Command;

/// What decides on what the program does, from the folder of this package.
const SOURCES: [&str; 9] = [
    "Cargo.toml",
    "src",
    "../Cargo.lock",
    "../Cargo.toml",
    "../rtl/derive/src",
    "../rtl/src",
    "../sim",
    "../waves/src",
    "build.rs",
];

fn main() {
    println!("cargo:rerun-if-env-changed=BLOCKYARD_REVISION");
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let given = std::env::var("BLOCKYARD_REVISION").ok().filter(|given| !given.is_empty());
    if !release || given.is_some() {
        println!("cargo:rerun-if-changed=build.rs");
    } else {
        SOURCES.iter().for_each(|source| println!("cargo:rerun-if-changed={source}"));
        for state in ["HEAD", "index"] {
            // In a worktree they are elsewhere than in .git.
            let path = git(&["rev-parse", "--path-format=absolute", "--git-path", state]);
            if let Some(path) = path.filter(|path| Path::new(path).exists()) {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    }
    let revision = given.or_else(|| release.then(revision).flatten());
    let revision = revision.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=BLOCKYARD_REVISION={revision}");
}

/// The commit, and `-dirty` if something is not as there.
fn revision() -> Option<String> {
    git(&["describe", "--always", "--exclude=*", "--abbrev=40", "--dirty"])
}

/// What git prints.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
