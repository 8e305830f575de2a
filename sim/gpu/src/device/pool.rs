//! Device kernels from the SMXs to the Kernel Distributor: at the port of the Kernel Management Unit, in
//! its pools in global memory, and on their way from there (rules 2 and 3 of `docs/dtbl.md`, rules 8 and
//! 14 of `docs/laperm.md`).

use std::collections::{BTreeMap, VecDeque};

use crate::port::QueuePlace;

/// One pool.
#[derive(Debug, Default)]
struct Pool {
    kernels: VecDeque<usize>,
    /// The number of the first one.
    first: u32,
}

/// See the module. Kernels go by their numbers in the run.
#[derive(Debug, Default)]
pub struct Pools {
    /// Whose launch has reached the port, or waits there: one enters a cycle.
    arrived: VecDeque<usize>,
    /// Those of a scheduler with priority queues go by queue and level; others have one.
    pools: BTreeMap<QueuePlace, Pool>,
    /// On their way to the Kernel Distributor, each with the cycle of its arrival and its pool.
    on_way: VecDeque<(u64, QueuePlace, usize)>,
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
        self.pools.entry(place).or_default().kernels.extend(self.arrived.pop_front());
    }

    /// The record with the number `index` in the pool of `place` has been asked for; it will arrive in
    /// `cycle`.
    ///
    /// # Panics
    /// When it is not the first one; the invariants keep that from happening.
    pub fn fetch(&mut self, place: QueuePlace, index: u32, cycle: u64) {
        let pool = self.pools.entry(place).or_default();
        assert_eq!(index, pool.first, "the first record of the pool");
        let kernel = pool.kernels.pop_front().expect("a record in the pool");
        pool.first = pool.first.wrapping_add(1);
        self.on_way.push_back((cycle, place, kernel));
    }

    /// The kernel whose record is at the port in `cycle`, and the pool that it comes from.
    pub fn record(&self, cycle: u64) -> Option<(QueuePlace, usize)> {
        let (at, place, kernel) = *self.on_way.front()?;
        (at <= cycle).then_some((place, kernel))
    }

    /// The record at the port has an entry.
    pub fn distributed(&mut self) -> Option<usize> {
        self.on_way.pop_front().map(|(.., kernel)| kernel)
    }

    /// The next cycle after `now` in which the ports change by themselves. A record that waits at the
    /// port changes nothing.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        let launch = self.launch().map(|_| now + 1);
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
        assert_eq!(seen, [(OTHER, 8), (ONE, 7), (ONE, 9)]);
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
            assert_eq!((pools.record(now), pools.next_change(now)), (Some((ONE, 7)), None));
        }
        assert_eq!(pools.distributed(), Some(7));
        assert_eq!(pools.record(30), Some((ONE, 8)), "the next one is there at once");
    }
}
