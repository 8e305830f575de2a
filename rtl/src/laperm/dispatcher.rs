//! The SMX scheduler of LaPerm, with ports for the priority queues and for admission gates.

use super::{Choice, Division, HeadBlock, Parent, Place, Placement, QueueEntry, Selection};
use crate::dispatch::{FcfsControl, KernelEntries, NextBlock, ResourceTable};
use crate::dtbl::{BlockControl, BlockRegister, Coalescer, GroupDispatch, GroupPorts, Outcome};
use crate::port::{step_bits, LaunchPorts, Limits, LookupPorts};
use crate::prelude::*;
use crate::prim::{CounterBank, Tagged};

hdl_module! {
    /// One SMX a cycle, and for it the head of its own queue, of queue 0, or of a backup queue
    /// (LaPerm, section IV). The `queues` priority queues are outside: `heads` and `head` show
    /// them, `enter` fills them. `request` goes out to the gates, `allow` comes back in the same
    /// cycle.
    ///
    /// ```text
    ///   launch ------> [ kernel_entries ] <--probe-- [ coalescer ] <-- command, group
    ///                    ^ head    |  |                 | matched
    ///       [ queue 0: fcfs_control ]  +--> enter <-----+-- [ placement ] <-- group_parent
    ///              | zero                     | priority queues
    ///              v                          v heads, head
    ///          [ choice ] <-------------------+
    ///              v candidate
    ///   [ resource_table ] --> (gates) --> given --> [ block_control ]
    ///   [ units of each kernel ] --> kernels that stay
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` of a host kernel accepted | its first block `given`, if it is its SMX's turn | 1 |
    /// | `heads`, `head` | `given` | 0 |
    /// | `finished` | refill by `given` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    ///
    /// Storage: that of its children.
    pub(super) struct PriorityDispatcher
    (smxs: usize, queues: usize, limits: Limits, division: Division, selection: Selection) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            group_ports: GroupPorts,
        }
        inputs {
            /// Where it belongs; level 0 for queue 0.
            launch_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Its slot; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// Who launches it.
            group_parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
            /// A group could enter its queue.
            group_open: Signal<In, Bit>,
            /// One bit for each queue with a head.
            heads: Signal<In, Mask> = Signal::mask(queues),
            /// The next block of each queue's head; valid with its bit of `heads`.
            head: Vec<Signal<In, HeadBlock>> = Signal::each(queues, HeadBlock::default()),
            /// One bit for each SMX that may receive the candidate's next block; within `request`.
            allow: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// The block that goes to the SMX of `allow`; zero without one.
            given: Signal<Out, GroupDispatch>,
            /// For each SMX, the slot that a block would take there.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
            /// Its level; zero without a dispatch.
            level: Signal<Out, U<4>>,
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// Where `group` belongs.
            group_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
            /// A unit enters a priority queue.
            enter: Signal<Out, Bit>,
            /// Which one; valid with `enter`.
            enter_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
            /// What it is; valid with `enter`.
            enter_entry: Signal<Out, QueueEntry>,
            /// One bit for each queue: the next block of its head is dispatched.
            step: Signal<Out, Mask> = Signal::mask(queues),
            /// One bit for each queue: its head leaves.
            remove: Signal<Out, Mask> = Signal::mask(queues),
            /// The bit of the visited SMX if the candidate fits: the gates decide on it.
            request: Signal<Out, Mask> = Signal::mask(smxs),
            /// The kernel that `request` is about.
            candidate: Signal<Out, U<5>>,
            /// The SMX whose turn it is, for gates.
            turn: Signal<Out, Word> = Signal::optional(selection.gated, Word::id(smxs, 0)),
            /// A kernel is accepted in this cycle, into this entry.
            accepted: Signal<Out, Tagged>,
            /// A group is coalesced to this kernel in this cycle.
            coalesced: Signal<Out, Tagged>,
        }
        locals {
            accept: Signal<Local, Bit>,
            to_zero: Signal<Local, Bit>,
            new_group: Signal<Local, Tagged>,
            reference: Signal<Local, U<32>>,
            queue_block: Signal<Local, BlockRegister>,
            kernel: Signal<Local, U<5>>,
            kernel_valid: Signal<Local, Bit>,
            empty: Signal<Local, Bit>,
            ends: Signal<Local, Bit>,
            room: Signal<Local, Mask> = Signal::mask(smxs),
            some_taken: Signal<Local, Bit>,
            leaves: Signal<Local, Bit>,
            lookup_word: Signal<Local, U<32>>,
            next_block: Signal<Local, BlockRegister>,
            chosen_bit: Signal<Local, Mask> = Signal::mask(queues),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            no_queue: Constant<Mask> = Constant::new(Mask::none(queues)),
            one_queue: Constant<Mask> = Constant::new(Mask::one(queues)),
            nothing: Constant<GroupDispatch>,
            no_group: Constant<U<32>> = Constant::new(U::wrap(u64::MAX)),
            in_memory: Constant<U<32>> = Constant::new(U::new(1 << 31)),
            no_outcome: Constant<Outcome>,
            stays: Constant<Mask> = Constant::new(Mask::none(1)),
            one_unit: Constant<Mask> = Constant::new(Mask::one(1)),
            host_level: Lit<4, 0>,
            none: Constant<Word> = Constant::new(Word::zero(step_bits(smxs))),
            one: Constant<Word> = Constant::new(Word::new(step_bits(smxs), 1)),
        }
        children {
            kernels: KernelEntries = KernelEntries::new(smxs),
            native_order: NextBlock,
            zero: FcfsControl,
            search: Coalescer,
            group_queue: Placement = Placement::new(smxs, division),
            choice: Choice = Choice::new(smxs, queues, division, selection),
            units: CounterBank = CounterBank::new(1, 24, step_bits(smxs)),
            resources: ResourceTable = ResourceTable::new(smxs, limits),
            blocks: BlockControl = BlockControl::new(smxs, limits.slots),
        }
        state {
            smxs: usize = smxs,
            queues: usize = queues,
            gated: usize = selection.gated.into(),
        }
    }
}

impl Logic for PriorityDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.zero.control);
        Control::link(&mut self.control, &mut self.search.control);
        Control::link(&mut self.control, &mut self.choice.control);
        Control::link(&mut self.control, &mut self.units.control);
        Control::link(&mut self.control, &mut self.resources.control);
        Control::link(&mut self.control, &mut self.blocks.control);

        // Kernels that enter: those of the host, and suspended ones, join queue 0.
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.accept.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.accepted.next.valid = self.accept.val();
        self.accepted.next.entry = self.launch_ports.launch_entry.val();
        self.to_zero.next = self.launch_place.val().level == self.host_level.val();
        self.zero.mark.next.valid = self.accept.val() & self.to_zero.val();
        self.zero.mark.next.entry = self.launch_ports.launch_entry.val();

        // Groups: the search for their kernel.
        self.search.command.next = self.group_ports.command.val();
        self.group_ports.command_ready.next = self.search.command_ready.val();
        self.kernels.probe.next = self.search.probe.val();
        self.search.probe_valid.next = self.kernels.probe_valid.val();
        self.search.probe_context.next = self.kernels.probe_context.val();
        self.search.finished_kernels.next = self.kernels.finished_kernels.val();
        self.search.group_valid.next = self.group_ports.group.val().valid;
        self.search.stall.next = self.accept.val() | !self.group_open.val();
        self.group_queue.parent.next = self.group_parent.val();
        self.group_place.next = self.group_queue.place.val();
        self.reference.next =
            bit_cast::<32, 31>(self.group_ports.group.val().pointer) | self.in_memory.val();
        self.new_group.next.valid = self.search.matched.val();
        self.new_group.next.entry = self.search.kernel.val();
        self.coalesced.next = self.new_group.val();
        self.group_ports.outcome.next = self.no_outcome.val();
        if self.search.take.val() {
            self.group_ports.outcome.next.taken = true;
        }
        if self.search.matched.val() {
            self.group_ports.outcome.next.matched = true;
            self.group_ports.outcome.next.kernel = self.search.kernel.val();
            self.group_ports.outcome.next.reference = self.reference.val();
        }

        // What enters a priority queue: a device kernel or a group.
        self.enter.next = (self.accept.val() & !self.to_zero.val()) | self.search.matched.val();
        self.enter_place.next = self.group_queue.place.val();
        self.enter_entry.next.kernel = self.search.kernel.val();
        self.enter_entry.next.group = self.reference.val();
        self.enter_entry.next.grid = self.group_ports.group.val().grid;
        if self.accept.val() {
            self.enter_place.next = self.launch_place.val();
            self.enter_entry.next.kernel = self.launch_ports.launch_entry.val();
            self.enter_entry.next.group = self.no_group.val();
            self.enter_entry.next.grid = self.launch_ports.launch.val().grid;
        }

        // The candidate.
        self.choice.selector_ports.heads.next = self.heads.val();
        self.choice.selector_ports.zero.next = self.zero.head_valid.val();
        for i in 0..self.queues {
            self.choice.head[i].next = self.head[i].val();
        }
        for _is in 0..self.gated {
            self.turn.next = self.choice.selector_ports.turn.val();
        }
        self.queue_block.next = self.choice.chosen_head.val().register;
        self.kernel_valid.next = self.choice.selector_ports.from_queue.val()
            | self.choice.selector_ports.from_zero.val();
        self.kernel.next = self.queue_block.val().kernel;
        if self.choice.selector_ports.from_zero.val() {
            self.kernel.next = self.zero.head.val();
        }
        self.candidate.next = self.kernel.val();
        self.kernels.head_valid.next = self.kernel_valid.val();
        self.kernels.head.next = self.kernel.val();
        self.native_order.at.next = self.kernels.head_block.val();
        self.native_order.grid.next = self.kernels.head_grid.val();
        self.empty.next = self.choice.chosen_head.val().empty;
        self.ends.next = self.choice.chosen_head.val().ends;
        self.next_block.next = self.queue_block.val();
        if self.choice.selector_ports.from_zero.val() {
            self.empty.next = self.native_order.empty.val();
            self.ends.next = self.native_order.ends.val();
            self.next_block.next.kernel = self.kernel.val();
            self.next_block.next.group = self.no_group.val();
            self.next_block.next.block = self.kernels.head_block.val();
        }

        // Whether it goes.
        self.resources.needs.next = self.kernels.head_needs.val();
        self.resources.finished.next = self.finished.val();
        self.room.next = self.nobody.val();
        if self.kernel_valid.val() & !self.empty.val() {
            self.room.next = self.resources.room.val() & self.choice.selector_ports.visited.val();
        }
        self.request.next = self.room.val();
        self.some_taken.next = self.allow.val().any();
        self.choice.selector_ports.asked.next = self.room.val().any();
        self.choice.selector_ports.allowed.next = self.some_taken.val();
        self.resources.take.next = self.allow.val();
        self.blocks.taken.next = self.allow.val();
        self.blocks.block.next = self.next_block.val();
        self.given.next = self.nothing.val();
        if self.some_taken.val() {
            self.given.next.valid = true;
            self.given.next.register = self.next_block.val();
        }
        for i in 0..self.smxs {
            self.slot[i].next = self.blocks.slot[i].val();
        }
        self.level.next = self.host_level.val();
        if self.some_taken.val() & self.choice.selector_ports.from_queue.val() {
            self.level.next = self.choice.chosen_head.val().level;
        }

        // Its next block; it leaves with the last one.
        self.leaves.next = self.kernel_valid.val()
            & (self.empty.val() | (self.some_taken.val() & self.ends.val()));
        self.chosen_bit.next = self.no_queue.val();
        if self.choice.selector_ports.from_queue.val() {
            self.chosen_bit.next = self.one_queue.val() << self.choice.selector_ports.chosen.val();
        }
        self.step.next = self.no_queue.val();
        if self.some_taken.val() {
            self.step.next = self.chosen_bit.val();
        }
        self.remove.next = self.no_queue.val();
        if self.leaves.val() {
            self.remove.next = self.chosen_bit.val();
        }
        self.zero.unmark.next = self.leaves.val() & self.choice.selector_ports.from_zero.val();
        // The kernel's blocks in execution count all of them, its NextBL those of queue 0.
        self.kernels.step.next = self.none.val();
        if self.some_taken.val() {
            self.kernels.step.next = self.one.val();
        }
        self.kernels.after.next = self.kernels.head_block.val();
        if self.choice.selector_ports.from_zero.val() {
            self.kernels.after.next = self.native_order.beyond.val();
        }

        // A kernel stays as long as units of it are somewhere.
        self.units.increase_by.next = self.none.val();
        self.units.increase_entry.next = self.search.kernel.val();
        if self.accept.val() {
            self.units.increase_entry.next = self.launch_ports.launch_entry.val();
        }
        if self.accept.val() | self.search.matched.val() {
            self.units.increase_by.next = self.one.val();
        }
        self.units.decrease.next = self.stays.val();
        if self.leaves.val() {
            self.units.decrease.next = self.one_unit.val();
        }
        self.units.decrease_entry[0].next = self.kernel.val();
        self.kernels.marked.next =
            !self.units.zero.val() | self.search.hold.val() | self.group_ports.keep.val();

        // Blocks that end: whose they are, their control registers know.
        self.blocks.finished.next = self.finished.val();
        self.kernels.finished.next = self.finished.val();
        for i in 0..self.smxs {
            self.blocks.finished_slot[i].next = self.finished_slot[i].val();
            self.kernels.finished_kernel[i].next = self.blocks.finished_kernel[i].val();
            self.resources.freed[i].next = self.kernels.freed[i].val();
        }
        self.finished_kernels.next = self.kernels.finished_kernels.val();

        // The context of a block: of a group, its pointer, where the rest is.
        self.kernels.lookup_ports.lookup.next = self.lookup_ports.lookup.val();
        self.lookup_ports.context_valid.next = self.kernels.lookup_ports.context_valid.val();
        self.lookup_ports.kernel_context.next = self.kernels.lookup_ports.kernel_context.val();
        self.lookup_word.next = self.group_ports.lookup_group.val();
        if self.kernels.lookup_ports.context_valid.val()
            & (self.lookup_word.val() != self.no_group.val())
        {
            self.lookup_ports.kernel_context.next.parameter_address =
                self.lookup_word.val() & !self.in_memory.val();
        }
    }
}
