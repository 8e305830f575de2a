//! The Kernel Distributor's entries.

use super::{BlockSequence, KernelEntries};
use crate::port::{step_bits, BlockId, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;

hdl_module! {
    /// [`KernelEntries`] whose head dispatches its blocks one by one.
    ///
    /// ```text
    ///   launch, lookup, finished[s] --> [kernel_entries] --> launch_ready, context, freed[s], finished_kernels
    ///   head, step -------------------->   |   ^ after
    ///                           head_block v   |
    ///                               [block_sequence] --> head_last, head_empty
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | entry readable | 1 |
    /// | `step` | the following block in `head_block` | 1 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | `head`, `finished`, `lookup` | what they read | 0 |
    ///
    /// Storage: that of the entries.
    pub struct KernelTable (smxs: usize) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// Whether `head` names an entry.
            head_valid: Signal<In, Bit>,
            /// The entry whose blocks are distributed; valid with `head_valid`.
            head: Signal<In, U<5>>,
            /// The head's next block is dispatched in this cycle; only with `head_valid`.
            step: Signal<In, Bit>,
            /// One bit for each entry: it has blocks to distribute.
            marked: Signal<In, U<32>>,
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// The head's next block; valid with `head_valid`, meaningless if `head_empty`.
            head_block: Signal<Out, BlockId>,
            /// What each of its blocks takes; valid with `head_valid`.
            head_needs: Signal<Out, Needs>,
            /// `head_block` is its last block; valid with `head_valid`.
            head_last: Signal<Out, Bit>,
            /// The head's grid is empty; valid with `head_valid`.
            head_empty: Signal<Out, Bit>,
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each entry: occupied, nothing to distribute, nothing in execution. The
            /// entry is released at the end of the cycle.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            one_by_one: Signal<Local, Word> = Signal::word(step_bits(smxs)),
        }
        constants {
            no_block: Constant<Word> = Constant::new(Word::zero(step_bits(smxs))),
            nobody_probes: Lit<5, 0>,
            one_block: Constant<Word> = Constant::new(Word::new(step_bits(smxs), 1)),
        }
        children {
            entries: KernelEntries = KernelEntries::new(smxs),
            order: BlockSequence = BlockSequence::new(1),
        }
        state { smxs: usize = smxs }
    }
}

impl KernelTable {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it uses no other one.
    pub fn with_entries(smxs: usize, entries: usize) -> Self {
        Self { entries: KernelEntries::with_entries(smxs, entries), ..Self::new(smxs) }
    }

    /// How many entries there are.
    pub(super) fn size(&self) -> usize {
        self.entries.entries()
    }
}

impl Logic for KernelTable {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.entries.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.entries.launch_ports);

        self.entries.head_valid.next = self.head_valid.val();
        self.entries.head.next = self.head.val();
        self.entries.marked.next = self.marked.val();
        self.head_block.next = self.entries.head_block.val();
        self.head_needs.next = self.entries.head_needs.val();
        self.order.at.next = self.entries.head_block.val();
        self.order.grid.next = self.entries.head_grid.val();
        self.head_last.next = self.head_valid.val() & self.order.ends.val();
        self.head_empty.next = self.head_valid.val() & self.order.empty.val();
        self.one_by_one.next = self.no_block.val();
        if self.step.val() {
            self.one_by_one.next = self.one_block.val();
        }
        self.entries.step.next = self.one_by_one.val();
        self.entries.after.next = self.order.beyond.val();

        self.entries.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.entries.finished_kernel[i].next = self.finished_kernel[i].val();
            self.freed[i].next = self.entries.freed[i].val();
        }
        self.finished_kernels.next = self.entries.finished_kernels.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.entries.lookup_ports);
        self.entries.probe.next = self.nobody_probes.val();
    }
}
