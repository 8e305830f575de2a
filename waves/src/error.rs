//! What can go wrong with a dump.

use std::path::PathBuf;

/// Why a dump cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// "read" or "write".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Writing into the dump's stream failed.
    #[error("cannot write the dump: {0}")]
    Stream(#[from] std::io::Error),
    /// Writing the file of an FST dump failed.
    #[error("cannot write the dump: {0}")]
    Fst(fst_writer::FstWriteError),
    /// The file is not a dump, or ends in the middle of its header.
    #[error("{} is not a waveform dump: {reason}", path.display())]
    NotADump {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A sample came before one that was already recorded.
    #[error("cycle {cycle} was sampled after cycle {last}: cycles must increase")]
    CycleWentBack {
        /// The sample's cycle.
        cycle: u64,
        /// The cycle of the sample before it.
        last: u64,
    },
    /// A scope was asked for that the design does not have.
    #[error("there is no module `{scope}` in the design; the modules below the top are: {known}")]
    NoSuchScope {
        /// As given.
        scope: String,
        /// Names of the modules directly below the top.
        known: String,
    },
    /// A signal was asked for that the dump does not have.
    #[error("there is no signal `{0}` in the dump")]
    NoSuchSignal(String),
}

impl From<fst_writer::FstWriteError> for WaveError {
    /// What the operating system says, where it does.
    fn from(error: fst_writer::FstWriteError) -> Self {
        match error {
            fst_writer::FstWriteError::Io(error) => Self::Stream(error),
            other => Self::Fst(other),
        }
    }
}
