//! `srtf`.

use super::{Shortest, ShortestDispatcher};
use crate::gate::{GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::Tagged;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`ShortestDispatcher`] whose kernels never share (SRTF, section 5.1.1).
    ///
    /// Ports, latency and storage are the dispatcher's; see `docs/srtf.md`.
    pub struct ShortestScheduler (smxs: usize, limits: Limits, parameters: Shortest, gates: &[GateKind]) clocked {
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
            /// The slot of the block that ends; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// The number of the cycle; valid in cycles with a completion or a dispatch.
            now: Signal<In, U<40>>,
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
            /// The slot of the block that is dispatched; valid with it.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        constants {
            never: Constant<Bit> = Constant::new(false),
        }
        children {
            dispatcher: ShortestDispatcher = ShortestDispatcher::new(smxs, limits, parameters, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { ShortestScheduler { native kernels slots clock } }

impl Logic for ShortestScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        self.dispatcher.sharing.next = self.never.val();
        self.dispatcher.changes.next = self.never.val();
        self.dispatcher.launch.next = self.launch.val();
        self.dispatcher.finished.next = self.finished.val();
        self.dispatcher.lookup.next = self.lookup.val();
        self.dispatcher.now.next = self.now.val();
        self.launch_ready.next = self.dispatcher.launch_ready.val();
        self.launch_entry.next = self.dispatcher.launch_entry.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatcher.finished_slot[i].next = self.finished_slot[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
            self.slot[i].next = self.dispatcher.slot[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.context_valid.next = self.dispatcher.context_valid.val();
        self.kernel_context.next = self.dispatcher.kernel_context.val();
        for _is in 0..self.gate_ports.samples {
            self.dispatcher.sample.next = self.sample.val();
        }
        for i in 0..self.gate_ports.sampled {
            self.dispatcher.idle[i].next = self.idle[i].val();
            self.dispatcher.memory[i].next = self.memory[i].val();
        }
    }
}
