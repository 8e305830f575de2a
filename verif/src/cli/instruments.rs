//! What looks at the instructions of a run: `--record`, `--check-shared`.

use crate::session::{Session, Workload};
use blockyard_sim::gpu::host::HostProgram;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::workload::trace::Record;
use clap::Args;
use miette::{miette, Result};
use std::path::PathBuf;

/// What is looked at.
#[derive(Debug, Args)]
pub struct InstrumentArgs {
    /// Write the instructions that are executed into a new folder, as a trace that --trace reads
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// End with the first read of shared memory that nobody has written, or race between warps for
    /// it
    #[arg(long)]
    pub check_shared: bool,
}

/// A host program with those who look at it.
pub struct Watched {
    /// The program.
    pub program: Box<dyn HostProgram>,
    /// The trace that is written of it.
    pub record: Option<Record>,
}

impl InstrumentArgs {
    /// What `session` runs, watched as these ask for.
    ///
    /// # Errors
    /// When the workload cannot be watched in this way, or is not sound.
    pub fn watch(&self, session: &Session) -> Result<Watched> {
        let in_ptx = matches!(
            session.workload,
            Workload::Kernel(_) | Workload::Together(_) | Workload::KernelFile(_)
        );
        if self.check_shared && !in_ptx {
            return Err(miette!(
                help = "leave it out, or use --kernel or a workload in CUDA C",
                "--check-shared does nothing here: only kernels in PTX have values in shared memory"
            ));
        }
        let program = || {
            session.program_on(&|machine| {
                if self.check_shared {
                    machine.check_shared();
                }
            })
        };
        let Some(folder) = &self.record else {
            return Ok(Watched { program: program()?, record: None });
        };
        with_code("--record", &session.workload)?;
        let mode = match session.launch {
            LaunchMode::Flat => None,
            LaunchMode::Cdp => Some("cdp"),
            LaunchMode::Dtbl => Some("dtbl"),
        };
        if let Some(mode) = mode {
            return Err(miette!(
                help = "use --launch flat, under which the workloads by name launch nothing from blocks",
                "--record cannot be used with --launch {mode}: Accel-Sim's format has no launches from \
                 the device"
            ));
        }
        let record = Record::new(folder)?;
        let program = Box::new(record.watch(program()?));
        Ok(Watched { program, record: Some(record) })
    }
}

/// Refuses `option` for a workload whose blocks have no instructions.
///
/// # Errors
/// If it is one.
pub fn with_code(option: &str, workload: &Workload) -> Result<()> {
    let what = match workload {
        Workload::Scenario(_) => "a scenario",
        Workload::Erc(_) => "kernels of ERCBench",
        _ => return Ok(()),
    };
    Err(miette!(
        help = format!("leave out {option}: these blocks only take time"),
        "{option} does nothing with {what}, whose blocks have no instructions"
    ))
}
