//! A golden scheduler that goes wrong on purpose, to prove that lockstep notices.

use super::device_launch::{twin_for, LaunchModeError};
use super::{claso, twin, Composition, Twin};
use crate::port::{
    Activity, FloorPlan, GroupStorage, Inputs, KernelEntry, LaunchMode, Outputs, Scheduler,
    SmxLimits, KERNEL_ENTRIES,
};

/// What goes wrong. Cycles count from the last reset; the first cycle after it is cycle 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// In that cycle the CLASO gate has one local credit of that kernel and SMX less than it
    /// should; one more when it has none.
    WrongCredit {
        /// The kernel's entry.
        kernel: KernelEntry,
        /// The SMX whose credit it is.
        smx: usize,
        /// The first cycle that sees the wrong credit.
        cycle: u64,
    },
    /// The first completion of that SMX in or after that cycle does not reach the twin.
    LostCompletion {
        /// The SMX that reports it.
        smx: usize,
        /// The first cycle in which it can happen.
        cycle: u64,
    },
}

/// The fault cannot happen in that scheduler.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum FaultError {
    /// The fault names an SMX that the scheduler does not serve.
    #[error("the fault is on SMX {smx}, but there are {count} SMXs")]
    #[diagnostic(help("SMXs are counted from 0"))]
    NoSuchSmx {
        /// The SMX of the fault.
        smx: usize,
        /// How many there are.
        count: usize,
    },
    /// The fault names an entry that the Kernel Distributor does not have.
    #[error("the fault is in kernel entry {0}, but there are {KERNEL_ENTRIES} entries")]
    #[diagnostic(help("entries are counted from 0"))]
    NoSuchEntry(u8),
    /// A wrong credit needs a gate that has credits.
    #[error("the scheduler {0} has no credits that could be wrong")]
    #[diagnostic(help("add the CLASO gate: rr+claso(pa=1,pl=0)"))]
    NoCredits(Composition),
    /// There is no such scheduler under that launch mode, with or without a fault.
    #[error(transparent)]
    #[diagnostic(transparent)]
    LaunchMode(#[from] LaunchModeError),
}

/// As [`super::build`], with `faults` that happen once each after every reset.
///
/// While a fault is still to come, every cycle is [`Activity::Busy`], so that a driver does not
/// skip quiet cycles and its cycle count and the scheduler's are the same.
///
/// # Errors
/// When a fault cannot happen in this scheduler.
///
/// # Panics
/// When `smx` is not in 1 to [`crate::port::MAX_SMX`].
pub fn build_faulty(
    composition: &Composition,
    smx: usize,
    limits: SmxLimits,
    faults: &[Fault],
) -> Result<Box<dyn Scheduler>, FaultError> {
    with_faults(twin(composition, smx, limits), composition, faults)
}

/// As [`super::build_for`], with `faults` as in [`build_faulty`].
///
/// # Errors
/// When a fault cannot happen in this scheduler, or the scheduler cannot be used under that launch
/// mode.
///
/// # Panics
/// When `plan` has not 1 to [`crate::port::MAX_SMX`] SMXs.
pub fn build_faulty_for(
    composition: &Composition,
    launch: LaunchMode,
    storage: impl Into<GroupStorage>,
    plan: impl Into<FloorPlan>,
    limits: SmxLimits,
    faults: &[Fault],
) -> Result<Box<dyn Scheduler>, FaultError> {
    let twin = twin_for(composition, launch, storage.into(), &plan.into(), limits)?;
    with_faults(twin, composition, faults)
}

fn with_faults(
    mut twin: Box<dyn Twin>,
    composition: &Composition,
    faults: &[Fault],
) -> Result<Box<dyn Scheduler>, FaultError> {
    let smx = twin.smx();
    for fault in faults {
        let (Fault::WrongCredit { smx: on, .. } | Fault::LostCompletion { smx: on, .. }) = *fault;
        if on >= smx {
            return Err(FaultError::NoSuchSmx { smx: on, count: smx });
        }
        if let Fault::WrongCredit { kernel, .. } = fault {
            if kernel.index() >= KERNEL_ENTRIES {
                return Err(FaultError::NoSuchEntry(kernel.0));
            }
            if twin.gates_mut().find::<claso::Gate>().is_none() {
                return Err(FaultError::NoCredits(composition.clone()));
            }
        }
    }
    Ok(Box::new(Faulty {
        twin,
        faults: faults.iter().map(|&fault| (fault, true)).collect(),
        cycle: 0,
        inputs: Inputs::idle(smx),
    }))
}

struct Faulty {
    twin: Box<dyn Twin>,
    /// Each fault, and whether it is still to come.
    faults: Vec<(Fault, bool)>,
    cycle: u64,
    /// What reaches the twin in this cycle.
    inputs: Inputs,
}

impl Scheduler for Faulty {
    fn smx(&self) -> usize {
        self.twin.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        self.inputs.clone_from(inputs);
        if inputs.reset {
            self.cycle = 0;
            self.faults.iter_mut().for_each(|(_, to_come)| *to_come = true);
            return self.twin.cycle(&self.inputs, outputs);
        }
        let mut pending = false;
        for (fault, to_come) in self.faults.iter_mut().filter(|(_, to_come)| *to_come) {
            pending = true;
            match *fault {
                Fault::WrongCredit { kernel, smx, cycle } if cycle == self.cycle => {
                    if let Some(gate) = self.twin.gates_mut().find::<claso::Gate>() {
                        gate.disturb(kernel, smx);
                    }
                    *to_come = false;
                }
                Fault::LostCompletion { smx, cycle } if cycle <= self.cycle => {
                    *to_come = self.inputs.finished[smx].take().is_none();
                }
                Fault::WrongCredit { .. } | Fault::LostCompletion { .. } => {}
            }
        }
        self.cycle += 1;
        match self.twin.cycle(&self.inputs, outputs) {
            Activity::Quiet if !pending => Activity::Quiet,
            _ => Activity::Busy,
        }
    }

    fn remember(&mut self) {
        self.twin.remember();
    }

    fn is_back(&self) -> bool {
        self.faults.iter().all(|(_, to_come)| !to_come) && self.twin.is_back()
    }

    fn explain(&self) -> String {
        self.twin.explain()
    }
}

#[cfg(test)]
mod tests;
