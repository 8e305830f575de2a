//! The SMX scheduler with aggregated groups, with a port for admission gates.

use super::{
    BlockControl, BlockRegister, Coalescer, EndedBlocks, GroupDispatch, GroupFcfsControl,
    GroupFetch, GroupLists, GroupMemoryPorts, GroupPorts, GroupSequence, GroupState, GroupTable,
    LinkWrite, Outcome,
};
use crate::dispatch::{KernelEntries, NextBlock, ResourceTable, RoundRobin};
use crate::port::{step_bits, InUse, LaunchPorts, Limits, LookupPorts, Needs};
use crate::prelude::*;
use crate::prim::{Bundle, Tagged, TaggedSmx};

hdl_module! {
    /// Native blocks first, then those of the groups that are coalesced to the kernel (DTBL,
    /// section 4.2), one block a cycle. `request` goes out to the gates, `allow` comes back in the
    /// same cycle.
    ///
    /// ```text
    ///   launch ------> [ kernel_entries ] <--probe-- [ coalescer ] <-- command, group
    ///                    ^ head     |                     | coalesce
    ///   [ fcfs_control ]-+          |                [ group_lists ] --link--> [ group_table ], link_write
    ///         ^ mark, unmark        v                     v next
    ///         |              native block          [ group_sequence ] <-- [ group_fetch ] --> fetch_group
    ///         |                     +----------+----------+
    ///         |                                v
    ///         +---- [ resource_table ] --> (gates) --> [ round_robin ] --> dispatch --> [ block_control ]
    ///                    ^ crowded                                                              | finished
    ///                    +-------------- [ ended_blocks ] <-------------------------------------+
    ///                                         +--> served, to the group_table
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `launch` accepted | first `dispatch` | 1 |
    /// | group coalesced | its first `dispatch`, nothing before it | 1 |
    /// | last block of a group | first one of the next group, on chip or arrived | 1 |
    /// | group left in memory, nothing of its ring to ask for before it | `fetch_group` | 1 |
    /// | `fetched` of the next group | its first `dispatch` | 1 |
    /// | `finished` | refill by `dispatch` | 0 |
    /// | last `finished` | `finished_kernels` | 1 |
    /// | last `finished` of a group, nothing else to count | its entry is free | 3 |
    ///
    /// Storage: that of its children.
    pub struct GroupDispatcher (smxs: usize, limits: Limits, table: usize, ahead: usize) clocked {
        bundles {
            launch_ports: LaunchPorts,
            lookup_ports: LookupPorts,
            group_ports: GroupPorts,
            memory_ports: GroupMemoryPorts,
        }
        inputs {
            /// One bit for each SMX: a block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// Its slot; valid with its bit of `finished`.
            finished_slot: Vec<Signal<In, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each SMX that may receive the head's next block; within `request`.
            allow: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// For each SMX, the block that it receives in this cycle.
            dispatch: Vec<Signal<Out, GroupDispatch>> = Signal::each(smxs, GroupDispatch::default()),
            /// The slot that it takes there; valid with its `dispatch`.
            slot: Vec<Signal<Out, U<5>>> = Signal::each(smxs, U::new(0)),
            /// One bit for each entry whose kernel has ended; one cycle long.
            finished_kernels: Signal<Out, U<32>>,
            /// One bit for each SMX with room for the head's next block: the gates decide on these.
            request: Signal<Out, Mask> = Signal::mask(smxs),
            /// The kernel that `request` is about.
            head: Signal<Out, U<5>>,
            /// The SMX whose turn it is.
            first: Signal<Out, Word> = Signal::id(smxs),
            /// One bit for each SMX that receives a block in this cycle.
            taken: Signal<Out, Mask> = Signal::mask(smxs),
            /// A kernel is accepted in this cycle, into this entry.
            accepted: Signal<Out, Tagged>,
            /// A group is coalesced to this kernel in this cycle.
            coalesced: Signal<Out, Tagged>,
            /// What each of the head's blocks takes, in a dispatcher [`Self::with_free`]; valid
            /// with `request`.
            head_needs: Signal<Out, Needs> = Signal::optional(false, Needs::default()),
            /// What no block holds on each SMX, in a dispatcher [`Self::with_free`].
            free: Vec<Signal<Out, InUse>> = Vec::new(),
        }
        locals {
            accept: Signal<Local, Bit>,
            native: Signal<Local, Bit>,
            ready: Signal<Local, Bit>,
            some_taken: Signal<Local, Bit>,
            native_end: Signal<Local, Bit>,
            group_step: Signal<Local, Bit>,
            group_end: Signal<Local, Bit>,
            new_group: Signal<Local, Tagged>,
            reference: Signal<Local, U<32>>,
            again: Signal<Local, Bit>,
            target: Signal<Local, U<32>>,
            lookup_word: Signal<Local, U<32>>,
            link_target: Signal<Local, U<32>>,
            next_block: Signal<Local, BlockRegister>,
            offer: Signal<Local, GroupDispatch>,
            ended_group: Vec<Signal<Local, U<32>>> = Signal::each(smxs, U::new(0)),
        }
        constants {
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            nothing: Constant<GroupDispatch>,
            no_group: Constant<U<32>> = Constant::new(U::wrap(u64::MAX)),
            in_memory: Constant<U<32>> = Constant::new(U::new(1 << 31)),
            no_link: Constant<LinkWrite>,
            no_outcome: Constant<Outcome>,
            none: Constant<Word> = Constant::new(Word::zero(step_bits(smxs))),
            one: Constant<Word> = Constant::new(Word::new(step_bits(smxs), 1)),
            bit_zero: Lit<32, 1>,
        }
        children {
            kernels: KernelEntries = KernelEntries::new(smxs),
            native_order: NextBlock,
            fcfs: GroupFcfsControl,
            search: Coalescer,
            lists: GroupLists,
            groups: GroupTable = GroupTable::new(table),
            memory: GroupFetch = GroupFetch::new(ahead),
            group_order: GroupSequence,
            resources: ResourceTable = ResourceTable::new(smxs, limits),
            placement: RoundRobin = RoundRobin::new(smxs),
            blocks: BlockControl = BlockControl::new(smxs, limits.slots),
            ended: EndedBlocks = EndedBlocks::new(smxs, limits.slots),
            on_chip: Bundle<Mask> = Bundle::of(smxs),
        }
        state { smxs: usize = smxs, shows: usize = 0 }
    }
}

