//! `dependent`.

use super::{DependentPorts, Waiting};
use crate::dispatch::{gated_scheduler, Dispatcher};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] whose kernels are marked by [`Waiting`], and whose requests pass through
    /// the gates.
    ///
    /// ```text
    ///   launch --> [dispatcher] -- request --> [gates] -- allow --> [dispatcher]
    ///                |      ^
    ///             accepted  mark, waits
    ///                v      |
    ///   follows --> [waiting] <-- triggered
    /// ```
    ///
    /// Ports and latency are the dispatcher's, but that a kernel that follows another one waits for
    /// it. Storage: that of its children.
    pub struct DependentScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            dependent_ports: DependentPorts = DependentPorts::new(smxs),
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
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            dispatcher: Dispatcher = Dispatcher::with_waiting(smxs, limits),
            waiting: Waiting = Waiting::new(smxs),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { DependentScheduler { native kernels dependents } }

gated_scheduler! {
    #[hdl_gen]
    DependentScheduler(self) {
        Control::link(&mut self.control, &mut self.waiting.control);
        DependentPorts::link(&mut self.dependent_ports, &mut self.waiting.dependent_ports);
        self.waiting.accepted.next = self.dispatcher.accepted.val();
        self.waiting.blocks.next = self.launch_ports.launch.val().blocks;
        self.dispatcher.mark.next = self.waiting.mark.val();
        self.dispatcher.waits.next = self.waiting.waits.val();
    } [dispatcher.allow] {
        self.dispatcher.restart.next = self.no_restart.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    DependentCdpScheduler(self) following over scheduler: DependentScheduler [dependents] {
        bundles { dependent_ports: DependentPorts = DependentPorts::new(scheduler.smxs) }
        inputs {}
        update {
            DependentPorts::link(&mut self.dependent_ports, &mut self.scheduler.dependent_ports);
            self.management.follows.next = self.dependent_ports.follows.val().valid;
        }
    }
}
