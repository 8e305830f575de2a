//! Who sees the hardware's signals in each cycle.

use blockyard_rtl::module::Module;
use blockyard_sim::run::observer::Observer;
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

    /// Who wants to know of the same run what no signal says.
    fn witness(&self) -> Option<Box<dyn Witness>> {
        None
    }
}

/// Watches a run, and learns how it ended.
pub trait Witness: Observer {
    /// Twin and hardware differ in `cycle`, on `port`; or the run is stuck.
    fn failed(&mut self, cycle: u64, failure: &Failure<'_>);
}

/// How a run may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<'a> {
    /// Twin and hardware differ on this port.
    Mismatch(&'a str),
    /// The watchdog ended it.
    Stuck,
}
