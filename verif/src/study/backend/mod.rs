//! Where runs are made.
//!
//! On a [cluster](crate::cluster), each task makes a few runs (`blockyard study task`).

mod local;
mod range;
mod remote;
mod task;

pub use local::Local;
pub use range::Range;
pub use remote::Remote;
pub use task::task;

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
    /// Told of every finished run; of one that it knows, it takes no notice.
    pub keep: &'a (dyn Fn(Row) -> Result<()> + Sync),
    /// Ends it early.
    pub stop: &'a StopFlag,
}
