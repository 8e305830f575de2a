//! `laperm/tb-pri`, `laperm/smx-bind`, `laperm/adaptive-bind`: the whole schedulers.

use super::{
    BoundManagementUnit, Division, EntryFetch, LinkedBank, Parent, Place, Placement,
    PriorityDispatcher, Refill, Selection, ShiftingBank, Spill,
};
use crate::dtbl::{Command, Group, GroupDispatch, Outcome};
use crate::gate::{GateChain, GateKind, GatePorts};
use crate::port::{Context, Launch, Limits};
use crate::prelude::*;
use crate::prim::Tagged;
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
                inputs {
                    /// The host offers the head of a hardware work queue; accepted when `launch_ready`.
                    launch: Signal<In, Launch>,
                    /// Which queue; valid with `launch`.
                    work_queue: Signal<In, U<5>>,
                    /// A kernel launched by a block joins a pool of pending kernels.
                    device_launch: Signal<In, Bit>,
                    /// Who launches it; valid with `device_launch`.
                    launch_parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
                    /// A suspended kernel joins the pool of suspended kernels.
                    suspend: Signal<In, Bit>,
                    /// A kernel from one of the pools arrives; it stays until `record_taken`.
                    record: Signal<In, Launch>,
                    /// The pool, level 0 for that of suspended kernels; valid with `record`.
                    record_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, Mask> = Signal::mask(smxs),
                    /// Its slot; valid with its bit of `finished`.
                    finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
                    /// An SMX asks for the context of a block of this kernel.
                    lookup: Signal<In, Tagged>,
                    /// The reference of its group, all ones for a kernel's own block; valid with `lookup`.
                    lookup_group: Signal<In, U<32>>,
                    /// A warp's command is offered; accepted when `command_ready`.
                    command: Signal<In, Command>,
                    /// The next group of the command in the allocation stage.
                    group: Signal<In, Group>,
                    /// Who launches it; valid with `group`.
                    group_parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
                    /// A unit comes back from memory; it stays until `refill_taken`.
                    refill: Signal<In, Refill> = Signal::of(Refill::none(smxs)),
                    /// The SMXs' counts are valid in this cycle; there if a gate looks at them.
                    sample: Signal<In, Bit> = GatePorts::of(smxs, gates).sample(),
                    /// Cycles of the period in which no warp could issue, but not for memory; there with `sample`.
                    idle: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
                    /// Cycles in which all warps waited for memory; there with `sample`.
                    memory: Vec<Signal<In, U<12>>> = GatePorts::of(smxs, gates).counts(),
                }
                outputs {
                    /// A host's kernel is accepted if it is offered.
                    launch_ready: Signal<Out, Bit>,
                    /// The entry that a kernel takes in this cycle; valid with `launch_ready` and with
                    /// `record_taken`.
                    launch_entry: Signal<Out, U<5>>,
                    /// One bit for each queue: its head may be offered.
                    inspect: Signal<Out, U<32>>,
                    /// The pool of the kernel of `device_launch`; zero without one.
                    launch_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
                    /// The kernel of `record` enters the Distributor in this cycle.
                    record_taken: Signal<Out, Bit>,
                    /// A record is asked for.
                    fetch_record: Signal<Out, Bit>,
                    /// From the pool of suspended kernels; low when not `fetch_record`.
                    fetch_suspended: Signal<Out, Bit>,
                    /// Its place in the pool; zero when not `fetch_record`.
                    fetch_index: Signal<Out, U<32>>,
                    /// The pool; zero for that of suspended kernels and when not `fetch_record`.
                    fetch_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
                    /// One bit for each entry whose kernel has ended; one cycle long.
                    finished_kernels: Signal<Out, U<32>>,
                    /// Whether `lookup` names an occupied entry.
                    context_valid: Signal<Out, Bit>,
                    /// Its context; zero when not `context_valid`.
                    kernel_context: Signal<Out, Context>,
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: Vec<Signal<Out, GroupDispatch>> = Signal::each(smxs, GroupDispatch::default()),
                    /// The slot that it takes there; valid with its `dispatch`.
                    slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
                    /// Its level; zero without a dispatch.
                    level: Signal<Out, U<4>>,
                    /// The search stage of the coalescer is free.
                    command_ready: Signal<Out, Bit>,
                    /// What becomes of `group`.
                    outcome: Signal<Out, Outcome>,
                    /// A unit is put into memory.
                    spill: Signal<Out, Spill> = Signal::of(Spill::none(smxs)),
                    /// A unit in memory is asked for.
                    fetch_entry: Signal<Out, EntryFetch> = Signal::of(EntryFetch::none(smxs)),
                    /// The unit at `refill` is taken.
                    refill_taken: Signal<Out, Bit>,
                }
                locals {
                    taken: Signal<Local, Bit>,
                    arrived: Signal<Local, Launch>,
                }
                constants {
                    host_level: Lit<4, 0>,
                    no_kernel: Constant<Launch>,
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
                self.dispatcher.allow.next = self.dispatcher.request.val();
                for _is in 0..self.gate_ports.gated {
                    Control::link(&mut self.control, &mut self.gates.control);
                    self.gates.request.next = self.dispatcher.request.val();
                    self.gates.taken.next = self.gates.allow.val();
                    self.gates.finished.next = self.finished.val();
                    self.dispatcher.allow.next = self.gates.allow.val();
                }
                for _is in 0..self.gate_ports.credits {
                    self.gates.launch.next = self.dispatcher.accepted.val();
                    self.gates.coalesced.next = self.dispatcher.coalesced.val();
                    self.gates.blocks.next = self.group.val().blocks;
                    if self.dispatcher.accepted.val().valid {
                        self.gates.blocks.next = self.management.offer.val().blocks;
                    }
                    self.gates.kernel.next = self.dispatcher.candidate.val();
                    self.gates.first.next = self.dispatcher.turn.val();
                }
                for _is in 0..self.gate_ports.samples {
                    self.gates.sample.next = self.sample.val();
                }
                for i in 0..self.gate_ports.sampled {
                    self.gates.idle[i].next = self.idle[i].val();
                    self.gates.memory[i].next = self.memory[i].val();
                }

                // A record enters when there is room for it in its queue; until then the Kernel
                // Management Unit does not see it.
                self.queues.record_place.next = self.record_place.val();
                self.taken.next = self.record.val().valid
                    & !self.refill.val().valid
                    & (self.queues.record_open.val()
                        | (self.record_place.val().level == self.host_level.val()));
                self.record_taken.next = self.taken.val();
                self.arrived.next = self.no_kernel.val();
                self.dispatcher.launch_place.next = self.host_place.val();
                if self.taken.val() {
                    self.arrived.next = self.record.val();
                    self.dispatcher.launch_place.next = self.record_place.val();
                }
                self.management.launch.next = self.launch.val();
                self.management.work_queue.next = self.work_queue.val();
                self.launch_queue.parent.next = self.launch_parent.val();
                self.management.device_launch.next = self.device_launch.val();
                self.management.device_place.next = self.launch_queue.place.val();
                self.launch_place.next = self.host_place.val();
                if self.device_launch.val() {
                    self.launch_place.next = self.launch_queue.place.val();
                }
                self.management.suspend.next = self.suspend.val();
                self.management.record.next = self.arrived.val();
                self.management.finished_kernels.next = self.dispatcher.finished_kernels.val();
                self.management.launch_entry.next = self.dispatcher.launch_entry.val();
                self.launch_ready.next = self.management.host_ready.val();
                self.inspect.next = self.management.inspect.val();
                self.fetch_record.next = self.management.fetch.val();
                self.fetch_suspended.next = self.management.fetch_suspended.val();
                self.fetch_index.next = self.management.fetch_index.val();
                self.fetch_place.next = self.management.fetch_place.val();

                // The priority queues.
                self.queues.group_place.next = self.dispatcher.group_place.val();
                self.dispatcher.group_open.next = self.queues.group_open.val();
                self.queues.enter.next = self.dispatcher.enter.val();
                self.queues.place.next = self.dispatcher.enter_place.val();
                self.queues.entry.next = self.dispatcher.enter_entry.val();
                self.queues.refill.next = self.refill.val();
                self.queues.chosen.next = self.dispatcher.chosen.val();
                self.queues.step.next = self.dispatcher.step.val();
                self.queues.remove.next = self.dispatcher.remove.val();
                self.dispatcher.heads.next = self.queues.heads.val();
                self.dispatcher.head.next = self.queues.head.val();
                self.spill.next = self.queues.spill.val();
                self.fetch_entry.next = self.queues.fetch.val();
                self.refill_taken.next = self.queues.refill_taken.val();

                self.dispatcher.launch.next = self.management.offer.val();
                self.launch_entry.next = self.dispatcher.launch_entry.val();
                self.dispatcher.finished.next = self.finished.val();
                for i in 0..self.smxs {
                    self.dispatcher.finished_slot[i].next = self.finished_slot[i].val();
                    self.dispatch[i].next = self.dispatcher.dispatch[i].val();
                    self.slot[i].next = self.dispatcher.slot[i].val();
                }
                self.level.next = self.dispatcher.level.val();
                self.finished_kernels.next = self.dispatcher.finished_kernels.val();
                self.dispatcher.lookup.next = self.lookup.val();
                self.dispatcher.lookup_group.next = self.lookup_group.val();
                self.context_valid.next = self.dispatcher.context_valid.val();
                self.kernel_context.next = self.dispatcher.kernel_context.val();
                self.dispatcher.command.next = self.command.val();
                self.dispatcher.group.next = self.group.val();
                self.dispatcher.group_parent.next = self.group_parent.val();
                self.command_ready.next = self.dispatcher.command_ready.val();
                self.outcome.next = self.dispatcher.outcome.val();
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
