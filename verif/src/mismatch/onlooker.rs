//! Watches the run that is repeated for a report.

use super::last_events::LastEvents;
use crate::engine::{Comparison, Failure, Tap, Witness};
use blockyard_rtl::module::Module;
use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::observer::{CoalescedGroup, DispatchedBlock, EnteredKernel, Observer};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What the report says beside the waveform.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Cycle and port of the first difference.
    pub differs: Option<(u64, String)>,
    /// The last cycle that was compared.
    pub last: u64,
    /// What happened up to the difference.
    pub events: LastEvents,
    /// What the twin said of its state before the cycle of the difference.
    pub state: String,
}

/// A tap that fills the dump, and a witness that sees what is said of the run.
pub struct Onlooker {
    wave: Box<dyn Tap>,
    seen: Rc<RefCell<Seen>>,
}

impl Onlooker {
    /// Beside what fills the dump.
    pub fn beside(wave: Box<dyn Tap>) -> (Self, Rc<RefCell<Seen>>) {
        let seen = Rc::<RefCell<Seen>>::default();
        (Self { wave, seen: Rc::clone(&seen) }, seen)
    }
}

impl Tap for Onlooker {
    fn sample(&mut self, cycle: u64, module: &dyn Module) {
        self.wave.sample(cycle, module);
    }

    fn witness(&self) -> Option<Box<dyn Witness>> {
        let wave = self.wave.witness()?;
        Some(Box::new(Watcher { wave, seen: Rc::clone(&self.seen) }))
    }

    fn lingers(&self) -> u64 {
        self.wave.lingers()
    }
}

struct Watcher {
    wave: Box<dyn Witness>,
    seen: Rc<RefCell<Seen>>,
}

impl Witness for Watcher {
    fn compared(&mut self, comparison: &Comparison<'_>) {
        self.wave.compared(comparison);
        let mut seen = self.seen.borrow_mut();
        let Comparison { cycle, inputs, twin, state, .. } = *comparison;
        seen.last = cycle;
        if seen.differs.is_none() {
            seen.events.add(cycle, inputs, twin);
            seen.state.clear();
            seen.state.push_str(state.unwrap_or_default());
        }
    }

    fn asks_for_state(&self, cycle: u64) -> bool {
        self.wave.asks_for_state(cycle)
    }

    fn failed(&mut self, cycle: u64, failure: &Failure<'_>) {
        self.wave.failed(cycle, failure);
        if let Failure::Mismatch(port) = failure {
            self.seen.borrow_mut().differs = Some((cycle, (*port).to_owned()));
        }
    }
}

/// The dump hears all of it.
impl Observer for Watcher {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        self.wave.cycle(cycle, inputs, outputs)
    }

    fn follows_turns(&self) -> bool {
        self.wave.follows_turns()
    }

    fn skipped(&mut self, from: u64, to: u64) {
        self.wave.skipped(from, to);
    }

    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        self.wave.block_ended(cycle, smx, slot);
    }

    fn entered(&mut self, kernel: &EnteredKernel<'_>) {
        self.wave.entered(kernel);
    }

    fn coalesced(&mut self, group: &CoalescedGroup<'_>) {
        self.wave.coalesced(group);
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.wave.dispatched(block);
    }
}
