//! One cycle of a dispatcher: which block goes where, and what enters the queues.

use super::super::super::admission::GateEvents;
use super::super::super::dispatch::{
    BlockSequence, BlockSequenceInputs, FcfsControlInputs, KernelEntriesInputs, ResourceTableInputs,
};
use super::super::super::dtbl::{BlockControlInputs, CoalescerInputs};
use super::super::super::{mask, SmxMask};
use super::super::selector::Candidate;
use super::super::{QueueBankInputs, SelectorInputs, UnitCountsInputs};
use super::Dispatcher;
use crate::port::{
    Activity, DeviceOutputs, Dispatch, GroupOutcome, GroupReference, Inputs, KernelContext,
    Outputs, QueueEntry,
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

        // The visited SMX and its candidate.
        let zero = self.queue_zero.evaluate(&FcfsControlInputs::default());
        let mut bank_inputs = QueueBankInputs {
            group: self.place(device.queues.group_parent),
            refill: device.queues.refill,
            ..Default::default()
        };
        let bank = self.queue_bank.evaluate(&bank_inputs);
        let mut selector_inputs =
            SelectorInputs { zero: zero.head.is_some(), ..Default::default() };
        for (queue, head) in bank.heads.iter().enumerate() {
            selector_inputs.heads.set(queue, head.is_some());
        }
        let selected = self.selector.evaluate(&selector_inputs);
        let (smx, candidate) = (selected.turn, selected.candidate);
        let queue = match candidate {
            Some(Candidate::Own(queue) | Candidate::Backup(queue)) => Some(queue),
            Some(Candidate::Zero) | None => None,
        };
        let unit = queue.and_then(|queue| bank.heads[queue]);
        let kernel = match candidate {
            Some(Candidate::Zero) => zero.head,
            _ => unit.map(|unit| unit.entry.kernel),
        };

        // What is known of its kernel, and of the entry that a command is compared with.
        let mut coalescer_inputs =
            CoalescerInputs { command: device.groups.command, ..CoalescerInputs::default() };
        coalescer_inputs.group_valid = device.groups.group.is_some();
        let search = self.coalescer.evaluate(&coalescer_inputs);
        let mut counts_inputs = UnitCountsInputs::default();
        let mut entries_inputs = KernelEntriesInputs {
            launch: inputs.launch,
            head: kernel,
            marked: self.unit_counts.evaluate(&counts_inputs).marked
                | search.hold
                | device.groups.keep,
            finished: control.finished_kernel,
            lookup: inputs.lookup,
            probe: search.probe,
            ..Default::default()
        };
        let entries = self.kernel_entries.evaluate(&entries_inputs);

        // Its next block: whether it fits, and whether the gates let it go.
        let (at, grid) = match unit {
            Some(unit) => (unit.at, unit.entry.grid),
            None => (entries.head_block, entries.head_grid),
        };
        let there = BlockSequence::new(1).evaluate(&BlockSequenceInputs { at, grid });
        let empty = kernel.is_some() && there.empty;
        let mut resource_inputs = ResourceTableInputs {
            needs: entries.head_needs,
            finished: control_inputs.finished,
            freed: entries.freed,
            ..Default::default()
        };
        let room = self.resource_table.evaluate(&resource_inputs).room[smx];
        let fits = kernel.is_some() && !empty && room;
        let asks = if fits { mask::of([smx]) } else { SmxMask::ZERO };
        let head = kernel.unwrap_or_default();
        let sent = self.gates.allow(head, asks, smx, control_inputs.finished);
        let step = sent.any();
        let leaves = empty || step && there.beyond.is_none();
        let group = unit.and_then(|unit| unit.entry.group);
        if step {
            let slot = control.slot[smx].unwrap_or(0);
            outputs.dispatch[smx] = Some(Dispatch { kernel: head, block: at, group, slot });
            outputs.device.queues.level = unit.map_or(0, |unit| unit.level);
        }

        // What enters: a kernel, or a group.
        let entered = inputs.launch.as_ref().zip(entries.launch_ready);
        let enter = entered.map(|(_, entry)| entry);
        coalescer_inputs.probe = entries.probe;
        coalescer_inputs.finished_kernels = entries.finished_kernels;
        coalescer_inputs.stall =
            enter.is_some() || device.queues.refill.is_some() || !bank.takes_group;
        let coalescer = self.coalescer.evaluate(&coalescer_inputs);
        let taken = device.groups.group.filter(|_| coalescer.take);
        let coalesced = taken.zip(coalescer.kernel);
        let place = device.parents.record_place;
        let bound = device.management.record.is_some() && place.level > 0;
        if let (true, Some((launch, kernel))) = (bound, entered) {
            bank_inputs.insert =
                Some((place, QueueEntry { kernel, group: None, grid: launch.grid }));
        } else if let Some((group, kernel)) = coalesced {
            let reference = Some(GroupReference::in_memory(group.pointer));
            let unit = QueueEntry { kernel, group: reference, grid: group.grid };
            bank_inputs.insert = Some((bank_inputs.group, unit));
        }
        let bank = match bank_inputs.insert {
            Some(_) => self.queue_bank.evaluate(&bank_inputs),
            None => bank,
        };

        outputs.launch_ready = entries.launch_ready;
        outputs.finished_kernels = entries.finished_kernels;
        outputs.context = context(inputs, entries.context);
        outputs.device.groups.command_ready = coalescer.command_ready;
        outputs.device.groups.group_taken = taken.map(|group| match coalescer.kernel {
            Some(kernel) => GroupOutcome::Coalesced {
                kernel,
                reference: GroupReference::in_memory(group.pointer),
            },
            None => GroupOutcome::NoEligibleKernel,
        });
        outputs.device.queues.spill = bank.spill;
        outputs.device.queues.fetch_entry = bank.fetch;
        outputs.device.queues.refill_taken = bank.refill_taken;

        // The clock edge.
        let zero_inputs = FcfsControlInputs {
            mark: enter.filter(|_| !bound),
            unmark: unit.is_none() && leaves,
            ..Default::default()
        };
        bank_inputs.queue = queue.unwrap_or(0);
        bank_inputs.step = unit.is_some() && step;
        bank_inputs.remove = unit.is_some() && leaves;
        counts_inputs.enter = enter.or(coalescer.kernel);
        counts_inputs.leave = kernel.filter(|_| leaves);
        selector_inputs.refused = fits && !step;
        entries_inputs.step = u32::from(step);
        entries_inputs.after = match unit {
            Some(_) => entries.head_block,
            None => there.beyond.unwrap_or_default(),
        };
        control_inputs.taken = sent;
        (control_inputs.kernel, control_inputs.group, control_inputs.block) = (head, group, at);
        resource_inputs.take = sent;

        let events = GateEvents {
            taken: (head, sent),
            entered,
            coalesced: coalesced.map(|(group, kernel)| (kernel, group.blocks)),
            finished: control_inputs.finished,
            samples: inputs.samples.as_deref(),
        };
        Activity::any([
            self.kernel_entries.clock(&entries_inputs),
            self.queue_zero.clock(&zero_inputs),
            self.queue_bank.clock(&bank_inputs),
            self.unit_counts.clock(&counts_inputs),
            self.selector.clock(&selector_inputs),
            self.coalescer.clock(&coalescer_inputs),
            self.block_control.clock(&control_inputs),
            self.resource_table.clock(&resource_inputs),
            self.gates.clock(&events),
        ])
    }

    fn reset(&mut self) -> Activity {
        let reset = true;
        Activity::any([
            self.kernel_entries.clock(&KernelEntriesInputs { reset, ..Default::default() }),
            self.queue_zero.clock(&FcfsControlInputs { reset, ..Default::default() }),
            self.queue_bank.clock(&QueueBankInputs { reset, ..Default::default() }),
            self.unit_counts.clock(&UnitCountsInputs { reset, ..Default::default() }),
            self.selector.clock(&SelectorInputs { reset, ..Default::default() }),
            self.coalescer.clock(&CoalescerInputs { reset, ..Default::default() }),
            self.block_control.clock(&BlockControlInputs { reset, ..Default::default() }),
            self.resource_table.clock(&ResourceTableInputs { reset, ..Default::default() }),
            self.gates.reset(),
        ])
    }
}

/// The answer to a lookup: the parameters of a group's block are found at the group's pointer (rule
/// 15).
fn context(inputs: &Inputs, of_kernel: Option<KernelContext>) -> Option<KernelContext> {
    let mut context = of_kernel?;
    if let Some(pointer) = inputs.device.groups.lookup_group.and_then(GroupReference::pointer) {
        context.parameter_address = pointer;
    }
    Some(context)
}
