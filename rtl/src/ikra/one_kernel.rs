//! The kernel that runs.

use super::{Kernel, KernelBefore, KernelControl, KernelQueue};
use crate::port::{LaunchPorts, LookupPorts};
use crate::prelude::*;

hdl_module! {
    /// [`KernelQueue`], [`KernelControl`] and [`KernelBefore`]: kernels one at a time (rules 1 to
    /// 3, 7 and 13 of `docs/ikra.md`).
    ///
    /// ```text
    ///   launch, lookup --> [kernel_queue] --head, kernel--> [kernel_control] --> assigns, begins, load, running
    ///                            ^ pop          |            | ^ keeps  | finish
    ///                            |              +--grid--> [kernel_before]
    ///                            +----------------------------------------+--> finished_kernels
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct OneKernel (always: bool, latency: u64) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
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
            /// The assignment of chunks starts.
            assigns: Signal<Out, Bit>,
            /// The head begins.
            begins: Signal<Out, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<Out, Bit>,
            /// It runs; depends on the state alone.
            running: Signal<Out, Bit>,
            /// It ends.
            finish: Signal<Out, Bit>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
        }
        children {
            kernels: KernelQueue,
            phases: KernelControl = KernelControl::new(latency),
            former: KernelBefore = KernelBefore::new(always),
        }
    }
}

impl Logic for OneKernel {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.phases.control);
        Control::link(&mut self.control, &mut self.former.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.head.next = self.kernels.head.val();
        self.kernel.next.grid = self.kernels.head_grid.val();
        self.kernel.next.blocks = self.kernels.head_blocks.val();
        self.kernel.next.needs = self.kernels.head_needs.val();

        self.phases.head_valid.next = self.kernels.head_valid.val();
        self.phases.head_blocks.next = self.kernels.head_blocks.val();
        self.phases.chunks_ready.next = self.chunks_ready.val();
        self.phases.done.next = self.done.val();
        self.phases.filled.next = self.filled.val();
        self.phases.keeps.next = self.former.keeps.val();
        self.phases.told.next = self.former.told.val();
        self.former.grid.next = self.kernels.head_grid.val();
        self.former.begins.next = self.phases.begins.val();
        self.former.load.next = self.phases.load.val();
        self.former.filled.next = self.filled.val();
        self.assigns.next = self.phases.assigns.val();
        self.begins.next = self.phases.begins.val();
        self.load.next = self.phases.load.val();
        self.running.next = self.phases.running.val();
        self.finish.next = self.phases.finish.val();
        self.kernels.pop.next = self.phases.finish.val();
        self.finished_kernels.next = self.nobody.val();
        if self.phases.finish.val() {
            self.finished_kernels.next = self.bit_zero.val() << self.kernels.head.val();
        }
    }
}
