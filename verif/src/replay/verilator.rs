//! Replay in Verilator: compiled, fast enough for every configuration. Its lint must be clean.
//!
//! Programs are cached by the Verilog that they were built from, so a second run only simulates.

use super::case::TOP;
use super::command::{run, write};
use super::harness::{harness, packed};
use super::trace::PortTrace;
use super::verdict::verdict;
use super::ReplayError;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const BUILD_SECONDS: u64 = 600;
const SIMULATE_SECONDS: u64 = 300;

/// Everything is an error but names and what is only unused.
const LINT: &[&str] = &[
    "-Wall",
    "-Wno-DECLFILENAME",
    "-Wno-UNUSEDPARAM",
    "-Wno-UNUSEDSIGNAL",
    "-Wno-UNSIGNED",
    "-Wno-VARHIDDEN",
    "--top-module",
    TOP,
    "top.v",
];

/// Lints `verilog`, whose top module is [`TOP`], in the existing folder `directory`.
///
/// # Errors
/// When there is anything to warn of.
pub fn lint(verilog: &str, directory: &Path) -> Result<(), ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    verilate(&["--lint-only"], directory)
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
    let program = build(verilog, &harness(trace), cache)?;
    write(&directory.join("trace.bin"), packed(trace))?;
    let program = program.to_string_lossy();
    let simulated = run(&program, &["trace.bin"], directory, SIMULATE_SECONDS)?;
    verdict("verilator", &simulated.log, trace.cycles.len())
}

fn verilate(mode: &[&str], directory: &Path) -> Result<(), ReplayError> {
    let arguments = [mode, LINT].concat();
    let finished = run("verilator", &arguments, directory, BUILD_SECONDS)?;
    if finished.success && !finished.log.contains("%Warning") {
        return Ok(());
    }
    Err(ReplayError::Rejected { tool: "verilator", log: finished.log })
}

/// The program for a Verilog text and a harness, from the cache if it is there.
fn build(verilog: &str, harness: &str, cache: &Path) -> Result<PathBuf, ReplayError> {
    fs::create_dir_all(cache).map_err(|source| io("making the cache", source))?;
    let runtime = runtime(cache)?;
    let mut hasher = DefaultHasher::new();
    (verilog, harness, LINT, &runtime.object).hash(&mut hasher);
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
    let mode =
        ["--cc", "--no-timing", "--x-assign", "unique", "--x-initial", "unique", "--Mdir", "made"];
    verilate(&mode, folder)?;
    write(&folder.join("all.cpp"), unity(&folder.join("made"))?)?;
    compile(
        &["-O1", "-I.", "-Imade", "-o", "replay", "all.cpp", &runtime.object],
        &runtime,
        folder,
    )?;
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

const RUNTIME: &str = "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n";

/// Verilator's own library, compiled once.
#[derive(Clone)]
struct Runtime {
    root: String,
    object: String,
}

fn runtime(cache: &Path) -> Result<Runtime, ReplayError> {
    // Also keeps two threads from compiling it at once.
    static KNOWN: Mutex<BTreeMap<PathBuf, Runtime>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(runtime) = known.get(cache) {
        return Ok(runtime.clone());
    }
    let folder = cache.join("runtime");
    fs::create_dir_all(&folder).map_err(|source| io("making the cache", source))?;
    let root = run("verilator", &["--getenv", "VERILATOR_ROOT"], &folder, BUILD_SECONDS)?;
    let version = run("verilator", &["--version"], &folder, BUILD_SECONDS)?;
    let mut hasher = DefaultHasher::new();
    (RUNTIME, &version.log, root.log.trim()).hash(&mut hasher);
    let object = fs::canonicalize(&folder)
        .map_err(|source| io("finding the cache", source))?
        .join(format!("verilated-{:016x}.o", hasher.finish()));
    let runtime =
        Runtime { root: root.log.trim().to_owned(), object: object.to_string_lossy().into_owned() };
    if !object.is_file() {
        write(&folder.join("runtime.cpp"), RUNTIME)?;
        compile(&["-O1", "-c", "-o", "fresh.o", "runtime.cpp"], &runtime, &folder)?;
        fs::rename(folder.join("fresh.o"), &object).map_err(|source| io("keeping it", source))?;
    }
    known.insert(cache.to_owned(), runtime.clone());
    Ok(runtime)
}

fn compile(arguments: &[&str], runtime: &Runtime, folder: &Path) -> Result<(), ReplayError> {
    let include = format!("-I{}/include", runtime.root);
    let vltstd = format!("-I{}/include/vltstd", runtime.root);
    let fixed =
        ["-std=c++17", "-w", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVM_SC=0", &include, &vltstd];
    let arguments = [&fixed[..], arguments, &["-pthread"]].concat();
    let finished = run("g++", &arguments, folder, BUILD_SECONDS)?;
    if finished.success {
        return Ok(());
    }
    Err(ReplayError::Rejected { tool: "g++", log: finished.log })
}

fn io(what: &str, source: std::io::Error) -> ReplayError {
    ReplayError::Io { what: what.to_owned(), source }
}
