//! Where runs are made.

mod local;

pub use local::Local;

use super::plan::Planned;
use super::row::Row;
use crate::regress::StopFlag;
use miette::Result;

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
    /// Told of every finished run, each once.
    pub keep: &'a (dyn Fn(Row) -> Result<()> + Sync),
    /// Ends it early.
    pub stop: &'a StopFlag,
}
