//! Recorded ports replayed on the exported Verilog.
//!
//! Rationale. 1. State space: random traces of 2,000 cycles a configuration, with resets and idle
//! runs, legal traffic for whole schedulers; that the traces exercise every handshake is itself
//! tested. 2. Parameters: every configuration of the catalog. 3. The replay is tested on Verilog
//! that is known to be wrong: every tool must say so.

mod catalog;
mod changes;
mod faults;
mod sram;
mod storage;
mod traps;
mod wide;

use blockyard::replay::{Tool, ToolStatus};
use std::path::PathBuf;

/// Where these tests put files.
fn workdir() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay")
}

/// Where the programs of Verilator are, which serve the next run as well.
fn cache() -> PathBuf {
    workdir().join("verilator-cache")
}

/// A fresh folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = workdir().join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Whether a tool is there; says so when it is not.
fn has(tool: Tool) -> bool {
    let status = tool.status();
    if let Some(message) = status.message() {
        println!("{message}");
    }
    assert!(!matches!(status, ToolStatus::Required(_)), "a build server has every tool");
    status == ToolStatus::Found
}
