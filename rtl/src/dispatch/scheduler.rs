//! `rr` and `rr(start=last-finished)`: the baseline dispatcher with its gates.

use super::{gated_scheduler, Dispatcher, LastFinisher};
use crate::claso::Levels;
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// The scheduler of current GPUs: a [`Dispatcher`] whose requests pass through a [`GateChain`].
    /// Where it is `restarting`, round robin starts after the end of a kernel at the SMX behind the
    /// one that finished last (IKRA, section 2.2).
    ///
    /// ```text
    ///   [dispatcher] -- request, head, first, taken, accepted --> [gates]
    ///                <------------------ allow ------------------
    ///                <-- restart -- [last finisher]
    /// ```
    ///
    /// Ports and latency are the dispatcher's, see `docs/baseline.md`; the gates delay nothing by
    /// themselves. Storage: that of its children.
    pub struct RoundRobinScheduler (smxs: usize, limits: Limits, restarting: bool, gates: &[GateKind]) clocked {
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
            restart: Signal<Local, TaggedSmx> =
                Signal::optional(restarting, TaggedSmx::none(smxs)),
        }
        constants {
            no_restart: Constant<TaggedSmx> =
                Constant::optional(!restarting, TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            dispatcher: Dispatcher = Dispatcher::new(smxs, limits),
            last: Optional<LastFinisher> =
                Optional::new(restarting.then(|| LastFinisher::new(smxs))),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state {
            smxs: usize = smxs,
            restarts: usize = usize::from(restarting),
            goes_on: usize = usize::from(!restarting),
            gate_ports: GatePorts = GatePorts::of(smxs, gates),
        }
    }
}

impl RoundRobinScheduler {
    /// `rr`, or `rr+claso` with `levels`, with `entries` entries alone (a power of two, at most
    /// 32), for proofs: whoever drives it uses no other one.
    pub(crate) fn with_entries(
        smxs: usize,
        limits: Limits,
        levels: Option<Levels>,
        entries: usize,
    ) -> Self {
        let gates: Vec<GateKind> = levels.map(GateKind::Claso).into_iter().collect();
        let chain = levels.map(|levels| GateChain::claso_with_entries(smxs, levels, entries));
        Self {
            dispatcher: Dispatcher::new(smxs, limits).with_entries(entries),
            gates: Optional::new(chain),
            ..Self::new(smxs, limits, false, &gates)
        }
    }
}

scheduler_modules! { RoundRobinScheduler { native kernels } }

gated_scheduler! {
    #[hdl_gen]
    RoundRobinScheduler(self) {
        for _is in 0..self.goes_on {
            self.dispatcher.restart.next = self.no_restart.val();
        }
        for _is in 0..self.restarts {
            Control::link(&mut self.control, &mut self.last.control);
            self.last.finished.next = self.finished.val();
            self.restart.next.valid = self.dispatcher.finished_kernels.val().any();
            self.restart.next.smx = self.last.first.val();
            self.dispatcher.restart.next = self.restart.val();
        }
    } [dispatcher.allow] {}
}

kmu_scheduler! {
    #[hdl_gen]
    RoundRobinCdpScheduler(self) over RoundRobinScheduler
}
