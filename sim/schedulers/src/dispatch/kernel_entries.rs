//! Twin of `dispatch/kernel_entries` (`docs/gpgpusim.md`): the kernel table without the arithmetic
//! on blocks, which is `dispatch/block_sequence`'s; several blocks of the head may go in a cycle.
//!
//! Undefined, and not to be compared: `head_*` when `head` names a free entry, `head_block` and
//! `after` of a kernel that has no block left, and everything after a `finished` of an entry that
//! has no block in execution or a `step` without a head.

use super::super::PerSmx;
use super::{Entry, KernelTable, KernelTableInputs};
use crate::port::{Activity, BlockNeeds, Dim3, KernelContext, KernelEntry, KernelLaunch};

/// Input ports of [`KernelEntries`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelEntriesInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel that wants an entry; it gets one when `launch_ready` is `Some`.
    pub launch: Option<KernelLaunch>,
    /// `head_valid` and `head`: the entry whose blocks are to be dispatched.
    pub head: Option<KernelEntry>,
    /// How many blocks of the head are dispatched in this cycle; 6 bits.
    pub step: u32,
    /// The block that follows them, stored when `step` is not 0.
    pub after: Dim3,
    /// One bit an entry, from FCFS control.
    pub marked: u32,
    /// For each SMX, the kernel of a block that ends in this cycle.
    pub finished: PerSmx<Option<KernelEntry>>,
    /// The entry whose context is asked for.
    pub lookup: Option<KernelEntry>,
    /// An entry that a command is compared with (`docs/dtbl.md`).
    pub probe: KernelEntry,
}

/// Output ports of [`KernelEntries`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelEntriesOutputs {
    /// `launch_ready` and `launch_entry`: the lowest free entry.
    pub launch_ready: Option<KernelEntry>,
    /// The head's next block; zero without a head.
    pub head_block: Dim3,
    /// The head's grid; zero without a head.
    pub head_grid: Dim3,
    /// What each block of the head takes of an SMX; zero without a head.
    pub head_needs: BlockNeeds,
    /// For each SMX, what the block that ends there gives back; zero when none ends.
    pub freed: PerSmx<BlockNeeds>,
    /// Bit k: entry k is occupied, not marked, and has no block in execution.
    pub finished_kernels: u32,
    /// Answer to `lookup`; `None` for a free entry.
    pub context: Option<KernelContext>,
    /// `probe_valid` and `probe_context`: what the entry at `probe` holds; `None` for a free entry.
    pub probe: Option<KernelContext>,
}

/// The entries; what they share with the kernel table is the kernel table's twin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelEntries {
    table: KernelTable,
}

impl KernelEntries {
    /// Free entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelEntriesInputs) -> KernelEntriesOutputs {
        let shared = self.table.evaluate(&without_step(inputs));
        let head = inputs.head.and_then(|head| self.table.entry(head));
        KernelEntriesOutputs {
            launch_ready: shared.launch_ready,
            head_block: shared.head_block,
            head_grid: head.map_or(Dim3::default(), |entry| entry.grid),
            head_needs: shared.head_needs,
            freed: shared.freed,
            finished_kernels: shared.finished_kernels,
            context: shared.context,
            probe: self.table.entry(inputs.probe).map(Entry::context),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelEntriesInputs) -> Activity {
        let shared = self.table.clock(&without_step(inputs));
        let head = inputs.head.filter(|_| inputs.step > 0 && !inputs.reset);
        // A head is marked, so that its entry was neither released nor taken by the edge above.
        if let Some(entry) = head.and_then(|head| self.table.entry_mut(head)) {
            entry.executing += inputs.step;
            entry.next_block = inputs.after;
        }
        Activity::any([shared, head.is_some().into()])
    }
}

