//! One cycle of a dispatcher: which block goes where, and what becomes of a group.

use super::super::super::admission::GateEvents;
use super::super::super::dispatch::{
    BlockSequence, BlockSequenceInputs, KernelEntriesInputs, KernelEntriesOutputs,
    ResourceTableInputs, RoundRobinInputs,
};
use super::super::super::SmxMask;
use super::super::cover;
use super::super::{
    BlockControlInputs, CoalescerInputs, EndedBlocksInputs, FcfsControlInputs, GroupFetchInputs,
    GroupListsInputs, GroupSequenceInputs, GroupTableInputs,
};
use super::Dispatcher;
use crate::cover::when;
use crate::most_room::RoomInputs;
use crate::port::{
    Activity, DeviceOutputs, Dispatch, GroupOutcome, GroupReference, Inputs, KernelContext,
    KernelEntry, LinkWrite, Outputs,
};

impl Dispatcher {
    /// Decides on `outputs` and stores what the clock edge stores.
    pub(super) fn one_cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        outputs.clear(inputs, self.smx);
        outputs.device = DeviceOutputs::default();
        if inputs.reset {
            return self.reset();
        }
        let device = &inputs.device;

        // The blocks that end: their slots say what they belong to.
        let mut control_inputs = BlockControlInputs::default();
        for (smx, finished) in inputs.finished.iter().enumerate() {
            control_inputs.finished.set(smx, finished.is_some());
        }
        control_inputs.finished_slot = inputs.finished_slots.iter().copied().collect();
        let control = self.block_control.evaluate(&control_inputs);

        // The head, and the entry that a command is compared with.
        let fcfs = self.fcfs_control.evaluate(&FcfsControlInputs::default());
        let mut coalescer_inputs =
            CoalescerInputs { command: device.groups.command, ..CoalescerInputs::default() };
        coalescer_inputs.group_valid = device.groups.group.is_some();
        let search = self.coalescer.evaluate(&coalescer_inputs);
        let mut entries_inputs = KernelEntriesInputs {
            launch: inputs.launch,
            head: fcfs.head,
            marked: fcfs.marked | search.hold | device.groups.keep,
            finished: control.finished_kernel,
            lookup: inputs.lookup,
            probe: search.probe,
            ..Default::default()
        };
        let entries = self.kernel_entries.evaluate(&entries_inputs);
        let entered = inputs.launch.as_ref().zip(entries.launch_ready);
        let enter = entered.map(|(_, entry)| entry);

        // The next block: a native one, or one of the group at the head's NAGEI.
        let native = fcfs.head_first;
        let mut list_inputs = GroupListsInputs { enter, head: fcfs.head, ..Default::default() };
        let reference = self.group_lists.evaluate(&list_inputs).next;
        let mut table_inputs = GroupTableInputs {
            hardware_thread: device.groups.group.map_or(0, |group| group.hardware_thread),
            lookup_index: device.groups.lookup_group.and_then(GroupReference::index).unwrap_or(0),
            ..Default::default()
        };
        let table = self.group_table.evaluate(&table_inputs);
        let mut fetch_inputs = GroupFetchInputs {
            head: fcfs.head,
            fetched: device.group_memory.fetched,
            ..Default::default()
        };
        let fetch = self.group_fetch.evaluate(&fetch_inputs);
        let mut sequence_inputs = GroupSequenceInputs {
            distributing: fcfs.head.is_some() && !native,
            reference,
            on_chip_grid: table.current_grid,
            on_chip_next: table.current_next,
            in_memory: fetch.oldest,
            ..Default::default()
        };
        let sequence = self.group_sequence.evaluate(&sequence_inputs);
        let (at, grid) = if native {
            (entries.head_block, entries.head_grid)
        } else {
            (sequence.at, sequence.grid)
        };
        let there = BlockSequence::new(1).evaluate(&BlockSequenceInputs { at, grid });
        let empty = native && there.empty;
        let candidate = if native { !empty } else { sequence.ready };

