//! Twin of `dispatch/kernel_table`: the entries of the Kernel Distributor (DTBL, section 2.2).
//!
//! Undefined, and not to be compared: the `head_*` outputs without a head or when `head` names a
//! free entry, `head_last` of an empty grid, the block after the last one, and everything after a
//! `finished` of an entry that has no block in execution or a `step` without a head.

use super::super::PerSmx;
use super::Entry;
use crate::port::{
    Activity, BlockNeeds, Dim3, KernelContext, KernelEntry, KernelLaunch, KERNEL_ENTRIES,
};

/// Input ports of [`KernelTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelTableInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel that wants an entry; it gets one when `launch_ready` is `Some`.
    pub launch: Option<KernelLaunch>,
    /// `head_valid` and `head`: the entry whose block is to be dispatched.
    pub head: Option<KernelEntry>,
    /// The head's next block is dispatched in this cycle.
    pub step: bool,
    /// With `step`: it is not dispatched but cancelled (`docs/launch-control.md`, rule 4), so that
    /// it is not in execution; in the table for clusters all its cluster, of which it is the first
    /// block (rule 7).
    pub cancelled: bool,
    /// One bit an entry, from FCFS control.
    pub marked: u32,
    /// For each SMX, the kernel of a block that ends in this cycle.
    pub finished: PerSmx<Option<KernelEntry>>,
    /// The entry whose context is asked for.
    pub lookup: Option<KernelEntry>,
}

/// Output ports of [`KernelTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelTableOutputs {
    /// `launch_ready` and `launch_entry`: the lowest free entry.
    pub launch_ready: Option<KernelEntry>,
    /// The head's next block.
    pub head_block: Dim3,
    /// What that block takes of an SMX.
    pub head_needs: BlockNeeds,
    /// That block is the kernel's last.
    pub head_last: bool,
    /// The head's grid holds no block.
    pub head_empty: bool,
    /// For each SMX, what the block that ends there gives back; zero when none ends.
    pub freed: PerSmx<BlockNeeds>,
    /// Bit k: entry k is occupied, not marked, and has no block in execution.
    pub finished_kernels: u32,
    /// Answer to `lookup`; `None` for a free entry.
    pub context: Option<KernelContext>,
}

/// 32 entries, each free or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelTable {
    entries: Vec<Option<Entry>>,
}

impl Default for KernelTable {
    fn default() -> Self {
        Self::new()
    }
}

impl KernelTable {
    /// A table of free entries.
    pub fn new() -> Self {
        Self { entries: vec![None; KERNEL_ENTRIES] }
    }

    /// What entry `k` holds, or `None` when it is free.
    pub fn entry(&self, k: KernelEntry) -> Option<&Entry> {
        self.entries.get(k.index())?.as_ref()
    }

    pub(in super::super) fn entry_mut(&mut self, k: KernelEntry) -> Option<&mut Entry> {
        self.entries.get_mut(k.index())?.as_mut()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelTableInputs) -> KernelTableOutputs {
        let mut outputs = KernelTableOutputs {
            launch_ready: self.lowest_free(),
            finished_kernels: self.finished_kernels(inputs.marked),
            context: inputs.lookup.and_then(|k| self.entry(k)).map(Entry::context),
            ..KernelTableOutputs::default()
        };
        if let Some(head) = inputs.head.and_then(|k| self.entry(k)) {
            outputs.head_block = head.next_block;
            outputs.head_needs = head.needs;
            outputs.head_last = head.is_last();
            outputs.head_empty = head.is_empty();
        }
        for (smx, finished) in inputs.finished.stated().iter().enumerate() {
            if let Some(entry) = finished.and_then(|k| self.entry(k)) {
                outputs.freed[smx] = entry.needs;
            }
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelTableInputs) -> Activity {
        if inputs.reset {
            let changed = self.entries.iter().any(Option::is_some);
            self.entries.fill(None);
            return Activity::from(changed);
        }
        let mut changed = false;
        // Both depend on the state before the edge: an entry released now is not yet free.
        let free = self.lowest_free();
        let released = self.finished_kernels(inputs.marked);

        let ends = inputs.finished.stated().iter().any(Option::is_some);
        if !ends && !inputs.step && inputs.launch.is_none() && released == 0 {
            return Activity::Quiet;
        }
        let mut ended = [0; KERNEL_ENTRIES];
        for finished in inputs.finished.stated().iter().flatten() {
            ended[finished.index()] += 1;
        }
        for (k, ended) in ended.into_iter().enumerate() {
            let Some(entry) = &mut self.entries[k] else {
                continue;
            };
            let before = *entry;
            entry.executing = entry.executing.saturating_sub(ended);
            if inputs.step && inputs.head.map(KernelEntry::index) == Some(k) {
                entry.next_block = entry.following();
                entry.executing += u32::from(!inputs.cancelled);
            }
            changed |= *entry != before;
            if released >> k & 1 == 1 {
                self.entries[k] = None;
                changed = true;
            }
        }
        if let (Some(launch), Some(k)) = (&inputs.launch, free) {
            self.entries[k.index()] = Some(Entry::of(launch));
            changed = true;
        }
        Activity::from(changed)
    }

    fn lowest_free(&self) -> Option<KernelEntry> {
        self.entries.iter().position(Option::is_none).map(|k| KernelEntry(k as u8))
    }

    fn finished_kernels(&self, marked: u32) -> u32 {
        let mut bits = 0;
        for (k, entry) in self.entries.iter().enumerate() {
            if let Some(entry) = entry {
                if marked >> k & 1 == 0 && entry.executing == 0 {
                    bits |= 1 << k;
                }
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests;
