//! The tools that other people's machines may lack.

use std::env;
use std::path::PathBuf;

/// A tool that reads Verilog, dumps or pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Icarus Verilog: `iverilog` and `vvp`.
    Icarus,
    /// Verilator, with a C++ compiler.
    Verilator,
    /// Yosys.
    Yosys,
    /// Yosys with ABC, which proves.
    Abc,
    /// GTKWave's converter of dumps.
    Vcd2Fst,
    /// A browser that needs no screen.
    Chromium,
}

/// Whether a tool can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolStatus {
    /// All its programs are there.
    Found,
    /// This program is not, and its checks are skipped.
    Skipped(&'static str),
    /// This program is not, and its checks fail: on a build server nothing may be skipped.
    Required(&'static str),
}

impl Tool {
    /// The programs that it consists of; the first one gives it its name.
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Tool::Icarus => &["iverilog", "vvp"],
            Tool::Verilator => &["verilator", "g++"],
            Tool::Yosys => &["yosys"],
            Tool::Abc => &["yosys", "yosys-abc"],
            Tool::Vcd2Fst => &["vcd2fst"],
            Tool::Chromium => &["chromium"],
        }
    }

    /// Whether it can be used. A missing tool is required when the environment variable `CI` is
    /// set to anything but `false`, `0` or nothing.
    pub fn status(self) -> ToolStatus {
        let required = env::var("CI").is_ok_and(|ci| is_set(&ci));
        status_in(self, &directories(), required)
    }
}

/// Where programs are looked for.
fn directories() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
}

/// Verilator itself where it is on the path, else the script in Perl before it, which takes as long
/// to start as the lint of a small module.
pub(super) fn verilator() -> &'static str {
    let itself = "verilator_bin";
    match is_in(itself, &directories()) {
        true => itself,
        false => Tool::Verilator.programs()[0],
    }
}

fn is_in(program: &str, directories: &[PathBuf]) -> bool {
    directories.iter().any(|path| path.join(program).is_file())
}

fn is_set(value: &str) -> bool {
    !matches!(value, "" | "0" | "false")
}

fn status_in(tool: Tool, directories: &[PathBuf], required: bool) -> ToolStatus {
    match tool.programs().iter().find(|program| !is_in(program, directories)) {
        None => ToolStatus::Found,
        Some(missing) if required => ToolStatus::Required(missing),
        Some(missing) => ToolStatus::Skipped(missing),
    }
}

impl ToolStatus {
    /// The line to report: `skipped: iverilog not found`; `None` when the tool is there.
    pub fn message(&self) -> Option<String> {
        match self {
            ToolStatus::Found => None,
            ToolStatus::Skipped(program) => Some(format!("skipped: {program} not found")),
            ToolStatus::Required(program) => {
                Some(format!("{program} not found, and CI is set: nothing may be skipped"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_skipped_by_name_on_a_plain_run() {
        for tool in [Tool::Icarus, Tool::Verilator, Tool::Yosys, Tool::Vcd2Fst, Tool::Chromium] {
            let name = tool.programs()[0];
            let message = status_in(tool, &[], false).message();
            assert_eq!(message, Some(format!("skipped: {name} not found")));
        }
    }

    #[test]
    fn a_missing_tool_fails_on_a_build_server() {
        assert_eq!(status_in(Tool::Yosys, &[], true), ToolStatus::Required("yosys"));
    }

    #[test]
    fn a_tool_is_found_only_with_all_its_programs() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = [directory.path().to_owned()];
        std::fs::write(path[0].join("iverilog"), "").expect("a file");
        assert_eq!(status_in(Tool::Icarus, &path, false), ToolStatus::Skipped("vvp"));
        std::fs::write(path[0].join("vvp"), "").expect("a file");
        assert_eq!(status_in(Tool::Icarus, &path, false), ToolStatus::Found);
    }

    #[test]
    fn ci_counts_as_set_unless_it_says_no() {
        assert!(is_set("true") && is_set("1"));
        assert!(!is_set("false") && !is_set("0") && !is_set(""));
    }
}