        // Where it fits, and where few enough blocks wait to be counted; where the gates let it go.
        let mut resource_inputs = ResourceTableInputs {
            needs: entries.head_needs,
            finished: control_inputs.finished,
            freed: entries.freed.clone(),
            ..Default::default()
        };
        let mut request = self.resource_table.evaluate(&resource_inputs).room;
        if !candidate {
            request = SmxMask::ZERO;
        }
        // What ended in the cycle before, and waits to be counted.
        let mut ended_inputs = EndedBlocksInputs::default();
        for smx in control.ended.iter_ones() {
            if let Some(index) = control.ended_group[smx].and_then(GroupReference::index) {
                ended_inputs.ended.set(smx, true);
                ended_inputs.ended_index[smx] = index;
            }
        }
        let ended = self.ended_blocks.evaluate(&ended_inputs);
        when((request & ended.crowded).any(), &cover::CROWDED);
        request = request - ended.crowded;
        let head = fcfs.head.unwrap_or_default();
        let first = self.round_robin.evaluate(&RoundRobinInputs::default()).first;
        let mut request = self.gates.allow(head, request, first, control_inputs.finished);
        if let Some(room) = &self.room {
            let free = self.resource_table.free(&resource_inputs);
            request = room.evaluate(&RoomInputs { request, needs: entries.head_needs, free }).most;
        }

        // Who gets it.
        let round_inputs = RoundRobinInputs { request, ..Default::default() };
        let grant = self.round_robin.evaluate(&round_inputs).grant;
        let step = grant.any();
        let last = step && there.beyond.is_none();
        let group = if native { None } else { reference };
        for smx in grant.iter_ones() {
            let slot = control.slot[smx].unwrap_or(0);
            outputs.dispatch[smx] = Some(Dispatch { kernel: head, block: at, group, slot });
        }

        // What becomes of a group.
        coalescer_inputs.probe = entries.probe;
        coalescer_inputs.finished_kernels = entries.finished_kernels;
        coalescer_inputs.stall = enter.is_some();
        let coalescer = self.coalescer.evaluate(&coalescer_inputs);
        let taken = device.groups.group.filter(|_| coalescer.take);
        let coalesced = taken.zip(coalescer.kernel);
        let coalesced_to = |pointer| match table.free {
            true => GroupReference::on_chip(table.index),
            false => GroupReference::in_memory(pointer),
        };
        list_inputs.coalesce = coalescer.kernel;
        list_inputs.reference = coalesced.map(|(group, _)| coalesced_to(group.pointer));
        list_inputs.advance = !native && last;
        list_inputs.advance_next = sequence.after;
        let lists = self.group_lists.evaluate(&list_inputs);
        let native_done = native && (empty || last);
        let unmark = (native_done || list_inputs.advance) && !lists.waiting;

        outputs.launch_ready = entries.launch_ready;
        outputs.finished_kernels = entries.finished_kernels;
        outputs.context = self.context(inputs, &entries, table.lookup_parameter);
        outputs.device.groups.command_ready = coalescer.command_ready;
        outputs.device.group_memory.fetch_group = fetch.fetch;
        outputs.device.groups.group_taken =
            taken.map(|_| match (coalescer.kernel, list_inputs.reference) {
                (Some(kernel), Some(reference)) => GroupOutcome::Coalesced { kernel, reference },
                _ => GroupOutcome::NoEligibleKernel,
            });
        let link_write = lists.link.and_then(GroupReference::pointer).zip(list_inputs.reference);
        outputs.device.group_memory.link_write =
            link_write.map(|(pointer, next)| LinkWrite { pointer, next });

        if coalesced.is_some() {
            when(table.free, &cover::ON_CHIP);
            when(!table.free, &cover::IN_MEMORY);
            when(lists.link.is_some_and(|to| to.index().is_some()), &cover::LINK_ON_CHIP);
            when(link_write.is_some(), &cover::LINK_IN_MEMORY);
            when(coalescer.kernel == fcfs.head && last, &cover::LAST_BLOCK);
        }

