//! Replay of recorded ports on the exported Verilog, in simulators that know nothing of rust-hdl.
//!
//! ```text
//!   catalog --> rust-hdl simulation --ports, every cycle--> [trace] --inputs----> Icarus, Verilator
//!          \--> [export] ------------ Verilog ---------------------------------->     |
//!                                                           [trace] --outputs--> compare every cycle
//! ```
//!
//! Simulation and Verilog are written by different parts of rust-hdl and can disagree; a cycle in
//! which they do fails the case with the cycle, the port, what was expected and what came. Yosys
//! reads the same files, checks them for latches, wires without driver and wires with two, and
//! counts.

mod case;
mod command;
mod coverage;
mod exports;
mod group;
mod harness;
mod icarus;
mod known;
mod ports;
mod runtime;
mod sampler;
pub mod stimulus;
mod tool;
mod trace;
mod verdict;
mod verilator;
mod yosys;

pub use case::{cases, Check, ReplayCase, ReplayOutcome, TOP};
pub use command::{
    read as read_file, run, run_until, scratch, write as write_file, Finished, Patience,
};
pub use coverage::{unexercised, Unexercised};
pub use group::exit_with_groups;
pub use ports::{is_clocked, ports, Direction, Field, Port};
pub use sampler::Sampler;
pub use tool::{Tool, ToolStatus};
pub use trace::{Cycle, PortTrace};
pub use yosys::YosysReport;

pub(crate) use harness::{drives, edges, reads};
pub use icarus::replay as replay_in_icarus;
pub(crate) use verilator::{build as build_with_verilator, How};
pub use verilator::{lint, replay as replay_in_verilator};
pub use yosys::{
    depth as yosys_depth, depth_of as yosys_depth_of, map as yosys_map, report as yosys_report,
    run_script as yosys_run, statistics as yosys_statistics,
};

/// Why a check of exported Verilog failed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReplayError {
    /// The module cannot be exported.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Export(#[from] crate::export::ExportError),
    /// A tool could not be run or a file not be written.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A tool refused the Verilog, or warned of it.
    #[error("{tool} rejects the Verilog:\n{log}")]
    Rejected {
        /// The tool.
        tool: &'static str,
        /// What it printed.
        log: String,
    },
    /// Yosys counts other bits than the module declares.
    #[error("the module declares {} register and {} memory bits, Yosys reads {} and {}",
        declared.0, declared.1, found.0, found.1)]
    Storage {
        /// Register and memory bits that are declared.
        declared: (u64, u64),
        /// Those that Yosys counts.
        found: (u64, u64),
    },
    /// A tool did not end in time.
    #[error("{tool} did not end within {seconds} seconds")]
    Timeout {
        /// The tool.
        tool: String,
        /// The limit.
        seconds: u64,
    },
    /// A tool broke down under a limit of its memory.
    #[error("{tool} broke down with {mebibytes} MiB of memory")]
    Memory {
        /// The tool.
        tool: String,
        /// The limit.
        mebibytes: u64,
    },
    /// A tool was told to end.
    #[error("stopped while {tool} was running")]
    Stopped {
        /// The tool.
        tool: String,
    },
    /// The Verilog differs from the simulation.
    #[error("{tool} differs from the simulation: {mismatch}")]
    Mismatch {
        /// The simulator.
        tool: &'static str,
        /// `cycle 7, port grant: expected 1, got 3`.
        mismatch: String,
    },
}

impl ReplayError {
    /// Cycles up to the first difference; zero without one.
    pub fn cycles(&self) -> u64 {
        let Self::Mismatch { mismatch, .. } = self else { return 0 };
        let cycle = mismatch.strip_prefix("cycle ").and_then(|rest| rest.split(',').next());
        cycle.and_then(|cycle| cycle.parse().ok()).map_or(0, |cycle: u64| cycle + 1)
    }
}
