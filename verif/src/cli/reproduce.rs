//! `blockyard reproduce`.

use super::graph_workload::graph_workload;
use super::settings::GpuArgs;
use super::{print, Exit};
use crate::reproduce::laperm;
use crate::session::Engine;
use clap::{Args, ValueEnum};
use miette::{miette, Result};
use std::path::PathBuf;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper
    paper: Paper,
    /// Workload over a graph
    #[arg(long, default_value = "bfs")]
    workload: String,
    /// Its graph: SNAP edge list, Ligra, DIMACS or MatrixMarket; a generated one if none is given
    #[arg(long, value_name = "F")]
    input: Option<PathBuf>,
    #[command(flatten)]
    gpu: GpuArgs,
    /// Who decides
    #[arg(long, default_value = "golden")]
    engine: Engine,
    /// Seed of everything that is drawn at random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs at once [default: one on each core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Paper {
    /// Hit rates and IPC of `rr` and the three schedulers, for cdp and dtbl
    Laperm,
}

/// Runs what the paper compares and prints the figures.
///
/// # Errors
/// Bad input, or a run that fails.
pub fn main(args: &ReproduceArgs) -> Result<Exit> {
    let Paper::Laperm = args.paper;
    let schedulers = laperm::SCHEDULERS.map(|name| match name {
        // The parameters of the others mean nothing to it.
        "rr" => Ok(name.parse()?),
        _ => args.gpu.scheduler(name),
    });
    let schedulers = schedulers.into_iter().collect::<Result<Vec<_>>>()?;
    let (gpu, settings) = args.gpu.preset()?;
    gpu.validate()?;
    let workload =
        || graph_workload(&args.workload, args.input.as_deref(), settings.clone(), args.seed);
    // What is wrong with it is said once.
    workload()?;
    if args.jobs == Some(0) {
        return Err(miette!(help = "expected at least 1", "`--jobs` cannot be `0`"));
    }
    let plan = laperm::Plan { schedulers, gpu, engine: args.engine, seed: args.seed };
    let rows = plan.run(args.jobs, workload)?;
    print(&if args.json { laperm::json(&rows) } else { laperm::table(&rows) });
    Ok(Exit::Fine)
}
