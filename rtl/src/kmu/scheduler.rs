//! `rr --launch cdp`: launches from the device, with its gates.

use super::ManagementUnit;
use crate::dispatch::Dispatcher;
use crate::gate::{GateChain, GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// `rr --launch cdp`: the Kernel Management Unit in front of a [`Dispatcher`] with a [`GateChain`].
    ///
    /// ```text
    ///   launch, device_launch --> [ management_unit ] --offer--> [ dispatcher ] --> dispatch
    ///        record -----------------^  ^-- finished_kernels --+ |  ^
    ///   fetch_record <---------------+                  request  v  | allow
    ///                                                         [ gates ]
    /// ```
    ///
    /// Ports, latency and storage are those of its children; see `docs/dtbl.md`.
    pub struct CdpScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        inputs {
            /// The host offers the head of a hardware work queue; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// Which queue; valid with `launch`.
            work_queue: Signal<In, U<5>>,
            /// A kernel launched by a block joins the pool of pending kernels.
            device_launch: Signal<In, Bit>,
            /// A suspended kernel joins the pool of suspended kernels.
            suspend: Signal<In, Bit>,
            /// A kernel from one of the pools arrives.
            record: Signal<In, Launch>,
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
            /// A host's kernel is accepted if it is offered.
            launch_ready: Signal<Out, Bit>,
            /// The entry that a kernel takes in this cycle; valid with `launch_ready` and with `record`.
            launch_entry: Signal<Out, U<5>>,
            /// One bit for each queue: its head may be offered.
            inspect: Signal<Out, U<32>>,
            /// A record is asked for.
            fetch_record: Signal<Out, Bit>,
            /// From the pool of suspended kernels; low when not `fetch_record`.
            fetch_suspended: Signal<Out, Bit>,
            /// Its place in the pool; zero when not `fetch_record`.
            fetch_index: Signal<Out, U<32>>,
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// Whether `lookup` names an occupied entry.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
        }
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            management: ManagementUnit,
            dispatcher: Dispatcher = Dispatcher::new(smxs, limits),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state {
            smxs: usize = smxs,
            gate_ports: GatePorts = GatePorts::of(smxs, gates),
        }
    }
}

scheduler_modules! { CdpScheduler { native kernels management } }

impl Logic for CdpScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.management.control);
        Control::link(&mut self.control, &mut self.dispatcher.control);
        self.dispatcher.allow.next = self.dispatcher.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            self.gates.request.next = self.dispatcher.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.finished.val();
            self.dispatcher.allow.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.credits {
            self.gates.launch.next = self.dispatcher.accepted.val();
            self.gates.coalesced.next = self.never.val();
            self.gates.blocks.next = self.management.offer.val().blocks;
            self.gates.kernel.next = self.dispatcher.head.val();
            self.gates.first.next = self.dispatcher.first.val();
        }
        self.dispatcher.restart.next = self.no_restart.val();
        for _is in 0..self.gate_ports.samples {
            self.gates.sample.next = self.sample.val();
        }
        for i in 0..self.gate_ports.sampled {
            self.gates.idle[i].next = self.idle[i].val();
            self.gates.memory[i].next = self.memory[i].val();
        }

        self.management.launch.next = self.launch.val();
        self.management.work_queue.next = self.work_queue.val();
        self.management.device_launch.next = self.device_launch.val();
        self.management.suspend.next = self.suspend.val();
        self.management.record.next = self.record.val();
        self.management.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.management.launch_entry.next = self.dispatcher.launch_entry.val();
        self.launch_ready.next = self.management.host_ready.val();
        self.inspect.next = self.management.inspect.val();
        self.fetch_record.next = self.management.fetch.val();
        self.fetch_suspended.next = self.management.fetch_suspended.val();
        self.fetch_index.next = self.management.fetch_index.val();

        self.dispatcher.launch.next = self.management.offer.val();
        self.launch_entry.next = self.dispatcher.launch_entry.val();
        self.dispatcher.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.dispatcher.lookup.next = self.lookup.val();
        self.context_valid.next = self.dispatcher.context_valid.val();
        self.kernel_context.next = self.dispatcher.kernel_context.val();
    }
}
