//! The command line.

mod budget;
mod compare;
pub(crate) mod coverage;
mod cuda;
mod dram;
mod functional;
mod generated;
mod instruments;
mod interrupt;
pub mod kernel_file;
mod kernel_info;
mod keys;
pub(crate) mod launch;
mod list;
mod mutate;
pub(crate) mod number;
pub(crate) mod outputs;
mod page;
mod preset;
mod prove;
mod reproduce;
mod run;
pub mod run_options;
mod run_progress;
pub mod run_spec;
pub(crate) mod settings;
mod source;
mod study;
pub(crate) mod terminal;
mod together;
mod trace;
pub(crate) mod traffic_spec;
mod verilog;
mod wave;
mod workload;

use crate::regress;
use crate::standard_output::print;
use clap::{Parser, Subcommand};
use miette::Report;
use std::process::ExitCode;

/// Runs GPU thread-block scheduler hardware in lockstep with its behavioural twins.
#[derive(Debug, Parser)]
#[command(name = "blockyard", version = crate::provenance::VERSION_AND_REVISION, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// What there is: schedulers, workloads, GPUs, keys of --set, suites, modules
    List(list::ListArgs),
    /// What a GPU preset states, and where each value comes from
    Preset(preset::PresetArgs),
    /// Run a workload on a GPU with a scheduler
    Run(Box<run::RunArgs>),
    /// Run what differs along axes, and compare it in one table
    Study(Box<study::StudyCommandArgs>),
    /// Compare schedulers on a workload: a row each, relative to the first
    Compare(Box<compare::CompareArgs>),
    /// Run a suite of regression cases in parallel
    Regress(regress::RegressArgs),
    /// Merge what shards of a regression have met, and hold it against what was met before
    Coverage(coverage::CoverageArgs),
    /// What a scheduler stores, beside what the papers state
    Budget(budget::BudgetArgs),
    /// Write the Verilog of a scheduler
    Verilog(verilog::VerilogArgs),
    /// Prove what modules promise
    Prove(prove::ProveArgs),
    /// Count the faults of schedulers' hardware that random lockstep finds
    Mutate(mutate::MutateArgs),
    /// Look into kernels
    Kernel(kernel_info::KernelCommandArgs),
    /// Look into an instruction trace
    Trace(trace::TraceArgs),
    /// Run the DRAM model alone on a list of requests
    Dram(dram::DramArgs),
    /// Run what a paper evaluates, its figures beside ours
    Reproduce(reproduce::ReproduceArgs),
    /// Make a page of the files that other commands leave
    Page(page::PageArgs),
    /// Write the views of a waveform dump beside it; `wave show` prints cycles of one, `wave diff`
    /// compares two
    Wave(wave::WaveArgs),
    /// Print what a shell reads to complete command lines
    Completions(generated::CompletionsArgs),
    /// Print the page for man, or write one for every command
    Man(generated::ManArgs),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything is fine: status 0.
    Fine,
    /// A check failed: status 1.
    CheckFailed,
    /// Stopped by Ctrl-C: status 130.
    Interrupted,
}

/// Runs the command line of this process. Status 2, with a diagnostic, is bad use or bad input.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::List(args) => list::main(&args),
        Command::Preset(args) => preset::main(&args),
        Command::Run(args) => run::main(&args),
        Command::Study(args) => study::main(&args),
        Command::Compare(args) => compare::main(&args),
        Command::Regress(args) => regress_main(&args),
        Command::Coverage(args) => coverage::main(&args),
        Command::Budget(args) => budget::main(&args),
        Command::Verilog(args) => verilog::main(&args),
        Command::Prove(args) => prove::main(&args),
        Command::Mutate(args) => mutate::main(&args),
        Command::Kernel(args) => kernel_info::main(&args),
        Command::Trace(args) => trace::main(&args),
        Command::Dram(args) => dram::main(&args),
        Command::Reproduce(args) => reproduce::main(&args),
        Command::Page(args) => page::main(&args),
        Command::Wave(args) => wave::main(&args),
        Command::Completions(args) => generated::completions(&args),
        Command::Man(args) => generated::man(&args),
    };
    match result {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::CheckFailed) => ExitCode::from(1),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        Err(report) => {
            complain(&format!("{report:?}"));
            ExitCode::from(2)
        }
    }
}

fn regress_main(args: &regress::RegressArgs) -> Result<Exit, Report> {
    Ok(match regress::main(args, regress::suites())? {
        regress::ExitStatus::Passed => Exit::Fine,
        regress::ExitStatus::Failed => Exit::CheckFailed,
        regress::ExitStatus::Interrupted => Exit::Interrupted,
    })
}

/// Prints a line to standard error.
fn complain(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints what another program has written to its standard error.
fn complain_as_is(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// This process's command line, as a shell takes it.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| regress::quoted(&word.to_string_lossy()));
    format!("blockyard {}", words.collect::<Vec<_>>().join(" "))
}
