//! `oldest-first`.

use super::Order;
use crate::dispatch::Dispatcher;
use crate::gate::{GateChain, GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] whose requests pass through the gates, and then through [`Order`].
    ///
    /// ```text
    ///   [dispatcher] -- request --> [gates] --> [order] -- allow --> [dispatcher]
    /// ```
    ///
    /// Ports and latency are the dispatcher's. Storage: that of its children.
    pub struct OldestFirstScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// An SMX asks for a kernel's context.
            lookup: Signal<In, Tagged>,
            /// The SMXs' counts are valid in this cycle; there if a gate looks at them.
            sample: Signal<In, Bit> = GatePorts::of(smxs, gates).sample(),
            /// Cycles of the period in which no warp could issue, but not for memory; there with `sample`.
            idle: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
            /// Cycles in which all warps waited for memory; there with `sample`.
            memory: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
        }
        outputs {
            /// An entry is free; depends on the state alone.
            launch_ready: Signal<Out, Bit>,
            /// The entry that an offered kernel takes; valid with `launch_ready`.
            launch_entry: Signal<Out, U<5>>,
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// Whether `lookup` names an occupied entry.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            dispatcher: Dispatcher = Dispatcher::new(smxs, limits),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
            order: Order = Order::new(smxs),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { OldestFirstScheduler { native kernels } }

impl Logic for OldestFirstScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.order.control);
        self.order.request.next = self.dispatcher.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            self.gates.request.next = self.dispatcher.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.finished.val();
            self.order.request.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.credits {
            self.gates.launch.next = self.dispatcher.accepted.val();
            self.gates.coalesced.next = self.never.val();
            self.gates.blocks.next = self.launch.val().blocks;
            self.gates.kernel.next = self.dispatcher.head.val();
            self.gates.first.next = self.dispatcher.first.val();
        }
        for _is in 0..self.gate_ports.samples {
            self.gates.sample.next = self.sample.val();
        }
        for i in 0..self.gate_ports.sampled {
            self.gates.idle[i].next = self.idle[i].val();
            self.gates.memory[i].next = self.memory[i].val();
        }
        self.order.taken.next = self.dispatcher.taken.val();
        self.dispatcher.allow.next = self.order.allow.val();
        self.dispatcher.restart.next = self.no_restart.val();
        self.dispatcher.launch.next = self.launch.val();
        self.dispatcher.finished.next = self.finished.val();
        self.dispatcher.lookup.next = self.lookup.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.launch_ready.next = self.dispatcher.launch_ready.val();
        self.launch_entry.next = self.dispatcher.launch_entry.val();
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.context_valid.next = self.dispatcher.context_valid.val();
        self.kernel_context.next = self.dispatcher.kernel_context.val();
    }
}
