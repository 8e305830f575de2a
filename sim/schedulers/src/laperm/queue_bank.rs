//! Twin of `laperm/queue_bank`: the priority queues of all SMXs, each with its overflow in memory,
//! and which of them takes a unit in a cycle (`docs/laperm.md`, rules 5 to 8).
//!
//! Undefined, and not to be compared: the outputs for a `record` or `group` that names no level of
//! a queue; everything after an `insert` whose place was not said to take it, an `insert` beside a
//! `refill`, or a `refill` that was not asked for.

use super::cover;
use super::{
    Head, LapermConfig, OverflowQueues, OverflowQueuesInputs, PriorityQueue, PriorityQueueInputs,
    PriorityQueueOutputs,
};
use crate::cover::{counting, met, when};
use crate::port::{Activity, EntryFetch, QueueEntry, QueuePlace, Refill, Spill};

/// Input ports of [`QueueBank`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueBankInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The place of the record that may enter.
    pub record: QueuePlace,
    /// The place of the group that may enter.
    pub group: QueuePlace,
    /// The new unit that enters in this cycle.
    pub insert: Option<(QueuePlace, QueueEntry)>,
    /// A unit that comes back from memory.
    pub refill: Option<Refill>,
    /// The queue that `step` and `remove` are about.
    pub queue: usize,
    /// A block of that queue's head is dispatched in this cycle.
    pub step: bool,
    /// The head of that queue leaves at the end of this cycle.
    pub remove: bool,
}

/// Output ports of [`QueueBank`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueBankOutputs {
    /// The head of each queue. State alone.
    pub heads: Vec<Option<Head>>,
    /// A unit of `record` can enter: its queue is ready, or memory takes it. State and `record`
    /// alone.
    pub takes_record: bool,
    /// The same of `group`.
    pub takes_group: bool,
    /// `insert` goes to memory.
    pub spill: Option<Spill>,
    /// A unit is asked of memory.
    pub fetch: Option<EntryFetch>,
    /// `refill` is inserted.
    pub refill_taken: bool,
}

/// The queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueBank {
    queues: Vec<Queue>,
    /// On-chip entries of each.
    entries: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Queue {
    on_chip: PriorityQueue,
    overflow: OverflowQueues,
}

impl Queue {
    fn on_chip(&self) -> PriorityQueueOutputs {
        self.on_chip.evaluate(&PriorityQueueInputs::default())
    }
}

impl QueueBank {
    /// The empty queues of a GPU with `smx` SMXs; `groups` when aggregated groups are launched.
    pub fn new(config: &LapermConfig, smx: usize, groups: bool) -> Self {
        let entries = config.queue_entries(smx, groups);
        let queue = Queue {
            on_chip: PriorityQueue::new(config.queue, entries),
            overflow: OverflowQueues::new(config.levels),
        };
        Self { queues: vec![queue; config.queues(smx)], entries }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &QueueBankInputs) -> QueueBankOutputs {
        let takes = |place| self.queue(place).on_chip().ready || self.spills(place).is_some();
        QueueBankOutputs {
            heads: self.queues.iter().map(|queue| queue.on_chip().head).collect(),
            takes_record: takes(inputs.record),
            takes_group: takes(inputs.group),
            spill: self.spill(inputs),
            fetch: self.fetch(inputs),
            refill_taken: self.takes_refill(inputs),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &QueueBankInputs) -> Activity {
        let QueueBankInputs { reset, queue: of_head, step, remove, .. } = *inputs;
        let (spill, fetch) = (self.spill(inputs), self.fetch(inputs));
        let inserted = inputs.insert.filter(|_| spill.is_none());
        let refilled = inputs.refill.filter(|_| self.takes_refill(inputs));
        if counting() && !reset {
            self.cover(inputs, spill, fetch);
        }
        let mut activity = Activity::Quiet;
        for (number, queue) in self.queues.iter_mut().enumerate() {
            let here = |place: &QueuePlace| usize::from(place.queue) == number;
            let inserted = inserted.filter(|(place, _)| here(place));
            let refilled = refilled.filter(|refill| here(&refill.place));
            let spilled = spill.filter(|spill| here(&spill.place));
            let unit = inserted.or(refilled.map(|refill| (refill.place, refill.entry)));
            let on_chip = queue.on_chip.clock(&PriorityQueueInputs {
                reset,
                insert: unit.map(|(place, entry)| (place.level, entry)),
                step: step && of_head == number,
                remove: remove && of_head == number,
            });
            let overflow = queue.overflow.clock(&OverflowQueuesInputs {
                reset,
                spill: spilled.map(|spill| spill.place.level),
                fetched: fetch.is_some_and(|fetch| here(&fetch.place)),
                arrived: refilled.map(|refill| refill.place.level),
                ..Default::default()
            });
            activity |= Activity::any([on_chip, overflow]);
        }
        activity
    }

    /// A line for each queue that holds something, for the report of a stuck run.
    pub(super) fn explain(&self) -> impl Iterator<Item = String> + '_ {
        self.queues.iter().enumerate().filter_map(|(number, queue)| {
            let overflow = queue.overflow.evaluate(&OverflowQueuesInputs::default());
            let (memory, on_the_way) = (queue.overflow.in_memory(), overflow.on_the_way);
            let levels = queue.on_chip.levels();
            if levels.is_empty() && memory == 0 && on_the_way == 0 {
                return None;
            }
            let levels = levels.iter().map(|(level, units)| format!("{units} of level {level}, "));
            let levels: String = levels.collect();
            Some(format!(
                "priority queue {number}: {levels}{memory} in memory, {on_the_way} on their way"
            ))
        })
    }

