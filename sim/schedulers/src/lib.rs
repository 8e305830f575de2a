//! The behavioural twins of the schedulers: naive models of the modules on the pages of `docs/`,
//! written from those pages and the papers.
//!
//! Every module has the same shape. `XInputs` and `XOutputs` hold the ports of its page (a valid
//! bit and the value that it qualifies are one `Option`), `evaluate` is the combinational part of
//! a cycle, and `clock` is the edge at its end, which says whether it stored anything new. What
//! a page leaves undefined is listed in the module's documentation and must not be compared.
//!
//! A scheduler is a source with admission gates; [`Composition`] names one, [`build`] makes it, and
//! [`build_for`] makes it for launches from the device.

pub mod admission;
pub mod claso;
pub mod clusters;
pub mod composition;
pub mod cover;
pub mod dependent;
pub mod device_launch;
pub mod dispatch;
pub mod domains;
pub mod dtbl;
pub mod dyncta;
pub mod family;
pub mod fault;
pub mod gpgpusim;
pub mod ikra;
pub mod invariants;
pub mod kmu;
pub mod laperm;
pub mod launch_control;
pub mod most_room;
pub mod oldest_first;
pub mod partitions;
pub mod per_smx;
pub mod priority;
mod remembering;
pub mod srtf;

#[cfg(test)]
mod tests;

pub use admission::{AdmissionGate, Gates};
pub use blockyard_contract::mask::{self, SmxMask};
pub use composition::{known, Composition, CompositionError, Known};
pub use device_launch::{build_for, LaunchModeError};
pub use fault::{build_faulty, build_faulty_for, Fault, FaultError};
pub use per_smx::PerSmx;

// Known here as `crate::port`.
use blockyard_contract::port;

use port::{LaunchMode, Scheduler, SmxLimits};

/// The golden engine: the twin of the scheduler that `composition` names, for `smx` SMXs that
/// can each hold what `limits` says.
///
/// # Panics
/// When `smx` is not in 1 to [`crate::port::MAX_SMX`]; a GPU preset is checked before it gets here.
pub fn build(composition: &Composition, smx: usize, limits: SmxLimits) -> Box<dyn Scheduler> {
    twin(composition, smx, limits)
}

/// The twin of a whole scheduler, open to fault injection.
pub trait Twin: Scheduler {
    /// What it asks whether a block may go.
    fn gates_mut(&mut self) -> &mut Gates;

    /// [`Outputs::running_limits`](port::Outputs::running_limits), which its gates know.
    fn running_limits(&mut self) -> Vec<u8> {
        self.gates_mut().running_limits().unwrap_or_default()
    }
}

/// [`build`], open to fault injection.
fn twin(composition: &Composition, smx: usize, limits: SmxLimits) -> Box<dyn Twin> {
    let twin =
        device_launch::twin_for(composition, LaunchMode::Flat, 1.into(), &smx.into(), limits);
    twin.expect("every scheduler can do without launches from the device")
}
