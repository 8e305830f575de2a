//! Workloads over graphs, as the command line names them.

use super::list::WORKLOADS;
use super::settings::WorkloadSettings;
use crate::session::Workload;
use blockyard_sim::workload::graph::{self, Csr};
use miette::{miette, Result};
use std::path::Path;

/// The workload `name` on the graph in `input`, or on a generated one.
///
/// # Errors
/// No such workload, a setting that it does not use, or a graph that cannot be read.
pub fn graph_workload(
    name: &str,
    input: Option<&Path>,
    settings: WorkloadSettings,
    seed: u64,
) -> Result<Workload> {
    let names = WORKLOADS.map(|(name, _)| name);
    if !names.contains(&name) {
        return Err(miette!(
            help = format!("the workloads are: {}", names.join(", ")),
            "unknown workload `{name}`"
        ));
    }
    if let Some(key) = settings.foreign(name) {
        return Err(miette!(
            help = format!("the workload {name} takes keys of the graph, of {name} and of the GPU"),
            "`--set {key}` does nothing in the workload {name}"
        ));
    }
    let csr = csr(input, &settings, seed)?;
    Ok(match name {
        "sssp" => Workload::Sssp { csr, options: settings.sssp },
        "clr" => Workload::Clr { csr, options: settings.clr },
        _ => Workload::Bfs { csr, options: settings.bfs },
    })
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
