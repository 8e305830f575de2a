//! One domain.

use super::{Policy, Share, Walk};
use crate::dispatch::Dispatcher;
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Bundle, Register, RegisterFile, TaggedSmx};

hdl_module! {
    /// Domain `number` of `domains`, 1 to 8, with `smxs` SMXs: a [`Dispatcher`] that dispatches its
    /// blocks of the head, those at which its [`Walk`] stands or those of its [`Share`], through
    /// its gates (`docs/domains.md`).
    ///
    /// ```text
    ///   launch --> [dispatcher] -- request --> [gates] -- allow --> [dispatcher] --> dispatch
    ///                |      ^
    ///     moves, unmark     own, jump
    ///                v      |
    ///            [walk] or [share]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, interleaved | 1, and a cycle for each block of another domain before it |
    /// | `launch` accepted | first `dispatch`, contiguous | 65 |
    /// | `finished` | refill by `dispatch` | 0, and a cycle for each block of another domain before it |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children, contiguous 2 registers beside them.
    pub struct Domain
    (domains: usize, number: usize, smxs: usize, limits: Limits, policy: Policy, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// For each of its SMXs: a block ends there in this cycle.
            finished: Vec<Signal<In, Bit>> = Signal::each(smxs, false),
            /// Whose block it is; valid with its `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each entry whose kernel has ended in all domains.
            ended: Signal<In, U<32>>,
        }
        outputs {
            /// For each of its SMXs, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended here, until `ended`; depends on the
            /// state alone.
            finished_kernels: Signal<Out, U<32>>,
        }
        locals {
            begins: Signal<Local, Bit> = Signal::optional(policy == Policy::Contiguous, false),
            arrives: Signal<Local, Bit> = Signal::optional(policy == Policy::Contiguous, false),
        }
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
        }
        children {
            dispatcher: Dispatcher = match policy {
                Policy::Interleave(_) => Dispatcher::of_domain(smxs, limits),
                Policy::Contiguous => Dispatcher::of_share(smxs, limits),
            },
            ends: Bundle<Mask> = Bundle::of(smxs),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
            walk: Optional<Walk> =
                Optional::new(policy.chunk().map(|chunk| Walk::new(domains, number, chunk))),
            share: Optional<Share> = contiguous(policy, || Share::new(domains, number)),
            // Blocks of each kernel.
            blocks: Optional<RegisterFile<U<31>, 5>> =
                contiguous(policy, || RegisterFile::of(32, 1, 0)),
            // The place of the head's share is asked for, and known.
            asked: Optional<Register<Bit>> = contiguous(policy, Register::fresh),
            known: Optional<Register<Bit>> = contiguous(policy, Register::fresh),
        }
        state {
            smxs: usize = smxs,
            walks: usize = usize::from(policy != Policy::Contiguous),
            shares: usize = usize::from(policy == Policy::Contiguous),
            gate_ports: GatePorts = GatePorts::of(smxs, gates),
        }
    }
}

/// What a domain has for ranges alone.
fn contiguous<M>(policy: Policy, module: impl FnOnce() -> M) -> Optional<M> {
    Optional::new((policy == Policy::Contiguous).then(module))
}

impl Logic for Domain {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        LaunchPorts::link(&mut self.launch_ports, &mut self.dispatcher.launch_ports);
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);
        self.dispatcher.restart.next = self.no_restart.val();

        // Which of the head's blocks are this domain's.
        for _is in 0..self.walks {
            Control::link(&mut self.control, &mut self.walk.control);
            self.dispatcher.own.next = self.walk.own.val();
            self.walk.step.next = self.dispatcher.moves.val();
            self.walk.restart.next = self.dispatcher.unmark.val();
        }
        for _is in 0..self.shares {
            Control::link(&mut self.control, &mut self.share.control);
            Control::link(&mut self.control, &mut self.blocks.control);
            Control::link(&mut self.control, &mut self.asked.control);
            Control::link(&mut self.control, &mut self.known.control);
            self.blocks.write_enable[0].next = self.dispatcher.accepted.val().valid;
            self.blocks.write_address[0].next = self.dispatcher.accepted.val().entry;
            self.blocks.write_data[0].next = self.launch_ports.launch.val().blocks;
            self.blocks.address.next = self.dispatcher.head.val();

            self.begins.next = self.dispatcher.leads.val() & !self.asked.q.val();
            self.share.begins.next = self.begins.val();
            self.share.blocks.next = self.blocks.data.val();
            self.share.grid.next = self.dispatcher.head_grid.val();
            self.share.step.next = self.dispatcher.moves.val();
            self.arrives.next = self.asked.q.val() & !self.known.q.val() & self.share.ready.val();
            self.dispatcher.jump.next = self.arrives.val();
            self.dispatcher.jump_to.next = self.share.start.val();
            self.dispatcher.own.next = self.known.q.val() & self.share.left.val();
            self.dispatcher.own_last.next = self.share.last.val();
            self.dispatcher.own_none.next = self.known.q.val() & !self.share.left.val();
            self.asked.d.next =
                (self.asked.q.val() | self.begins.val()) & !self.dispatcher.unmark.val();
            self.known.d.next =
                (self.known.q.val() | self.arrives.val()) & !self.dispatcher.unmark.val();
        }

        // One of its SMXs.
        self.dispatcher.allow.next = self.dispatcher.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.dispatcher.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.ends.word.val();
            self.dispatcher.allow.next = self.gates.allow.val();
        }

        self.dispatcher.finished.next = self.ends.word.val();
        for i in 0..self.smxs {
            self.ends.bits[i].next = self.finished[i].val();
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.dispatcher.released.next = self.ended.val();
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
    }
}
