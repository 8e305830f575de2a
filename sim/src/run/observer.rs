//! Who watches a run: waveforms, dispatch logs, lockstep.

use std::ops::ControlFlow;

use crate::port::{Dim3, Inputs, KernelEntry, Outputs};

/// A thread block that went to an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchedBlock<'a> {
    /// The cycle in which the dispatch port fired.
    pub cycle: u64,
    /// The SMX.
    pub smx: usize,
    /// The kernel's name.
    pub kernel: &'a str,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
    /// The aggregated group within the instance; 0 for a native block.
    pub group: u32,
    /// The block's index in its grid.
    pub block: Dim3,
}

/// A kernel that entered the Kernel Distributor, from the host or from the Kernel Management Unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnteredKernel<'a> {
    /// The cycle in which it was accepted.
    pub cycle: u64,
    /// Its entry.
    pub entry: KernelEntry,
    /// The kernel's name.
    pub kernel: &'a str,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
}

/// A group that was coalesced to a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoalescedGroup<'a> {
    /// The cycle.
    pub cycle: u64,
    /// The name of the kernel to which it was coalesced.
    pub kernel: &'a str,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
    /// Its place among the instance's groups, from 1.
    pub group: u32,
    /// Whether its information is in memory, for want of a place on chip.
    pub in_memory: bool,
}

/// Watches a run. Every method has a default that does nothing.
pub trait Observer {
    /// A cycle was evaluated; its outputs are not checked yet. `Break` ends the run within it, of
    /// which the GPU has counted a part.
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        let _ = (cycle, inputs, outputs);
        ControlFlow::Continue(())
    }

    /// Whether the run is to end with the cycle that was evaluated last, which is whole, as all
    /// before it are.
    fn has_had_enough(&self) -> bool {
        false
    }

    /// Whether it sees more than the ports: then the cycles in which a scheduler only turns are
    /// evaluated, too.
    fn follows_turns(&self) -> bool {
        false
    }

    /// The cycles from `from` to `to - 1` are skipped: they repeat those before, in which nothing
    /// crossed the ports.
    fn skipped(&mut self, from: u64, to: u64) {
        let _ = (from, to);
    }

    /// The block in `slot` of SMX `smx` ended, and leaves its slot in `cycle`; told after
    /// [`cycle`](Self::cycle), and before what the cycle dispatches.
    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        let _ = (cycle, smx, slot);
    }

    /// A kernel entered the Kernel Distributor.
    fn entered(&mut self, kernel: &EnteredKernel<'_>) {
        let _ = kernel;
    }

    /// A group was coalesced.
    fn coalesced(&mut self, group: &CoalescedGroup<'_>) {
        let _ = group;
    }

    /// A block was dispatched, after all checks; in order of SMX within a cycle. It takes the
    /// lowest free slot of its SMX.
    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let _ = block;
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {}

/// Several observers, asked in order; the run ends when one of them says so.
#[derive(Default)]
pub struct Observers<'a>(pub Vec<&'a mut dyn Observer>);

impl Observer for Observers<'_> {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        for observer in &mut self.0 {
            if observer.cycle(cycle, inputs, outputs).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        flow
    }

    fn has_had_enough(&self) -> bool {
        self.0.iter().any(|observer| observer.has_had_enough())
    }

    fn follows_turns(&self) -> bool {
        self.0.iter().any(|observer| observer.follows_turns())
    }

    fn skipped(&mut self, from: u64, to: u64) {
        self.0.iter_mut().for_each(|observer| observer.skipped(from, to));
    }

    fn block_ended(&mut self, cycle: u64, smx: usize, slot: u8) {
        self.0.iter_mut().for_each(|observer| observer.block_ended(cycle, smx, slot));
    }

    fn entered(&mut self, kernel: &EnteredKernel<'_>) {
        self.0.iter_mut().for_each(|observer| observer.entered(kernel));
    }

    fn coalesced(&mut self, group: &CoalescedGroup<'_>) {
        self.0.iter_mut().for_each(|observer| observer.coalesced(group));
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.0.iter_mut().for_each(|observer| observer.dispatched(block));
    }
}
