//! Why a run did not end well.

use crate::engine::{Mismatch, RtlError};
use blockyard_kernels::graphs::Refused;
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::run::error::RunError;
use blockyard_sim::sched::{FaultError, LaunchModeError};
use blockyard_sim::workload::graph::SetError;

/// Why a run did not end well.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum SessionError {
    /// Bad input.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Input(#[from] InputError),
    /// A setting of the workload that does not fit.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Setting(#[from] SetError),
    /// There is no hardware for the scheduler.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rtl(#[from] RtlError),
    /// The scheduler takes no launches from the device in this way.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Launch(#[from] LaunchModeError),
    /// A fault that cannot be injected.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Fault(#[from] FaultError),
    /// Twin and hardware differ.
    #[error("mismatch in cycle {}: {}", .0.cycle, .0.difference)]
    Mismatch(Mismatch),
    /// An invariant, the watchdog, or the workload's own check.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(RunError),
}

impl From<Refused> for SessionError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Setting(error) => Self::Setting(error),
            Refused::Memory(error) => Self::Input(error),
        }
    }
}

impl SessionError {
    /// Whether the user gave something that cannot be run, as opposed to a check that failed.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Mismatch(_) | Self::Run(_))
            || matches!(self, Self::Run(RunError::Input(_)))
    }
}
