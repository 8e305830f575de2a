//! Where runs are made.
//!
//! A cluster runs tasks, each of which makes a few runs (`blockyard study task`). It need not know what
//! becomes of them: whatever a task has finished is in a file of its own, and runs that no task finished
//! are submitted again.

mod array;
mod hyperqueue;
mod local;
mod remote;
mod slurm;
mod task;

pub use array::{Array, Range};
pub use hyperqueue::HyperQueue;
pub use local::Local;
pub use remote::Remote;
pub use slurm::Slurm;
pub use task::task;

use super::plan::Planned;
use super::row::Row;
use crate::regress::StopFlag;
use miette::Result;
use std::process::Command;

/// Something that makes runs.
pub trait Backend {
    /// Makes the runs of `work`.
    ///
    /// # Errors
    /// When runs cannot be made, or a finished one cannot be kept. A run that fails is no error.
    fn make(&self, work: &Work<'_>) -> Result<()>;
}

/// Runs that are to be made.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// All runs of the study.
    pub plan: &'a [Planned],
    /// The places of those that are to be made.
    pub open: &'a [usize],
    /// Told of every finished run; of one that it knows, it takes no notice.
    pub keep: &'a (dyn Fn(Row) -> Result<()> + Sync),
    /// Ends it early.
    pub stop: &'a StopFlag,
}

/// An engine that runs tasks on other machines, which see the same files.
pub trait Cluster {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// The command that submits an array of tasks and ends when they are over, well or not.
    fn submit(&self, array: &Array) -> Command;
}
