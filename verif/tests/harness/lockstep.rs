//! A module and its twin on the same inputs.

use super::fresh;
use blockyard_rtl::activity;
use blockyard_rtl::module::{clock_edge, settle, Module};
use blockyard_sim::port::Activity;
use std::fmt::Debug;

/// A module with a behavioural twin that has the same ports.
pub trait Twinned: Module + Sized {
    /// The twin.
    type Twin;
    /// The twin's input ports.
    type Inputs: Debug;
    /// The twin's output ports.
    type Outputs: Debug + PartialEq;

    /// Drives all inputs of the module, reset among them.
    fn apply(&mut self, inputs: &Self::Inputs);
    /// The module's outputs; what the twin leaves undefined has the twin's value.
    fn observe(&self) -> Self::Outputs;
    /// The twin's outputs.
    fn evaluate(twin: &Self::Twin, inputs: &Self::Inputs) -> Self::Outputs;
    /// The twin's clock edge.
    fn clock(twin: &mut Self::Twin, inputs: &Self::Inputs) -> Activity;
    /// Whether these inputs hold the reset.
    fn resets(inputs: &Self::Inputs) -> bool;
}

/// Both, cycle by cycle.
pub struct Lockstep<M: Twinned> {
    hardware: M,
    twin: M::Twin,
    cycle: u64,
}

impl<M: Twinned> Lockstep<M> {
    /// Both after reset.
    pub fn new(hardware: M, twin: M::Twin) -> Self {
        Self { hardware: fresh(hardware), twin, cycle: 0 }
    }

    /// The hardware, for what does not change.
    pub fn hardware(&self) -> &M {
        &self.hardware
    }

    /// What the twin would answer to these inputs in this cycle.
    pub fn peek(&self, inputs: &M::Inputs) -> M::Outputs {
        M::evaluate(&self.twin, inputs)
    }

    /// One cycle, with every output compared unless it is a reset cycle. Two rules that let a
    /// driver skip quiet cycles are checked as well: whenever the twin stores something new so does
    /// the hardware, and after an edge that stored nothing the same inputs give the same outputs.
    #[track_caller]
    pub fn cycle(&mut self, inputs: &M::Inputs) -> M::Outputs {
        let expected = self.peek(inputs);
        self.hardware.apply(inputs);
        settle(&mut self.hardware);
        let reset = M::resets(inputs);
        if !reset {
            let got = self.hardware.observe();
            assert_eq!(got, expected, "hardware, twin; cycle {}, {inputs:?}", self.cycle);
        }
        let quiet = !self.edge();
        let twin = M::clock(&mut self.twin, inputs);
        if !reset && quiet {
            assert_eq!(
                twin,
                Activity::Quiet,
                "only the twin stored; cycle {}, {inputs:?}",
                self.cycle
            );
            settle(&mut self.hardware);
            assert_eq!(self.hardware.observe(), expected, "cycle {} was quiet", self.cycle);
        }
        self.cycle += 1;
        expected
    }

    /// One cycle whose outputs are undefined.
    pub fn unobserved_cycle(&mut self, inputs: &M::Inputs) {
        self.hardware.apply(inputs);
        settle(&mut self.hardware);
        self.edge();
        M::clock(&mut self.twin, inputs);
        self.cycle += 1;
    }

    /// The hardware's clock edge; whether it stored anything new.
    fn edge(&mut self) -> bool {
        let before = activity::count();
        clock_edge(&mut self.hardware);
        activity::count() != before
    }
}
