//! An engine that is about to run, with what it shares with the run.

use super::lockstep::{Lockstep, Mismatch};
use super::rtl::RtlScheduler;
use super::tap::{CycleCounter, Tap, Witness};
use blockyard_sim::port::Scheduler;
use std::cell::RefCell;
use std::rc::Rc;

/// See the module.
pub struct Running {
    /// Who decides.
    pub scheduler: Box<dyn Scheduler>,
    /// Whoever skips cycles tells it.
    pub counter: CycleCounter,
    /// Where the first difference will be found.
    pub mismatch: Rc<RefCell<Option<Mismatch>>>,
    /// See [`Tap::lingers`].
    pub lingers: u64,
    /// Who wants to know what no signal says.
    pub witness: Option<Box<dyn Witness>>,
}

impl Running {
    /// The twin alone.
    pub fn golden(twin: Box<dyn Scheduler>) -> Self {
        let (counter, mismatch) = (CycleCounter::default(), Rc::default());
        Self { scheduler: twin, counter, mismatch, lingers: 0, witness: None }
    }

    /// The hardware alone, which `tap` sees.
    pub fn rtl(mut hardware: RtlScheduler, tap: Option<Box<dyn Tap>>) -> Self {
        let counter = hardware.counter();
        let witness = tap.as_ref().and_then(|tap| tap.witness());
        if let Some(tap) = tap {
            hardware.watch(tap);
        }
        let mismatch = Rc::default();
        Self { scheduler: Box::new(hardware), counter, mismatch, lingers: 0, witness }
    }

    /// Both; `tap` sees the hardware, and its witness what differs.
    pub fn lockstep(
        twin: Box<dyn Scheduler>,
        mut hardware: RtlScheduler,
        tap: Option<Box<dyn Tap>>,
    ) -> Self {
        let counter = hardware.counter();
        let lingers = tap.as_ref().map_or(0, |tap| tap.lingers());
        let witness = || tap.as_ref().and_then(|tap| tap.witness());
        let (compares, witness) = (witness(), witness());
        if let Some(tap) = tap {
            hardware.watch(tap);
        }
        let mut lockstep = Lockstep::new(twin, hardware);
        lockstep.watch(compares);
        let mismatch = lockstep.mismatch();
        Self { scheduler: Box::new(lockstep), counter, mismatch, lingers, witness }
    }
}
