//! Twin of `most_room/scheduler`: the whole of `most-room`, the dispatcher of the baseline whose
//! last choice is among the SMXs with the most room.

use super::super::AdmissionGate;
use crate::dispatch::Dispatcher;
use crate::port::SmxLimits;

/// The scheduler for `smx` SMXs after reset.
///
/// # Panics
/// As [`Dispatcher::new`].
pub fn scheduler(smx: usize, limits: SmxLimits, gates: Vec<Box<dyn AdmissionGate>>) -> Dispatcher {
    Dispatcher::by_room(smx, limits, gates)
}

#[cfg(test)]
mod tests;
