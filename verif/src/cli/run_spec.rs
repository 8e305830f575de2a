//! What decides on the results of a run: the part of `run`'s options that repeats it.

use super::kernel_file::KernelArgs;
use super::launch::Launch;
use super::number::{cycles, whole};
use super::settings::GpuArgs;
use super::source::{workload, Beside, SourceArgs};
use crate::mismatch;
use crate::session::{Engine, Session, ONE_THREAD};
use blockyard_sim::sched::Fault;
use clap::Args;
use miette::{miette, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A run, as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq, Args, Serialize, Deserialize)]
pub struct RunSpec {
    /// Scheduler, by composition: `rr+claso(pa=1,pl=0)`
    #[arg(long, required_unless_present_any = ["functional", "from"])]
    pub scheduler: Option<String>,
    /// What runs
    #[command(flatten)]
    #[serde(flatten)]
    pub source: SourceArgs,
    /// What belongs to a kernel
    #[command(flatten)]
    #[serde(flatten)]
    pub kernel: KernelArgs,
    /// Graph of the workload: SNAP edge list, Ligra, DIMACS or MatrixMarket
    #[arg(long, value_name = "F", conflicts_with_all = ["scenario", "trace", "kernel"])]
    pub input: Option<PathBuf>,
    /// The GPU, and keys
    #[command(flatten)]
    #[serde(flatten)]
    pub gpu: GpuArgs,
    /// How launches from the device reach the scheduler
    #[arg(long, default_value = "flat")]
    pub launch: Launch,
    /// Who decides
    #[arg(long, default_value = "lockstep")]
    pub engine: Engine,
    /// Seed of everything that is drawn at random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    pub seed: u64,
    /// Look for what child blocks share with their relatives; takes memory and time
    #[arg(long)]
    pub footprint: bool,
    /// Count what SMXs issue and what DRAM serves for each in intervals of N cycles
    #[arg(long, value_name = "N", value_parser = cycles)]
    pub intervals: Option<u64>,
    /// Give up after this many cycles
    #[arg(long, value_name = "N", value_parser = whole)]
    pub max_cycles: Option<u64>,
    /// Inject a fault into the twin: `wrong-credit:ENTRY,SMX,CYCLE` or `lost-completion:SMX,CYCLE`
    #[arg(long, value_name = "FAULT")]
    pub inject: Vec<String>,
}

impl RunSpec {
    /// The run, on one thread and with skipping, of which the results are independent.
    ///
    /// # Errors
    /// Bad use or bad input.
    pub fn session(&self) -> Result<Session> {
        // Without timing nobody asks it.
        let scheduler = self.gpu.scheduler(self.scheduler.as_deref().unwrap_or("rr"))?;
        let (mut gpu, settings) = self.gpu.preset()?;
        let (launch, seed) = (self.launch.into(), self.seed);
        let beside = Beside { input: self.input.as_deref(), kernel: &self.kernel, launch, seed };
        let workload = workload(&self.source, beside, &mut gpu, settings)?;
        self.gpu.override_gpu(&mut gpu)?;
        let faults = self.faults()?;
        Ok(Session {
            scheduler,
            engine: self.engine,
            gpu,
            workload,
            launch,
            seed,
            skip_from: Some(0),
            max_cycles: self.max_cycles,
            faults,
            footprint: self.footprint,
            intervals: self.intervals,
            threads: ONE_THREAD,
        })
    }

    /// The faults to inject.
    ///
    /// # Errors
    /// One that is none, or an engine without a twin.
    pub(super) fn faults(&self) -> Result<Vec<Fault>> {
        if self.engine == Engine::Rtl && !self.inject.is_empty() {
            return Err(miette!(
                help = "use --engine golden or --engine lockstep",
                "--inject disturbs the twin, which the rtl engine does not run"
            ));
        }
        self.inject.iter().map(|fault| mismatch::parse_fault(fault)).collect()
    }
}
