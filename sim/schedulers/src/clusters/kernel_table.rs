//! Twin of `clusters/kernel_table`: the kernel table for kernels in clusters (`docs/clusters.md`,
//! rules 2 and 3).
//!
//! Undefined, and not to be compared: what is undefined of `dispatch/kernel_table`, and with it
//! `head_cluster` and `head_closes`; `head_closes` of an empty grid; everything after a step with
//! `cancelled` while a cluster is open.

use super::{Sequence, SequenceInputs, SequenceOutputs};
use crate::dispatch;
pub use crate::dispatch::KernelTableInputs;
use crate::port::{
    Activity, BlockNeeds, Cluster, Dim3, KernelContext, KernelEntry, KERNEL_ENTRIES,
};
use crate::PerSmx;

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
    /// Blocks of a cluster of the head, 1 to 16; 5 bits. 0 without a head.
    pub head_cluster: u32,
    /// That block is the last one of its cluster.
    pub head_closes: bool,
    /// For each SMX, what the block that ends there gives back; zero when none ends.
    pub freed: PerSmx<BlockNeeds>,
    /// Bit k: entry k is occupied, not marked, and has no block in execution.
    pub finished_kernels: u32,
    /// Answer to `lookup`; `None` for a free entry.
    pub context: Option<KernelContext>,
}

/// The entries; what they share with the kernel table of the baseline is its twin. The next block
/// of an entry is the first one of its next, or open, cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelTable {
    table: dispatch::KernelTable,
    /// Of each entry; of a free one whatever it was.
    clusters: Vec<Cluster>,
    /// Of the next block within the open cluster; zero while none is open.
    place: Dim3,
}

impl Default for KernelTable {
    fn default() -> Self {
        Self::new()
    }
}

impl KernelTable {
    /// A table of free entries.
    pub fn new() -> Self {
        Self {
            table: dispatch::KernelTable::new(),
            clusters: vec![Cluster::default(); KERNEL_ENTRIES],
            place: Dim3::default(),
        }
    }

    /// Of the kernel in that entry its cluster and what a block takes; `None` when it is free.
    pub(super) fn cluster(&self, entry: KernelEntry) -> Option<(Cluster, BlockNeeds)> {
        let kernel = self.table.entry(entry)?;
        Some((self.clusters[entry.index()], kernel.needs))
    }

    /// Blocks in execution of the kernel in that entry.
    pub(super) fn executing(&self, entry: KernelEntry) -> u32 {
        self.table.entry(entry).map_or(0, |kernel| kernel.executing)
    }

    /// Of the head's next, or open, cluster: whether it is open, and whether it is the last one of
    /// a grid that has any.
    pub(super) fn next_cluster(&self, inputs: &KernelTableInputs) -> (bool, bool) {
        let next = self.next(inputs).map(|(_, next)| next).filter(|next| !next.empty);
        let is_last = next.is_some_and(|next| next.beyond.is_none());
        (self.place != Dim3::default(), is_last)
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelTableInputs) -> KernelTableOutputs {
        let shared = self.table.evaluate(&without_step(inputs));
        let mut outputs = KernelTableOutputs {
            launch_ready: shared.launch_ready,
            head_needs: shared.head_needs,
            head_empty: shared.head_empty,
            freed: shared.freed,
            finished_kernels: shared.finished_kernels,
            context: shared.context,
            ..KernelTableOutputs::default()
        };
        if let Some((head, next)) = self.next(inputs) {
            outputs.head_block = next.block;
            outputs.head_closes = next.closes && !next.empty;
            outputs.head_last = outputs.head_closes && next.beyond.is_none();
            outputs.head_cluster = self.clusters[head.index()].blocks();
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelTableInputs) -> Activity {
        let next = self.next(inputs).filter(|_| inputs.step && !inputs.reset);
        let accepted = inputs.launch.zip(self.table.evaluate(&without_step(inputs)).launch_ready);
        let shared = self.table.clock(&without_step(inputs));
        if inputs.reset {
            let before = std::mem::take(self);
            return Activity::any([shared, (before != *self).into()]);
        }
        let stepped = next.is_some();
        if let Some((head, next)) = next {
            // A head is marked, so that its entry was neither released nor taken by the edge above.
            let entry = self.table.entry_mut(head).expect("it is the head");
            // A cluster that is cancelled is not open: its first block stands for all of them.
            entry.executing += u32::from(!inputs.cancelled);
            if next.closes || inputs.cancelled {
                entry.next_block = next.beyond.unwrap_or_default();
            }
            if !inputs.cancelled {
                self.place = next.next_place;
            }
        }
        if let Some((launch, entry)) = accepted {
            self.clusters[entry.index()] = launch.cluster;
        }
        Activity::any([shared, stepped.into()])
    }

    /// The head's entry and its next block.
    fn next(&self, inputs: &KernelTableInputs) -> Option<(KernelEntry, SequenceOutputs)> {
        let head = inputs.head?;
        let entry = self.table.entry(head)?;
        let cluster = self.clusters[head.index()];
        let (at, place) = (entry.next_block, self.place);
        let inputs = SequenceInputs { at, place, grid: entry.grid, cluster };
        Some((head, Sequence.evaluate(&inputs)))
    }
}

/// For the twin of the baseline, which would step through the grid in an order of its own.
fn without_step(inputs: &KernelTableInputs) -> KernelTableInputs {
    KernelTableInputs { step: false, ..inputs.clone() }
}

#[cfg(test)]
mod tests;
