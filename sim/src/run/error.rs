//! How a run can fail.

use miette::Diagnostic;
use thiserror::Error;

use super::Summary;
use crate::diagnostic::InputError;

/// See the variants; [`RunError::Input`] is bad use, everything else a check that failed.
#[derive(Debug, Error, Diagnostic)]
pub enum RunError {
    /// The run cannot end any more, or not within its limit. The message says which kernels are
    /// unfinished, what each SMX holds and which resource lacks.
    #[error("stuck in cycle {cycle}: {message}")]
    Stuck {
        /// The cycle.
        cycle: u64,
        /// Several lines.
        message: String,
    },
    /// The scheduler (or the GPU) broke a rule that trusts neither.
    #[error("invariant broken in cycle {cycle}: {message}")]
    Invariant {
        /// The cycle.
        cycle: u64,
        /// Which rule, with names and numbers.
        message: String,
    },
    /// An observer asked to stop; it knows why.
    #[error("stopped in cycle {}", .0.cycles)]
    Stopped(
        /// The cycles before, which are whole.
        Summary,
    ),
    /// The host program found a wrong result.
    #[error("wrong result: {0}")]
    Wrong(String),
    /// The workload or the configuration cannot be run.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Input(#[from] InputError),
}
