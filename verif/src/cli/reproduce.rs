//! `blockyard reproduce`.

mod evaluation;
mod pairs;

use super::number::{count, whole};
use super::settings::GpuArgs;
use super::workload::ikra_options;
use super::{command_line, print, Exit};
use crate::provenance::{Input, Provenance};
use crate::reproduce::effect::Effect;
use crate::reproduce::srtf::{durations, pairs as of_pairs};
use crate::reproduce::{ikra, page};
use crate::session::Engine;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::output;
use clap::{Args, ValueEnum};
use miette::{miette, Result};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `reproduce`.
#[derive(Clone, Debug, Args, Serialize)]
pub struct ReproduceArgs {
    /// The paper
    paper: Paper,
    /// Benchmarks or workloads of claso, dtbl, laperm and srtf, instead of all; of ikra, those of
    /// its applications, or `applications`, instead of the microbenchmarks; of srtf, `durations`
    /// for kernels that only take time
    #[arg(long, value_name = "BENCHMARK,...")]
    only: Option<String>,
    /// A graph for those that walk one, instead of all benchmarks
    #[arg(long, value_name = "F")]
    input: Option<PathBuf>,
    /// Small inputs, for all but the microbenchmarks of ikra and the durations of srtf
    #[arg(long)]
    reduced: bool,
    /// Run everything with each of these values, where --reduced can be given
    #[arg(long, value_name = "KEY=V1,V2,...")]
    sweep: Option<String>,
    /// Folder for finished runs, figures and tables, where --reduced can be given
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Write a page with every figure beside the paper's
    #[serde(skip)]
    #[arg(long, value_name = "F.html")]
    html: Option<PathBuf>,
    /// Go on with the finished runs in --out
    #[arg(long, requires = "out")]
    #[serde(skip)]
    resume: bool,
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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Runs at once [default: one on each core]
    #[arg(long, value_name = "N", value_parser = count)]
    #[serde(skip)]
    jobs: Option<usize>,
    /// JSON instead of a table
    #[arg(long)]
    #[serde(skip)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Paper {
    /// Load imbalance without credits; speed-up, idle cycles and scoreboard conflicts of credits
    /// over LRR, TL, OWL and DYNCTA
    Claso,
    /// Device kernels and aggregated groups against flat programs, on eight benchmarks
    Dtbl,
    /// Time, energy, traffic and where loads are served, of the microbenchmarks; with `--only`, of
    /// applications
    Ikra,
    /// Hit rates and IPC of `rr` and the three schedulers, for cdp and dtbl, on eight benchmarks
    Laperm,
    /// Throughput, turnaround and fairness of pairs of ERCBench's kernels under each policy
    Srtf,
}

impl ReproduceArgs {
    /// The GPU and settings; `preset` unless another one is named.
    fn gpu(&self, preset: &str) -> GpuArgs {
        let gpu = self.gpu.clone().unwrap_or_else(|| preset.to_owned());
        GpuArgs { gpu, set: self.set.clone() }
    }

    /// What the figures of all runs on `gpu` come from.
    fn provenance(&self, gpu: &GpuConfig) -> Result<Provenance<Self>> {
        Provenance::of_many(self.clone(), gpu, self.files().collect())
    }

    /// The files that runs read.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let gpu = self.gpu.as_ref().filter(|gpu| GpuConfig::is_file(gpu)).map(PathBuf::from);
        gpu.into_iter().chain(self.input.clone())
    }

    /// These files, as they are now.
    fn inputs(&self) -> Result<Vec<Input>> {
        self.files().map(Input::read).collect()
    }

    /// Writes the page of `effects`, if it is asked for.
    fn write_page(&self, paper: &str, effects: &[Effect]) -> Result<()> {
        let Some(path) = &self.html else { return Ok(()) };
        let page = page::page(paper, effects, &command_line());
        Ok(output::write_file(path, |file| file.write_all(page.html().as_bytes()))?)
    }

    /// An option that was given and is for papers whose benchmarks can be chosen.
    fn of_evaluation(&self) -> Option<&'static str> {
        let options = [
            ("--only", self.only.is_some()),
            ("--input", self.input.is_some()),
            ("--reduced", self.reduced),
            ("--sweep", self.sweep.is_some()),
            ("--out", self.out.is_some()),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
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
    if let Some(path) = &args.html {
        // Better before the runs than after hours of them.
        output::probe(path).map_err(|error| output::unwritable(path, &error))?;
    }
    print(&match args.paper {
        Paper::Ikra if args.only.is_some() => evaluation::reproduce(args, &evaluation::IKRA)?,
        Paper::Ikra => ikra(args)?,
        Paper::Claso => evaluation::reproduce(args, &evaluation::CLASO)?,
        Paper::Dtbl => evaluation::reproduce(args, &evaluation::DTBL)?,
        Paper::Laperm => evaluation::reproduce(args, &evaluation::LAPERM)?,
        Paper::Srtf if args.only.as_deref() == Some(of_pairs::DURATIONS) => srtf(args)?,
        Paper::Srtf => pairs::reproduce(args)?,
    })?;
    Ok(Exit::Fine)
}

fn ikra(args: &ReproduceArgs) -> Result<String> {
    if let Some(option) = args.of_evaluation() {
        return Err(miette!(
            help = "it runs the four microbenchmarks; --only applications runs those",
            "`{option}` does nothing in `reproduce ikra`"
        ));
    }
    let gpu = args.gpu(ikra::GPU);
    // None of them has parameters there.
    gpu.scheduler(ikra::SCHEDULERS[0])?;
    let (gpu, settings) = gpu.preset()?;
    gpu.validate()?;
    let options = ikra_options(&settings)?;
    let provenance = args.provenance(&gpu)?;
    let plan = ikra::Plan { gpu, options, engine: args.engine, seed: args.seed };
    let result = plan.run(args.jobs)?;
    args.write_page("ikra", &result.effects)?;
    Ok(if args.json { provenance.beside(&result) } else { ikra::table(&result) })
}

/// SRTF's kernels by duration: `--seed`, `--set` of the GPU's keys and of erc.stagger, `--jobs`.
fn srtf(args: &ReproduceArgs) -> Result<String> {
    const GPU: &str = of_pairs::GPU;
    let refused = |option: &str| {
        Err(miette!(
            help = "it runs all pairs of ERCBench's kernels by duration on gtx480 with the golden engine",
            "`{option}` does nothing in `reproduce srtf --only {}`",
            of_pairs::DURATIONS
        ))
    };
    let only = ReproduceArgs { only: None, ..args.clone() };
    if let Some(option) = only.of_evaluation() {
        return refused(option);
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
    let provenance = args.provenance(&gpu)?;
    let plan = durations::Plan { gpu, seed: args.seed, stagger: settings.erc.stagger };
    let results = plan.run(args.jobs)?;
    args.write_page("srtf", &results.effects)?;
    Ok(if args.json { provenance.beside(&results) } else { durations::table(&results) })
}
