//! Twin of `ikra/kernel_control`: when chunks are assigned, a kernel begins, and it ends
//! (`docs/ikra.md`, rules 2, 7 and 13; the paper, section 4.4 and lines 1 to 9 of Algorithm 1).
//! What is known of kernels before is in `ikra/kernel_before` or `ikra/kernel_history`.
//!
//! Latency: `begins` to `running` 1 cycle; everything else 0 (same cycle).
//!
//! Undefined, and not to be compared: everything after a cycle with `filled` in which the phase is
//! not running, or a head that leaves or changes other than by `finish`.

use super::cover;
use crate::cover::when;
use crate::port::Activity;

/// Input ports of [`KernelControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// There is a kernel.
    pub head_valid: bool,
    /// Its blocks in all; valid with `head_valid`.
    pub head_blocks: u32,
    /// Its chunks are kept; valid with `head_valid` in an idle cycle.
    pub keeps: bool,
    /// The starts of all chunks are known.
    pub chunks_ready: bool,
    /// Every SMX is done.
    pub done: bool,
    /// A queue becomes full in this cycle and must be reinitialised.
    pub filled: bool,
    /// A broadcast was sent since chunks were last assigned.
    pub told: bool,
}

/// Output ports of [`KernelControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelControlOutputs {
    /// The assignment of chunks starts in this cycle.
    pub assigns: bool,
    /// The kernel begins in this cycle.
    pub begins: bool,
    /// With `begins`: its chunks are new.
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

/// The phase, and the broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelControl {
    latency: u32,
    phase: Phase,
    /// Cycles, with this one, in which a broadcast is on its way.
    on_its_way: u32,
}

impl KernelControl {
    /// After reset; `latency` says how many cycles a broadcast takes beside the one of every
    /// register.
    pub fn new(latency: u32) -> Self {
        Self { latency, phase: Phase::Idle, on_its_way: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelControlInputs) -> KernelControlOutputs {
        let mut outputs = KernelControlOutputs::default();
        match self.phase {
            Phase::Idle if inputs.head_valid && self.on_its_way == 0 => {
                if inputs.head_blocks == 0 {
                    outputs.finish = true;
                } else if inputs.keeps {
                    outputs.begins = true;
                } else {
                    outputs.assigns = true;
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
        let KernelControlOutputs { assigns, begins, load: _, running, finish } =
            self.evaluate(inputs);
        if !inputs.reset && self.phase == Phase::Idle && inputs.head_valid {
            when(self.on_its_way > 0, &cover::BROADCAST_WAITS);
            when(finish, &cover::EMPTY);
            when(begins, &cover::KEPT);
            when(assigns, &cover::ASSIGNED);
        }
        when(running && inputs.filled && !inputs.told && !inputs.reset, &cover::BROADCAST);
        self.on_its_way = self.on_its_way.saturating_sub(1);
        if assigns {
            self.phase = Phase::Chunking;
        }
        if begins {
            self.phase = Phase::Running;
        }
        if running && finish {
            self.phase = Phase::Idle;
        }
        if running && inputs.filled && !inputs.told {
            self.on_its_way = self.latency;
        }
        if inputs.reset {
            *self = Self::new(self.latency);
        }
        Activity::from(*self != before)
    }
}

#[cfg(test)]
mod tests;