        // The clock edge.
        let again = coalescer.kernel.filter(|kernel| fcfs.marked >> kernel.index() & 1 == 0);
        when(again.is_some(), &cover::MARKED_AGAIN);
        when(coalesced.is_some() && again.is_none(), &cover::MARKED);
        let fcfs_inputs = FcfsControlInputs {
            mark: enter.or(again),
            again: again.is_some(),
            unmark,
            native_done,
            ..Default::default()
        };
        list_inputs.next_head =
            self.fcfs_control.evaluate(&fcfs_inputs).next_head.unwrap_or_default();
        let coming = self.group_lists.evaluate(&list_inputs).coming;
        entries_inputs.step = u32::from(step);
        entries_inputs.after =
            if native { there.beyond.unwrap_or_default() } else { entries.head_block };
        if let Some((group, _)) = coalesced {
            table_inputs.allocate = table.free;
            table_inputs.grid = group.grid;
            table_inputs.parameter_address = group.parameter_address;
        }
        if let Some(index) = lists.link.and_then(GroupReference::index) {
            table_inputs.link = true;
            table_inputs.link_index = index;
            table_inputs.link_next = list_inputs.reference;
        }
        table_inputs.next_current = coming.and_then(GroupReference::index).unwrap_or(0);
        table_inputs.dispatched = step && group.is_some_and(|group| group.index().is_some());
        table_inputs.last = last;
        table_inputs.served = ended.served;
        let left = |(_, kernel): (_, KernelEntry)| (!table.free).then_some(kernel);
        fetch_inputs.left = coalesced.and_then(left);
        fetch_inputs.link = coalescer.kernel.zip(link_write.map(|(_, next)| next));
        fetch_inputs.done = !native && last && group.is_some_and(|group| group.pointer().is_some());
        sequence_inputs.step = !native && step;
        sequence_inputs.done = !native && last;
        control_inputs.taken = grant;
        (control_inputs.kernel, control_inputs.group, control_inputs.block) = (head, group, at);
        resource_inputs.take = grant;

        let events = GateEvents {
            taken: (head, grant),
            entered,
            coalesced: coalesced.map(|(group, kernel)| (kernel, group.blocks)),
            finished: control_inputs.finished,
            samples: inputs.samples.as_deref(),
        };
        Activity::any([
            self.kernel_entries.clock(&entries_inputs),
            self.fcfs_control.clock(&fcfs_inputs),
            self.coalescer.clock(&coalescer_inputs),
            self.group_table.clock(&table_inputs),
            self.ended_blocks.clock(&ended_inputs),
            self.group_lists.clock(&list_inputs),
            self.group_fetch.clock(&fetch_inputs),
            self.group_sequence.clock(&sequence_inputs),
            self.block_control.clock(&control_inputs),
            self.resource_table.clock(&resource_inputs),
            self.round_robin.clock(&round_inputs),
            self.gates.clock(&events),
        ])
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        Activity::any([
            self.kernel_entries.clock(&KernelEntriesInputs { reset, ..Default::default() }),
            self.fcfs_control.clock(&FcfsControlInputs { reset, ..Default::default() }),
            self.coalescer.clock(&CoalescerInputs { reset, ..Default::default() }),
            self.group_table.clock(&GroupTableInputs { reset, ..Default::default() }),
            self.ended_blocks.clock(&EndedBlocksInputs { reset, ..Default::default() }),
            self.group_lists.clock(&GroupListsInputs { reset, ..Default::default() }),
            self.group_fetch.clock(&GroupFetchInputs { reset, ..Default::default() }),
            self.group_sequence.clock(&GroupSequenceInputs { reset, ..Default::default() }),
            self.block_control.clock(&BlockControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.round_robin.clock(&RoundRobinInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ])
    }

    /// The answer to a lookup: the parameters are those of the block's group, if it has one.
    fn context(
        &self,
        inputs: &Inputs,
        entries: &KernelEntriesOutputs,
        lookup_parameter: u32,
    ) -> Option<KernelContext> {
        let mut context = entries.context?;
        if let Some(group) = inputs.device.groups.lookup_group {
            context.parameter_address = group.pointer().unwrap_or(lookup_parameter);
        }
        Some(context)
    }
}
