//! `launch-control`.

use crate::dispatch::Dispatcher;
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{CancelPorts, Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] whose running blocks may take the head's next block, and whose requests pass through the gates.
    ///
    /// ```text
    ///   launch --> [dispatcher] -- request --> [gates] -- allow --> [dispatcher] --> dispatch
    ///                ^      |
    ///         cancel |      v cancelled
    /// ```
    ///
    /// Ports and latency are the dispatcher's; `cancel` to `cancelled` takes no cycle. Storage: that of its children.
    pub struct LaunchControlScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            cancel_ports: CancelPorts = CancelPorts::new(true),
            sample_ports: SamplePorts = SamplePorts::new(smxs, gates),
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Whose block it is; valid with its bit of `finished`.
            finished_kernel: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
        }
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            dispatcher: Dispatcher = Dispatcher::with_cancel(smxs, limits),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { LaunchControlScheduler { native kernels cancels } }

impl Logic for LaunchControlScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        CancelPorts::link(&mut self.cancel_ports, &mut self.dispatcher.cancel_ports);
        self.dispatcher.allow.next = self.dispatcher.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.dispatcher.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.finished.val();
            self.dispatcher.allow.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.credits {
            self.gates.launch.next = self.dispatcher.accepted.val();
            self.gates.coalesced.next = self.never.val();
            self.gates.blocks.next = self.launch_ports.launch.val().blocks;
            self.gates.kernel.next = self.dispatcher.head.val();
            self.gates.first.next = self.dispatcher.first.val();
        }
        self.dispatcher.restart.next = self.no_restart.val();
        LaunchPorts::link(&mut self.launch_ports, &mut self.dispatcher.launch_ports);
        self.dispatcher.finished.next = self.finished.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
    }
}
