//! `launch-control`.

use crate::dispatch::{gated_scheduler, Dispatcher};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{CancelPorts, Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] whose running blocks may take the head's next block, and whose requests
    /// pass through the gates.
    ///
    /// ```text
    ///   launch --> [dispatcher] -- request --> [gates] -- allow --> [dispatcher] --> dispatch
    ///                ^      |
    ///         cancel |      v cancelled
    /// ```
    ///
    /// Ports and latency are the dispatcher's; `cancel` to `cancelled` takes no cycle. Storage:
    /// that of its children.
    pub struct LaunchControlScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            cancel_ports: CancelPorts = CancelPorts::new(true, false),
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
            dispatcher: Dispatcher = Dispatcher::with_cancel(smxs, limits),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { LaunchControlScheduler { native kernels cancels } }

gated_scheduler! {
    #[hdl_gen]
    LaunchControlScheduler(self) {
        CancelPorts::link(&mut self.cancel_ports, &mut self.dispatcher.cancel_ports);
    } [dispatcher.allow] {
        self.dispatcher.restart.next = self.no_restart.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    LaunchControlCdpScheduler(self) new over scheduler: LaunchControlScheduler [cancels] {
        bundles { cancel_ports: CancelPorts = CancelPorts::new(true, false) }
        inputs {}
        update {
            CancelPorts::link(&mut self.cancel_ports, &mut self.scheduler.cancel_ports);
        }
    }
}