fn without_step(inputs: &KernelEntriesInputs) -> KernelTableInputs {
    let KernelEntriesInputs { reset, launch, head, marked, lookup, .. } = *inputs;
    let finished = inputs.finished.clone();
    KernelTableInputs {
        reset,
        launch,
        head,
        step: false,
        cancelled: false,
        marked,
        finished,
        lookup,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: BlockNeeds = BlockNeeds { threads: 64, registers: 1024, shared_memory: 256 };
    const GRID: Dim3 = Dim3::new(5, 4, 3);

    /// Entries of which the first holds a kernel, marked and the head.
    fn entries() -> (KernelEntries, KernelEntriesInputs) {
        let (mut entries, grid) = (KernelEntries::new(), GRID);
        let launch =
            KernelLaunch { grid, needs: NEEDS, blocks: 60, entry_pc: 8, ..Default::default() };
        let inputs = KernelEntriesInputs { launch: Some(launch), ..Default::default() };
        assert_eq!(entries.evaluate(&inputs).launch_ready, Some(KernelEntry(0)));
        assert_eq!(entries.clock(&inputs), Activity::Busy);
        let head = Some(KernelEntry(0));
        (entries, KernelEntriesInputs { head, marked: 1, ..Default::default() })
    }

    fn finished(smxs: usize) -> PerSmx<Option<KernelEntry>> {
        (0..smxs).map(|_| Some(KernelEntry(0))).collect()
    }

    #[test]
    fn the_head_is_shown_with_its_grid_and_nothing_is_shown_without_one() {
        let (entries, head) = entries();
        let outputs = entries.evaluate(&head);
        let shown = (outputs.head_block, outputs.head_grid, outputs.head_needs);
        assert_eq!(shown, (Dim3::default(), GRID, NEEDS));
        let none = entries.evaluate(&KernelEntriesInputs { head: None, ..head });
        let shown = (none.head_block, none.head_grid, none.head_needs);
        assert_eq!(shown, Default::default());
    }

    #[test]
    fn after_is_the_next_block_one_cycle_after_a_step_and_ignored_without_one() {
        let (mut entries, head) = entries();
        let after = Dim3::new(2, 3, 1);
        let idle = KernelEntriesInputs { after, ..head.clone() };
        assert_eq!(entries.clock(&idle), Activity::Quiet);
        assert_eq!(entries.evaluate(&head).head_block, Dim3::default());
        let step = KernelEntriesInputs { step: 1, ..idle };
        assert_eq!(entries.evaluate(&step).head_block, Dim3::default());
        assert_eq!(entries.clock(&step), Activity::Busy);
        assert_eq!(entries.evaluate(&head).head_block, after);
    }

    #[test]
    fn a_kernel_finishes_when_as_many_blocks_ended_as_all_steps_said() {
        let (mut entries, head) = entries();
        entries.clock(&KernelEntriesInputs { step: 32, ..head.clone() });
        // Steps and completions count in one cycle: 32 + 3 - 32.
        let both = KernelEntriesInputs { step: 3, finished: finished(32), ..head.clone() };
        entries.clock(&both);
        let unmarked = KernelEntriesInputs { head: None, marked: 0, ..head };
        let two = KernelEntriesInputs { finished: finished(2), ..unmarked.clone() };
        assert_eq!(entries.evaluate(&two).freed, [NEEDS, NEEDS].into_iter().collect());
        entries.clock(&two);
        assert_eq!(entries.evaluate(&unmarked).finished_kernels, 0, "one is in execution");
        entries.clock(&KernelEntriesInputs { finished: finished(1), ..unmarked.clone() });
        assert_eq!(entries.evaluate(&unmarked).finished_kernels, 1);
        entries.clock(&unmarked);
        assert_eq!(entries, KernelEntries::new(), "released");
    }

    #[test]
    fn a_probe_sees_the_context_of_an_occupied_entry_beside_a_lookup() {
        let (mut entries, head) = entries();
        let probe = |entries: &KernelEntries, entry| {
            let probe = KernelEntry(entry);
            let both = KernelEntriesInputs { probe, lookup: Some(KernelEntry(0)), ..head.clone() };
            let outputs = entries.evaluate(&both);
            assert_eq!(outputs.context.map(|context| context.entry_pc), Some(8));
            outputs.probe.map(|context| context.entry_pc)
        };
        assert_eq!(
            [probe(&entries, 0), probe(&entries, 1), probe(&entries, 31)],
            [Some(8), None, None]
        );
        let launch = KernelLaunch { entry_pc: 9, ..Default::default() };
        entries.clock(&KernelEntriesInputs { launch: Some(launch), ..head.clone() });
        assert_eq!([probe(&entries, 0), probe(&entries, 1)], [Some(8), Some(9)]);
    }

    #[test]
    fn a_kernel_whose_mark_is_held_is_not_released() {
        let (mut entries, head) = entries();
        let held = KernelEntriesInputs { head: None, ..head };
        assert_eq!(entries.evaluate(&held).finished_kernels, 0);
        assert_eq!(entries.clock(&held), Activity::Quiet);
        let left = KernelEntriesInputs { marked: 0, ..held };
        assert_eq!(entries.evaluate(&left).finished_kernels, 1);
    }

    #[test]
    fn reset_frees_every_entry_whatever_else_the_cycle_carries() {
        let (mut entries, head) = entries();
        let reset = KernelEntriesInputs { reset: true, step: 4, ..head };
        assert_eq!(entries.clock(&reset), Activity::Busy);
        assert_eq!(entries, KernelEntries::new());
        assert_eq!(entries.clock(&reset), Activity::Quiet);
    }
}
