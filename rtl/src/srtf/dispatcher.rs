//! SRTF's schedulers with the decision to share left open.

use super::concurrent_kernels::ConcurrentKernels;
use super::unit::Unit;
use super::{Choice, Facts, Sampler, Shortest, Times};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Bundle, Unpack};

hdl_module! {
    /// Each SMX serves the kernel that will be done first there; newcomers are sampled on SMX 0
    /// (SRTF, sections 4 and 5.1; rules 1 to 5 and 8 to 17 of `docs/srtf.md`).
    ///
    /// ```text
    ///   launch --> [concurrent_kernels] --eligible, older, needs--> [ unit of each SMX ] --asks--> [round_robin] --> dispatch
    ///                  |                                       ^          | SMX 0's predictions     |
    ///                  +--> [sampler] --sampling, copying------+<---------+        [kernel_table] <-+
    ///   sharing, changes --------------------------------------+          +--> known, remaining, ... (fairness)
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch`, the only kernel | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | `finished` | the prediction decides | 10 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub struct ShortestDispatcher (smxs: usize, limits: Limits, parameters: Shortest, gates: &[GateKind]) clocked {
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
            /// The slot of the block that ends; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// The number of the cycle; valid in cycles with a completion or a dispatch.
            now: Signal<In, U<40>> => Self::is_timed,
            /// Kernels share the SMXs.
            sharing: Signal<In, Bit>,
            /// That changes at the end of this cycle.
            changes: Signal<In, Bit>,
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// The slot of the block that is dispatched; valid with it.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
            /// A kernel is accepted.
            launched: Signal<Out, Choice>,
            /// Kernels that leave.
            leaving: Signal<Out, U<8>>,
            /// A kernel's last block is dispatched.
            last: Signal<Out, Bit>,
            /// Kernels with blocks left.
            eligible: Signal<Out, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<Out, U<8>>; 8],
            /// How many of its blocks an empty SMX holds.
            residency: [Signal<Out, U<5>>; 8],
            /// Kernels with a prediction on SMX 0.
            known: Signal<Out, U<8>>,
            /// Cycles that are left of each there.
            remaining: [Signal<Out, U<40>>; 8],
            /// Its cycles in all there.
            predicted: [Signal<Out, U<40>>; 8],
            /// A result for this kernel is stored there.
            stored: Signal<Out, Choice>,
            /// What is stored.
            stored_predicted: Signal<Out, U<40>>,
            /// Resident blocks of each kernel there, as the cycle begins.
            resident: [Signal<Out, U<6>>; 8],
        }
        locals {
            others: Signal<Local, U<8>>,
            copied: Signal<Local, U<8>>,
            copy_remaining: Signal<Local, U<40>>,
            copy_predicted: Signal<Local, U<40>>,
            kernel: Signal<Local, Facts>,
            prediction: Signal<Local, Times>,
        }
        constants {
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            no_time: Lit<40, 0>,
        }
        children {
            kernels: ConcurrentKernels = ConcurrentKernels::new(smxs, limits),
            facts: Unpack<Facts, 8>,
            times: Unpack<Times, 8>,
            sampler: Sampler = Sampler::new(parameters.sample),
            units: Vec<Unit> =
                (0..smxs).map(|number| Unit::new(number, limits, parameters)).collect(),
            asking: Bundle<Mask> = Bundle::of(smxs),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

impl ShortestDispatcher {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val().any() | self.kernels.grant.val().any()
    }

    /// Whether an SMX receives a block in this cycle.
    pub(super) fn dispatches(&self) -> bool {
        self.dispatch.iter().any(|port| port.val().valid)
    }
}

impl Logic for ShortestDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.sampler.control);

        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.kernels.finished.next = self.finished.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.kernels.lookup_ports);
        self.finished_kernels.next = self.kernels.finished_kernels.val();

        // Newcomers are sampled on SMX 0, and its prediction goes to the others.
        self.others.next = self.kernels.present.val() & !self.kernels.leaves.val();
        self.sampler.launch.next = self.kernels.launched.val();
        self.sampler.alone.next = !self.others.val().any();
        self.sampler.eligible.next = self.kernels.eligible.val();
        self.sampler.stored.next = self.units[0].stored.val();
        self.copied.next = self.nobody.val();
        if self.sampler.copying.val().valid {
            self.copied.next = self.bit_zero.val() << self.sampler.copying.val().kernel;
        }
        self.copy_remaining.next = self.no_time.val();
        self.copy_predicted.next = self.no_time.val();
        self.facts.row.next = self.kernels.facts.val();
        self.times.row.next = self.units[0].times.val();
        for k in 0..8 {
            self.kernel.next = self.facts.parts[k].val();
            self.prediction.next = self.times.parts[k].val();
            self.sampler.older[k].next = self.kernel.val().older;
            self.older[k].next = self.kernel.val().older;
            self.residency[k].next = self.kernel.val().residency;
            self.remaining[k].next = self.prediction.val().remaining;
            self.predicted[k].next = self.prediction.val().predicted;
            self.resident[k].next = self.prediction.val().resident;
            if self.copied.val().get_bit(k) {
                self.copy_remaining.next = self.prediction.val().remaining;
                self.copy_predicted.next = self.prediction.val().predicted;
            }
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
            self.units[i].finished_slot.next = self.finished_slot[i].val();
            self.units[i].now.next = self.now.val();
            self.units[i].launch.next = self.kernels.launched.val();
            self.units[i].leaves.next = self.kernels.leaves.val();
            self.units[i].sampling.next = self.sampler.sampling.val();
            self.units[i].copy.next = self.sampler.copying.val();
            self.units[i].copy_remaining.next = self.copy_remaining.val();
            self.units[i].copy_predicted.next = self.copy_predicted.val();
            self.units[i].sharing.next = self.sharing.val();
            self.units[i].changes.next = self.changes.val();
            self.slot[i].next = self.units[i].slot.val();
            self.units[i].facts.next = self.kernels.facts.val();
        }

        self.kernels.asks.next = self.asking.word.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.asking.word.val();
            self.gates.taken.next = self.kernels.grant.val();
            self.gates.finished.next = self.finished.val();
            self.kernels.asks.next = self.gates.allow.val();
        }

        // What the decision to share stands on.
        self.launched.next = self.kernels.launched.val();
        self.leaving.next = self.kernels.leaves.val();
        self.last.next = self.kernels.last.val().valid;
        self.eligible.next = self.kernels.eligible.val();
        self.known.next = self.units[0].known.val();
        self.stored.next = self.units[0].stored.val();
        self.stored_predicted.next = self.units[0].stored_predicted.val();
    }
}
