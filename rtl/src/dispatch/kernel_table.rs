//! The Kernel Distributor's entries.

use super::{KernelEntries, Move, NextBlock};
use crate::port::{step_bits, BlockId, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;

hdl_module! {
    /// [`KernelEntries`] whose head dispatches its blocks one by one.
    ///
    /// ```text
    ///   launch, lookup, finished[s] --> [kernel_entries] --> launch_ready, context, freed[s], finished_kernels
    ///   head, step -------------------->   |   ^ after
    ///                           head_block v   |
    ///                               [next_block] --> head_last, head_empty
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
            /// The head's next block is passed by in this cycle, in a table [`Self::moving`]; only
            /// with `head_valid`, not with `step`.
            skip: Signal<In, Bit> = Signal::optional(false, false),
            /// The head goes on at `jump_to`, in a table whose head jumps; only with `head_valid`,
            /// not with `step`.
            jump: Signal<In, Bit> = Signal::optional(false, false),
            /// A block of the head; valid with `jump`.
            jump_to: Signal<In, BlockId> = Signal::optional(false, BlockId::default()),
            /// One bit for each entry that is released at the end of the cycle, in a table that is
            /// shared.
            released: Signal<In, U<32>> = Signal::optional(false, U::new(0)),
            /// The kernel that is the head after this one, in a table [`Self::ahead`]; with neither
            /// `head_valid` nor `alone` whatever.
            second: Signal<In, U<5>> = Signal::optional(false, U::new(0)),
            /// No kernel waits behind the head, in a table [`Self::ahead`].
            alone: Signal<In, Bit> = Signal::optional(false, false),
            /// The head is none any more from the next cycle on, in a table [`Self::ahead`]; only
            /// with `head_valid`.
            leaves: Signal<In, Bit> = Signal::optional(false, false),
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
            /// entry is released at the end of the cycle, unless `released` says when.
            finished_kernels: Signal<Out, U<32>>,
            /// The extent of the head's grid, in a table whose head jumps; zero without
            /// `head_valid`.
            head_grid: Signal<Out, BlockId> = Signal::optional(false, BlockId::default()),
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
            order: NextBlock,
        }
        state { smxs: usize = smxs, skips: usize = 0, jumps: usize = 0, shared: usize = 0, ahead: usize = 0 }
    }
}

impl KernelTable {
    /// With `entries` entries alone (a power of two, at most 32), for proofs: whoever drives it
    /// uses no other one.
    pub fn with_entries(self, entries: usize) -> Self {
        Self { entries: self.entries.with_entries(entries), ..self }
    }

    /// See [`KernelEntries::ahead`].
    pub fn ahead(self) -> Self {
        Self {
            second: Signal::of(U::new(0)),
            alone: Signal::of(false),
            leaves: Signal::of(false),
            entries: self.entries.ahead(),
            ahead: 1,
            ..self
        }
    }

    /// See [`KernelEntries::moving`].
    pub fn moving(smxs: usize, how: Move, shared: bool) -> Self {
        let jumps = how == Move::Jumps;
        Self {
            skip: Signal::optional(how == Move::Skips, false),
            jump: Signal::optional(jumps, false),
            jump_to: Signal::optional(jumps, BlockId::default()),
            head_grid: Signal::optional(jumps, BlockId::default()),
            released: Signal::optional(shared, U::new(0)),
            entries: KernelEntries::moving(smxs, how, shared),
            skips: usize::from(how == Move::Skips),
            jumps: usize::from(jumps),
            shared: usize::from(shared),
            ..Self::new(smxs)
        }
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
        for _is in 0..self.skips {
            self.entries.skip.next = self.skip.val();
        }
        for _is in 0..self.jumps {
            self.head_grid.next = self.entries.head_grid.val();
            self.entries.skip.next = self.jump.val();
            if self.jump.val() {
                self.entries.after.next = self.jump_to.val();
            }
        }
        for _is in 0..self.ahead {
            self.entries.second.next = self.second.val();
            self.entries.alone.next = self.alone.val();
            self.entries.leaves.next = self.leaves.val();
        }
        for _is in 0..self.shared {
            self.entries.released.next = self.released.val();
        }

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
