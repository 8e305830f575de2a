//! Yosys reads, checks and counts.

use super::case::TOP;
use super::command::{read, run_until, write, Finished, Patience};
use super::{known, ReplayError};
use crate::export::Modules;
use crate::regress::StopFlag;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// For reading and counting.
const SECONDS: u64 = 600;
/// For mapping to a target.
const MAP_SECONDS: u64 = 4 * 3600;
/// How much of a log tells what went wrong.
const LAST_LINES: usize = 5;

/// Yosys' selection of the flip-flops that drive a wire with a name of the design's own.
const NAMED_REGISTERS: &str = "w:* w:$* %d %ci1 t:*dff* %i";

/// What Yosys counts in a module and all below it, before any optimization: registers that nothing
/// reads count, what Yosys makes of the ports of memories does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Counts")]
pub struct YosysReport {
    /// Cells by kind (`$add`, `$mux`), whatever their width.
    pub cells: BTreeMap<String, u64>,
    /// Bits of flip-flops.
    pub register_bits: u64,
    /// Bits of memories: SRAMs and register files.
    pub memory_bits: u64,
}

/// Reads `verilog`, whose top module is [`TOP`], in the existing folder `directory`; but not the
/// modules that this process has read already, in whatever design.
///
/// # Errors
/// When Yosys cannot read it, or finds a latch, a wire without driver, or one with two.
pub fn report(verilog: &str, directory: &Path) -> Result<YosysReport, ReplayError> {
    known::of(&Modules::below(TOP, verilog), |verilog, top| {
        let script = format!(
            "read_verilog top.v; hierarchy -check -top {top}; proc; check -assert; \
             setattr -set keep 1 {NAMED_REGISTERS}; opt_clean; tee -q -o stat.json stat -width -json"
        );
        run_script(verilog, &script, directory, None)?;
        Ok(parse_file(&directory.join("stat.json"))?.modules)
    })
}

/// Runs a script on `verilog`, which it finds as `top.v`, in the existing folder `directory`, until
/// `stop` is raised.
///
/// # Errors
/// When Yosys fails, finds a latch, a wire without driver, or one with two, or is stopped.
pub fn run_script(
    verilog: &str,
    script: &str,
    directory: &Path,
    stop: Option<&StopFlag>,
) -> Result<(), ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    let finished = yosys(script, directory, Patience { seconds: SECONDS, mebibytes: None, stop })?;
    let complaints: Vec<&str> = finished.log.lines().filter(|line| is_complaint(line)).collect();
    if !complaints.is_empty() {
        return Err(ReplayError::Rejected { tool: "yosys", log: complaints.join("\n") });
    }
    succeeded(&finished)
}

/// As [`run_script`], for hours and with ABC's warnings, which are about its own optimizations.
///
/// # Errors
/// When Yosys fails or is stopped.
pub fn map(
    verilog: &str,
    script: &str,
    directory: &Path,
    stop: Option<&StopFlag>,
) -> Result<(), ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    succeeded(&yosys(script, directory, Patience { seconds: MAP_SECONDS, mebibytes: None, stop })?)
}

fn yosys(script: &str, directory: &Path, patience: Patience) -> Result<Finished, ReplayError> {
    run_until("yosys", &["-Q", "-T", "-p", script], directory, patience)
}

fn succeeded(finished: &Finished) -> Result<(), ReplayError> {
    match finished.success {
        true => Ok(()),
        false => Err(ReplayError::Rejected { tool: "yosys", log: last_lines(&finished.log) }),
    }
}

fn last_lines(log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}

/// The report of a whole design in a file that `stat -width -json` wrote.
///
/// # Errors
/// When it cannot be read.
pub fn statistics(path: &Path) -> Result<YosysReport, ReplayError> {
    Ok(parse_file(path)?.design)
}

fn parse_file(path: &Path) -> Result<Statistics, ReplayError> {
    parse(&read(path)?)
        .map_err(|error| ReplayError::Rejected { tool: "yosys", log: error.to_string() })
}

