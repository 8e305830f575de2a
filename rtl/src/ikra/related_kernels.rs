//! The kernel that runs, and the one that it depends on.

use super::{Kernel, KernelControl, KernelHistory, KernelQueue, Layouts, Relation};
use crate::port::{LaunchPorts, LookupPorts};
use crate::prelude::*;
use crate::prim::{AheadMemory, Register};

hdl_module! {
    /// [`KernelQueue`], [`KernelControl`] and [`KernelHistory`]: kernels one at a time, each with
    /// its relation to an earlier one (rules 1, 2, 7 and 13 to 19 of `docs/ikra.md`).
    ///
    /// ```text
    ///   launch, lookup --> [kernel_queue  ] --head, kernel--> [kernel_control] --> begins, load, running
    ///   relation --------> [ 32 relations ] --> plain, back     | ^ keeps | assigns, finish
    ///                                               v           v |       v
    ///                                            [kernel_history] --> [ deriving ] --> derives, assigns, moved
    ///                                                   +--> layouts, source, target    ^ bounds_ready
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | the head, idle, chunks derived | `derives` | 0 |
    /// | `bounds_ready` | `assigns` with `moved` | 0 |
    ///
    /// Storage: an [`AheadMemory`] of 32 x 50 bits, a register, and its children's.
    pub struct RelatedKernels (latency: u64) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// Its relation; valid with `launch`.
            relation: Signal<In, Relation>,
            /// All bounds that follow from the source's are known.
            bounds_ready: Signal<In, Bit>,
            /// The starts of all chunks are known.
            chunks_ready: Signal<In, Bit>,
            /// No SMX has anything to run or to wait for.
            done: Signal<In, Bit>,
            /// A queue becomes full and asks for new chunks.
            filled: Signal<In, Bit>,
        }
        outputs {
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// The head's entry.
            head: Signal<Out, U<5>>,
            /// The head.
            kernel: Signal<Out, Kernel>,
            /// Its relation.
            head_relation: Signal<Out, Relation>,
            /// The bounds of its chunks are to be computed from `source`.
            derives: Signal<Out, Bit>,
            /// The assignment of chunks starts.
            assigns: Signal<Out, Bit>,
            /// With `assigns`: from the bounds.
            moved: Signal<Out, Bit>,
            /// The layout from which they are; valid with `derives`.
            source: Signal<Out, U<2>>,
            /// The layout that gets the chunks; valid with `assigns`.
            target: Signal<Out, U<2>>,
            /// The layouts of the kernel that begins, or else runs.
            layouts: Signal<Out, Layouts>,
            /// The head begins.
            begins: Signal<Out, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<Out, Bit>,
            /// It runs; depends on the state alone.
            running: Signal<Out, Bit>,
            /// It ends.
            finish: Signal<Out, Bit>,
        }
        locals {
            waiting: Signal<Local, Relation>,
            starts: Signal<Local, Bit>,
            arrives: Signal<Local, Bit>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            once: Lit<16, 1>,
            no_offset: Lit<31, 0>,
        }
        children {
            kernels: KernelQueue,
            relations: AheadMemory<Relation, 5> = AheadMemory::of(32),
            phases: KernelControl = KernelControl::new(latency),
            history: KernelHistory,
            deriving: Register<Bit>,
        }
    }
}

impl Logic for RelatedKernels {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.relations.control);
        Control::link(&mut self.control, &mut self.phases.control);
        Control::link(&mut self.control, &mut self.history.control);
        Control::link(&mut self.control, &mut self.deriving.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.head.next = self.kernels.head.val();
        self.kernel.next.grid = self.kernels.head_grid.val();
        self.kernel.next.blocks = self.kernels.head_blocks.val();
        self.kernel.next.needs = self.kernels.head_needs.val();
        self.relations.write_enable.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.relations.write_address.next = self.launch_ports.launch_entry.val();
        self.relations.write_data.next = self.relation.val();
        self.relations.next_address.next = self.kernels.next_head.val();
        self.waiting.next = self.relations.data.val();
        self.head_relation.next = self.waiting.val();

        self.history.grid.next = self.kernels.head_grid.val();
        self.history.back.next = self.waiting.val().back;
        self.history.plain.next = (self.waiting.val().ratio == self.once.val())
            & (self.waiting.val().offset == self.no_offset.val());
        self.history.begins.next = self.phases.begins.val();
        self.history.load.next = self.phases.load.val();
        self.history.filled.next = self.filled.val();

        // Chunks are assigned at once, or when the bounds are known that they follow from.
        self.starts.next = self.phases.assigns.val() & self.history.derives.val();
        self.arrives.next = self.deriving.q.val() & self.bounds_ready.val();
        self.deriving.d.next = (self.deriving.q.val() | self.starts.val()) & !self.arrives.val();
        self.derives.next = self.starts.val();
        self.assigns.next =
            (self.phases.assigns.val() & !self.history.derives.val()) | self.arrives.val();
        self.moved.next = self.arrives.val();
        self.source.next = self.history.source.val();
        self.target.next = self.history.target.val();

        self.phases.head_valid.next = self.kernels.head_valid.val();
        self.phases.head_blocks.next = self.kernels.head_blocks.val();
        self.phases.keeps.next = self.history.keeps.val();
        self.phases.chunks_ready.next = self.chunks_ready.val() & !self.deriving.q.val();
        self.phases.done.next = self.done.val();
        self.phases.filled.next = self.filled.val();
        self.phases.told.next = self.history.told.val();
        self.begins.next = self.phases.begins.val();
        self.load.next = self.phases.load.val();
        self.running.next = self.phases.running.val();
        self.finish.next = self.phases.finish.val();
        self.layouts.next.used = self.history.running_layout.val();
        if self.phases.begins.val() {
            self.layouts.next.used = self.history.source.val();
            if self.phases.load.val() {
                self.layouts.next.used = self.history.target.val();
            }
        }
        self.layouts.next.source = self.history.source.val();
        self.layouts.next.known = self.history.source_known.val();

        self.kernels.pop.next = self.phases.finish.val();
        self.finished_kernels.next = self.nobody.val();
        if self.phases.finish.val() {
            self.finished_kernels.next = self.bit_zero.val() << self.kernels.head.val();
        }
    }
}
