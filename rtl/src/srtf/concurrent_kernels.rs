//! Up to eight kernels, of which each SMX may serve another one.

use super::{Choice, Facts, KernelSet};
use crate::dispatch::{KernelTable, RoundRobin};
use crate::port::{Dispatch, Launch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Pack, TaggedSmx};

hdl_module! {
    /// What SRTF's schedulers share: launches into eight entries, and one block a cycle of the
    /// choice of the SMX whose turn it is (rules 1 to 5 of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch --> [kernel_set] --> present, eligible, facts
    ///      |            ^ last
    ///      +----> [kernel_table] --head_block--> dispatch
    ///                   ^ head
    ///   asks, choice[s] --> [round_robin] --> grant
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct ConcurrentKernels (smxs: usize, limits: Limits) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each SMX: a block of its choice fits.
            asks: Signal<In, Mask> = Signal::mask(smxs),
            /// The kernel that each SMX serves; valid with its bit of `asks`.
            choice: Vec<Signal<In, Choice>> = Signal::each(smxs, Choice::default()),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// The SMX that receives a block, one-hot.
            grant: Signal<Out, Mask> = Signal::mask(smxs),
            /// A kernel is accepted.
            launched: Signal<Out, Choice>,
            /// Kernels that leave.
            leaves: Signal<Out, U<8>>,
            /// A kernel's last block is dispatched.
            last: Signal<Out, Choice>,
            /// Kernels in the table.
            present: Signal<Out, U<8>>,
            /// Kernels with blocks left.
            eligible: Signal<Out, U<8>>,
            /// What is known of each kernel.
            facts: Signal<Out, [Facts; 8]>,
        }
        locals {
            offered: Signal<Local, Launch>,
            open_entry: Signal<Local, Bit>,
            accepted: Signal<Local, Bit>,
            entered: Signal<Local, Choice>,
            ended: Signal<Local, U<32>>,
            leaving: Signal<Local, U<8>>,
            granted: Signal<Local, Choice>,
            served: Signal<Local, Choice>,
            some: Signal<Local, Bit>,
            final_block: Signal<Local, Choice>,
            offer: Signal<Local, Dispatch>,
            known: Signal<Local, Facts>,
        }
        constants {
            none: Constant<Choice>,
            eight: Lit<5, 8>,
            no_dispatch: Constant<Dispatch>,
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
        }
        children {
            kernels: KernelTable = KernelTable::new(smxs),
            set: KernelSet = KernelSet::new(smxs, limits),
            placement: RoundRobin = RoundRobin::new(smxs),
            word: Pack<Facts, 8>,
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for ConcurrentKernels {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.set.control);
        Control::link(&mut self.control, &mut self.placement.control);

        // Entries 0 to 7 take kernels.
        self.open_entry.next = self.kernels.launch_ports.launch_ready.val()
            & (self.kernels.launch_ports.launch_entry.val() < self.eight.val());
        self.accepted.next = self.launch_ports.launch.val().valid & self.open_entry.val();
        self.offered.next = self.launch_ports.launch.val();
        self.offered.next.valid = self.accepted.val();
        self.kernels.launch_ports.launch.next = self.offered.val();
        self.launch_ports.launch_ready.next = self.open_entry.val();
        self.launch_ports.launch_entry.next = self.kernels.launch_ports.launch_entry.val();
        self.entered.next = self.none.val();
        if self.accepted.val() {
            self.entered.next.valid = true;
            self.entered.next.kernel =
                bit_cast::<3, 5>(self.kernels.launch_ports.launch_entry.val());
        }
        self.launched.next = self.entered.val();
        self.set.launch.next = self.entered.val();
        self.set.launch_blocks.next = self.launch_ports.launch.val().blocks;
        self.set.launch_needs.next = self.launch_ports.launch.val().needs;
        self.ended.next = self.kernels.finished_kernels.val();
        self.leaving.next = self.ended.val().get_bits::<8>(0);
        self.finished_kernels.next = self.ended.val();
        self.leaves.next = self.leaving.val();
        self.set.leaves.next = self.leaving.val();

        // One SMX receives the next block of its choice.
        self.placement.request.next = self.asks.val();
        self.placement.restart.next = self.no_restart.val();
        self.grant.next = self.placement.grant.val();
        self.some.next = self.placement.grant.val().any();
        self.served.next = self.none.val();
        for i in 0..self.smxs {
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.granted.next = self.none.val();
            if self.placement.grant.val().get_bit(i) {
                self.granted.next = self.choice[i].val();
            }
            // All but one are zero.
            self.served.next.kernel = self.served.val().kernel | self.granted.val().kernel;
            self.served.next.valid = self.served.val().valid | self.granted.val().valid;
        }
        self.kernels.finished.next = self.finished.val();
        self.kernels.marked.next = bit_cast::<32, 8>(self.set.open.val());
        self.kernels.head_valid.next = self.some.val();
        self.kernels.head.next = bit_cast::<5, 3>(self.served.val().kernel);
        self.kernels.step.next = self.some.val();
        self.final_block.next = self.none.val();
        if self.some.val() & self.kernels.head_last.val() {
            self.final_block.next = self.served.val();
        }
        self.last.next = self.final_block.val();
        self.set.last.next = self.final_block.val();
        self.offer.next.valid = true;
        self.offer.next.kernel = bit_cast::<5, 3>(self.served.val().kernel);
        self.offer.next.block = self.kernels.head_block.val();
        for i in 0..self.smxs {
            self.dispatch[i].next = self.no_dispatch.val();
            if self.placement.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
        }

        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.present.next = self.set.present.val();
        self.eligible.next = self.set.eligible.val();
        for k in 0..8 {
            self.known.next.older = self.set.older[k].val();
            self.known.next.needs = self.set.needs[k].val();
            self.known.next.residency = self.set.residency[k].val();
            self.known.next.total = self.set.total[k].val();
            self.word.parts[k].next = self.known.val();
        }
        self.facts.next = self.word.row.val();
    }
}
