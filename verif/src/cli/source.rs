//! What `run` runs: a workload by name, a scenario, a trace, or a kernel.

use super::kernel_file::{kernels, KernelArgs};
use super::settings::WorkloadSettings;
use super::workload::workload as named_workload;
use crate::session::Workload;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::erc::ErcWorkload;
use blockyard_sim::workload::scenario::Scenario;
use clap::Args;
use miette::{miette, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where it comes from: exactly one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Args, Serialize, Deserialize)]
#[group(required = true, multiple = false)]
pub struct SourceArgs {
    /// Workload; `blockyard list workloads` shows them
    #[arg(long)]
    pub workload: Option<String>,
    /// Scenario file
    #[arg(long, value_name = "F")]
    pub scenario: Option<PathBuf>,
    /// Instruction trace of Accel-Sim: kernelslist.g, or one kernel's .traceg, .traceg.xz or
    /// .tracez
    #[arg(long, value_name = "F")]
    pub trace: Option<PathBuf>,
    /// Kernels in PTX, or in CUDA C++ if clang is there, with a .toml beside that says what to
    /// launch
    #[arg(long, value_name = "F.ptx|F.cu")]
    pub kernel: Option<PathBuf>,
    /// Random traffic on the scheduler's ports, without a GPU: `cycles=16000,density=dense,seed=1`;
    /// docs/lockstep.md has every key
    #[arg(long, value_name = "KEY=VALUE,...")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<String>,
}

/// What else decides on a workload.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// `--input`
    pub input: Option<&'a Path>,
    /// `--host` and `--cuda-arch`
    pub kernel: &'a KernelArgs,
    /// `--launch`
    pub launch: LaunchMode,
    /// `--seed`
    pub seed: u64,
}

/// What `args` name; a scenario changes `gpu`.
///
/// # Errors
/// Bad use or bad input.
pub fn workload(
    args: &SourceArgs,
    beside: Beside<'_>,
    gpu: &mut GpuConfig,
    settings: WorkloadSettings,
) -> Result<Workload> {
    if let Some(path) = &args.trace {
        only_gpu_keys("a trace", &settings)?;
        return Ok(Workload::Trace(path.clone()));
    }
    if let Some(path) = &args.kernel {
        only_gpu_keys("a kernel", &settings)?;
        return Ok(Workload::KernelFile(kernels(path, beside.kernel, beside.launch)?));
    }
    if let Some(path) = &args.scenario {
        only_gpu_keys("a scenario", &settings)?;
        let scenario = Scenario::read(path)?;
        scenario.configure(gpu)?;
        return Ok(Workload::Scenario(Rc::new(scenario)));
    }
    if args.traffic.is_some() {
        return Err(miette!("random traffic runs on no GPU"));
    }
    let name = args.workload.as_deref().unwrap_or_default();
    if ErcWorkload::is_named(name) {
        return erc_workload(name, beside.input, &settings);
    }
    named_workload(name, beside.input, settings, beside.seed)
}

fn erc_workload(name: &str, input: Option<&Path>, settings: &WorkloadSettings) -> Result<Workload> {
    if input.is_some() {
        return Err(miette!(
            help = "leave it out: the kernels of ERCBench read no graph",
            "`--input` does nothing in the workload {name}"
        ));
    }
    if let Some(key) = settings.keys.iter().find(|key| !key.starts_with("erc.")) {
        return Err(miette!(
            help = format!("the workload {name} takes erc.offset, erc.stagger and keys of the GPU"),
            "`--set {key}` does nothing in the workload {name}"
        ));
    }
    Ok(Workload::Erc(ErcWorkload::new(name, settings.erc)?))
}

/// Refuses settings of a workload for `what`, which has none.
fn only_gpu_keys(what: &str, settings: &WorkloadSettings) -> Result<()> {
    match settings.keys.first() {
        None => Ok(()),
        Some(key) => Err(miette!(
            help = format!("{what} takes only keys of the GPU"),
            "`--set {key}` does nothing in {what}"
        )),
    }
}
