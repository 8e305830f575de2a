//! `priority`.

use crate::dispatch::{gated_scheduler, Dispatcher};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] of `levels` priorities, 2 to 8, whose requests pass through the gates.
    ///
    /// ```text
    ///   launch, urgency --> [dispatcher] -- request --> [gates] -- allow --> [dispatcher]
    /// ```
    ///
    /// Ports and latency are the dispatcher's. Storage: that of its children.
    pub struct PriorityScheduler
    (smxs: usize, limits: Limits, levels: usize, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
        }
        inputs {
            /// The priority of the kernel that `launch` offers, more is more urgent; valid with it.
            urgency: Signal<In, U<3>>,
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
            dispatcher: Dispatcher = Dispatcher::with_levels(smxs, limits, levels),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { PriorityScheduler { native kernels priority } }

gated_scheduler! {
    #[hdl_gen]
    PriorityScheduler(self) {
        self.dispatcher.urgency.next = self.urgency.val();
    } [dispatcher.allow] {
        self.dispatcher.restart.next = self.no_restart.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    PriorityCdpScheduler(self) new over scheduler: PriorityScheduler [priority] {
        bundles {}
        inputs {
            /// The priority of the kernel that `launch` offers, or `record`, more is more urgent.
            urgency: Signal<In, U<3>>,
        }
        update {
            self.scheduler.urgency.next = self.urgency.val();
        }
    }
}
