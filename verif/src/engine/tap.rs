//! Who sees the hardware's signals in each cycle.

use blockyard_rtl::module::Module;
use blockyard_sim::port::{Inputs, Outputs};
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

/// Sees a module in every evaluated cycle, after its signals have settled and before the clock
/// edge.
pub trait Tap {
    /// `module` as it is in `cycle`.
    fn sample(&mut self, cycle: u64, module: &dyn Module);

    /// Who wants to know of the same run what no signal says.
    fn witness(&self) -> Option<Box<dyn Witness>> {
        None
    }

    /// Cycles that it wants to see after the one in which twin and hardware differ; the run goes on
    /// as the twin says.
    fn lingers(&self) -> u64 {
        0
    }
}

/// Twin and hardware in one cycle.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// The cycle.
    pub cycle: u64,
    /// What both were given.
    pub inputs: &'a Inputs,
    /// What the twin says; undefined in a cycle of reset, as what the hardware says.
    pub twin: &'a Outputs,
    /// What the hardware says.
    pub hardware: &'a Outputs,
    /// What the twin said of its state before the cycle, where the witness has asked for it.
    pub state: Option<&'a str>,
}

/// Watches a run, and learns how it ended.
pub trait Witness: Observer {
    /// Both sides of a cycle in lockstep; what differs is told after it.
    fn compared(&mut self, comparison: &Comparison<'_>) {
        let _ = comparison;
    }

    /// Whether it wants to know the twin's state in `cycle`, which takes time.
    fn asks_for_state(&self, cycle: u64) -> bool {
        let _ = cycle;
        false
    }

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