impl GroupDispatcher {
    /// With the ports `head_needs` and `free`.
    pub fn with_free(smxs: usize, limits: Limits, table: usize, ahead: usize) -> Self {
        Self {
            head_needs: Signal::of(Needs::default()),
            free: Signal::each(smxs, InUse::default()),
            resources: ResourceTable::with_free(smxs, limits),
            shows: 1,
            ..Self::new(smxs, limits, table, ahead)
        }
    }
}

impl GroupState for GroupDispatcher {
    fn occupied(&self, kernel: usize) -> bool {
        self.kernels.is_occupied(kernel)
    }
    fn marked(&self, kernel: usize) -> bool {
        self.fcfs.is_marked(kernel)
    }
    fn nagei(&self, kernel: usize) -> u32 {
        self.lists.ends(kernel).0
    }
    fn lagei(&self, kernel: usize) -> u32 {
        self.lists.ends(kernel).1
    }
    fn table(&self) -> usize {
        self.groups.size()
    }
    fn used(&self, index: usize) -> bool {
        self.groups.is_used(index)
    }
    fn next(&self, index: usize) -> u32 {
        self.groups.next_of(index)
    }
    fn held(&self) -> usize {
        self.memory.held().count()
    }
    fn held_next(&self, place: usize) -> Option<u32> {
        self.memory.held().next_of(place)
    }
}

