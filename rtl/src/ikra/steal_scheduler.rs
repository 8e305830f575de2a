//! `ikra/steal`.

use super::steal_unit::StealUnit;
use super::{Kernel, KernelControl, KernelQueue, StealArbiter, Stealing};
use crate::control::Control;
use crate::dispatch::{BlockId, Context, Dispatch, Launch, Limits};
use crate::hdl_module;
use crate::prim::{Bundle, Rotation, Tagged};
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Chunks that keep what was stolen from kernel to kernel (IKRA, section 4.4 and Algorithm 1; `docs/ikra.md`).
    ///
    /// ```text
    ///   launch --> [kernel_queue] --head--> [kernel_control] --begins, load--> [ unit of each SMX ] --> dispatch
    ///                                              ^ done, filled                 |  ^  |asks  ^ granted, refused,
    ///                                              +------------------------------+  |  v      | stolen
    ///                                                                      finished  +  [steal_arbiter]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, chunks kept or assigned | 2 or 65 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | own work at its end, room | a stolen block's `dispatch` | 2 x (1 + latency), and for each refusal |
    ///
    /// Storage: that of its children.
    pub struct StealScheduler [const N: usize] [N] (limits: Limits, stealing: Stealing) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// An SMX asks for a kernel's context.
            lookup: Signal<In, Tagged>,
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
        }
        children {
            kernels: KernelQueue,
            control_unit: KernelControl = KernelControl::new(false, stealing.latency),
            starts: Rotation<BlockId, N>,
            units: [StealUnit; N] =
                std::array::from_fn(|number| StealUnit::new(number, N, limits, stealing)),
            asking: Bundle<N>,
            from_chunks: Bundle<N>,
            queues_left: Bundle<N>,
            chunks_left: Bundle<N>,
            arbiter: StealArbiter<N>,
            dones: Bundle<N>,
            fills: Bundle<N>,
        }
    }
}

impl<const N: usize> Logic for StealScheduler<N> {
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
        self.control_unit.filled.next = self.fills.word.val().any();

        // Each SMX for itself, and the messages between them.
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
            self.units[i].finish.next = self.control_unit.finish.val();
            self.fills.bits[i].next = self.units[i].filled.val();
            self.asking.bits[i].next = self.units[i].asks.val();
            self.from_chunks.bits[i].next = self.units[i].from_chunk.val();
            self.queues_left.bits[i].next = self.units[i].queue_left.val();
            self.chunks_left.bits[i].next = self.units[i].chunk_left.val();
            self.arbiter.victim[i].next = self.units[i].victim.val();
            self.arbiter.queue_far[i].next = self.units[i].queue_far.val();
            self.arbiter.chunk_far[i].next = self.units[i].chunk_far.val();
            self.units[i].granted.next = self.arbiter.granted.val().get_bit(i);
            self.units[i].refused.next = self.arbiter.refused.val().get_bit(i);
            self.units[i].granted_block.next = self.arbiter.block[i].val();
            self.units[i].steal_queue.next = self.arbiter.steal_queue.val().get_bit(i);
            self.units[i].steal_chunk.next = self.arbiter.steal_chunk.val().get_bit(i);
        }
        self.arbiter.asks.next = self.asking.word.val();
        self.arbiter.from_chunk.next = self.from_chunks.word.val();
        self.arbiter.queue_left.next = self.queues_left.word.val();
        self.arbiter.chunk_left.next = self.chunks_left.word.val();
    }
}