    /// What enters, and what memory is asked for.
    fn cover(&self, inputs: &QueueBankInputs, spill: Option<Spill>, fetch: Option<EntryFetch>) {
        if let Some((place, _)) = inputs.insert {
            let full = self.is_full(self.queue(place));
            when(spill.is_none(), &cover::INSERTED);
            when(spill.is_some() && full, &cover::SPILLED_FULL);
            when(spill.is_some() && !full, &cover::SPILLED_BEHIND);
            let leaves = inputs.remove && inputs.queue == usize::from(place.queue);
            when(spill.is_none() && leaves, &cover::REMOVED_AND_INSERTED);
        }
        let refilled = self.takes_refill(inputs);
        when(refilled, &cover::REFILLED);
        when(inputs.refill.is_some() && !refilled, &cover::REFILL_WAITS);
        let Some(EntryFetch { place, .. }) = fetch else { return };
        met(&cover::ASKED);
        let mut before = self.queues[..usize::from(place.queue)].iter();
        let waits = before.any(|queue| queue.overflow.in_memory() > 0 && self.is_full(queue));
        when(waits, &cover::ASKED_OF_ANOTHER);
    }

    fn queue(&self, place: QueuePlace) -> &Queue {
        &self.queues[usize::from(place.queue) % self.queues.len()]
    }

    /// No entry of the queue is free that is not promised to a unit on its way from memory.
    fn is_full(&self, queue: &Queue) -> bool {
        let overflow = queue.overflow.evaluate(&OverflowQueuesInputs::default());
        queue.on_chip().count + overflow.on_the_way >= self.entries
    }

    /// The number in memory that a new unit of `place` gets, if it goes there.
    fn spills(&self, place: QueuePlace) -> Option<u32> {
        let queue = self.queue(place);
        let asked = OverflowQueuesInputs { level: place.level, ..Default::default() };
        let overflow = queue.overflow.evaluate(&asked);
        (overflow.behind || self.is_full(queue)).then_some(overflow.index)
    }

    /// What of `insert` goes to memory.
    fn spill(&self, inputs: &QueueBankInputs) -> Option<Spill> {
        let (place, entry) = inputs.insert?;
        self.spills(place).map(|index| Spill { place, index, entry })
    }

    fn takes_refill(&self, inputs: &QueueBankInputs) -> bool {
        inputs.refill.is_some_and(|of| self.queue(of.place).on_chip().ready)
    }

    /// The unit that is asked of memory: of the lowest queue with one there and room for it.
    fn fetch(&self, inputs: &QueueBankInputs) -> Option<EntryFetch> {
        let inserted = inputs.insert.filter(|(place, _)| self.spills(*place).is_none());
        let inserted_into = inserted.map(|(place, _)| usize::from(place.queue));
        self.queues.iter().enumerate().find_map(|(number, queue)| {
            let overflow = queue.overflow.evaluate(&OverflowQueuesInputs::default());
            let (level, index) = overflow.fetch?;
            let place = QueuePlace { queue: number as u8, level };
            let asks = !self.is_full(queue) && inserted_into != Some(number);
            asks.then_some(EntryFetch { place, index })
        })
    }
}

#[cfg(test)]
mod tests;
