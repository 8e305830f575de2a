//! `blockyard reproduce`.

use super::settings::GpuArgs;
use super::workload::{ikra_options, workload};
use super::{print, Exit};
use crate::reproduce::{ikra, laperm, srtf};
use crate::session::Engine;
use clap::{Args, ValueEnum};
use miette::{miette, Result};
use std::path::PathBuf;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper
    paper: Paper,
    /// Workload over a graph; only for laperm [default: bfs]
    #[arg(long)]
    workload: Option<String>,
    /// Its graph: SNAP edge list, Ligra, DIMACS or MatrixMarket; a generated one if none is given
    #[arg(long, value_name = "F")]
    input: Option<PathBuf>,
    /// GPU preset; `blockyard list gpus` shows them [default: the paper's]
    #[arg(long, value_name = "PRESET")]
    gpu: Option<String>,
    /// Override a key of the preset, of the workload or of LaPerm
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
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
    /// Time, energy, traffic and where loads are served, of the microbenchmarks
    Ikra,
    /// Hit rates and IPC of `rr` and the three schedulers, for cdp and dtbl
    Laperm,
    /// Throughput, turnaround and fairness of pairs of ERCBench's kernels under each policy, on `gtx480`
    Srtf,
}

impl ReproduceArgs {
    /// The GPU and settings; `preset` unless another one is named.
    fn gpu(&self, preset: &str) -> GpuArgs {
        let gpu = self.gpu.clone().unwrap_or_else(|| preset.to_owned());
        GpuArgs { gpu, set: self.set.clone() }
    }
}

/// Runs what the paper compares and prints the figures.
///
/// # Errors
/// Bad input, or a run that fails.
pub fn main(args: &ReproduceArgs) -> Result<Exit> {
    if args.jobs == Some(0) {
        return Err(miette!(help = "expected at least 1", "`--jobs` cannot be `0`"));
    }
    print(&match args.paper {
        Paper::Ikra => ikra(args)?,
        Paper::Laperm => laperm(args)?,
        Paper::Srtf => srtf(args)?,
    })?;
    Ok(Exit::Fine)
}

fn ikra(args: &ReproduceArgs) -> Result<String> {
    let graph = [("--workload", args.workload.is_some()), ("--input", args.input.is_some())];
    if let Some((option, _)) = graph.iter().find(|(_, given)| *given) {
        return Err(miette!(
            help = "it runs the four microbenchmarks",
            "`{option}` does nothing in `reproduce ikra`"
        ));
    }
    let gpu = args.gpu(ikra::GPU);
    // None of them has parameters there.
    gpu.scheduler(ikra::SCHEDULERS[0])?;
    let (gpu, settings) = gpu.preset()?;
    gpu.validate()?;
    let options = ikra_options(&settings)?;
    let plan = ikra::Plan { gpu, options, engine: args.engine, seed: args.seed };
    let result = plan.run(args.jobs)?;
    Ok(if args.json { ikra::json(&result) } else { ikra::table(&result) })
}

fn laperm(args: &ReproduceArgs) -> Result<String> {
    let gpu_args = args.gpu("k20c");
    let schedulers = laperm::SCHEDULERS.map(|name| match name {
        // The parameters of the others mean nothing to it.
        "rr" => Ok(name.parse()?),
        _ => gpu_args.scheduler(name),
    });
    let schedulers = schedulers.into_iter().collect::<Result<Vec<_>>>()?;
    let (gpu, settings) = gpu_args.preset()?;
    gpu.validate()?;
    let name = args.workload.as_deref().unwrap_or("bfs");
    let workload = || workload(name, args.input.as_deref(), settings.clone(), args.seed);
    // What is wrong with it is said once.
    workload()?;
    let plan = laperm::Plan { schedulers, gpu, engine: args.engine, seed: args.seed };
    let rows = plan.run(args.jobs, workload)?;
    Ok(if args.json { laperm::json(&rows) } else { laperm::table(&rows) })
}

/// The paper's GPU and workloads: `--seed`, `--set` of the GPU's keys and of erc.stagger, `--jobs`.
fn srtf(args: &ReproduceArgs) -> Result<String> {
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
    if args.workload.is_some() {
        return refused("--workload");
    }
    if args.engine != Engine::Golden {
        return refused("--engine");
    }
    if args.gpu.as_ref().is_some_and(|gpu| gpu != GPU) {
        return refused("--gpu");
    }
    let (gpu, settings) = args.gpu(GPU).preset()?;
    if let Some(key) = settings.keys.iter().find(|key| *key != "erc.stagger") {
        return refused(&format!("--set {key}"));
    }
    gpu.validate()?;
    let plan = srtf::Plan { gpu, seed: args.seed, stagger: settings.erc.stagger };
    let results = plan.run(args.jobs)?;
    Ok(if args.json { srtf::json(&results) } else { srtf::table(&results) })
}
