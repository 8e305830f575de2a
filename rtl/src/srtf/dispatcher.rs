//! SRTF's schedulers with the decision to share left open.

use super::unit::Unit;
use super::{Choice, KernelSet, Sampler, Shortest};
use crate::control::Control;
use crate::dispatch::{Context, Dispatch, KernelTable, Launch, Limits, RoundRobin};
use crate::hdl_module;
use crate::prim::{Bundle, Tagged};
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Each SMX serves the kernel that will be done first there; newcomers are sampled on SMX 0 (SRTF, sections 4 and 5.1;
    /// rules 1 to 5 and 8 to 17 of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch --> [kernel_set] --eligible, older, needs--> [ unit of each SMX ] --asks--> [round_robin] --> dispatch
    ///                  |                                       ^          | SMX 0's predictions     |
    ///                  +--> [sampler] --sampling, copying------+<---------+        [kernel_table] <-+
    ///   sharing, changes --------------------------------------+          +--> known, remaining, ... (fairness)
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, the only kernel | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | `finished` | the prediction decides | 10 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub struct ShortestDispatcher [const N: usize] [N] (limits: Limits, parameters: Shortest) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: [Signal<In, U<5>>; N],
            /// An SMX asks for a kernel's context.
            lookup: Signal<In, Tagged>,
            /// The slot of the block that ends; valid with its bit of `finished`.
            finished_slot: [Signal<In, U<5>>; N],
            /// The number of the cycle; valid in cycles with a completion or a dispatch.
            now: Signal<In, U<40>>,
            /// Kernels share the SMXs.
            sharing: Signal<In, Bit>,
            /// That changes at the end of this cycle.
            changes: Signal<In, Bit>,
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
            /// The slot of the block that is dispatched; valid with it.
            slot: [Signal<Out, U<5>>; N],
            /// A kernel is accepted.
            launched: Signal<Out, Choice>,
            /// Kernels that leave.
            leaving: Signal<Out, U<8>>,
            /// A kernel's last block is dispatched.
            last: Signal<Out, Bit>,
            /// Kernels with blocks left.
            eligible: Signal<Out, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<Out, U<8>>; 8],
            /// How many of its blocks an empty SMX holds.
            residency: [Signal<Out, U<5>>; 8],
            /// Kernels with a prediction on SMX 0.
            known: Signal<Out, U<8>>,
            /// Cycles that are left of each there.
            remaining: [Signal<Out, U<40>>; 8],
            /// Its cycles in all there.
            predicted: [Signal<Out, U<40>>; 8],
            /// A result for this kernel is stored there.
            stored: Signal<Out, Choice>,
            /// What is stored.
            stored_predicted: Signal<Out, U<40>>,
            /// Resident blocks of each kernel there, as the cycle begins.
            resident: [Signal<Out, U<6>>; 8],
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
            others: Signal<Local, U<8>>,
            copied: Signal<Local, U<8>>,
            copy_remaining: Signal<Local, U<40>>,
            copy_predicted: Signal<Local, U<40>>,
        }
        constants {
            none: Constant<Choice>,
            eight: Lit<5, 8>,
            no_dispatch: Constant<Dispatch>,
            no_restart: Constant<Tagged>,
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_time: Lit<40, 0>,
        }
        children {
            kernels: KernelTable<N>,
            set: KernelSet = KernelSet::new(N, limits),
            sampler: Sampler = Sampler::new(parameters.sample),
            units: [Unit; N] = std::array::from_fn(|number| Unit::new(number, limits, parameters)),
            asking: Bundle<N>,
            placement: RoundRobin<N>,
        }
    }
}

impl<const N: usize> Logic for ShortestDispatcher<N> {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.set.control);
        Control::link(&mut self.control, &mut self.sampler.control);
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

        // Newcomers are sampled on SMX 0, and its prediction goes to the others.
        self.others.next = self.set.present.val() & !self.leaves.val();
        self.sampler.launch.next = self.entered.val();
        self.sampler.alone.next = !self.others.val().any();
        self.sampler.eligible.next = self.set.eligible.val();
        self.sampler.stored.next = self.units[0].stored.val();
        self.copied.next = self.nobody.val();
        if self.sampler.copying.val().valid {
            self.copied.next = self.bit_zero.val() << self.sampler.copying.val().kernel;
        }
        self.copy_remaining.next = self.no_time.val();
        self.copy_predicted.next = self.no_time.val();
        for k in 0..8 {
            self.sampler.older[k].next = self.set.older[k].val();
            if self.copied.val().get_bit(k) {
                self.copy_remaining.next = self.units[0].remaining[k].val();
                self.copy_predicted.next = self.units[0].predicted[k].val();
            }
        }
        for i in 0..N {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.asking.bits[i].next = self.units[i].asks.val();
            self.units[i].eligible.next = self.set.eligible.val();
            self.units[i].taken.next = self.placement.grant.val().get_bit(i);
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.units[i].finished_kernel.next = self.finished_kernel[i].val();
            self.units[i].finished_slot.next = self.finished_slot[i].val();
            self.units[i].now.next = self.now.val();
            self.units[i].launch.next = self.entered.val();
            self.units[i].leaves.next = self.leaves.val();
            self.units[i].sampling.next = self.sampler.sampling.val();
            self.units[i].copy.next = self.sampler.copying.val();
            self.units[i].copy_remaining.next = self.copy_remaining.val();
            self.units[i].copy_predicted.next = self.copy_predicted.val();
            self.units[i].sharing.next = self.sharing.val();
            self.units[i].changes.next = self.changes.val();
            self.slot[i].next = self.units[i].slot.val();
            for k in 0..8 {
                self.units[i].older[k].next = self.set.older[k].val();
                self.units[i].needs[k].next = self.set.needs[k].val();
                self.units[i].residency[k].next = self.set.residency[k].val();
                self.units[i].total[k].next = self.set.total[k].val();
            }
        }

        // One SMX receives the next block of its choice.
        self.kernels.finished.next = self.finished.val();
        self.kernels.lookup.next = self.lookup.val();
        self.kernels.marked.next = bit_cast::<32, 8>(self.set.open.val());
        self.placement.request.next = self.asking.word.val();
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

        // What the decision to share stands on.
        self.launched.next = self.entered.val();
        self.leaving.next = self.leaves.val();
        self.last.next = self.final_block.val().valid;
        self.eligible.next = self.set.eligible.val();
        self.known.next = self.units[0].known.val();
        self.stored.next = self.units[0].stored.val();
        self.stored_predicted.next = self.units[0].stored_predicted.val();
        for k in 0..8 {
            self.older[k].next = self.set.older[k].val();
            self.residency[k].next = self.set.residency[k].val();
            self.remaining[k].next = self.units[0].remaining[k].val();
            self.predicted[k].next = self.units[0].predicted[k].val();
            self.resident[k].next = self.units[0].resident[k].val();
        }
    }
}
