//! Who sees the hardware's signals in each cycle.

use blockyard_rtl::module::Module;
use std::cell::Cell;
use std::rc::Rc;

/// The number of the current cycle, shared between the engine, which counts what it evaluates, and
/// the run loop, which knows what it skips.
#[derive(Clone, Debug, Default)]
pub struct CycleCounter(Rc<Cell<u64>>);

impl CycleCounter {
    /// The cycle that is evaluated next (or, during an evaluation, now).
    pub fn now(&self) -> u64 {
        self.0.get()
    }

    /// One cycle has been evaluated.
    pub fn advance(&self) {
        self.0.set(self.0.get() + 1);
    }

    /// The cycles before `cycle` are skipped.
    pub fn skip_to(&self, cycle: u64) {
        self.0.set(cycle);
    }
}

/// Sees a module in every evaluated cycle, after its signals have settled and before the clock edge.
pub trait Tap {
    /// `module` as it is in `cycle`.
    fn sample(&mut self, cycle: u64, module: &dyn Module);
}
