//! `blockyard prove`.

use super::{complain, interrupt, print, Exit};
use crate::prove::faults::{self, Fate, Verdict};
use crate::prove::{self, Limits, Row};
use crate::replay::{ReplayError, Tool, ToolStatus};
use blockyard_rtl::proofs::{proofs, Proof, Takes};
use blockyard_sim::input::is_standard;
use clap::Args;
use miette::{miette, IntoDiagnostic, Result};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Memory of a process. The largest proof of docs/proofs.md takes a tenth of it; Yosys has been
/// seen to take all that there is of a machine where expressions grow with the square of a size.
const MEBIBYTES: u64 = 4096;

/// Arguments of `prove`.
#[derive(Debug, Args)]
pub struct ProveArgs {
    /// Module, as `blockyard list modules` names it: `prim/fifo`; all when left out
    module: Option<String>,
    /// Only modules with such a property: a part of `prim/fifo: order`
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only what takes seconds
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print Markdown, a row for all properties that were proved together
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Seconds for each module and size; one that takes longer is not decided
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// MiB of memory for each process of Yosys and ABC; one that wants more leaves its module not
    /// decided
    #[arg(long, value_name = "MIB", default_value_t = MEBIBYTES, value_parser = clap::value_parser!(u64).range(64..))]
    memory: u64,
    /// Modules at a time, each in a process of one thread; as many as there are cores when left out
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder for counter-examples; made when there is one
    #[arg(long, value_name = "DIR", default_value = "counter-examples")]
    out: PathBuf,
    /// Look for a fault of each module that refutes it, for each property; the smallest size of
    /// each
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    mutate: bool,
}

/// Proves what modules promise.
///
/// # Errors
/// A module that nothing is proved of, or a tool that fails.
pub fn main(args: &ProveArgs) -> Result<Exit> {
    if is_standard(&args.out) {
        return Err(miette!(help = "expected a folder", "counter-examples cannot go to `-`"));
    }
    let mut chosen = prove::selected(args.module.as_deref(), args.filter.as_deref());
    chosen.retain(|proof| !args.quick || proof.takes <= Takes::Seconds);
    if chosen.is_empty() {
        let mut known: Vec<&str> = proofs().iter().map(|proof| proof.module).collect();
        known.dedup();
        let help = format!("there are proofs of {}", known.join(", "));
        let wanted = [args.module.as_deref(), args.filter.as_deref()].into_iter().flatten();
        let wanted: Vec<String> = wanted.map(|name| format!("`{name}`")).collect();
        return Err(match wanted.is_empty() {
            true => miette!(help = help, "nothing to prove"),
            false => miette!(help = help, "nothing is proved of {}", wanted.join(", ")),
        });
    }
    let status = Tool::Abc.status();
    if let Some(message) = status.message() {
        complain(&message);
        return Ok(match status {
            ToolStatus::Required(_) => Exit::CheckFailed,
            _ => Exit::Fine,
        });
    }
    let stop = interrupt::flag()?;
    let limits =
        Limits { seconds: args.timeout, mebibytes: args.memory, out: &args.out, stop: Some(&stop) };
    let jobs = args.jobs.map_or(0, usize::from);
    let workers = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().into_diagnostic()?;
    let files = tempfile::tempdir().into_diagnostic()?;
    let done = workers.install(|| match args.mutate {
        true => mutate(chosen, files.path(), limits),
        false => prove_all(args, &chosen, files.path(), limits),
    });
    match done {
        Err(ReplayError::Stopped { .. }) => Ok(Exit::Interrupted),
        other => Ok(other?),
    }
}

fn prove_all(
    args: &ProveArgs,
    chosen: &[Proof],
    files: &Path,
    limits: Limits,
) -> Result<Exit, ReplayError> {
    let one = |(number, proof): (usize, &Proof)| {
        prove::prove(proof, &files.join(number.to_string()), limits)
    };
    let rows = chosen.par_iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    let text = match (args.json, args.markdown) {
        (true, _) => prove::json(&rows).unwrap_or_default(),
        (_, true) => prove::markdown(&rows),
        _ => prove::table(&rows),
    };
    let printed = print(&text);
    let fine = rows.iter().all(Row::is_fine) && printed.is_ok();
    Ok(if fine { Exit::Fine } else { Exit::CheckFailed })
}

fn mutate(mut chosen: Vec<Proof>, files: &Path, limits: Limits) -> Result<Exit, ReplayError> {
    chosen.dedup_by_key(|proof| proof.module);
    let one = |(number, proof): (usize, &Proof)| {
        let verdicts = faults::hunt(proof, &files.join(number.to_string()), limits)?;
        let mut fine = true;
        let mut text = String::new();
        for Verdict { property, fate } in verdicts {
            fine &= !matches!(fate, Fate::Survives(_));
            text += &format!("{} ({}): {property}: {fate}\n", proof.module, proof.size);
        }
        fine &= print(&text).is_ok();
        Ok(fine)
    };
    let fine =
        chosen.par_iter().enumerate().map(one).collect::<Result<Vec<bool>, ReplayError>>()?;
    Ok(if fine.into_iter().all(|fine| fine) { Exit::Fine } else { Exit::CheckFailed })
}
