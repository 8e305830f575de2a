//! `mpmax`.

use super::mpmax_unit::MpmaxUnit;
use super::{Choice, KernelSet, Reserve};
use crate::control::Control;
use crate::dispatch::{Context, Dispatch, KernelTable, Launch, Limits, RoundRobin};
use crate::hdl_module;
use crate::prim::{Bundle, Tagged};
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Just-in-time MPMax (SRTF, section 5.2.2; rules 1 to 7 of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch --> [kernel_set] --eligible, older, needs--> [ unit of each SMX ] --asks--> [round_robin] --> dispatch
    ///                  |                                          ^ limit[8]                    |
    ///                  +--> [reserve] ----------------------------+        [kernel_table] <-----+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, the only kernel | 10, and its limit |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub struct MpmaxScheduler [const N: usize] [N] (limits: Limits) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: [Signal<In, U<5>>; N],
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
            /// Whether `lookup` names an occupied entry.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
        locals {
            offered: Signal<Local, Launch>,
            open_entry: Signal<Local, Bit>,
            accepted: Signal<Local, Bit>,
            entered: Signal<Local, Choice>,
            leaves: Signal<Local, U<8>>,
            ended: Signal<Local, U<32>>,
            served: Signal<Local, Choice>,
            some: Signal<Local, Bit>,
            final_block: Signal<Local, Choice>,
            offer: Signal<Local, Dispatch>,
            change: Signal<Local, Bit>,
            asked: Signal<Local, U<N>>,
        }
        constants {
            none: Constant<Choice>,
            eight: Lit<5, 8>,
            no_dispatch: Constant<Dispatch>,
            no_restart: Constant<Tagged>,
            nobody: Constant<U<N>>,
        }
        children {
            kernels: KernelTable<N>,
            set: KernelSet = KernelSet::new(N, limits),
            reserve: Reserve = Reserve::new(limits),
            units: [MpmaxUnit; N] = std::array::from_fn(|_| MpmaxUnit::new(limits)),
            asking: Bundle<N>,
            placement: RoundRobin<N>,
        }
    }
}

impl<const N: usize> Logic for MpmaxScheduler<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.set.control);
        Control::link(&mut self.control, &mut self.reserve.control);
        Control::link(&mut self.control, &mut self.placement.control);

        // Entries 0 to 7 take kernels.
        self.open_entry.next =
            self.kernels.launch_ready.val() & (self.kernels.launch_entry.val() < self.eight.val());
        self.accepted.next = self.launch.val().valid & self.open_entry.val();
        self.offered.next = self.launch.val();
        self.offered.next.valid = self.accepted.val();
        self.kernels.launch.next = self.offered.val();
        self.launch_ready.next = self.open_entry.val();
        self.launch_entry.next = self.kernels.launch_entry.val();
        self.entered.next = self.none.val();
        if self.accepted.val() {
            self.entered.next.valid = true;
            self.entered.next.kernel = bit_cast::<3, 5>(self.kernels.launch_entry.val());
        }
        self.ended.next = self.kernels.finished_kernels.val();
        self.leaves.next = self.ended.val().get_bits::<8>(0);
        self.set.launch.next = self.entered.val();
        self.set.launch_blocks.next = self.launch.val().blocks;
        self.set.launch_needs.next = self.launch.val().needs;
        self.set.leaves.next = self.leaves.val();

        // The limits; while they are computed nothing is dispatched.
        self.change.next = self.accepted.val() | self.leaves.val().any();
        self.reserve.change.next = self.change.val();
        self.reserve.present.next = self.set.present.val();
        for k in 0..8 {
            self.reserve.needs[k].next = self.set.needs[k].val();
        }
        for i in 0..N {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.asking.bits[i].next = self.units[i].asks.val();
            self.units[i].eligible.next = self.set.eligible.val();
            self.units[i].taken.next = self.placement.grant.val().get_bit(i);
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.units[i].finished_kernel.next = self.finished_kernel[i].val();
            for k in 0..8 {
                self.units[i].older[k].next = self.set.older[k].val();
                self.units[i].needs[k].next = self.set.needs[k].val();
                self.units[i].limit[k].next = self.reserve.limit[k].val();
            }
        }
        self.asked.next = self.asking.word.val();
        if self.reserve.busy.val() {
            self.asked.next = self.nobody.val();
        }

        // One SMX receives the next block of its choice.
        self.kernels.finished.next = self.finished.val();
        self.kernels.lookup.next = self.lookup.val();
        self.kernels.marked.next = bit_cast::<32, 8>(self.set.open.val());
        self.placement.request.next = self.asked.val();
        self.placement.restart.next = self.no_restart.val();
        self.served.next = self.none.val();
        for i in 0..N {
            if self.placement.grant.val().get_bit(i) {
                self.served.next = self.units[i].choice.val();
            }
        }
        self.some.next = self.placement.grant.val().any();
        self.kernels.head_valid.next = self.some.val();
        self.kernels.head.next = bit_cast::<5, 3>(self.served.val().kernel);
        self.kernels.step.next = self.some.val();
        self.final_block.next = self.none.val();
        if self.some.val() & self.kernels.head_last.val() {
            self.final_block.next = self.served.val();
        }
        self.set.last.next = self.final_block.val();
        self.offer.next.valid = true;
        self.offer.next.kernel = bit_cast::<5, 3>(self.served.val().kernel);
        self.offer.next.block = self.kernels.head_block.val();
        for i in 0..N {
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.no_dispatch.val();
            if self.placement.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
        }
        self.finished_kernels.next = self.kernels.finished_kernels.val();
        self.context_valid.next = self.kernels.context_valid.val();
        self.kernel_context.next = self.kernels.kernel_context.val();
    }
}
