//! The behavioural twins of the schedulers: naive models of the modules on the pages of `docs/`,
//! written from those pages and the papers.
//!
//! Every module has the same shape. `XInputs` and `XOutputs` hold the ports of its page (a valid
//! bit and the value that it qualifies are one `Option`), `evaluate` is the combinational part of
//! a cycle, and `clock` is the edge at its end, which says whether it stored anything new. What
//! a page leaves undefined is listed in the module's documentation and must not be compared.
//!
//! A scheduler is a source with admission gates; [`Composition`] names one and [`build`] makes it.

pub mod admission;
pub mod claso;
pub mod composition;
pub mod dispatch;
pub mod fault;
pub mod mask;

#[cfg(test)]
mod tests;

pub use admission::AdmissionGate;
pub use composition::{known, Composition, CompositionError, Known};
pub use fault::{build_faulty, Fault, FaultError};
pub use mask::SmxMask;

use crate::port::{Activity, Scheduler, SmxLimits};
use composition::{Gate, Source};
use dispatch::Dispatcher;

/// The golden engine: the twin of the scheduler that `composition` names, for `smx` SMXs that
/// can each hold what `limits` says.
///
/// # Panics
/// When `smx` is not in 1 to [`crate::port::MAX_SMX`]; a GPU preset is checked before it gets here.
pub fn build(composition: &Composition, smx: usize, limits: SmxLimits) -> Box<dyn Scheduler> {
    Box::new(dispatcher(composition, smx, limits))
}

/// [`build`] before it is boxed.
fn dispatcher(composition: &Composition, smx: usize, limits: SmxLimits) -> Dispatcher {
    let gates = composition
        .gates
        .iter()
        .map(|gate| match gate {
            Gate::Claso(levels) => {
                Box::new(claso::Gate::new(smx, *levels)) as Box<dyn AdmissionGate>
            }
        })
        .collect();
    match composition.source {
        Source::RoundRobin => Dispatcher::new(smx, limits, gates),
    }
}

/// The activity of a clock edge at which the state changed, or did not.
fn activity(changed: bool) -> Activity {
    if changed {
        Activity::Busy
    } else {
        Activity::Quiet
    }
}
