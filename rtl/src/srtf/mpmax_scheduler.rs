//! `mpmax`.

use super::concurrent_kernels::ConcurrentKernels;
use super::mpmax_unit::MpmaxUnit;
use super::words::{PackLimits, UnpackFacts};
use super::Reserve;
use crate::gate::{GateChain, GateKind, GatePorts};
use crate::port::{Context, Dispatch, Launch, Limits};
use crate::prelude::*;
use crate::prim::{Bundle, Tagged};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// Just-in-time MPMax (SRTF, section 5.2.2; rules 1 to 7 of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch --> [concurrent_kernels] --eligible, older, needs--> [ unit of each SMX ] --asks--> [round_robin] --> dispatch
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
    pub struct MpmaxScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
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
        locals {
            change: Signal<Local, Bit>,
            asked: Signal<Local, Mask> = Signal::mask(smxs),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
        }
        children {
            kernels: ConcurrentKernels = ConcurrentKernels::new(smxs, limits),
            facts: UnpackFacts,
            reserve: Reserve = Reserve::new(limits),
            limits_word: PackLimits,
            units: Vec<MpmaxUnit> = (0..smxs).map(|_| MpmaxUnit::new(limits)).collect(),
            asking: Bundle<Mask> = Bundle::of(smxs),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { MpmaxScheduler { native kernels } }

impl Logic for MpmaxScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.reserve.control);

        self.kernels.launch.next = self.launch.val();
        self.kernels.finished.next = self.finished.val();
        self.kernels.lookup.next = self.lookup.val();
        self.launch_ready.next = self.kernels.launch_ready.val();
        self.launch_entry.next = self.kernels.launch_entry.val();
        self.finished_kernels.next = self.kernels.finished_kernels.val();
        self.context_valid.next = self.kernels.context_valid.val();
        self.kernel_context.next = self.kernels.kernel_context.val();

        // The limits; while they are computed nothing is dispatched.
        self.change.next = self.kernels.launched.val().valid | self.kernels.leaves.val().any();
        self.reserve.change.next = self.change.val();
        self.reserve.present.next = self.kernels.present.val();
        self.facts.all.next = self.kernels.facts.val();
        for k in 0..8 {
            self.reserve.needs[k].next = self.facts.needs[k].val();
            self.limits_word.limit[k].next = self.reserve.limit[k].val();
        }
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.units[i].control);
            self.asking.bits[i].next = self.units[i].asks.val();
            self.units[i].eligible.next = self.kernels.eligible.val();
            self.units[i].taken.next = self.kernels.grant.val().get_bit(i);
            self.units[i].finished.next = self.finished.val().get_bit(i);
            self.units[i].finished_kernel.next = self.finished_kernel[i].val();
            self.kernels.finished_kernel[i].next = self.finished_kernel[i].val();
            self.kernels.choice[i].next = self.units[i].choice.val();
            self.dispatch[i].next = self.kernels.dispatch[i].val();
            self.units[i].facts.next = self.kernels.facts.val();
            self.units[i].limits_word.next = self.limits_word.all.val();
        }
        self.asked.next = self.asking.word.val();
        if self.reserve.busy.val() {
            self.asked.next = self.nobody.val();
        }

        self.kernels.asks.next = self.asked.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            self.gates.request.next = self.asked.val();
            self.gates.taken.next = self.kernels.grant.val();
            self.gates.finished.next = self.finished.val();
            self.kernels.asks.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.samples {
            self.gates.sample.next = self.sample.val();
        }
        for i in 0..self.gate_ports.sampled {
            self.gates.idle[i].next = self.idle[i].val();
            self.gates.memory[i].next = self.memory[i].val();
        }
    }
}
