//! Workloads, as the command line names them.

use super::list::IKRA;
use super::settings::WorkloadSettings;
use super::together;
use crate::session::Workload;
use blockyard_kernels::{self as kernels, graphs};
use blockyard_sim::key::asked;
use blockyard_sim::workload::erc::{ErcOptions, ErcWorkload};
use blockyard_sim::workload::graph::{self, Csr};
use blockyard_sim::workload::ikra::{Benchmark, IkraOptions};
use miette::{miette, Report, Result};
use std::path::Path;
use std::rc::Rc;

/// The workload `name`: on the graph in `input`, or on a generated one; a microbenchmark and a
/// kernel in CUDA C have none.
///
/// # Errors
/// No such workload, a setting that it does not use, or a graph that cannot be read.
pub fn workload(
    name: &str,
    input: Option<&Path>,
    settings: WorkloadSettings,
    seed: u64,
) -> Result<Workload> {
    if let Some(benchmark) = name.strip_prefix(IKRA) {
        let known = Benchmark::ALL.into_iter().find(|known| known.name() == benchmark);
        return known.map_or_else(|| Err(unknown(name)), |known| ikra(known, input, &settings));
    }
    if together::is_named(name) {
        refuse_input(name, input)?;
        refuse_foreign(name, &together::names(name), &settings)?;
        return Ok(Workload::Together(together::members(name, &settings.kernels)?));
    }
    if let Some(kernel) = settings.kernels.workload(name) {
        refuse_input(name, input)?;
        refuse_foreign(name, &[name], &settings)?;
        return Ok(Workload::Kernel(kernel));
    }
    let Some(workload) = settings.graphs.workload(name) else { return Err(unknown(name)) };
    refuse_foreign(name, &["graph", name], &settings)?;
    Ok(Workload::Graph { csr: Rc::new(csr(input, &settings, seed)?), workload })
}

/// Whether there is a workload of this name.
///
/// # Errors
/// There is none.
pub fn check_name(name: &str) -> Result<()> {
    if ErcWorkload::is_named(name) {
        ErcWorkload::new(name, ErcOptions::default())?;
        return Ok(());
    }
    let WorkloadSettings { graphs, kernels, .. } = WorkloadSettings::default();
    if together::is_named(name) {
        return together::members(name, &kernels).map(drop);
    }
    let is_ikra = |benchmark: &str| Benchmark::ALL.iter().any(|known| known.name() == benchmark);
    let known = name.strip_prefix(IKRA).is_some_and(is_ikra)
        || graphs.workload(name).is_some()
        || kernels.workload(name).is_some();
    known.then_some(()).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Report {
    let graphs = graphs::WORKLOADS.map(|(name, _)| name.to_owned());
    let kernels: Vec<_> = kernels::WORKLOADS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let others = Benchmark::ALL.map(|benchmark| format!("{IKRA}{}", benchmark.name()));
    let names = [&graphs[..], &kernels, &others].concat();
    let all = format!("the workloads are: {}, erc/A+B, A+B", names.join(", "));
    let help = asked(name, names.iter().map(String::as_str), &all);
    miette!(help = help, "unknown workload `{name}`")
}

/// The settings of IKRA's microbenchmarks.
///
/// # Errors
/// A setting that they do not use.
pub fn ikra_options(settings: &WorkloadSettings) -> Result<IkraOptions> {
    if let Some(key) = settings.foreign(&["ikra"]) {
        return Err(miette!(
            help = "they take keys of ikra and of the GPU",
            "`--set {key}` does nothing in IKRA's microbenchmarks"
        ));
    }
    Ok(settings.ikra)
}

fn ikra(
    benchmark: Benchmark,
    input: Option<&Path>,
    settings: &WorkloadSettings,
) -> Result<Workload> {
    refuse_input(&format!("{IKRA}{}", benchmark.name()), input)?;
    Ok(Workload::Ikra { benchmark, options: ikra_options(settings)? })
}

/// Refuses keys of other tables than `tables` for the workload `name`.
fn refuse_foreign(name: &str, tables: &[&str], settings: &WorkloadSettings) -> Result<()> {
    let Some(key) = settings.foreign(tables) else { return Ok(()) };
    Err(miette!(
        help = format!("the workload {name} takes keys of {} and of the GPU", tables.join(", ")),
        "`--set {key}` does nothing in the workload {name}"
    ))
}

/// Refuses a graph for the workload `name`.
fn refuse_input(name: &str, input: Option<&Path>) -> Result<()> {
    match input {
        None => Ok(()),
        Some(_) => Err(miette!(help = "leave out --input", "the workload {name} walks no graph")),
    }
}

fn csr(input: Option<&Path>, settings: &WorkloadSettings, seed: u64) -> Result<Csr> {
    let graph = match input {
        Some(path) => {
            if let Some(key) = settings.graph.generator_key() {
                return Err(miette!(
                    help = "leave out --input, or the keys of the generator",
                    "`--set {key}` does nothing with --input"
                ));
            }
            graph::read_with(path, settings.graph.direction())?
        }
        None => settings.graph.build(seed)?,
    };
    Ok(graph.csr)
}
