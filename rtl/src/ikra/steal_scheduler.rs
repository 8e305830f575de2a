//! `ikra/steal`.

use super::one_kernel::OneKernel;
use super::steal_unit::StealUnit;
use super::{StealArbiter, Stealing};
use crate::control::Control;
use crate::dispatch::{BlockId, Context, Dispatch, Launch, Limits};
use crate::hdl_module;
use crate::prim::{Bundle, Rotation, Tagged};
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Chunks that keep what was stolen from kernel to kernel (IKRA, section 4.4 and Algorithm 1; `docs/ikra.md`).
    ///
    /// ```text
    ///   launch --> [one_kernel: kernel_queue, kernel_control] --begins, load--> [ unit of each SMX ] --> dispatch
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
        children {
            one: OneKernel = OneKernel::new(false, stealing.latency),
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
        Control::link(&mut self.control, &mut self.one.control);

        // Kernels, one at a time.
        self.one.launch.next = self.launch.val();
        self.one.lookup.next = self.lookup.val();
        self.launch_ready.next = self.one.launch_ready.val();
        self.launch_entry.next = self.one.launch_entry.val();
        self.context_valid.next = self.one.context_valid.val();
        self.kernel_context.next = self.one.kernel_context.val();
        self.finished_kernels.next = self.one.finished_kernels.val();
        self.one.chunks_ready.next = self.units[0].ready.val();
        self.one.done.next = self.dones.word.val().all();
        self.one.filled.next = self.fills.word.val().any();

        // Each SMX for itself, and the messages between them.
        for i in 0..N {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.units[i].assigns.next = self.one.assigns.val();
            self.units[i].begins.next = self.one.begins.val();
            self.units[i].load.next = self.one.load.val();
            self.units[i].running.next = self.one.running.val();
            self.units[i].head.next = self.one.head.val();
            self.units[i].kernel.next = self.one.kernel.val();
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.starts.word[i].next = self.units[i].start.val();
            self.units[i].behind.next = self.starts.data[i].val();
            self.dones.bits[i].next = self.units[i].done.val();
            self.dispatch[i].next = self.units[i].dispatch.val();
            self.units[i].finish.next = self.one.finish.val();
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
