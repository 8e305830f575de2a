//! Other machines: engines that run many tasks, for studies and regressions.
//!
//! A task is a command of this program that keeps what it has finished in a file of its own, and
//! makes only what is left when it is started again. So a cluster need not know what becomes of a
//! task: whoever submitted it reads those files, and submits again what no task has finished.

mod array;
mod gatherer;
mod hyperqueue;
mod on;
mod slurm;
mod submission;

pub use array::{ends_with, Array};
pub use gatherer::{subfolders, Gatherer};
pub use hyperqueue::HyperQueue;
pub use on::On;
pub use slurm::Slurm;
pub use submission::{end, said, submit};

use std::process::Command;

/// Submissions in a row that may bring nothing.
pub const PATIENCE: u32 = 2;

/// An engine that runs tasks on other machines, which see the same files.
pub trait Cluster {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// The command that submits an array of tasks and ends when they are over, well or not.
    fn submit(&self, array: &Array) -> Command;
}
