//! What waits in queue 0, in the priority queues, and in their overflow queues (rules 2 to 7).

use std::collections::{BTreeMap, VecDeque};

use crate::laperm::{LapermConfig, QueueKind};
use crate::port::{
    Dim3, EntryFetch, Inputs, KernelEntry, QueueEntry, QueueOutputs, QueuePlace, Refill, Spill,
};

/// What is distributed as one: a kernel of the host, a device kernel, or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Level 0: queue 0.
    pub(super) place: QueuePlace,
    pub(super) entry: QueueEntry,
    /// Its blocks that have been dispatched.
    pub(super) done: u64,
}

impl Unit {
    fn new(place: QueuePlace, entry: QueueEntry) -> Self {
        Self { place, entry, done: 0 }
    }

    pub(super) fn blocks(&self) -> u64 {
        self.entry.grid.volume() as u64
    }
}

/// What of a priority queue is on chip.
#[derive(Clone, Default, PartialEq)]
struct Queue {
    /// Those that are in their places, the head first.
    units: Vec<Unit>,
    /// One that is on its way there, and for how many cycles more.
    inserting: Option<(Unit, usize)>,
}

/// The overflow queue in memory of a level of a queue.
#[derive(Clone, Default, PartialEq)]
struct Overflow {
    units: VecDeque<(u32, QueueEntry)>,
    /// Units that were ever put there.
    spilled: u32,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct Queues {
    kind: QueueKind,
    /// On-chip entries of each.
    entries: usize,
    zero: VecDeque<Unit>,
    queues: Vec<Queue>,
    memory: BTreeMap<QueuePlace, Overflow>,
    /// Units that were asked for and have not been taken.
    on_way: VecDeque<Refill>,
}

impl Queues {
    pub(super) fn new(config: &LapermConfig, smx: usize, groups: bool) -> Self {
        Self {
            kind: config.queue,
            entries: config.queue_entries(smx, groups),
            zero: VecDeque::new(),
            queues: vec![Queue::default(); config.queues(smx)],
            memory: BTreeMap::new(),
            on_way: VecDeque::new(),
        }
    }

    /// How many priority queues there are.
    pub(super) fn count(&self) -> usize {
        self.queues.len()
    }

    /// The head of priority queue `queue`; a unit that is not in its place is none.
    pub(super) fn head(&self, queue: usize) -> Option<&Unit> {
        self.queues[queue].units.first()
    }

    /// Whether no queue has a head.
    pub(super) fn is_empty(&self) -> bool {
        self.zero.is_empty() && self.queues.iter().all(|queue| queue.units.is_empty())
    }

    /// Whether a unit is on its way to its place.
    pub(super) fn is_inserting(&self) -> bool {
        self.queues.iter().any(|queue| queue.inserting.is_some())
    }

    /// The head of queue 0.
    pub(super) fn zero(&self) -> Option<&Unit> {
        self.zero.front()
    }

    /// The unit on chip of this kernel and group.
    pub(super) fn find(&self, is: impl Fn(&QueueEntry) -> bool) -> Option<&Unit> {
        let on_chip = self.queues.iter().flat_map(|queue| &queue.units);
        on_chip.chain(&self.zero).find(|unit| is(&unit.entry))
    }

    /// Rule 8: whether a unit of `place` can enter: its queue is ready, or memory takes it.
    pub(super) fn takes(&self, place: QueuePlace) -> bool {
        self.spills(place) || self.ready(place)
    }

    /// Checks what a cycle does to the queues and to memory; `entering` is a new unit.
    pub(super) fn check(
        &self,
        inputs: &Inputs,
        outputs: &QueueOutputs,
        entering: Option<(QueuePlace, QueueEntry)>,
    ) -> Result<(), String> {
        let refill = inputs.device.queues.refill;
        if refill.is_some_and(|refill| self.on_way.front() != Some(&refill)) {
            let oldest = self.on_way.front();
            return Err(format!("{refill:?} comes from memory, the oldest request is {oldest:?}"));
        }
        let taken = refill.is_some_and(|refill| self.ready(refill.place));
        if outputs.refill_taken != taken {
            let got = outputs.refill_taken;
            return Err(format!("refill_taken is {got}, not {taken}, with {refill:?} at the port"));
        }
        let spill = entering.filter(|(place, _)| self.spills(*place)).map(|(place, entry)| Spill {
            place,
            index: self.memory.get(&place).map_or(0, |of| of.spilled),
            entry,
        });
        if outputs.spill != spill {
            return Err(format!("spill is {:?}, not {spill:?}", outputs.spill));
        }
        if let Some((place, _)) = entering.filter(|_| spill.is_none()) {
            if !self.ready(place) {
                return Err(format!("a unit enters {place:?} during an insertion"));
            }
        }
        let inserted = entering.filter(|_| spill.is_none()).map(|(place, _)| place.queue);
        let fetch = self.fetch(inserted);
        if outputs.fetch_entry != fetch {
            return Err(format!("fetch_entry is {:?}, not {fetch:?}", outputs.fetch_entry));
        }
        Ok(())
    }

