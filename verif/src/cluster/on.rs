//! `--on`.

use super::{Cluster, HyperQueue, Slurm};
use clap::ValueEnum;
use std::io;

/// Who runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum On {
    /// The cores of this machine
    #[default]
    Local,
    /// The workers of a HyperQueue server
    Hyperqueue,
    /// The nodes of a Slurm cluster
    Slurm,
}

impl On {
    /// The cluster, if it is one.
    ///
    /// # Errors
    /// When nobody knows where this program is.
    pub fn cluster(self) -> io::Result<Option<Box<dyn Cluster>>> {
        let program = std::env::current_exe()?;
        Ok(match self {
            Self::Local => None,
            Self::Hyperqueue => Some(Box::new(HyperQueue { program })),
            Self::Slurm => Some(Box::new(Slurm { program })),
        })
    }
}
