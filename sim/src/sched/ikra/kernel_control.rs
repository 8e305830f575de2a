//! Twin of `ikra/kernel_control`: when chunks are assigned, a kernel begins, and it ends (`docs/ikra.md`, rules 2,
//! 3, 7 and 13; the paper, section 4.4 and lines 1 to 9 of Algorithm 1).
//!
//! Latency: `begins` to `running` 1 cycle; everything else 0 (same cycle).
//!
//! Undefined, and not to be compared: everything after a cycle with `filled` in which the phase is not
//! running, or a head that leaves or changes other than by `finish`; what a head with blocks and a
//! dimension of zero leads to.

use super::super::activity;
use crate::port::{Activity, Dim3};

/// Input ports of [`KernelControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// There is a kernel.
    pub head_valid: bool,
    /// Its extent; valid with `head_valid`.
    pub head_grid: Dim3,
    /// Its blocks in all; valid with `head_valid`.
    pub head_blocks: u32,
    /// The starts of all chunks are known.
    pub chunks_ready: bool,
    /// Every SMX is done.
    pub done: bool,
    /// A queue becomes full in this cycle and must be reinitialised.
    pub filled: bool,
}

/// Output ports of [`KernelControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelControlOutputs {
    /// The assignment of chunks starts in this cycle.
    pub assigns: bool,
    /// The kernel begins in this cycle.
    pub begins: bool,
    /// With `begins`: chunks were assigned for it.
    pub load: bool,
    /// The phase is running. State alone.
    pub running: bool,
    /// The head ends in this cycle.
    pub finish: bool,
}

/// Rule 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Chunking,
    Running,
}

/// The phase, and what it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelControl {
    /// Chunks are assigned for every kernel.
    always: bool,
    latency: u32,
    phase: Phase,
    /// The grid of the last kernel with blocks that began.
    grid: Option<Dim3>,
    /// A broadcast was sent since chunks were last assigned.
    reinitialise: bool,
    /// Cycles, with this one, in which a broadcast is on its way.
    on_its_way: u32,
}

impl KernelControl {
    /// After reset; `always` says whether chunks are assigned for every kernel, `latency` how many cycles a
    /// broadcast takes beside the one of every register.
    pub fn new(always: bool, latency: u32) -> Self {
        Self { always, latency, phase: Phase::Idle, grid: None, reinitialise: false, on_its_way: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelControlInputs) -> KernelControlOutputs {
        let mut outputs = KernelControlOutputs::default();
        match self.phase {
            Phase::Idle if inputs.head_valid && self.on_its_way == 0 => {
                if inputs.head_blocks == 0 {
                    outputs.finish = true;
                } else if self.must_assign(inputs.head_grid) {
                    outputs.assigns = true;
                } else {
                    outputs.begins = true;
                }
            }
            Phase::Idle => {}
            Phase::Chunking => {
                outputs.begins = inputs.chunks_ready;
                outputs.load = inputs.chunks_ready;
            }
            Phase::Running => {
                outputs.running = true;
                outputs.finish = inputs.done;
            }
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelControlInputs) -> Activity {
        let before = self.clone();
        let KernelControlOutputs { assigns, begins, load, running, finish } = self.evaluate(inputs);
        self.on_its_way = self.on_its_way.saturating_sub(1);
        if assigns {
            self.phase = Phase::Chunking;
        }
        if begins {
            self.phase = Phase::Running;
            self.grid = Some(inputs.head_grid);
        }
        if load {
            self.reinitialise = false;
        }
        if running && finish {
            self.phase = Phase::Idle;
        }
        if running && inputs.filled && !self.reinitialise {
            self.reinitialise = true;
            self.on_its_way = self.latency;
        }
        if inputs.reset {
            *self = Self::new(self.always, self.latency);
        }
        activity(*self != before)
    }

    /// Rule 3.
    fn must_assign(&self, grid: Dim3) -> bool {
        self.always || self.reinitialise || self.grid != Some(grid)
    }
}

#[cfg(test)]
mod tests;