    /// The clock edge, of a cycle without complaint; `leaving` is the unit that gave its last
    /// block.
    pub(super) fn clock(
        &mut self,
        inputs: &Inputs,
        outputs: &QueueOutputs,
        entering: Option<(QueuePlace, QueueEntry)>,
        leaving: Option<Unit>,
    ) {
        let refill = inputs.device.queues.refill.filter(|_| outputs.refill_taken);
        let new = entering.filter(|_| outputs.spill.is_none());
        let new = new.or(refill.map(|refill| (refill.place, refill.entry)));
        // What is behind the new unit counts as it is at the start of the cycle.
        let new = new.map(|(place, entry)| (Unit::new(place, entry), self.shifts(place)));
        if let Some(unit) = leaving {
            self.remove(&unit);
        }
        for queue in &mut self.queues {
            if let Some((unit, cycles)) = queue.inserting.take() {
                queue.insert(unit, cycles - 1);
            }
        }
        if let Some((unit, cycles)) = new {
            self.queues[usize::from(unit.place.queue)].insert(unit, cycles);
        }
        if refill.is_some() {
            self.on_way.pop_front();
        }
        if let Some(EntryFetch { place, .. }) = outputs.fetch_entry {
            let unit = self.memory.get_mut(&place).and_then(|of| of.units.pop_front());
            self.on_way.extend(unit.map(|(_, entry)| Refill { place, entry }));
        }
        if let Some(Spill { place, index, entry }) = outputs.spill {
            let overflow = self.memory.entry(place).or_default();
            overflow.units.push_back((index, entry));
            overflow.spilled = overflow.spilled.wrapping_add(1);
        }
    }

    /// A kernel joins queue 0.
    pub(super) fn host_kernel(&mut self, kernel: KernelEntry, grid: Dim3) {
        let entry = QueueEntry { kernel, group: None, grid };
        self.zero.push_back(Unit::new(QueuePlace::default(), entry));
    }

    /// A block of `unit` has been dispatched.
    pub(super) fn step(&mut self, unit: &Unit) {
        let units = self.queues.iter_mut().flat_map(|queue| &mut queue.units);
        let mut units = units.chain(&mut self.zero);
        if let Some(unit) = units.find(|other| *other == unit) {
            unit.done += 1;
        }
    }

    fn remove(&mut self, unit: &Unit) {
        let other = |of: &Unit| of.entry != unit.entry;
        if unit.place.level == 0 {
            self.zero.retain(other);
        } else {
            self.queues[usize::from(unit.place.queue)].units.retain(other);
        }
    }

    fn ready(&self, place: QueuePlace) -> bool {
        self.queues[usize::from(place.queue)].inserting.is_none()
    }

    /// Rule 6.
    fn spills(&self, place: QueuePlace) -> bool {
        let in_memory = self.memory.get(&place).is_some_and(|of| !of.units.is_empty());
        let behind = in_memory || self.on_way.iter().any(|refill| refill.place == place);
        behind || self.full(place.queue)
    }

    fn full(&self, queue: u8) -> bool {
        let Queue { units, inserting } = &self.queues[usize::from(queue)];
        let on_way = self.on_way.iter().filter(|refill| refill.place.queue == queue).count();
        units.len() + usize::from(inserting.is_some()) + on_way >= self.entries
    }

    /// Rule 7: what is asked of memory when a new unit is inserted into queue `inserted`.
    fn fetch(&self, inserted: Option<u8>) -> Option<EntryFetch> {
        (0..self.queues.len() as u8).find_map(|queue| {
            let levels = self.memory.iter().filter(|(place, _)| place.queue == queue);
            let waiting = levels.filter_map(|(place, of)| Some((*place, of.units.front()?.0)));
            let (place, index) = waiting.max_by_key(|(place, _)| place.level)?;
            let asks = !self.full(queue) && inserted != Some(queue);
            asks.then_some(EntryFetch { place, index })
        })
    }

    /// Rule 5: d of a unit that enters `place`.
    fn shifts(&self, place: QueuePlace) -> usize {
        let units = &self.queues[usize::from(place.queue)].units;
        let lower = units.iter().filter(|unit| unit.place.level < place.level).count();
        match self.kind {
            QueueKind::Linked => 0,
            QueueKind::Shifting => lower.min(self.entries - 1),
        }
    }
}

impl Queue {
    /// `unit` is in its place after `cycles` more cycles.
    fn insert(&mut self, unit: Unit, cycles: usize) {
        if cycles > 0 {
            self.inserting = Some((unit, cycles));
            return;
        }
        let behind = |other: &Unit| other.place.level < unit.place.level;
        let place = self.units.iter().position(behind).unwrap_or(self.units.len());
        self.units.insert(place, unit);
    }
}
