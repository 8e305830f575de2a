//! Compilers that other people's machines may lack, and the kernels of the folder.

#![allow(dead_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the kernels.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of all kernels, in alphabetical order.
pub fn kernels() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry"));
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> =
        names.filter(|name| folder().join(format!("{name}/{name}.cu")).is_file()).collect();
    names.sort();
    names
}

/// The first of `programs` that is installed and `fits`; else the test is skipped, or, on a build
/// server, fails.
pub fn tool(programs: &[&str], fits: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let directories: Vec<PathBuf> = env::split_paths(&path).collect();
    let find = |program: &&str| {
        let mut paths = directories.iter().map(|directory| directory.join(program));
        paths.find(|path| path.is_file() && fits(path))
    };
    let found = programs.iter().find_map(find);
    if found.is_none() {
        let required = env::var("CI").is_ok_and(|ci| !matches!(&*ci, "" | "0" | "false"));
        assert!(!required, "{} not found, and CI is set: nothing may be skipped", programs[0]);
        println!("skipped: {} not found", programs[0]);
    }
    found
}

/// Runs `command`, which must succeed; what it prints.
///
/// # Panics
/// When it does not, with what it has said.
pub fn succeed(command: &mut Command) -> String {
    let ended = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{command:?}: {}\n{said}", ended.status);
    String::from_utf8_lossy(&ended.stdout).into_owned()
}
