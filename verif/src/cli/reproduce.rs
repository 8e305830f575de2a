//! `blockyard reproduce`.

use super::graph_workload::graph_workload;
use super::settings::GpuArgs;
use super::{print, Exit};
use crate::reproduce::{laperm, srtf};
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
    /// Throughput, turnaround and fairness of pairs of ERCBench's kernels under each policy, on `gtx480`
    Srtf,
}

/// Runs what the paper compares and prints the figures.
///
/// # Errors
/// Bad input, or a run that fails.
pub fn main(args: &ReproduceArgs) -> Result<Exit> {
    if args.jobs == Some(0) {
        return Err(miette!(help = "expected at least 1", "`--jobs` cannot be `0`"));
    }
    match args.paper {
        Paper::Laperm => laperm_main(args),
        Paper::Srtf => srtf_main(args),
    }
}

fn laperm_main(args: &ReproduceArgs) -> Result<Exit> {
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
    let plan = laperm::Plan { schedulers, gpu, engine: args.engine, seed: args.seed };
    let rows = plan.run(args.jobs, workload)?;
    print(&if args.json { laperm::json(&rows) } else { laperm::table(&rows) });
    Ok(Exit::Fine)
}

/// The paper's GPU and workloads: `--seed`, `--set` of the GPU's keys and of erc.stagger, `--jobs`.
fn srtf_main(args: &ReproduceArgs) -> Result<Exit> {
    const GPU: &str = "gtx480";
    let refused = |option: &str| {
        Err(miette!(
            help = "it runs all pairs of ERCBench's kernels on gtx480 with the golden engine",
            "`{option}` does nothing in `reproduce srtf`"
        ))
    };
    if args.input.is_some() {
        return refused("--input");
    }
    if args.workload != "bfs" {
        return refused("--workload");
    }
    if args.engine != Engine::Golden {
        return refused("--engine");
    }
    let mut gpu_args = args.gpu.clone();
    match gpu_args.gpu.as_str() {
        // What is taken where nothing is said.
        "k20c" | GPU => gpu_args.gpu = GPU.to_owned(),
        _ => return refused("--gpu"),
    }
    let (gpu, settings) = gpu_args.preset()?;
    if let Some(key) = settings.keys.iter().find(|key| *key != "erc.stagger") {
        return refused(&format!("--set {key}"));
    }
    gpu.validate()?;
    let plan = srtf::Plan { gpu, seed: args.seed, stagger: settings.erc.stagger };
    let results = plan.run(args.jobs)?;
    print(&if args.json { srtf::json(&results) } else { srtf::table(&results) });
    Ok(Exit::Fine)
}
