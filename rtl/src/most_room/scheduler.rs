//! `most-room`.

use super::Room;
use crate::dispatch::{gated_scheduler, Dispatcher};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{kmu_scheduler, ManagementPorts};
use crate::port::{Dispatch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{Tagged, TaggedSmx};
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// A [`Dispatcher`] whose requests pass through the gates, and then through a [`Room`].
    ///
    /// ```text
    ///   [dispatcher] -- request --> [gates] --> [room] -- allow --> [dispatcher]
    ///                -- free[s], needs ------------^
    /// ```
    ///
    /// Ports and latency are the dispatcher's. Storage: that of its children.
    pub struct MostRoomScheduler (smxs: usize, limits: Limits, gates: &[GateKind]) clocked {
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
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            never: Constant<Tagged> = GatePorts::of(smxs, gates).constant(Tagged::default()),
        }
        children {
            dispatcher: Dispatcher = Dispatcher::with_free(smxs, limits),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
            room: Room = Room::new(smxs),
        }
        state { smxs: usize = smxs, gate_ports: GatePorts = GatePorts::of(smxs, gates) }
    }
}

scheduler_modules! { MostRoomScheduler { native kernels } }

gated_scheduler! {
    #[hdl_gen]
    MostRoomScheduler(self) {} [room.request] {
        self.room.needs.next = self.dispatcher.head_needs.val();
        for i in 0..self.smxs {
            self.room.free[i].next = self.dispatcher.free[i].val();
        }
        self.dispatcher.allow.next = self.room.most.val();
        self.dispatcher.restart.next = self.no_restart.val();
    }
}

kmu_scheduler! {
    #[hdl_gen]
    MostRoomCdpScheduler(self) over MostRoomScheduler
}