/// The logic depth of `verilog`, whose top module is [`TOP`]: gates of two inputs on the longest
/// way between registers or ports, after ABC's mapping. Needs an existing folder `directory`.
///
/// # Errors
/// When Yosys cannot read it.
pub fn depth(verilog: &str, directory: &Path) -> Result<u64, ReplayError> {
    depth_of(TOP, verilog, directory, None)
}

/// As [`depth`], of one of its modules; a memory counts as a register, its words are no gates.
///
/// # Errors
/// When Yosys cannot read it, or `stop` is raised.
pub fn depth_of(
    module: &str,
    verilog: &str,
    directory: &Path,
    stop: Option<&StopFlag>,
) -> Result<u64, ReplayError> {
    write(&directory.join("top.v"), verilog)?;
    let script = format!(
        "read_verilog top.v; hierarchy -check -top {module}; proc; flatten; opt -full; memory -nomap; \
         opt; techmap; opt; abc -g AND,OR,XOR; opt_clean; ltp -noff"
    );
    let finished = yosys(&script, directory, Patience { seconds: SECONDS, mebibytes: None, stop })?;
    let length = finished.log.lines().find_map(|line| {
        let text = line.strip_prefix("Longest topological path in ")?.split_once("length=")?.1;
        text.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
    });
    length
        .filter(|_| finished.success)
        .ok_or_else(|| ReplayError::Rejected { tool: "yosys", log: last_lines(&finished.log) })
}

fn is_complaint(line: &str) -> bool {
    // What a memory read or a loop variable costs is not a fault.
    let harmless = line.contains("Replacing memory");
    line.contains("Latch inferred")
        || line.contains("ERROR")
        || line.contains("Warning") && !harmless
}

/// What `stat -width -json` writes.
#[derive(Deserialize)]
struct Statistics {
    /// Each module without what is below it: instances are cells.
    #[serde(default)]
    modules: BTreeMap<String, YosysReport>,
    /// The top with all below it.
    design: YosysReport,
}

/// The counts of a module as Yosys 0.23 writes them: `$dff_8` is a flip-flop of 8 bits.
#[derive(Deserialize)]
struct Counts {
    num_memory_bits: u64,
    num_cells_by_type: BTreeMap<String, u64>,
}

impl From<Counts> for YosysReport {
    fn from(counts: Counts) -> Self {
        let mut report = Self { memory_bits: counts.num_memory_bits, ..Self::default() };
        for (cell, count) in counts.num_cells_by_type {
            let (kind, width) = match cell.rsplit_once('_') {
                Some((kind, width)) => match width.parse::<u64>() {
                    Ok(width) => (kind, width),
                    Err(_) => (cell.as_str(), 1),
                },
                None => (cell.as_str(), 1),
            };
            // A module's name may have these letters, too.
            if kind.starts_with('$') && kind.contains("dff") {
                report.register_bits += count * width;
            }
            *report.cells.entry(kind.to_owned()).or_default() += count;
        }
        report
    }
}

fn parse(text: &str) -> Result<Statistics, serde_json::Error> {
    // It also prints the hierarchy, as plain text, into the middle of its JSON.
    let is_json = |line: &&str| line.contains(['"', '{', '}', '[', ']']);
    let json: String = text.lines().filter(is_json).collect();
    serde_json::from_str(&json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_count_in_registers_and_not_in_cells() {
        let text = r#"{
            "modules": { "\\top": { "num_memory_bits": 0, "num_cells_by_type": { "mdff": 2 } } },
            top$child             1
            "design": { "num_memory_bits": 128, "num_cells_by_type": {
            "$dff_4": 1, "$sdff_8": 3, "$memwr_v2": 1, "$mux_4": 1, "$mux_8": 2 } } }"#;
        let Statistics { modules, design: report } = parse(text).expect("it reads");
        assert_eq!(modules["\\top"].cells, [("mdff".to_owned(), 2)].into());
        assert_eq!(modules["\\top"].register_bits, 0);
        assert_eq!((report.register_bits, report.memory_bits), (28, 128));
        let cells = [("$dff", 1), ("$memwr_v2", 1), ("$mux", 3), ("$sdff", 3)];
        assert_eq!(report.cells, cells.map(|(kind, count)| (kind.to_owned(), count)).into());
    }
}
