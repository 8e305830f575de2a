//! `laperm/tb-pri`, `laperm/smx-bind`, `laperm/adaptive-bind`: the whole schedulers.

use super::{
    BoundManagementUnit, Division, EntryFetch, LinkedBank, Parent, Place, Placement,
    PriorityDispatcher, Refill, Selection, ShiftingBank, Spill,
};
use crate::claso::{Gate, Levels};
use crate::control::Control;
use crate::dispatch::{Context, Launch, Limits, OpenGate};
use crate::dtbl::{Command, Group, GroupDispatch, Outcome};
use crate::hdl_module;
use crate::prim::Tagged;
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

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

    fn levels(&self) -> usize {
        self.division.levels as usize
    }
}

/// A whole scheduler over one kind of queue and one kind of gate.
macro_rules! priority_scheduler {
    (
        $(#[$meta:meta])*
        $name:ident, $bank:ident, $gate:ident($($levels:ident: $levels_type:ty)?), gated: $gated:literal
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
            pub struct $name [const N: usize, const C: usize] [N, C]
            (limits: Limits, parameters: PriorityScheduler $(, $levels: $levels_type)?) clocked {
                inputs {
                    /// The host offers the head of a hardware work queue; accepted when `launch_ready`.
                    launch: Signal<In, Launch>,
                    /// Which queue; valid with `launch`.
                    work_queue: Signal<In, U<5>>,
                    /// A kernel launched by a block joins a pool of pending kernels.
                    device_launch: Signal<In, Bit>,
                    /// Who launches it; valid with `device_launch`.
                    launch_parent: Signal<In, Parent>,
                    /// A suspended kernel joins the pool of suspended kernels.
                    suspend: Signal<In, Bit>,
                    /// A kernel from one of the pools arrives; it stays until `record_taken`.
                    record: Signal<In, Launch>,
                    /// The pool, level 0 for that of suspended kernels; valid with `record`.
                    record_place: Signal<In, Place>,
                    /// One bit for each SMX: a block ends there in this cycle.
                    finished: Signal<In, U<N>>,
                    /// Its slot; valid with its bit of `finished`.
                    finished_slot: [Signal<In, U<5>>; N],
                    /// An SMX asks for the context of a block of this kernel.
                    lookup: Signal<In, Tagged>,
                    /// The reference of its group, all ones for a kernel's own block; valid with `lookup`.
                    lookup_group: Signal<In, U<32>>,
                    /// A warp's command is offered; accepted when `command_ready`.
                    command: Signal<In, Command>,
                    /// The next group of the command in the allocation stage.
                    group: Signal<In, Group>,
                    /// Who launches it; valid with `group`.
                    group_parent: Signal<In, Parent>,
                    /// A unit comes back from memory; it stays until `refill_taken`.
                    refill: Signal<In, Refill>,
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
                    launch_place: Signal<Out, Place>,
                    /// The kernel of `record` enters the Distributor in this cycle.
                    record_taken: Signal<Out, Bit>,
                    /// A record is asked for.
                    fetch_record: Signal<Out, Bit>,
                    /// From the pool of suspended kernels; low when not `fetch_record`.
                    fetch_suspended: Signal<Out, Bit>,
                    /// Its place in the pool; zero when not `fetch_record`.
                    fetch_index: Signal<Out, U<32>>,
                    /// The pool; zero for that of suspended kernels and when not `fetch_record`.
                    fetch_place: Signal<Out, Place>,
                    /// One bit for each entry whose kernel has ended; one cycle long.
                    finished_kernels: Signal<Out, U<32>>,
                    /// Whether `lookup` names an occupied entry.
                    context_valid: Signal<Out, Bit>,
                    /// Its context; zero when not `context_valid`.
                    kernel_context: Signal<Out, Context>,
                    /// For each SMX, the block that it receives in this cycle.
                    dispatch: [Signal<Out, GroupDispatch>; N],
                    /// The slot that it takes there; valid with its `dispatch`.
                    slot: [Signal<Out, U<5>>; N],
                    /// Its level; zero without a dispatch.
                    level: Signal<Out, U<4>>,
                    /// The search stage of the coalescer is free.
                    command_ready: Signal<Out, Bit>,
                    /// What becomes of `group`.
                    outcome: Signal<Out, Outcome>,
                    /// A unit is put into memory.
                    spill: Signal<Out, Spill>,
                    /// A unit in memory is asked for.
                    fetch_entry: Signal<Out, EntryFetch>,
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
                    host_place: Constant<Place>,
                }
                children {
                    management: BoundManagementUnit<C> =
                        BoundManagementUnit::new(parameters.levels()),
                    launch_queue: Placement<N> = Placement::new(parameters.division),
                    dispatcher: PriorityDispatcher<N, C> = PriorityDispatcher::new(
                        limits,
                        parameters.division,
                        parameters.selection($gated)
                    ),
                    queues: $bank<C> = $bank::new(parameters.entries, parameters.levels()),
                    gate: $gate<N> = $gate::new($($levels)?),
                }
            }
        }

        impl<const N: usize, const C: usize> Logic for $name<N, C> {
            #[hdl_gen]
            fn update(&mut self) {
                Control::link(&mut self.control, &mut self.management.control);
                Control::link(&mut self.control, &mut self.dispatcher.control);
                Control::link(&mut self.control, &mut self.queues.control);
                Control::link(&mut self.control, &mut self.gate.control);
                self.gate.launch.next = self.dispatcher.accepted.val();
                self.gate.coalesced.next = self.dispatcher.coalesced.val();
                self.gate.blocks.next = self.group.val().blocks;
                if self.dispatcher.accepted.val().valid {
                    self.gate.blocks.next = self.management.offer.val().blocks;
                }
                self.gate.kernel.next = self.dispatcher.candidate.val();
                self.gate.request.next = self.dispatcher.request.val();
                self.gate.first.next = self.dispatcher.turn.val();
                self.gate.taken.next = self.gate.allow.val();
                self.dispatcher.allow.next = self.gate.allow.val();

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
                for i in 0..N {
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
    /// LaPerm over queues whose insertion moves entries, for `N` SMXs and `C` queues.
    ShiftingScheduler, ShiftingBank, OpenGate(), gated: false
);
priority_scheduler!(
    /// LaPerm over queues of linked lists, for `N` SMXs and `C` queues.
    LinkedScheduler, LinkedBank, OpenGate(), gated: false
);
priority_scheduler!(
    /// LaPerm over queues whose insertion moves entries, with CLASO, for `N` SMXs and `C` queues.
    ShiftingClasoScheduler, ShiftingBank, Gate(levels: Levels), gated: true
);
priority_scheduler!(
    /// LaPerm over queues of linked lists, with CLASO, for `N` SMXs and `C` queues.
    LinkedClasoScheduler, LinkedBank, Gate(levels: Levels), gated: true
);
