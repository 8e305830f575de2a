//! `mpmax`.

use super::concurrent_kernels::ConcurrentKernels;
use super::mpmax_unit::MpmaxUnit;
use super::{Facts, Reserve};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Bundle, Pack, Unpack};
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
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
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
        locals {
            change: Signal<Local, Bit>,
            kernel: Signal<Local, Facts>,
            asked: Signal<Local, Mask> = Signal::mask(smxs),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
        }
        children {
            kernels: ConcurrentKernels = ConcurrentKernels::new(smxs, limits),
            facts: Unpack<Facts, 8>,
            reserve: Reserve = Reserve::new(limits),
            limits_word: Pack<U<6>, 8>,
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

        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.kernels.finished.next = self.finished.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.finished_kernels.next = self.kernels.finished_kernels.val();

        // The limits; while they are computed nothing is dispatched.
        self.change.next = self.kernels.launched.val().valid | self.kernels.leaves.val().any();
        self.reserve.change.next = self.change.val();
        self.reserve.present.next = self.kernels.present.val();
        self.facts.row.next = self.kernels.facts.val();
        for k in 0..8 {
            self.kernel.next = self.facts.parts[k].val();
            self.reserve.needs[k].next = self.kernel.val().needs;
            self.limits_word.parts[k].next = self.reserve.limit[k].val();
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
            self.units[i].limits_word.next = self.limits_word.row.val();
        }
        self.asked.next = self.asking.word.val();
        if self.reserve.busy.val() {
            self.asked.next = self.nobody.val();
        }

        self.kernels.asks.next = self.asked.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.asked.val();
            self.gates.taken.next = self.kernels.grant.val();
            self.gates.finished.next = self.finished.val();
            self.kernels.asks.next = self.gates.allow.val();
        }
    }
}
