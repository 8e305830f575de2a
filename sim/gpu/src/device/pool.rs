//! Device kernels, and blocks that were suspended, from the SMXs to the Kernel Distributor: at the
//! port of the Kernel Management Unit, in its pools in global memory, and on their way from there
//! (rules 2 and 3 of `docs/dtbl.md`, rules 8 and 14 of `docs/laperm.md`).

use std::collections::{BTreeMap, VecDeque};

use crate::port::QueuePlace;

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// The device kernel with this number in the run.
    Kernel(usize),
    /// The suspended block with this number.
    Block(usize),
}

/// One pool.
#[derive(Debug, Default)]
struct Pool {
    records: VecDeque<usize>,
    /// The number of the first one.
    first: u32,
}

impl Pool {
    /// The first record, which has the number `index`, leaves.
    ///
    /// # Panics
    /// When it is not the first one; the invariants keep that from happening.
    fn take(&mut self, index: u32) -> usize {
        assert_eq!(index, self.first, "the first record of the pool");
        self.first = self.first.wrapping_add(1);
        self.records.pop_front().expect("a record in the pool")
    }
}

/// See the module. Kernels go by their numbers in the run.
#[derive(Debug, Default)]
pub struct Pools {
    /// Whose launch has reached the port, or waits there: one enters a cycle.
    arrived: VecDeque<usize>,
    /// Those of a scheduler with priority queues go by queue and level; others have one.
    pools: BTreeMap<QueuePlace, Pool>,
    /// Suspended blocks that may go on and are not in their pool yet: one enters a cycle.
    clear: VecDeque<usize>,
    /// Those that are.
    suspended: Pool,
    /// On their way to the Kernel Distributor, each with the cycle of its arrival and its pool.
    on_way: VecDeque<(u64, QueuePlace, Record)>,
}

impl Pools {
    /// `kernel` reaches the port of the Kernel Management Unit.
    pub fn arrive(&mut self, kernel: usize) {
        self.arrived.push_back(kernel);
    }

    /// The kernel that enters a pool in this cycle.
    pub fn launch(&self) -> Option<usize> {
        self.arrived.front().copied()
    }

    /// The first kernel at the port has entered the pool of `place`.
    pub fn launched(&mut self, place: QueuePlace) {
        self.pools.entry(place).or_default().records.extend(self.arrived.pop_front());
    }

    /// The record with the number `index` in the pool of `place` has been asked for; it will arrive
    /// in `cycle`.
    ///
    /// # Panics
    /// When it is not the first one; the invariants keep that from happening.
    pub fn fetch(&mut self, place: QueuePlace, index: u32, cycle: u64) {
        let kernel = self.pools.entry(place).or_default().take(index);
        self.on_way.push_back((cycle, place, Record::Kernel(kernel)));
    }

    /// The suspended block with this number may go on.
    pub fn suspend(&mut self, block: usize) {
        self.clear.push_back(block);
    }

    /// The suspended block that enters its pool in this cycle.
    pub fn suspended(&self) -> Option<usize> {
        self.clear.front().copied()
    }

    /// It has entered it.
    pub fn put_suspended(&mut self) {
        self.suspended.records.extend(self.clear.pop_front());
    }

    /// As [`Pools::fetch`], from the pool of suspended blocks.
    ///
    /// # Panics
    /// As there.
    pub fn fetch_suspended(&mut self, index: u32, cycle: u64) {
        let block = self.suspended.take(index);
        self.on_way.push_back((cycle, QueuePlace::default(), Record::Block(block)));
    }

    /// What the record at the port in `cycle` is about, and the pool that it comes from.
    pub fn record(&self, cycle: u64) -> Option<(QueuePlace, Record)> {
        let (at, place, record) = *self.on_way.front()?;
        (at <= cycle).then_some((place, record))
    }

    /// The record at the port has an entry.
    pub fn distributed(&mut self) -> Option<Record> {
        self.on_way.pop_front().map(|(.., record)| record)
    }

    /// The next cycle after `now` in which the ports change by themselves. A record that waits at
    /// the port changes nothing.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        let launch = self.launch().or(self.suspended()).map(|_| now + 1);
        let record = self.on_way.front().map(|(at, ..)| *at).filter(|at| *at > now);
        launch.into_iter().chain(record).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: QueuePlace = QueuePlace { queue: 1, level: 2 };
    const OTHER: QueuePlace = QueuePlace { queue: 1, level: 1 };

    #[test]
    fn each_pool_counts_its_own_records() {
        let mut pools = Pools::default();
        for (kernel, place) in [(7, ONE), (8, OTHER), (9, ONE)] {
            pools.arrive(kernel);
            assert_eq!(pools.launch(), Some(kernel));
            pools.launched(place);
        }
        pools.fetch(OTHER, 0, 20);
        pools.fetch(ONE, 0, 21);
        pools.fetch(ONE, 1, 22);
        let mut seen = Vec::new();
        for cycle in [20, 21, 22] {
            seen.extend(pools.record(cycle));
            assert!(pools.distributed().is_some());
        }
        let kernels = [(OTHER, 8), (ONE, 7), (ONE, 9)];
        assert_eq!(seen, kernels.map(|(place, kernel)| (place, Record::Kernel(kernel))));
    }

    #[test]
    fn a_record_stays_at_the_port_until_it_has_an_entry() {
        let mut pools = Pools::default();
        for kernel in [7, 8] {
            pools.arrive(kernel);
            pools.launched(ONE);
        }
        pools.fetch(ONE, 0, 20);
        pools.fetch(ONE, 1, 21);
        assert_eq!((pools.record(19), pools.next_change(19)), (None, Some(20)));
        for now in [20, 21, 30] {
            let record = Some((ONE, Record::Kernel(7)));
            assert_eq!((pools.record(now), pools.next_change(now)), (record, None));
        }
        assert_eq!(pools.distributed(), Some(Record::Kernel(7)));
        let next = Some((ONE, Record::Kernel(8)));
        assert_eq!(pools.record(30), next, "the next one is there at once");
    }

    #[test]
    fn suspended_blocks_have_a_pool_of_their_own_and_come_in_the_order_of_the_requests() {
        let mut pools = Pools::default();
        pools.arrive(7);
        pools.launched(ONE);
        pools.suspend(3);
        pools.suspend(1);
        for block in [3, 1] {
            assert_eq!((pools.suspended(), pools.next_change(5)), (Some(block), Some(6)));
            pools.put_suspended();
        }
        assert_eq!((pools.suspended(), pools.next_change(5)), (None, None));
        pools.fetch_suspended(0, 20);
        pools.fetch(ONE, 0, 21);
        pools.fetch_suspended(1, 22);
        let records = [20, 21, 22].map(|cycle| (pools.record(cycle), pools.distributed()).0);
        let none = QueuePlace::default();
        let expected =
            [(none, Record::Block(3)), (ONE, Record::Kernel(7)), (none, Record::Block(1))];
        assert_eq!(records, expected.map(Some));
    }
}
