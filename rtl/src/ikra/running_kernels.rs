//! The kernels that wait and run, of the host and of the device.

use super::{ChildKernel, Kernel, KernelBefore, KernelControl, NestedKernels};
use crate::port::{Launch, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::Tagged;

hdl_module! {
    /// [`NestedKernels`], [`KernelControl`] and [`KernelBefore`]: the host's kernels one at a time,
    /// beside them those of the device (rules 21 to 23 of `docs/ikra.md`).
    ///
    /// ```text
    ///   launch, home, level --> [nested_kernels] --head, kernel--> [kernel_control] --> assigns, begins, load
    ///                               |    ^ ends       |             | ^ keeps | finish
    ///                               |    |            +--grid--> [kernel_before]
    ///                               v    +----------------------------------+--> finished_kernels
    ///                             child      ^ child_ends, child_begins
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct RunningKernels (smxs: usize) clocked {
        bundles {
            lookup_ports: LookupPorts,
        }
        inputs {
            /// A kernel is offered; accepted when an entry is free.
            launch: Signal<In, Launch>,
            /// Its home; valid with `launch`.
            home: Signal<In, Word> = Signal::id(smxs),
            /// Its level, 0 for a host kernel; valid with `launch`.
            level: Signal<In, U<2>>,
            /// For each SMX: a block of that kernel is dispatched there.
            dispatched: Vec<Signal<In, Tagged>> = Signal::each(smxs, Tagged::default()),
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// The starts of all chunks of level 0 are known.
            chunks_ready: Signal<In, Bit>,
            /// No SMX has anything of level 0 left or on its way.
            spent: Signal<In, Bit>,
            /// A queue of level 0 asks for new chunks.
            filled: Signal<In, Bit>,
            /// The kernel of `child` begins; only when it is valid.
            child_begins: Signal<In, Bit>,
            /// One bit for each entry of a device kernel with blocks that ends.
            child_ends: Signal<In, U<32>>,
        }
        outputs {
            /// The entry that an offered kernel takes, if one is free.
            launch_entry: Signal<Out, U<5>>,
            /// One bit for each entry whose kernel ends; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// What each SMX's finished block returns; zero without one.
            freed: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each entry: blocks of it are in execution; depends on the state alone.
            resident: Signal<Out, U<32>>,
            /// The entry of the host's first kernel.
            head: Signal<Out, U<5>>,
            /// The host's first kernel.
            kernel: Signal<Out, Kernel>,
            /// The assignment of its chunks starts.
            assigns: Signal<Out, Bit>,
            /// It begins.
            begins: Signal<Out, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<Out, Bit>,
            /// The first device kernel, if it has blocks.
            child: Signal<Out, ChildKernel> = Signal::of(ChildKernel::none(smxs)),
        }
        locals {
            waiting: Signal<Local, ChildKernel> = Signal::of(ChildKernel::none(smxs)),
            vanishes: Signal<Local, Bit>,
            own: Signal<Local, U<32>>,
            ended_host: Signal<Local, U<32>>,
            ended_child: Signal<Local, U<32>>,
            all_ended: Signal<Local, U<32>>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            no_child: Constant<ChildKernel> = Constant::new(ChildKernel::none(smxs)),
        }
        children {
            kernels: NestedKernels = NestedKernels::new(smxs),
            phases: KernelControl = KernelControl::new(0),
            former: KernelBefore = KernelBefore::new(false),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for RunningKernels {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.phases.control);
        Control::link(&mut self.control, &mut self.former.control);
        self.kernels.launch_ports.launch.next = self.launch.val();
        self.kernels.home.next = self.home.val();
        self.kernels.level.next = self.level.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.kernels.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.kernels.dispatched[i].next = self.dispatched[i].val();
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.freed[i].next = self.kernels.freed[i].val();
        }
        self.launch_entry.next = self.kernels.launch_ports.launch_entry.val();
        self.resident.next = self.kernels.resident.val();

        // The host's: one at a time.
        self.head.next = self.kernels.host.val();
        self.kernel.next.grid = self.kernels.host_grid.val();
        self.kernel.next.blocks = self.kernels.host_blocks.val();
        self.kernel.next.needs = self.kernels.host_needs.val();
        self.own.next = self.bit_zero.val() << self.kernels.host.val();
        self.phases.head_valid.next = self.kernels.host_valid.val();
        self.phases.head_blocks.next = self.kernels.host_blocks.val();
        self.phases.chunks_ready.next = self.chunks_ready.val();
        self.phases.done.next =
            self.spent.val() & !(self.kernels.resident.val() & self.own.val()).any();
        self.phases.filled.next = self.filled.val();
        self.phases.keeps.next = self.former.keeps.val();
        self.phases.told.next = self.former.told.val();
        self.former.grid.next = self.kernels.host_grid.val();
        self.former.begins.next = self.phases.begins.val();
        self.former.load.next = self.phases.load.val();
        self.former.filled.next = self.filled.val();
        self.assigns.next = self.phases.assigns.val();
        self.begins.next = self.phases.begins.val();
        self.load.next = self.phases.load.val();
        self.kernels.host_pop.next = self.phases.finish.val();
        self.ended_host.next = self.nobody.val();
        if self.phases.finish.val() {
            self.ended_host.next = self.own.val();
        }

        // The device's: one without blocks ends at once.
        self.vanishes.next = self.kernels.child_valid.val() & self.kernels.child_empty.val();
        self.waiting.next.valid = true;
        self.waiting.next.kernel = self.kernels.child.val();
        self.waiting.next.home = self.kernels.child_home.val();
        self.waiting.next.level = self.kernels.child_level.val();
        self.waiting.next.grid = self.kernels.child_grid.val();
        self.waiting.next.needs = self.kernels.child_needs.val();
        self.child.next = self.no_child.val();
        if self.kernels.child_valid.val() & !self.kernels.child_empty.val() {
            self.child.next = self.waiting.val();
        }
        self.kernels.child_pop.next = self.child_begins.val() | self.vanishes.val();
        self.ended_child.next = self.child_ends.val();
        if self.vanishes.val() {
            self.ended_child.next =
                self.child_ends.val() | (self.bit_zero.val() << self.kernels.child.val());
        }
        self.all_ended.next = self.ended_host.val() | self.ended_child.val();
        self.kernels.ends.next = self.all_ended.val();
        self.finished_kernels.next = self.all_ended.val();
    }
}
