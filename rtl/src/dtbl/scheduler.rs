//! `rr --launch dtbl` and `most-room --launch dtbl`: launches from the device, with gates.

use super::{GroupDispatch, GroupDispatcher, GroupMemoryPorts, GroupPorts, GroupState};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::{ManagementPorts, ManagementUnit};
use crate::most_room::Room;
use crate::port::{Launch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

hdl_module! {
    /// `rr --launch dtbl`: the Kernel Management Unit in front of a [`GroupDispatcher`] with a
    /// [`GateChain`]. In one [`Self::by_room`], `most-room --launch dtbl`, what the gates allow
    /// passes through a [`Room`].
    ///
    /// ```text
    ///   launch, device_launch --> [ management_unit ] --offer--> [ dispatcher ] --> dispatch
    ///        record -----------------^  ^-- finished_kernels --+ |  ^
    ///   fetch_record <---------------+                  request  v  | allow
    ///                                                         [ gates ] --> [ room, if any ]
    /// ```
    ///
    /// Ports, latency and storage are those of its children; see `docs/dtbl.md`.
    pub struct DtblScheduler
    (smxs: usize, limits: Limits, table: usize, ahead: usize, gates: &[GateKind]) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
            management_ports: ManagementPorts,
            group_ports: GroupPorts,
            memory_ports: GroupMemoryPorts,
        }
        inputs {
            /// A kernel from one of the pools arrives.
            record: Signal<In, Launch>,
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Its slot; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, GroupDispatch>> = Signal::each(smxs, GroupDispatch::default()),
            /// The slot that it takes there; valid with its `dispatch`.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
        }
        children {
            management: ManagementUnit,
            dispatcher: GroupDispatcher = GroupDispatcher::new(smxs, limits, table, ahead),
            gates: Optional<GateChain> = GateChain::placed(smxs, gates),
            room: Optional<Room> = Optional::new(None),
        }
        state {
            smxs: usize = smxs,
            by_room: usize = 0,
            gate_ports: GatePorts = GatePorts::of(smxs, gates),
        }
    }
}

impl DtblScheduler {
    /// Of `most-room`: a block goes to an SMX with most room for it.
    pub fn by_room(
        smxs: usize,
        limits: Limits,
        table: usize,
        ahead: usize,
        gates: &[GateKind],
    ) -> Self {
        Self {
            dispatcher: GroupDispatcher::with_free(smxs, limits, table, ahead),
            room: Optional::new(Some(Room::new(smxs))),
            by_room: 1,
            ..Self::new(smxs, limits, table, ahead, gates)
        }
    }

    /// What is stored of kernels and groups.
    pub fn state(&self) -> &dyn GroupState {
        &self.dispatcher
    }
}

scheduler_modules! { DtblScheduler { slots management groups table } }

impl Logic for DtblScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.management.control);
        Control::link(&mut self.control, &mut self.dispatcher.control);
        self.dispatcher.allow.next = self.dispatcher.request.val();
        for _is in 0..self.gate_ports.gated {
            Control::link(&mut self.control, &mut self.gates.control);
            SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
            self.gates.request.next = self.dispatcher.request.val();
            self.gates.taken.next = self.dispatcher.taken.val();
            self.gates.finished.next = self.finished.val();
            self.dispatcher.allow.next = self.gates.allow.val();
        }
        for _is in 0..self.gate_ports.credits {
            self.gates.launch.next = self.dispatcher.accepted.val();
            self.gates.coalesced.next = self.dispatcher.coalesced.val();
            self.gates.blocks.next = self.group_ports.group.val().blocks;
            if self.dispatcher.accepted.val().valid {
                self.gates.blocks.next = self.management.offer.val().blocks;
            }
            self.gates.kernel.next = self.dispatcher.head.val();
            self.gates.first.next = self.dispatcher.first.val();
        }

        for _is in 0..self.by_room {
            self.room.request.next = self.dispatcher.request.val();
            for _gated in 0..self.gate_ports.gated {
                self.room.request.next = self.gates.allow.val();
            }
            self.room.needs.next = self.dispatcher.head_needs.val();
            for i in 0..self.smxs {
                self.room.free[i].next = self.dispatcher.free[i].val();
            }
            self.dispatcher.allow.next = self.room.most.val();
        }

        self.management.launch.next = self.launch_ports.launch.val();
        ManagementPorts::link(&mut self.management_ports, &mut self.management.management_ports);
        self.management.record.next = self.record.val();
        self.management.finished_kernels.next = self.dispatcher.finished_kernels.val();
        self.management.launch_entry.next = self.dispatcher.launch_ports.launch_entry.val();
        self.launch_ports.launch_ready.next = self.management.host_ready.val();

        self.dispatcher.launch_ports.launch.next = self.management.offer.val();
        self.launch_ports.launch_entry.next = self.dispatcher.launch_ports.launch_entry.val();
        self.dispatcher.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.dispatcher.finished_slot[i].next = self.finished_slot[i].val();
            self.dispatch[i].next = self.dispatcher.dispatch[i].val();
            self.slot[i].next = self.dispatcher.slot[i].val();
        }
        self.finished_kernels.next = self.dispatcher.finished_kernels.val();
        LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);

        GroupPorts::link(&mut self.group_ports, &mut self.dispatcher.group_ports);
        GroupMemoryPorts::link(&mut self.memory_ports, &mut self.dispatcher.memory_ports);
    }
}
