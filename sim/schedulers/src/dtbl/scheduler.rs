//! Twin of `dtbl/scheduler`: the dispatcher of this folder behind the Kernel Management Unit.

use super::super::kmu::KmuScheduler;
use super::super::AdmissionGate;
use super::Dispatcher;
use crate::port::SmxLimits;

/// The whole of `--launch dtbl` after reset, for `smx` SMXs and an Aggregated Group Table of `entries`
/// entries.
///
/// # Panics
/// As [`Dispatcher::new`].
pub fn scheduler(
    smx: usize,
    limits: SmxLimits,
    entries: u32,
    gates: Vec<Box<dyn AdmissionGate>>,
) -> KmuScheduler<Dispatcher> {
    KmuScheduler::new(Dispatcher::new(smx, limits, entries, gates))
}

#[cfg(test)]
mod tests;
