//! Twin of `ikra/kernel_history`: which layouts the last kernels used, and what a kernel that
//! depends on one of them takes over (`docs/ikra.md`, rules 15 to 17 and 19; the paper, section 8).
//!
//! Latency: `begins` and `filled` to the outputs 1 cycle; `grid`, `back` and `plain` to the outputs
//! 0 (same cycle).
//!
//! Undefined, and not to be compared: everything, until reset, after a `begins` without `load`
//! while `keeps` is low, or together with `filled`, or after a `filled` before the first `begins`.

use crate::port::{Activity, Dim3};

/// Layouts, and kernels that are remembered.
pub const LAYOUTS: usize = 4;

/// Input ports of [`KernelHistory`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelHistoryInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The head's extent. This and the next two are valid when an output that depends on them is
    /// looked at, and with `begins`.
    pub grid: Dim3,
    /// How many kernels back its source is, less one: 0 to 3.
    pub back: u8,
    /// Its relation is plain.
    pub plain: bool,
    /// A kernel begins.
    pub begins: bool,
    /// With `begins`: its chunks are new.
    pub load: bool,
    /// A queue becomes full in this cycle and must be reinitialised; not with `begins`.
    pub filled: bool,
}

/// Output ports of [`KernelHistory`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelHistoryOutputs {
    /// The head's chunks are kept.
    pub keeps: bool,
    /// The head's chunks are derived.
    pub derives: bool,
    /// There is a source.
    pub source_known: bool,
    /// Its layout; zero if there is none.
    pub source: usize,
    /// The layout that a kernel with new chunks uses. State alone.
    pub target: usize,
    /// The layout of the kernel that began last; zero before any. State alone.
    pub running_layout: usize,
    /// It needs an assignment; low before any kernel. State alone.
    pub told: bool,
}

/// What is known of a layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    grid: Dim3,
    /// Chunks must be assigned.
    told: bool,
}

/// The layouts of the last kernels with blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelHistory {
    layouts: [Known; LAYOUTS],
    /// Their numbers, the most recent kernel's first; at most four.
    names: Vec<usize>,
}

impl KernelHistory {
    /// Before the first kernel.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelHistoryInputs) -> KernelHistoryOutputs {
        let mut outputs = KernelHistoryOutputs { target: self.target(), ..Default::default() };
        if let Some(&running) = self.names.first() {
            outputs.running_layout = running;
            outputs.told = self.layouts[running].told;
        }
        if let Some(&source) = self.names.get(usize::from(inputs.back)) {
            let Known { grid, told } = self.layouts[source];
            outputs.source_known = true;
            outputs.source = source;
            outputs.keeps = !told && inputs.plain && grid == inputs.grid;
            outputs.derives = !told && !inputs.plain;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelHistoryInputs) -> Activity {
        let before = self.clone();
        if inputs.begins {
            let KernelHistoryOutputs { source, target, .. } = self.evaluate(inputs);
            let used = if inputs.load { target } else { source };
            self.layouts[used].grid = inputs.grid;
            if inputs.load {
                self.layouts[used].told = false;
            }
            self.names.insert(0, used);
            self.names.truncate(LAYOUTS);
        }
        if let (true, Some(&running)) = (inputs.filled, self.names.first()) {
            self.layouts[running].told = true;
        }
        if inputs.reset {
            *self = Self::new();
        }
        Activity::from(*self != before)
    }

    /// Rule 17: the lowest number that is not among the first three names.
    fn target(&self) -> usize {
        let recent = &self.names[..self.names.len().min(LAYOUTS - 1)];
        let free = (0..LAYOUTS).find(|layout| !recent.contains(layout));
        free.expect("three names are fewer than four layouts")
    }
}

#[cfg(test)]
mod tests;
