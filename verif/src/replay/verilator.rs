//! Replay in Verilator: compiled, fast enough for every configuration. Its lint must be clean.
//!
//! Programs are cached by the Verilog that they were built from, so a second run only simulates.

use super::case::TOP;
use super::command::{run, write};
use super::harness::{harness, packed};
use super::runtime;
use super::tool;
use super::trace::PortTrace;
use super::verdict::verdict;
use super::ReplayError;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const BUILD_SECONDS: u64 = 600;
const SIMULATE_SECONDS: u64 = 600;

/// Everything is an error but names and what is only unused.
const LINT: &[&str] = &[
    "-Wall",
    "-Wno-DECLFILENAME",
    "-Wno-UNUSEDPARAM",
    "-Wno-UNUSEDSIGNAL",
    "-Wno-UNSIGNED",
    "-Wno-VARHIDDEN",
];

/// How a program is made. Loops stay loops: unrolled they are most of the C++, and take longer to
/// compile than thousands of cycles take to simulate.
const MAKE: &[&str] = &[
    "--cc",
    "--no-timing",
    "--unroll-count",
    "1",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--Mdir",
    "made",
];

/// How a program is built.
#[derive(Clone, Copy, Debug, Hash)]
pub struct How {
    /// What Verilator is told of warnings; one that is left is a failure.
    pub warnings: &'static [&'static str],
    /// What the compiler is told of optimizing the model.
    pub optimizing: &'static str,
}

/// As the exported Verilog is replayed: its lint must be clean, and it does not run for long.
const REPLAYED: How = How { warnings: LINT, optimizing: runtime::MODEL };

/// Lints `verilog`, whose top module is [`TOP`], in the existing folder `directory`.
///
/// # Errors
/// When there is anything to warn of.
pub fn lint(verilog: &str, directory: &Path) -> Result<(), ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    // What is linted is small enough for any stack; for the rest the script sees to one.
    verilate(tool::verilator(), &["--lint-only"], LINT, directory)
}

/// Replays `trace` on `verilog`, whose top module is [`TOP`], in the existing folder `directory`.
/// The built program is kept in the folder `cache`.
///
/// # Errors
/// When Verilator warns of the Verilog, or any compared output differs.
pub fn replay(
    verilog: &str,
    trace: &PortTrace,
    directory: &Path,
    cache: &Path,
) -> Result<(), ReplayError> {
    let program = build(verilog, &harness(trace), REPLAYED, cache)?;
    write(&directory.join("trace.bin"), packed(trace))?;
    let program = program.to_string_lossy();
    let simulated = run(&program, &["trace.bin"], directory, SIMULATE_SECONDS)?;
    verdict("verilator", &simulated.log, trace.cycles.len())
}

fn verilate(
    program: &str,
    mode: &[&str],
    warnings: &[&str],
    directory: &Path,
) -> Result<(), ReplayError> {
    let arguments = [mode, warnings, &["--top-module", TOP, "top.v"]].concat();
    let finished = run(program, &arguments, directory, BUILD_SECONDS)?;
    if finished.success && !finished.log.contains("%Warning") {
        return Ok(());
    }
    Err(ReplayError::Rejected { tool: "verilator", log: finished.log })
}

/// The program for a Verilog text, whose top module is [`TOP`], and a harness; from the folder
/// `cache` if it is there.
///
/// # Errors
/// When Verilator warns of the Verilog, or a tool fails.
pub fn build(verilog: &str, harness: &str, how: How, cache: &Path) -> Result<PathBuf, ReplayError> {
    fs::create_dir_all(cache).map_err(|source| io("making the cache", source))?;
    let runtime = runtime::find(cache, BUILD_SECONDS)?;
    let mut hasher = DefaultHasher::new();
    (verilog, harness, how, MAKE, &runtime.object).hash(&mut hasher);
    let cache = fs::canonicalize(cache).map_err(|source| io("finding the cache", source))?;
    let kept = cache.join(format!("{:016x}", hasher.finish()));
    let program = kept.join("replay");
    let same =
        |file: &str, text: &str| fs::read_to_string(kept.join(file)).is_ok_and(|t| t == text);
    if program.is_file() && same("top.v", verilog) && same("main.cpp", harness) {
        return Ok(program);
    }
    let fresh = tempfile::Builder::new().prefix("build-").tempdir_in(&cache);
    let fresh = fresh.map_err(|source| io("making a folder in the cache", source))?;
    let folder = fresh.path();
    write(&folder.join("top.v"), verilog)?;
    write(&folder.join("main.cpp"), harness)?;
    verilate("verilator", MAKE, how.warnings, folder)?;
    write(&folder.join("all.cpp"), unity(&folder.join("made"))?)?;
    runtime.link("all.cpp", "replay", how.optimizing, folder, BUILD_SECONDS)?;
    // Only what the comparison above needs is kept.
    let _ = fs::remove_dir_all(folder.join("made"));
    let folder = fresh.keep();
    let _ = fs::remove_dir_all(&kept);
    if fs::rename(&folder, &kept).is_err() {
        // Somebody else has just put the same program there.
        let _ = fs::remove_dir_all(&folder);
    }
    Ok(program)
}

/// One file that includes all that Verilator generated: one compiler run instead of ten.
fn unity(made: &Path) -> Result<String, ReplayError> {
    let fail = |source| io("reading what Verilator made", source);
    let mut files = Vec::new();
    for entry in fs::read_dir(made).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            files.push(name);
        }
    }
    files.sort();
    let includes: String = files.iter().map(|file| format!("#include \"{file}\"\n")).collect();
    Ok(includes + "#include \"main.cpp\"\n")
}

fn io(what: &str, source: std::io::Error) -> ReplayError {
    ReplayError::Io { what: what.to_owned(), source }
}
