//! `laperm/tb-pri`, `laperm/smx-bind`, `laperm/adaptive-bind`: the whole schedulers.

use super::{
    BoundManagementUnit, Division, LinkedBank, ParentPorts, Place, Placement, PriorityDispatcher,
    QueuePorts, Selection, ShiftingBank,
};
use crate::dtbl::{GroupDispatch, GroupPorts};
use crate::gate::{GateChain, GateKind, GatePorts, SamplePorts};
use crate::kmu::ManagementPorts;
use crate::port::{Launch, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::schedulers::scheduler_modules;

/// What makes one of LaPerm's schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorityScheduler {
    /// SMXs of a queue, and levels.
    pub division: Division,
    /// On-chip entries of each queue, a power of two up to 2,048.
    pub entries: usize,
    /// Whether an SMX with nothing else takes what is bound to another one.
    pub adaptive: bool,
}

impl PriorityScheduler {
    fn selection(&self, gated: bool) -> Selection {
        Selection { adaptive: self.adaptive, gated }
    }

    /// Queues of `smxs` SMXs: one for each cluster.
    fn queues(&self, smxs: usize) -> usize {
        smxs.div_ceil(self.division.cluster)
    }

    fn levels(&self) -> usize {
        self.division.levels as usize
    }
}

/// A whole scheduler over one kind of queue.
macro_rules! priority_scheduler {
    (
        $(#[$meta:meta])*
        $name:ident, $bank:ident
    ) => {
        hdl_module! {
            $(#[$meta])*
            ///
            /// ```text
            ///   launch, device_launch --> [ management_unit ] --offer--> [ dispatcher ] --> dispatch
            ///        record -----------------^                   heads, head ^ | enter
            ///   refill ------------------------------------------> [ queue_bank ] --> spill, fetch_entry
            /// ```
            ///
            /// Ports, latency and storage are those of its children; see `docs/laperm.md`.
            pub struct $name (smxs: usize, limits: Limits, parameters: PriorityScheduler, gates: &[GateKind]) clocked {
                bundles {
                    launch_ports: LaunchPorts,
                    lookup_ports: LookupPorts,
                    sample_ports: SamplePorts = SamplePorts::of(smxs, gates),
                    management_ports: ManagementPorts,
                    group_ports: GroupPorts,
                    parent_ports: ParentPorts = ParentPorts::new(smxs),
                    queue_ports: QueuePorts = QueuePorts::new(smxs),
                }
                inputs {
                    /// A kernel from one of the pools arrives; it stays until `record_taken`.
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
                locals {
                    allowed: Signal<Local, Mask> = Signal::mask(smxs),
                    taken: Signal<Local, Bit>,
                    arrived: Signal<Local, Launch>,
                }
                constants {
                    host_level: Lit<4, 0>,
                    no_kernel: Constant<Launch>,
                    nothing: Constant<GroupDispatch>,
                    host_place: Constant<Place> = Constant::new(Place::none(smxs)),
                }
                children {
                    management: BoundManagementUnit =
                        BoundManagementUnit::new(smxs, parameters.queues(smxs), parameters.levels()),
                    launch_queue: Placement = Placement::new(smxs, parameters.division),
                    dispatcher: PriorityDispatcher = PriorityDispatcher::new(
                        smxs,
                        parameters.queues(smxs),
                        limits,
                        parameters.division,
                        parameters.selection(!gates.is_empty())
                    ),
                    queues: $bank =
                        $bank::new(smxs, parameters.queues(smxs), parameters.entries, parameters.levels()),
                    gates: Optional<GateChain> = GateChain::placed(smxs, gates),
                }
                state {
                    smxs: usize = smxs,
                    queue_count: usize = parameters.queues(smxs),
                    gate_ports: GatePorts = GatePorts::of(smxs, gates),
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                Control::link(&mut self.control, &mut self.management.control);
                Control::link(&mut self.control, &mut self.dispatcher.control);
                Control::link(&mut self.control, &mut self.queues.control);
                self.allowed.next = self.dispatcher.request.val();
                for _is in 0..self.gate_ports.gated {
                    Control::link(&mut self.control, &mut self.gates.control);
                    SamplePorts::link(&mut self.sample_ports, &mut self.gates.sample_ports);
                    self.gates.request.next = self.dispatcher.request.val();
                    self.gates.taken.next = self.gates.allow.val();
                    self.gates.finished.next = self.finished.val();
                    self.allowed.next = self.gates.allow.val();
                }
                self.dispatcher.allow.next = self.allowed.val();
                for _is in 0..self.gate_ports.credits {
                    self.gates.launch.next = self.dispatcher.accepted.val();
                    self.gates.coalesced.next = self.dispatcher.coalesced.val();
                    self.gates.blocks.next = self.group_ports.group.val().blocks;
                    if self.dispatcher.accepted.val().valid {
                        self.gates.blocks.next = self.management.offer.val().blocks;
                    }
                    self.gates.kernel.next = self.dispatcher.candidate.val();
                    self.gates.first.next = self.dispatcher.turn.val();
                }

                // A record enters when there is room for it in its queue; until then the Kernel
                // Management Unit does not see it.
                self.queues.record_place.next = self.parent_ports.record_place.val();
                self.taken.next = self.record.val().valid
                    & !self.queue_ports.refill.val().valid
                    & (self.queues.record_open.val()
                        | (self.parent_ports.record_place.val().level == self.host_level.val()));
                self.queue_ports.record_taken.next = self.taken.val();
                self.arrived.next = self.no_kernel.val();
                self.dispatcher.launch_place.next = self.host_place.val();
                if self.taken.val() {
                    self.arrived.next = self.record.val();
                    self.dispatcher.launch_place.next = self.parent_ports.record_place.val();
                }
                self.management.launch.next = self.launch_ports.launch.val();
                ManagementPorts::link(&mut self.management_ports, &mut self.management.management_ports);
                self.launch_queue.parent.next = self.parent_ports.launch_parent.val();
                self.management.device_place.next = self.launch_queue.place.val();
                self.parent_ports.launch_place.next = self.host_place.val();
                if self.management_ports.device_launch.val() {
                    self.parent_ports.launch_place.next = self.launch_queue.place.val();
                }
                self.management.record.next = self.arrived.val();
                self.management.finished_kernels.next = self.dispatcher.finished_kernels.val();
                self.management.launch_entry.next = self.dispatcher.launch_ports.launch_entry.val();
                self.launch_ports.launch_ready.next = self.management.host_ready.val();
                self.parent_ports.fetch_place.next = self.management.fetch_place.val();

                // The priority queues.
                self.queues.group_place.next = self.dispatcher.group_place.val();
                self.dispatcher.group_open.next = self.queues.group_open.val();
                self.queues.enter.next = self.dispatcher.enter.val();
                self.queues.place.next = self.dispatcher.enter_place.val();
                self.queues.entry.next = self.dispatcher.enter_entry.val();
                self.queues.refill.next = self.queue_ports.refill.val();
                self.queues.step.next = self.dispatcher.step.val();
                self.queues.remove.next = self.dispatcher.remove.val();
                self.dispatcher.heads.next = self.queues.heads.val();
                for i in 0..self.queue_count {
                    self.dispatcher.head[i].next = self.queues.head[i].val();
                }
                self.queue_ports.spill.next = self.queues.spill.val();
                self.queue_ports.fetch_entry.next = self.queues.fetch.val();
                self.queue_ports.refill_taken.next = self.queues.refill_taken.val();

                self.dispatcher.launch_ports.launch.next = self.management.offer.val();
                self.launch_ports.launch_entry.next = self.dispatcher.launch_ports.launch_entry.val();
                self.dispatcher.finished.next = self.finished.val();
                for i in 0..self.smxs {
                    self.dispatcher.finished_slot[i].next = self.finished_slot[i].val();
                    self.dispatch[i].next = self.nothing.val();
                    if self.allowed.val().get_bit(i) {
                        self.dispatch[i].next = self.dispatcher.given.val();
                    }
                    self.slot[i].next = self.dispatcher.slot[i].val();
                }
                self.queue_ports.level.next = self.dispatcher.level.val();
                self.finished_kernels.next = self.dispatcher.finished_kernels.val();
                LookupPorts::link(&mut self.lookup_ports, &mut self.dispatcher.lookup_ports);
                GroupPorts::link(&mut self.group_ports, &mut self.dispatcher.group_ports);
                self.dispatcher.group_parent.next = self.queue_ports.group_parent.val();
            }
        }
    };
}

priority_scheduler!(
    /// LaPerm over queues whose insertion moves entries, for `smxs` SMXs.
    ShiftingScheduler, ShiftingBank
);
priority_scheduler!(
    /// LaPerm over queues of linked lists, for `smxs` SMXs.
    LinkedScheduler, LinkedBank
);

scheduler_modules! { ShiftingScheduler { slots management groups parents queues } }

scheduler_modules! { LinkedScheduler { slots management groups parents queues } }
