//! `ikra/chunk`.

use super::StaticDispatcher;
use crate::dispatch::LastFinisher;
use crate::gate::{GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::Tagged;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`StaticDispatcher`] whose chunks begin behind the SMX that finished last (IKRA, section 4.1).
    ///
    /// Ports and latency are the dispatcher's; see `docs/ikra.md`. Storage: the dispatcher's and the
    /// last finisher's.
    pub struct ChunkScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        inputs {
            /// A kernel is offered; accepted when `launch_ready`.
            launch: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
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
            /// Whether `lookup` names an entry in use.
            context_valid: Signal<Out, Bit>,
            /// Its context; zero when not `context_valid`.
            kernel_context: Signal<Out, Context>,
        }
        children {
            dispatcher: StaticDispatcher = StaticDispatcher::new(smxs, limits, true, false, gates),
            last: LastFinisher = LastFinisher::new(smxs),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { ChunkScheduler { native } }

impl Logic for ChunkScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.last.control);
        self.last.finished.next = self.finished.val();
        self.dispatcher.first.next = self.last.first.val();
        self.dispatcher.launch.next = self.launch.val();
        self.dispatcher.finished.next = self.finished.val();
        self.dispatcher.lookup.next = self.lookup.val();
        self.launch_ready.next = self.dispatcher.launch_ready.val();
        self.launch_entry.next = self.dispatcher.launch_entry.val();
        for i in 0..self.smxs {
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
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
