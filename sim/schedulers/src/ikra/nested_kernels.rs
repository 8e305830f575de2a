//! Twin of `ikra/nested_kernels`: the kernels of the host and those that blocks launched, each in a
//! line, and how many blocks of each are in execution (`docs/ikra.md`, rules 21, 22 and 28).
//!
//! Latency: `launch` to the first of a line 1 cycle; `host_pop` and `child_pop` to the kernel
//! behind it 1 cycle; `ends` to `launch_entry` 1 cycle; `dispatched` and `finished` to `resident` 1
//! cycle; everything else 0 (same cycle).
//!
//! Undefined, and not to be compared: everything after a pop of an empty line, an `ends` of an
//! entry that is not in use or whose kernel stays in its line, a `dispatched` of an entry that is
//! not in use, or a `finished` of one of which no block is in execution.

use super::super::PerSmx;
use crate::port::{
    Activity, BlockNeeds, Dim3, KernelContext, KernelEntry, KernelLaunch, KERNEL_ENTRIES,
};
use std::collections::VecDeque;

/// Input ports of [`NestedKernels`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedKernelsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel that wants an entry; it gets one when `launch_ready` is `Some`.
    pub launch: Option<KernelLaunch>,
    /// Its home; 0 for a host kernel.
    pub home: usize,
    /// Its level; 0 for a host kernel.
    pub level: u8,
    /// The first host kernel leaves its line; only if there is one.
    pub host_pop: bool,
    /// The first device kernel leaves its line; only if there is one.
    pub child_pop: bool,
    /// One bit for each entry in use: its kernel ends in this cycle.
    pub ends: u32,
    /// For each SMX the kernel of the block that is dispatched there.
    pub dispatched: PerSmx<Option<KernelEntry>>,
    /// For each SMX the kernel of the block that ends there.
    pub finished: PerSmx<Option<KernelEntry>>,
    /// The entry whose context is asked for.
    pub lookup: Option<KernelEntry>,
}

/// Output ports of [`NestedKernels`]; all but `freed` and the context depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedKernelsOutputs {
    /// `launch_ready` and `launch_entry`: the lowest free entry.
    pub launch_ready: Option<KernelEntry>,
    /// `host_valid` and `host`: the entry of the first host kernel.
    pub host: Option<KernelEntry>,
    /// Its grid; zero without one.
    pub host_grid: Dim3,
    /// Its blocks in all; zero without one.
    pub host_blocks: u32,
    /// What each of its blocks takes of an SMX; zero without one.
    pub host_needs: BlockNeeds,
    /// `child_valid` and `child`: the entry of the first device kernel.
    pub child: Option<KernelEntry>,
    /// Its grid; zero without one.
    pub child_grid: Dim3,
    /// It has no blocks; low without one.
    pub child_empty: bool,
    /// What each of its blocks takes of an SMX; zero without one.
    pub child_needs: BlockNeeds,
    /// Its home; zero without one.
    pub child_home: usize,
    /// Its level, at least 1; zero without one.
    pub child_level: u8,
    /// For each SMX what the block returns that ends there; zero without one.
    pub freed: PerSmx<BlockNeeds>,
    /// One bit for each entry: blocks of it are in execution.
    pub resident: u32,
    /// `context_valid` and `kernel_context`: answer to `lookup`; `None` for an entry that is not in
    /// use.
    pub kernel_context: Option<KernelContext>,
}

/// A kernel in its entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Occupant {
    launch: KernelLaunch,
    home: usize,
    level: u8,
    /// Blocks in execution.
    running: u32,
}

/// The entries, and the two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedKernels {
    smx: usize,
    entries: [Option<Occupant>; KERNEL_ENTRIES],
    hosts: VecDeque<KernelEntry>,
    children: VecDeque<KernelEntry>,
}

