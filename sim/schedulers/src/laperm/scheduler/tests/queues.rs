//! Where the page says that units are: what a [`super::machine::Machine`] compares the ports with.

use super::super::super::{LapermConfig, QueueKind};
use crate::port::*;
use std::collections::{BTreeMap, VecDeque};

/// A queue, its overflow in memory, and what is on its way; units are numbers.
#[derive(Clone, Debug, Default)]
struct Queue {
    in_place: Vec<(u8, usize)>,
    /// A unit and the last cycle of its insertion.
    inserting: Option<(u8, usize, u64)>,
    memory: BTreeMap<u8, VecDeque<usize>>,
    spilled: BTreeMap<u8, u32>,
    on_the_way: BTreeMap<u8, usize>,
}

/// Queue 0 and all priority queues by the state at the start of a cycle.
#[derive(Clone, Debug)]
pub(super) struct Queues {
    pub(super) zero: VecDeque<usize>,
    queues: Vec<Queue>,
    kind: QueueKind,
    entries: usize,
}

impl Queues {
    pub(super) fn new(config: &LapermConfig, smx: usize, groups: bool) -> Self {
        Self {
            zero: VecDeque::new(),
            queues: vec![Queue::default(); config.queues(smx)],
            kind: config.queue,
            entries: config.queue_entries(smx, groups),
        }
    }

    pub(super) fn head(&self, queue: usize) -> Option<usize> {
        self.queues[queue].in_place.first().map(|&(_, unit)| unit)
    }

    pub(super) fn any_head(&self) -> bool {
        !self.zero.is_empty() || (0..self.queues.len()).any(|queue| self.head(queue).is_some())
    }

    pub(super) fn ready(&self, place: QueuePlace) -> bool {
        self.queues[usize::from(place.queue)].inserting.is_none()
    }

    fn is_full(&self, queue: &Queue) -> bool {
        let on_chip = queue.in_place.len() + usize::from(queue.inserting.is_some());
        on_chip + queue.on_the_way.values().sum::<usize>() >= self.entries
    }

    /// Whether a new unit of `place` goes to memory.
    pub(super) fn spills(&self, place: QueuePlace) -> bool {
        let queue = &self.queues[usize::from(place.queue)];
        let in_memory = queue.memory.get(&place.level).is_some_and(|units| !units.is_empty());
        let on_the_way = queue.on_the_way.get(&place.level).is_some_and(|&units| units > 0);
        in_memory || on_the_way || self.is_full(queue)
    }

    /// What is asked of memory when a new unit is inserted into `inserted`.
    pub(super) fn fetch(&self, inserted: Option<u8>) -> Option<EntryFetch> {
        let candidates = (0u8..).zip(&self.queues).filter(|(_, queue)| !self.is_full(queue));
        let mut asks = candidates.filter(|(number, _)| inserted != Some(*number));
        asks.find_map(|(number, queue)| {
            let mut highest = queue.memory.iter().rev();
            let (&level, units) = highest.find(|(_, units)| !units.is_empty())?;
            let index = queue.spilled[&level] - units.len() as u32;
            Some(EntryFetch { place: QueuePlace { queue: number, level }, index })
        })
    }

    /// The clock edge of `cycle`: a head leaves.
    pub(super) fn remove(&mut self, unit: usize) {
        if self.zero.front() == Some(&unit) {
            self.zero.pop_front();
            return;
        }
        let mut heads = self.queues.iter_mut().map(|queue| &mut queue.in_place);
        let queue = heads.find(|units| units.first().is_some_and(|&(_, head)| head == unit));
        queue.expect("a head").remove(0);
    }

    /// Memory takes a unit: the number that it gets there.
    pub(super) fn spill(&mut self, place: QueuePlace, unit: usize) -> u32 {
        let queue = &mut self.queues[usize::from(place.queue)];
        queue.memory.entry(place.level).or_default().push_back(unit);
        let count = queue.spilled.entry(place.level).or_default();
        *count += 1;
        *count - 1
    }

    /// The unit that was asked of memory.
    pub(super) fn take_from_memory(&mut self, place: QueuePlace) -> usize {
        let queue = &mut self.queues[usize::from(place.queue)];
        *queue.on_the_way.entry(place.level).or_default() += 1;
        let units = queue.memory.get_mut(&place.level).expect("units of that level");
        units.pop_front().expect("a unit of that level")
    }

    pub(super) fn arrived(&mut self, place: QueuePlace) {
        let queue = &mut self.queues[usize::from(place.queue)];
        *queue.on_the_way.get_mut(&place.level).expect("one was on its way") -= 1;
    }

    /// Cycles that an insertion takes which is accepted now.
    pub(super) fn insertion(&self, place: QueuePlace) -> u64 {
        let units = &self.queues[usize::from(place.queue)].in_place;
        match self.kind {
            QueueKind::Linked => 0,
            QueueKind::Shifting => {
                units.iter().filter(|(level, _)| *level < place.level).count() as u64
            }
        }
    }

    pub(super) fn insert(&mut self, place: QueuePlace, unit: usize, last: u64) {
        let queue = &mut self.queues[usize::from(place.queue)];
        assert!(queue.inserting.replace((place.level, unit, last)).is_none());
    }

    /// The end of `cycle`: insertions that are done.
    pub(super) fn settle(&mut self, cycle: u64) {
        for queue in &mut self.queues {
            if let Some((level, unit, _)) = queue.inserting.take_if(|(_, _, last)| *last == cycle) {
                queue.in_place.push((level, unit));
                queue.in_place.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
            }
        }
    }
}
