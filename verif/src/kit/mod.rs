//! What goes with the Verilog of a scheduler, so that others can build on it
//! (`docs/verilog-kit.md`).
//!
//! ```text
//!   scheduler --export--> [names without $] ------------> rtl/blockyard_core.sv
//!            \--ports---> [taken apart] ----------------> ports.json, rtl/blockyard_pkg.sv, rtl/blockyard.sv
//!             \-lockstep with its twin--> [recordings] -> cocotb/*.csv, which the test benches replay
//! ```
//!
//! What does not depend on the scheduler is in `files`, as it is written.

mod assertions;
mod closed_loop;
mod constraints;
mod files;
mod meaning;
mod names;
mod package;
mod ports;
mod recording;
mod wrapper;

use crate::engine::RtlError;
use crate::export::ExportError;
use blockyard_sim::port::{FloorPlan, GroupStorage, LaunchMode, SmxLimits};
use blockyard_sim::sched::Composition;

pub use files::files;
pub(crate) use recording::Recorder;

/// The folder of a kit, beside the Verilog.
pub const FOLDER: &str = "blockyard_kit";

/// What a kit is made for.
#[derive(Clone, Debug)]
pub struct KitSpec {
    /// The scheduler.
    pub composition: Composition,
    /// How launches from the device reach it.
    pub launch: LaunchMode,
    /// What it holds of groups.
    pub storage: GroupStorage,
    /// SMXs, 1 to 144, and which belong together.
    pub plan: FloorPlan,
    /// What each of them holds.
    pub limits: SmxLimits,
    /// Makes the recorded traffic repeatable.
    pub seed: u64,
    /// Cycles of it.
    pub cycles: u64,
    /// The GPU and the launch mode in words: `4 SMXs of a k20c, --launch flat`.
    pub about: String,
}

/// Why there is no kit.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum KitError {
    /// There is no hardware for the composition.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Hardware(#[from] RtlError),
    /// It cannot be exported.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Export(#[from] ExportError),
    /// There is no twin to record against.
    #[error("{0}")]
    Twin(String),
    /// Twin and hardware differ, or break a rule.
    #[error("the run that is recorded for the test bench fails: {0}")]
    #[diagnostic(help("this is a fault of the scheduler; --no-kit writes its Verilog alone"))]
    Run(String),
}
