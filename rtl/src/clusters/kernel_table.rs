//! The Kernel Distributor's entries, for kernels in clusters.

use super::{ClusterExtent, ClusterSequence, Place};
use crate::dispatch::{KernelEntries, Move};
use crate::port::{step_bits, BlockId, LaunchPorts, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::{Register, RegisterFile};

hdl_module! {
    /// [`KernelEntries`] whose head dispatches its blocks cluster by cluster.
    ///
    /// ```text
    ///   launch, lookup, finished[s] --> [kernel_entries] --> launch_ready, context, freed[s], finished_kernels
    ///   head, step -------------------->   |    ^ after
    ///   cluster --> [ 32 clusters ] --+    v    |
    ///                                 +--> [sequence] --> head_block, head_closes, head_last, head_empty
    ///                    [ place ] <--+------+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | entry readable | 1 |
    /// | `step` | the following block in `head_block` | 1 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | `head`, `finished`, `lookup` | what they read | 0 |
    ///
    /// The entries hold the first block of the next, or open, cluster; one cluster is open at a
    /// time, so its place is stored once. Storage: that of the entries, 32 x 15 bits of register
    /// file, 12 registers.
    pub struct ClusterTable (smxs: usize) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// The clusters of the kernel that `launch` offers; valid with it.
            cluster: Signal<In, ClusterExtent>,
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
            /// The head's next cluster is passed by in this cycle, in a table [`Self::skipping`];
            /// only with `head_valid`, not with `step`, nor while a cluster is open.
            skip: Signal<In, Bit> = Signal::optional(false, false),
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
            /// Blocks of each of its clusters, 1 to 16; zero without `head_valid`.
            head_cluster: Signal<Out, U<5>>,
            /// `head_block` is the last one of its cluster; valid with `head_valid` and not
            /// `head_empty`.
            head_closes: Signal<Out, Bit>,
            /// `head_block` is its last block; valid with `head_valid`.
            head_last: Signal<Out, Bit>,
            /// The head's grid is empty; valid with `head_valid`.
            head_empty: Signal<Out, Bit>,
            /// A cluster of the head is open, in a table [`Self::skipping`]; valid with
            /// `head_valid`. If none is, `head_block` is the first one of the next cluster.
            head_open: Signal<Out, Bit> = Signal::optional(false, false),
            /// The next, or open, cluster is its last one, in a table [`Self::skipping`]; valid
            /// with `head_valid`.
            head_ends: Signal<Out, Bit> = Signal::optional(false, false),
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each entry: occupied, nothing to distribute, nothing in execution. The
            /// entry is released at the end of the cycle.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            one_by_one: Signal<Local, Word> = Signal::word(step_bits(smxs)),
            extent: Signal<Local, ClusterExtent>,
        }
        constants {
            no_block: Constant<Word> = Constant::new(Word::zero(step_bits(smxs))),
            one_block: Constant<Word> = Constant::new(Word::new(step_bits(smxs), 1)),
            no_extent: Constant<ClusterExtent>,
            nobody_probes: Lit<5, 0>,
        }
        children {
            entries: KernelEntries = KernelEntries::new(smxs),
            clusters: RegisterFile<ClusterExtent, 5> = RegisterFile::of(32, 1, 0),
            place: Register<Place>,
            order: ClusterSequence,
        }
        state { smxs: usize = smxs, skips: usize = 0, ahead: usize = 0 }
    }
}

impl ClusterTable {
    /// Whose head may pass a cluster by.
    pub fn skipping(smxs: usize) -> Self {
        Self {
            skip: Signal::of(false),
            head_open: Signal::of(false),
            head_ends: Signal::of(false),
            entries: KernelEntries::moving(smxs, Move::Skips, false),
            skips: 1,
            ..Self::new(smxs)
        }
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
}

impl Logic for ClusterTable {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.entries.control);
        Control::link(&mut self.control, &mut self.clusters.control);
        Control::link(&mut self.control, &mut self.place.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.entries.launch_ports);
        self.clusters.write_enable[0].next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.clusters.write_address[0].next = self.launch_ports.launch_entry.val();
        self.clusters.write_data[0].next = self.cluster.val();

        // The head, its cluster, and its next block.
        self.entries.head_valid.next = self.head_valid.val();
        self.entries.head.next = self.head.val();
        self.entries.marked.next = self.marked.val();
        self.head_needs.next = self.entries.head_needs.val();
        self.clusters.address.next = self.head.val();
        self.extent.next = self.no_extent.val();
        if self.head_valid.val() {
            self.extent.next = self.clusters.data.val();
        }
        self.head_cluster.next = self.extent.val().x * self.extent.val().y * self.extent.val().z;
        self.order.at.next = self.entries.head_block.val();
        self.order.grid.next = self.entries.head_grid.val();
        self.order.place.next = self.place.q.val();
        self.order.cluster.next = self.extent.val();
        self.head_block.next = self.order.block.val();
        self.head_closes.next = self.order.closes.val();
        self.head_last.next =
            self.head_valid.val() & self.order.closes.val() & self.order.ends.val();
        self.head_empty.next = self.head_valid.val() & self.order.empty.val();

        // A block of it goes.
        self.one_by_one.next = self.no_block.val();
        self.place.d.next = self.place.q.val();
        if self.step.val() {
            self.one_by_one.next = self.one_block.val();
            self.place.d.next = self.order.next_place.val();
        }
        self.entries.step.next = self.one_by_one.val();
        self.entries.after.next = self.entries.head_block.val();
        if self.order.closes.val() {
            self.entries.after.next = self.order.beyond.val();
        }

        // A cluster of it is passed by.
        for _is in 0..self.skips {
            self.head_open.next = self.place.q.val().x.any()
                | self.place.q.val().y.any()
                | self.place.q.val().z.any();
            self.head_ends.next = self.order.ends.val();
            self.entries.skip.next = self.skip.val();
            if self.skip.val() {
                self.entries.after.next = self.order.beyond.val();
            }
        }

        for _is in 0..self.ahead {
            self.entries.second.next = self.second.val();
            self.entries.alone.next = self.alone.val();
            self.entries.leaves.next = self.leaves.val();
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
