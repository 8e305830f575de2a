//! Twin and hardware on the same inputs, compared on every output of every cycle.

use super::difference::{compare, Difference};
use super::list_integrity::ListIntegrity;
use super::rtl::RtlScheduler;
use super::tap::{Comparison, CycleCounter, Failure, Witness};
use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler};
use std::cell::RefCell;
use std::rc::Rc;

/// The first difference of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The cycle.
    pub cycle: u64,
    /// The port, and what each side put on it.
    pub difference: Difference,
}

/// Both engines. The twin's outputs go on to the GPU; the first difference is kept in
/// [`Lockstep::mismatch`], and told to whoever watches; nothing is compared after it.
pub struct Lockstep {
    twin: Box<dyn Scheduler>,
    hardware: RtlScheduler,
    hardware_outputs: Outputs,
    counter: CycleCounter,
    lists: ListIntegrity,
    mismatch: Rc<RefCell<Option<Mismatch>>>,
    witness: Option<Box<dyn Witness>>,
}

impl Lockstep {
    /// Both engines, fresh from reset. Cycles are numbered by the hardware's counter.
    ///
    /// # Panics
    /// When they serve different numbers of SMXs.
    pub fn new(twin: Box<dyn Scheduler>, hardware: RtlScheduler) -> Self {
        assert_eq!(twin.smx(), hardware.smx(), "both engines serve the same SMXs");
        let hardware_outputs = Outputs::idle(twin.smx());
        let counter = hardware.counter();
        let (lists, mismatch) = (ListIntegrity::default(), Rc::default());
        Self { twin, hardware, hardware_outputs, counter, lists, mismatch, witness: None }
    }

    /// Lets `witness` see both sides of every evaluated cycle, and what differs.
    pub fn watch(&mut self, witness: Option<Box<dyn Witness>>) {
        self.witness = witness;
    }

    /// The hardware's own lists of groups, where it has any.
    fn check_lists(&mut self, inputs: &Inputs) -> Option<Difference> {
        let state = self.hardware.module().group_state()?;
        self.lists.check(inputs, &self.hardware_outputs, state)
    }

    /// Where the first difference will be found.
    pub fn mismatch(&self) -> Rc<RefCell<Option<Mismatch>>> {
        Rc::clone(&self.mismatch)
    }
}

impl Scheduler for Lockstep {
    fn smx(&self) -> usize {
        self.twin.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let cycle = self.counter.now();
        let asked = self.witness.as_ref().is_some_and(|witness| witness.asks_for_state(cycle));
        let state = asked.then(|| self.twin.explain());
        let twin = self.twin.cycle(inputs, outputs);
        let hardware = self.hardware.cycle(inputs, &mut self.hardware_outputs);
        if inputs.reset {
            self.lists = ListIntegrity::default();
        }
        // The outputs of a reset cycle are undefined.
        let mut differs_on = None;
        if !inputs.reset && self.mismatch.borrow().is_none() {
            let difference = compare(outputs, &self.hardware_outputs);
            if let Some(difference) = difference.or_else(|| self.check_lists(inputs)) {
                differs_on = Some(difference.port.clone());
                *self.mismatch.borrow_mut() = Some(Mismatch { cycle, difference });
            }
        }
        if let Some(witness) = &mut self.witness {
            let (twin, hardware) = (&*outputs, &self.hardware_outputs);
            let state = state.as_deref();
            witness.compared(&Comparison { cycle, inputs, twin, hardware, state });
            if let Some(port) = differs_on {
                witness.failed(cycle, &Failure::Mismatch(&port));
            }
        }
        Activity::any([twin, hardware])
    }

    fn remember(&mut self) {
        self.twin.remember();
        self.hardware.remember();
    }

    // The lists are checked against what crosses the ports, which is nothing where a run asks for
    // this.
    fn is_back(&self) -> bool {
        self.hardware.is_back() && self.twin.is_back()
    }

    fn explain(&self) -> String {
        self.twin.explain()
    }
}
