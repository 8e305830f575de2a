//! `srtf/adaptive`.

use super::{Fairness, Shortest, ShortestDispatcher};
use crate::gate::{GateKind, SamplePorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`ShortestDispatcher`] whose kernels share when the schedule is unfair (SRTF, section
    /// 5.1.2).
    ///
    /// Ports and latency are the dispatcher's; see `docs/srtf.md`. Storage: the dispatcher's and
    /// that of [`Fairness`].
    pub struct AdaptiveScheduler (smxs: usize, limits: Limits, parameters: Shortest, gates: &[GateKind]) clocked {
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
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// The slot of the block that is dispatched; valid with it.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        children {
            dispatcher: ShortestDispatcher = ShortestDispatcher::new(smxs, limits, parameters, gates),
            fairness: Fairness = Fairness::new(parameters.limit, parameters.threshold),
        }
        state { smxs: usize = smxs }
    }
}

scheduler_modules! { AdaptiveScheduler { native kernels slots clock } }

impl AdaptiveScheduler {
    /// A block ends or comes.
    fn is_timed(&self) -> bool {
        self.finished.val().any() | self.dispatcher.dispatches()
    }
}

impl Logic for AdaptiveScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.dispatcher.control);
        Control::link(&mut self.control, &mut self.fairness.control);
        self.fairness.launch.next = self.dispatcher.launched.val();
        self.fairness.leaves.next = self.dispatcher.leaving.val();
        self.fairness.last.next = self.dispatcher.last.val();
        self.fairness.eligible.next = self.dispatcher.eligible.val();
        self.fairness.known.next = self.dispatcher.known.val();
        self.fairness.stored.next = self.dispatcher.stored.val();
        self.fairness.stored_predicted.next = self.dispatcher.stored_predicted.val();
        for k in 0..8 {
            self.fairness.older[k].next = self.dispatcher.older[k].val();
            self.fairness.residency[k].next = self.dispatcher.residency[k].val();
            self.fairness.remaining[k].next = self.dispatcher.remaining[k].val();
            self.fairness.predicted[k].next = self.dispatcher.predicted[k].val();
            self.fairness.resident[k].next = self.dispatcher.resident[k].val();
        }
        self.dispatcher.sharing.next = self.fairness.sharing.val();
        self.dispatcher.changes.next = self.fairness.changes.val();
        LaunchPorts::link(&mut self.launch_ports, &mut self.dispatcher.launch_ports);
        self.dispatcher.finished.next = self.finished.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);
        self.dispatcher.now.next = self.now.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_kernel[i].next = self.finished_kernel[i].val();
            self.dispatcher.finished_slot[i].next = self.finished_slot[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
            self.slot[i].next = self.dispatcher.slot[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        SamplePorts::link(&mut self.sample_ports, &mut self.dispatcher.sample_ports);
    }
}