impl Logic for GroupDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.kernels.control);
        Control::link(&mut self.control, &mut self.fcfs.control);
        Control::link(&mut self.control, &mut self.search.control);
        Control::link(&mut self.control, &mut self.lists.control);
        Control::link(&mut self.control, &mut self.groups.control);
        Control::link(&mut self.control, &mut self.group_order.control);
        Control::link(&mut self.control, &mut self.memory.control);
        Control::link(&mut self.control, &mut self.resources.control);
        Control::link(&mut self.control, &mut self.placement.control);
        Control::link(&mut self.control, &mut self.blocks.control);
        Control::link(&mut self.control, &mut self.ended.control);

        // Kernels that enter.
        LaunchPorts::link(&mut self.launch_ports, &mut self.kernels.launch_ports);
        self.accept.next =
            self.launch_ports.launch.val().valid & self.launch_ports.launch_ready.val();
        self.accepted.next.valid = self.accept.val();
        self.accepted.next.entry = self.launch_ports.launch_entry.val();
        self.lists.enter.next.valid = self.accept.val();
        self.lists.enter.next.entry = self.launch_ports.launch_entry.val();

        // Groups: the search, and where the information is kept.
        self.search.command.next = self.group_ports.command.val();
        self.group_ports.command_ready.next = self.search.command_ready.val();
        self.kernels.probe.next = self.search.probe.val();
        self.search.probe_valid.next = self.kernels.probe_valid.val();
        self.search.probe_context.next = self.kernels.probe_context.val();
        self.search.finished_kernels.next = self.kernels.finished_kernels.val();
        self.search.group_valid.next = self.group_ports.group.val().valid;
        self.search.stall.next = self.accept.val();
        self.groups.hardware_thread.next = self.group_ports.group.val().hardware_thread;
        self.groups.allocate.next = self.search.matched.val() & self.groups.free.val();
        self.groups.grid.next = self.group_ports.group.val().grid;
        self.groups.parameter_address.next = self.group_ports.group.val().parameter_address;
        self.reference.next =
            bit_cast::<32, 31>(self.group_ports.group.val().pointer) | self.in_memory.val();
        if self.groups.free.val() {
            self.reference.next = bit_cast::<32, 11>(self.groups.index.val());
        }
        self.new_group.next.valid = self.search.matched.val();
        self.new_group.next.entry = self.search.kernel.val();
        self.coalesced.next = self.new_group.val();
        self.lists.coalesce.next = self.new_group.val();
        self.lists.group_reference.next = self.reference.val();
        self.group_ports.outcome.next = self.no_outcome.val();
        if self.search.take.val() {
            self.group_ports.outcome.next.taken = true;
        }
        if self.search.matched.val() {
            self.group_ports.outcome.next.matched = true;
            self.group_ports.outcome.next.kernel = self.search.kernel.val();
            self.group_ports.outcome.next.reference = self.reference.val();
        }
        self.link_target.next = self.lists.link_to.val();
        self.groups.link.next = self.lists.link.val() & !self.link_target.val().get_bit(31);
        self.groups.link_index.next = self.link_target.val().get_bits::<11>(0);
        self.groups.link_next.next = self.reference.val();
        self.memory_ports.link_write.next = self.no_link.val();
        if self.lists.link.val() & self.link_target.val().get_bit(31) {
            self.memory_ports.link_write.next.valid = true;
            self.memory_ports.link_write.next.pointer = self.link_target.val().get_bits::<31>(0);
            self.memory_ports.link_write.next.after = self.reference.val();
        }

        // Groups in memory.
        self.memory.overflow.next.valid = self.search.matched.val() & !self.groups.free.val();
        self.memory.overflow.next.entry = self.search.kernel.val();
        self.memory.head_valid.next = self.fcfs.head_valid.val();
        self.memory.head.next = self.fcfs.head.val();
        self.memory.link.next.valid = self.lists.link.val() & self.link_target.val().get_bit(31);
        self.memory.link.next.entry = self.search.kernel.val();
        self.memory.link_next.next = self.reference.val();
        self.memory.fetched.next = self.memory_ports.fetched.val();
        self.memory_ports.fetch_group.next = self.memory.fetch.val();

        // The head: native blocks, then groups.
        self.head.next = self.fcfs.head.val();
        self.native.next = self.fcfs.head_valid.val() & self.fcfs.head_first.val();
        self.kernels.head_valid.next = self.fcfs.head_valid.val();
        self.kernels.head.next = self.fcfs.head.val();
        self.kernels.marked.next =
            self.fcfs.marked.val() | self.search.hold.val() | self.group_ports.keep.val();
        self.native_order.at.next = self.kernels.head_block.val();
        self.native_order.grid.next = self.kernels.head_grid.val();
        self.lists.head_valid.next = self.fcfs.head_valid.val();
        self.lists.head.next = self.fcfs.head.val();
        self.lists.next_head.next = self.fcfs.next_head.val();
        self.group_order.distributing.next =
            self.fcfs.head_valid.val() & !self.fcfs.head_first.val();
        self.group_order.group_reference.next = self.lists.next_group.val();
        self.groups.next_current.next = self.lists.coming.val().get_bits::<11>(0);
        self.group_order.on_chip_grid.next = self.groups.current_grid.val();
        self.group_order.on_chip_next.next = self.groups.current_next.val();
        self.group_order.known.next = self.memory.known.val();
        self.group_order.memory_grid.next = self.memory.extent.val();
        self.group_order.memory_next.next = self.memory.after.val();
        self.ready.next = self.group_order.ready.val();
        if self.native.val() {
            self.ready.next = !self.native_order.empty.val();
        }

        // The SMXs that have room, and the one that is served.
        self.resources.needs.next = self.kernels.head_needs.val();
        self.resources.finished.next = self.finished.val();
        for _is in 0..self.shows {
            self.head_needs.next = self.kernels.head_needs.val();
            for i in 0..self.smxs {
                self.free[i].next = self.resources.free[i].val();
            }
        }
        self.request.next = self.nobody.val();
        if self.ready.val() {
            self.request.next = self.resources.room.val() & !self.ended.crowded.val();
        }
        self.placement.restart.next = self.no_restart.val();
        self.placement.request.next = self.allow.val();
        self.first.next = self.placement.first.val();
        self.taken.next = self.placement.grant.val();
        self.resources.take.next = self.placement.grant.val();
        self.some_taken.next = self.placement.grant.val().any();
        self.next_block.next.kernel = self.fcfs.head.val();
        self.next_block.next.group = self.lists.next_group.val();
        self.next_block.next.block = self.group_order.at.val();
        if self.native.val() {
            self.next_block.next.group = self.no_group.val();
            self.next_block.next.block = self.kernels.head_block.val();
        }
        self.blocks.taken.next = self.placement.grant.val();
        self.blocks.block.next = self.next_block.val();
        self.offer.next.valid = true;
        self.offer.next.register = self.next_block.val();
        for i in 0..self.smxs {
            self.dispatch[i].next = self.nothing.val();
            if self.placement.grant.val().get_bit(i) {
                self.dispatch[i].next = self.offer.val();
            }
            self.slot[i].next = self.blocks.slot[i].val();
        }

        // What is over: the native blocks, a group, the head's turn.
        self.native_end.next = self.native.val()
            & (self.native_order.empty.val()
                | (self.some_taken.val() & self.native_order.ends.val()));
        self.group_step.next = self.some_taken.val() & !self.native.val();
        self.group_end.next = self.group_step.val() & self.group_order.ends.val();
        self.kernels.step.next = self.none.val();
        if self.some_taken.val() {
            self.kernels.step.next = self.one.val();
        }
        self.kernels.after.next = self.kernels.head_block.val();
        if self.native.val() {
            self.kernels.after.next = self.native_order.beyond.val();
        }
        self.group_order.step.next = self.group_step.val();
        self.group_order.done.next = self.group_end.val();
        self.memory.done.next = self.group_end.val() & self.lists.next_group.val().get_bit(31);
        self.groups.dispatched.next =
            self.group_step.val() & !self.lists.next_group.val().get_bit(31);
        self.groups.last.next = self.group_end.val();
        self.lists.advance.next = self.group_end.val();
        self.lists.advance_next.next = self.group_order.after.val();
        self.fcfs.native_done.next = self.native_end.val();
        self.fcfs.unmark.next =
            (self.native_end.val() | self.group_end.val()) & !self.lists.waiting.val();

        // Marks: a kernel that enters, or one whose blocks had all been distributed.
        self.target.next = self.bit_zero.val() << self.search.kernel.val();
        self.again.next =
            self.search.matched.val() & !(self.fcfs.marked.val() & self.target.val()).any();
        self.fcfs.again.next = self.again.val();
        self.fcfs.mark.next.valid = self.accept.val() | self.again.val();
        self.fcfs.mark.next.entry = self.search.kernel.val();
        if self.accept.val() {
            self.fcfs.mark.next.entry = self.launch_ports.launch_entry.val();
        }

        // Blocks that end: whose they are, their control registers know.
        self.blocks.finished.next = self.finished.val();
        self.kernels.finished.next = self.finished.val();
        self.ended.ended.next = self.on_chip.word.val();
        self.groups.served.next = self.ended.served.val();
        for i in 0..self.smxs {
            self.blocks.finished_slot[i].next = self.finished_slot[i].val();
            self.kernels.finished_kernel[i].next = self.blocks.finished_kernel[i].val();
            self.resources.freed[i].next = self.kernels.freed[i].val();
            self.ended_group[i].next = self.blocks.ended_group[i].val();
            self.on_chip.bits[i].next =
                self.blocks.ended.val().get_bit(i) & !self.ended_group[i].val().get_bit(31);
            self.ended.ended_index[i].next = self.ended_group[i].val().get_bits::<11>(0);
        }
        self.finished_kernels.next = self.kernels.finished_kernels.val();

        // The context of a block: its group's parameters where it has one.
        self.kernels.lookup_ports.lookup.next = self.lookup_ports.lookup.val();
        self.lookup_ports.context_valid.next = self.kernels.lookup_ports.context_valid.val();
        self.lookup_ports.kernel_context.next = self.kernels.lookup_ports.kernel_context.val();
        self.lookup_word.next = self.group_ports.lookup_group.val();
        self.groups.lookup_index.next = self.lookup_word.val().get_bits::<11>(0);
        if self.kernels.lookup_ports.context_valid.val()
            & (self.lookup_word.val() != self.no_group.val())
        {
            self.lookup_ports.kernel_context.next.parameter_address =
                self.groups.lookup_parameter.val();
            if self.lookup_word.val().get_bit(31) {
                self.lookup_ports.kernel_context.next.parameter_address =
                    self.lookup_word.val() & !self.in_memory.val();
            }
        }
    }
}
