//! What all verilated programs have in common, compiled once: Verilator's own library, and its
//! headers.
//!
//! For a small module the headers alone take four fifths of the compiler's time.

use super::command::{run, write};
use super::ReplayError;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const LIBRARY: &str = "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n";

const HEADERS: &str =
    "#include \"verilated.h\"\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n";

const FIXED: &[&str] =
    &["-std=c++17", "-w", "-pthread", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVM_SC=0"];

/// Compilers that are tried, and in which order: without optimizing, clang takes a third of the
/// time of g++.
const COMPILERS: [&str; 3] = ["clang++-16", "clang++", "g++"];

/// What clang is told when it compiles the headers: what they instantiate of templates is done
/// there, and not again in each model, where it is a third of the time of a small one.
const INSTANTIATED: &str = "-fpch-instantiate-templates";

/// How a model is compiled, and with it the headers: optimizing takes several times as long, and
/// saves less in the simulation of 20,000 cycles than it costs.
pub const MODEL: &str = "-O0";

/// Verilator's library and headers, compiled.
#[derive(Clone)]
pub struct Runtime {
    /// The compiler.
    compiler: &'static str,
    /// Verilator's folder.
    root: String,
    /// The library.
    pub object: String,
    /// The headers, beside what is compiled of them.
    headers: String,
}

/// The runtime in the folder `cache`, of the first compiler that can compile it; that is done where
/// it is not there.
///
/// # Errors
/// When Verilator or the last compiler cannot be run, or does not end within `seconds`.
pub fn find(cache: &Path, seconds: u64) -> Result<Runtime, ReplayError> {
    // Also keeps two threads from compiling it at once.
    static KNOWN: Mutex<BTreeMap<PathBuf, Runtime>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(runtime) = known.get(cache) {
        return Ok(runtime.clone());
    }
    let folder = cache.join("runtime");
    fs::create_dir_all(&folder).map_err(|source| io("making the cache", source))?;
    let folder = fs::canonicalize(folder).map_err(|source| io("finding the cache", source))?;
    let root = run("verilator", &["--getenv", "VERILATOR_ROOT"], &folder, seconds)?;
    let version = run("verilator", &["--version"], &folder, seconds)?;
    let root = root.log.trim();
    let with = |compiler| Runtime::with(compiler, root, &version.log, &folder, seconds);
    let [first, others @ ..] = COMPILERS;
    let runtime = others.iter().fold(with(first), |made, next| made.or_else(|_| with(next)))?;
    known.insert(cache.to_owned(), runtime.clone());
    Ok(runtime)
}

impl Runtime {
    /// That of this compiler, in `folder`, for the Verilator of this folder and version.
    fn with(
        compiler: &'static str,
        root: &str,
        version: &str,
        folder: &Path,
        seconds: u64,
    ) -> Result<Self, ReplayError> {
        let itself = run(compiler, &["--version"], folder, seconds)?;
        let mut hasher = DefaultHasher::new();
        (LIBRARY, HEADERS, FIXED, INSTANTIATED, MODEL).hash(&mut hasher);
        (version, &itself.log, root).hash(&mut hasher);
        let path = |end: &str| {
            let file = folder.join(format!("verilated-{:016x}.{end}", hasher.finish()));
            file.to_string_lossy().into_owned()
        };
        let (object, headers) = (path("o"), path("h"));
        let runtime = Self { compiler, root: root.to_owned(), object, headers };
        runtime.compile(folder, seconds)?;
        Ok(runtime)
    }

    /// Compiles what is not there yet.
    fn compile(&self, folder: &Path, seconds: u64) -> Result<(), ReplayError> {
        // All compilers take these for the headers where those are included first.
        let headers = format!("{}.gch", self.headers);
        let of_headers: &[&str] = match self.compiler.starts_with("clang") {
            true => &[MODEL, INSTANTIATED, "-c", "-x", "c++-header"],
            false => &[MODEL, "-c", "-x", "c++-header"],
        };
        let parts = [
            ("library.cpp", LIBRARY, &["-O1", "-c", "-x", "c++"][..], &self.object),
            (&self.headers, HEADERS, of_headers, &headers),
        ];
        for (source, text, how, made) in parts {
            if !Path::new(made).is_file() {
                write(&folder.join(source), text)?;
                self.run(&[how, &["-o", "fresh", source]].concat(), folder, seconds)?;
                let fresh = folder.join("fresh");
                fs::rename(fresh, made).map_err(|source| io("keeping it", source))?;
            }
        }
        // Not every clang finds what it needs to link.
        let trial = format!("{}.trial", self.object);
        if Path::new(&trial).is_file() {
            return Ok(());
        }
        write(&folder.join("trial.cpp"), "int main() { return 0; }\n")?;
        self.link("trial.cpp", &trial, MODEL, folder, seconds)
    }

    /// Compiles a model and its `main`, all in the file `source`, to `program`, both in `folder`.
    /// The compiled headers serve those that are optimized as [`MODEL`] says.
    ///
    /// # Errors
    /// When the compiler refuses it, or does not end within `seconds`.
    pub fn link(
        &self,
        source: &str,
        program: &str,
        optimizing: &str,
        folder: &Path,
        seconds: u64,
    ) -> Result<(), ReplayError> {
        let headers = ["-include", &self.headers];
        let headers = if optimizing == MODEL { &headers[..] } else { &[] };
        let made = ["-I.", "-Imade", "-o", program, source, &self.object, "-latomic"];
        self.run(&[&[optimizing][..], headers, &made].concat(), folder, seconds)
    }

    fn run(&self, arguments: &[&str], folder: &Path, seconds: u64) -> Result<(), ReplayError> {
        let include = format!("-I{}/include", self.root);
        let vltstd = format!("-I{}/include/vltstd", self.root);
        let arguments = [FIXED, &[&include, &vltstd], arguments].concat();
        let finished = run(self.compiler, &arguments, folder, seconds)?;
        match finished.success {
            true => Ok(()),
            false => Err(ReplayError::Rejected { tool: self.compiler, log: finished.log }),
        }
    }
}

fn io(what: &str, source: std::io::Error) -> ReplayError {
    ReplayError::Io { what: what.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::super::{Tool, ToolStatus};
    use super::*;

    #[test]
    fn each_compiler_that_is_there_makes_a_runtime_that_links() {
        match Tool::Verilator.status() {
            ToolStatus::Found => {}
            status => {
                println!("{}", status.message().unwrap_or_default());
                assert!(!matches!(status, ToolStatus::Required(_)), "a build server has it");
                return;
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let there = |compiler: &str| run(compiler, &["--version"], folder.path(), 60).is_ok();
        let root = run("verilator", &["--getenv", "VERILATOR_ROOT"], folder.path(), 60);
        let root = root.expect("Verilator").log;
        let compilers: Vec<&str> = COMPILERS.into_iter().filter(|name| there(name)).collect();
        assert!(compilers.contains(&"g++"), "Verilator is there with it: {compilers:?}");
        for compiler in compilers {
            let made = Runtime::with(compiler, root.trim(), "", folder.path(), 300);
            let runtime = made.unwrap_or_else(|error| panic!("{compiler}: {error}"));
            assert_eq!(runtime.compiler, compiler);
            assert!(Path::new(&format!("{}.trial", runtime.object)).is_file(), "{compiler}");
        }
        let missing = Runtime::with("no-such-compiler", root.trim(), "", folder.path(), 60);
        assert!(missing.is_err(), "the next compiler is tried");
    }
}
