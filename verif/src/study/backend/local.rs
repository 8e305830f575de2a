//! On the cores of this machine.

use super::{Backend, Work};
use crate::study::pool;
use miette::Result;

/// In this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local {
    /// Runs at once; one on each core if it is `None`.
    pub jobs: Option<usize>,
}

impl Backend for Local {
    fn make(&self, work: &Work<'_>) -> Result<()> {
        pool::for_each(work.open, self.jobs, work.stop, &|&place: &usize| {
            work.plan[place].perform(work.stop).map_or(Ok(()), work.keep)
        })?;
        Ok(())
    }
}