impl NestedKernels {
    /// No kernel, on a GPU with `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        let entries = [const { None }; KERNEL_ENTRIES];
        Self { smx, entries, hosts: VecDeque::new(), children: VecDeque::new() }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &NestedKernelsInputs) -> NestedKernelsOutputs {
        let mut outputs =
            NestedKernelsOutputs { launch_ready: self.launch_ready(), ..Default::default() };
        if let Some((entry, Occupant { launch, .. })) = self.first(&self.hosts) {
            outputs.host = Some(entry);
            outputs.host_grid = launch.grid;
            outputs.host_blocks = launch.blocks;
            outputs.host_needs = launch.needs;
        }
        if let Some((entry, Occupant { launch, home, level, .. })) = self.first(&self.children) {
            outputs.child = Some(entry);
            outputs.child_grid = launch.grid;
            outputs.child_empty = launch.blocks == 0;
            outputs.child_needs = launch.needs;
            outputs.child_home = *home;
            outputs.child_level = *level;
        }
        for smx in 0..self.smx {
            if let Some(entry) = inputs.finished[smx] {
                outputs.freed[smx] = self.needs(entry);
            }
        }
        for (entry, occupant) in self.entries.iter().enumerate() {
            let resident = occupant.as_ref().is_some_and(|occupant| occupant.running > 0);
            outputs.resident |= u32::from(resident) << entry;
        }
        let asked = inputs.lookup.and_then(|entry| self.occupant(entry));
        outputs.kernel_context = asked.map(|occupant| {
            let KernelLaunch { entry_pc, parameter_address, block, .. } = occupant.launch;
            KernelContext { entry_pc, parameter_address, block }
        });
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &NestedKernelsInputs) -> Activity {
        let before = self.clone();
        // Before the edge: an entry whose kernel ends now is not yet free.
        let ready = self.launch_ready();
        for (blocks, more) in [(&inputs.finished, false), (&inputs.dispatched, true)] {
            for entry in blocks.stated().iter().flatten() {
                if let Some(occupant) = &mut self.entries[entry.index()] {
                    let running = occupant.running;
                    occupant.running = if more { running + 1 } else { running.saturating_sub(1) };
                }
            }
        }
        if inputs.host_pop {
            self.hosts.pop_front();
        }
        if inputs.child_pop {
            self.children.pop_front();
        }
        for (entry, occupant) in self.entries.iter_mut().enumerate() {
            if inputs.ends >> entry & 1 == 1 {
                *occupant = None;
            }
        }
        if let Some((launch, entry)) = inputs.launch.zip(ready) {
            let (home, level) = (inputs.home, inputs.level);
            self.entries[entry.index()] = Some(Occupant { launch, home, level, running: 0 });
            let line = if level == 0 { &mut self.hosts } else { &mut self.children };
            line.push_back(entry);
        }
        if inputs.reset {
            *self = Self::new(self.smx);
        }
        Activity::from(*self != before)
    }

    /// What each block of the kernel in `entry` takes of an SMX; zero if the entry is not in use.
    pub(super) fn needs(&self, entry: KernelEntry) -> BlockNeeds {
        self.occupant(entry).map_or(BlockNeeds::default(), |occupant| occupant.launch.needs)
    }

    /// What waits, and what is in execution, for the report of a stuck run.
    pub(super) fn explain(&self) -> String {
        let blocks = |(entry, occupant): (usize, &Option<Occupant>)| {
            let running = occupant.as_ref()?.running;
            (running > 0).then(|| format!("{running} of entry {entry}"))
        };
        let running: Vec<_> = self.entries.iter().enumerate().filter_map(blocks).collect();
        format!(
            "the scheduler has {} host kernels and {} device kernels in line; blocks in execution: {}",
            self.hosts.len(),
            self.children.len(),
            if running.is_empty() { "none".to_owned() } else { running.join(", ") }
        )
    }

    fn launch_ready(&self) -> Option<KernelEntry> {
        self.entries.iter().position(Option::is_none).map(|entry| KernelEntry(entry as u8))
    }

    fn first(&self, line: &VecDeque<KernelEntry>) -> Option<(KernelEntry, &Occupant)> {
        let entry = *line.front()?;
        Some((entry, self.occupant(entry)?))
    }

    fn occupant(&self, entry: KernelEntry) -> Option<&Occupant> {
        self.entries[entry.index()].as_ref()
    }
}

#[cfg(test)]
mod tests;
