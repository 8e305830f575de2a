//! `ikra/reset` and `ikra/flip`.

use super::StaticDispatcher;
use crate::gate::{GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::Tagged;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`StaticDispatcher`] whose chunks begin at SMX 0 (IKRA, sections 4.2 and 4.3).
    ///
    /// Ports, latency and storage are the dispatcher's; see `docs/ikra.md`.
    pub struct StaticScheduler (smxs: usize, limits: Limits, flips: bool, gates: &[GateKind]) clocked {
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
        constants {
            zero: Constant<Word> = Constant::id(smxs, 0),
        }
        children {
            dispatcher: StaticDispatcher = StaticDispatcher::new(smxs, limits, false, flips, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { StaticScheduler { native } }

impl Logic for StaticScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        self.dispatcher.first.next = self.zero.val();
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
