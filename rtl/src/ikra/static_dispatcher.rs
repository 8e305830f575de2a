//! IKRA's schedulers without stealing, with the first SMX left open.

use super::static_unit::StaticUnit;
use super::{Kernel, KernelControl, KernelQueue};
use crate::control::Control;
use crate::dispatch::{BlockId, Context, Dispatch, Launch, Limits};
use crate::hdl_module;
use crate::prim::{Bundle, Rotation, Tagged};
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Kernels one at a time, a chunk for each SMX, a block for any number of SMXs a cycle (IKRA, sections 4.1 to 4.3; rules
    /// 1 to 7 of `docs/ikra.md`). `always` assigns chunks for each kernel, `flips` alternates the direction.
    ///
    /// ```text
    ///   launch --> [kernel_queue] --head--> [kernel_control] --begins, load--> [ unit of each SMX ] --> dispatch
    ///                                              ^ done                         |    ^ first, finished
    ///                                              +------------------------------+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, chunks kept or assigned | 2 or 65 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub struct StaticDispatcher [const N: usize] [N] (limits: Limits, always: bool, flips: bool) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// An SMX asks for a kernel's context.
            lookup: Signal<In, Tagged>,
            /// The SMX at position 0; looked at while chunks are assigned.
            first: Signal<In, U<5>>,
        }
        outputs {
            /// An entry is free; depends on the state alone.
            launch_ready: Signal<Out, Bit>,
            /// The entry that an offered kernel takes; valid with `launch_ready`.
            launch_entry: Signal<Out, U<5>>,
            /// For each SMX, the block that it receives in this cycle.
            dispatch: [Signal<Out, Dispatch>; N],
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// Whether `lookup` names an entry in use.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
        locals {
            kernel: Signal<Local, Kernel>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            no_queue: Constant<Bit> = Constant::new(false),
        }
        children {
            kernels: KernelQueue,
            control_unit: KernelControl = KernelControl::new(always, 0),
            starts: Rotation<BlockId, N>,
            units: [StaticUnit; N] =
                std::array::from_fn(|number| StaticUnit::new(number, N, limits, flips)),
            dones: Bundle<N>,
        }
    }
}

impl<const N: usize> Logic for StaticDispatcher<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.control_unit.control);

        // Kernels, one at a time.
        self.kernels.launch.next = self.launch.val();
        self.kernels.lookup.next = self.lookup.val();
        self.launch_ready.next = self.kernels.launch_ready.val();
        self.launch_entry.next = self.kernels.launch_entry.val();
        self.context_valid.next = self.kernels.context_valid.val();
        self.kernel_context.next = self.kernels.kernel_context.val();
        self.kernels.pop.next = self.control_unit.finish.val();
        self.finished_kernels.next = self.nobody.val();
        if self.control_unit.finish.val() {
            self.finished_kernels.next = self.bit_zero.val() << self.kernels.head.val();
        }
        self.control_unit.head_valid.next = self.kernels.head_valid.val();
        self.control_unit.head_grid.next = self.kernels.head_grid.val();
        self.control_unit.head_blocks.next = self.kernels.head_blocks.val();
        self.control_unit.chunks_ready.next = self.units[0].ready.val();
        self.control_unit.done.next = self.dones.word.val().all();
        self.kernel.next.grid = self.kernels.head_grid.val();
        self.kernel.next.blocks = self.kernels.head_blocks.val();
        self.kernel.next.needs = self.kernels.head_needs.val();
        self.control_unit.filled.next = self.no_queue.val();

        // Each SMX for itself.
        for i in 0..N {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.units[i].assigns.next = self.control_unit.assigns.val();
            self.units[i].begins.next = self.control_unit.begins.val();
            self.units[i].load.next = self.control_unit.load.val();
            self.units[i].running.next = self.control_unit.running.val();
            self.units[i].head.next = self.kernels.head.val();
            self.units[i].kernel.next = self.kernel.val();
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.starts.word[i].next = self.units[i].start.val();
            self.units[i].behind.next = self.starts.data[i].val();
            self.dones.bits[i].next = self.units[i].done.val();
            self.dispatch[i].next = self.units[i].dispatch.val();
            self.units[i].first.next = self.first.val();
        }
    }
}
