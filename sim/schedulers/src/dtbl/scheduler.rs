//! Twin of `dtbl/scheduler`: the dispatcher of this folder behind the Kernel Management Unit.

use super::super::kmu::KmuScheduler;
use super::super::AdmissionGate;
use super::Dispatcher;
use crate::port::{GroupStorage, SmxLimits};

/// The whole of `--launch dtbl` after reset, for `smx` SMXs and groups in `storage`.
///
/// # Panics
/// As [`Dispatcher::new`].
pub fn scheduler(
    smx: usize,
    limits: SmxLimits,
    storage: GroupStorage,
    gates: Vec<Box<dyn AdmissionGate>>,
) -> KmuScheduler<Dispatcher> {
    KmuScheduler::new(Dispatcher::new(smx, limits, storage, gates))
}

#[cfg(test)]
mod tests;
