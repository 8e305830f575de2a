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

/// How a model is compiled, and with it the headers: optimizing takes several times as long, and
/// saves less in the simulation of 20,000 cycles than it costs.
pub const MODEL: &str = "-O0";

/// Verilator's library and headers, compiled.
#[derive(Clone)]
pub struct Runtime {
    /// Verilator's folder.
    root: String,
    /// The library.
    pub object: String,
    /// The headers, beside what is compiled of them.
    headers: String,
}

/// The runtime in the folder `cache`; it is compiled where it is not there.
///
/// # Errors
/// When a tool cannot be run, or does not end within `seconds`.
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
    let compiler = run("g++", &["--version"], &folder, seconds)?;
    let mut hasher = DefaultHasher::new();
    (LIBRARY, HEADERS, FIXED, MODEL).hash(&mut hasher);
    (&version.log, &compiler.log, root.log.trim()).hash(&mut hasher);
    let path = |end: &str| {
        let file = folder.join(format!("verilated-{:016x}.{end}", hasher.finish()));
        file.to_string_lossy().into_owned()
    };
    let (object, headers) = (path("o"), path("h"));
    let runtime = Runtime { root: root.log.trim().to_owned(), object, headers };
    runtime.compile(&folder, seconds)?;
    known.insert(cache.to_owned(), runtime.clone());
    Ok(runtime)
}

impl Runtime {
    /// Compiles what is not there yet.
    fn compile(&self, folder: &Path, seconds: u64) -> Result<(), ReplayError> {
        // g++ takes these for the headers where both are included first.
        let headers = format!("{}.gch", self.headers);
        let parts = [
            ("library.cpp", LIBRARY, ["-O1", "-c", "-x", "c++"], &self.object),
            ("headers.h", HEADERS, [MODEL, "-c", "-x", "c++-header"], &headers),
        ];
        write(Path::new(&self.headers), HEADERS)?;
        for (source, text, how, made) in parts {
            if !Path::new(made).is_file() {
                write(&folder.join(source), text)?;
                self.gxx(&[&how[..], &["-o", "fresh", source]].concat(), folder, seconds)?;
                let fresh = folder.join("fresh");
                fs::rename(fresh, made).map_err(|source| io("keeping it", source))?;
            }
        }
        Ok(())
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
        let made = ["-I.", "-Imade", "-o", program, source, &self.object];
        self.gxx(&[&[optimizing][..], &headers, &made].concat(), folder, seconds)
    }

    fn gxx(&self, arguments: &[&str], folder: &Path, seconds: u64) -> Result<(), ReplayError> {
        let include = format!("-I{}/include", self.root);
        let vltstd = format!("-I{}/include/vltstd", self.root);
        let arguments = [FIXED, &[&include, &vltstd], arguments].concat();
        let finished = run("g++", &arguments, folder, seconds)?;
        match finished.success {
            true => Ok(()),
            false => Err(ReplayError::Rejected { tool: "g++", log: finished.log }),
        }
    }
}

fn io(what: &str, source: std::io::Error) -> ReplayError {
    ReplayError::Io { what: what.to_owned(), source }
}
