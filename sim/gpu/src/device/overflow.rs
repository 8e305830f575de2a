//! The overflow queues of a scheduler with priority queues: units in global memory, by queue and
//! level (rules 6 and 7 of `docs/laperm.md`).

use std::collections::{BTreeMap, VecDeque};

use crate::port::{EntryFetch, QueueEntry, QueuePlace, Refill, Spill};

/// See the module.
#[derive(Debug)]
pub struct OverflowMemory {
    /// By queue and number in it.
    units: BTreeMap<(QueuePlace, u32), QueueEntry>,
    /// On their way to the scheduler, each with the cycle of its arrival.
    on_way: VecDeque<(u64, Refill)>,
    /// Cycles from a request to its answer.
    latency: u64,
}

impl OverflowMemory {
    /// Empty memory; a unit that is asked for can be distributed `later` cycles after one on chip
    /// could have been.
    ///
    /// # Panics
    /// When `later` is below 2.
    pub fn new(later: u32) -> Self {
        assert!(later >= 2, "the request takes a cycle, and the first block follows the answer");
        let latency = u64::from(later) - 1;
        Self { units: BTreeMap::new(), on_way: VecDeque::new(), latency }
    }

    /// A unit is put there.
    ///
    /// # Panics
    /// When its place is taken; the invariants keep that from happening.
    pub fn put(&mut self, spill: Spill) {
        let before = self.units.insert((spill.place, spill.index), spill.entry);
        assert_eq!(before, None, "a free place for {spill:?}");
    }

    /// A unit is asked for in `cycle`.
    ///
    /// # Panics
    /// When it is not there; the invariants keep that from happening.
    pub fn fetch(&mut self, fetch: EntryFetch, cycle: u64) {
        let EntryFetch { place, index } = fetch;
        let entry = self.units.remove(&(place, index)).expect("a unit that was put there");
        self.on_way.push_back((cycle + self.latency, Refill { place, entry }));
    }

    /// The unit that is at the port in `cycle`.
    pub fn refill(&self, cycle: u64) -> Option<Refill> {
        let (at, refill) = *self.on_way.front()?;
        (at <= cycle).then_some(refill)
    }

    /// The unit at the port has been taken.
    pub fn taken(&mut self) {
        self.on_way.pop_front();
    }

    /// The cycle after `now` in which the next unit comes. One that waits at the port changes
    /// nothing.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        self.on_way.front().map(|(at, _)| *at).filter(|at| *at > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::{Dim3, KernelEntry};

    const PLACE: QueuePlace = QueuePlace { queue: 3, level: 2 };

    fn unit(kernel: u8) -> QueueEntry {
        QueueEntry { kernel: KernelEntry(kernel), group: None, grid: Dim3::new(1, 2, 3) }
    }

    /// Memory with units of entries 0 and 1 at the numbers 7 and 8.
    fn memory(later: u32) -> OverflowMemory {
        let mut memory = OverflowMemory::new(later);
        for kernel in [0, 1] {
            let index = 7 + u32::from(kernel);
            memory.put(Spill { place: PLACE, index, entry: unit(kernel) });
        }
        memory
    }

    #[test]
    fn a_unit_comes_one_cycle_before_it_can_be_distributed_and_in_the_order_of_the_requests() {
        let mut memory = memory(10);
        memory.fetch(EntryFetch { place: PLACE, index: 8 }, 100);
        memory.fetch(EntryFetch { place: PLACE, index: 7 }, 101);
        assert_eq!((memory.refill(108), memory.next_change(108)), (None, Some(109)));
        let refill = |kernel| Some(Refill { place: PLACE, entry: unit(kernel) });
        assert_eq!(memory.refill(109), refill(1));
        memory.taken();
        assert_eq!((memory.refill(109), memory.next_change(109)), (None, Some(110)));
        assert_eq!(memory.refill(110), refill(0));
    }

    #[test]
    fn a_unit_stays_at_the_port_until_it_is_taken() {
        let mut memory = memory(2);
        memory.fetch(EntryFetch { place: PLACE, index: 7 }, 5);
        for now in [6, 7, 50] {
            assert!(memory.refill(now).is_some());
            assert_eq!(memory.next_change(now), None, "nothing changes by itself");
        }
        memory.taken();
        assert_eq!(memory.refill(50), None);
    }
}
