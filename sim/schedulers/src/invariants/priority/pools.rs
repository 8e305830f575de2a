//! The pools of device kernels, one for each priority queue and level (rule 14 of
//! `docs/laperm.md`).

use std::collections::BTreeMap;

use crate::laperm::LapermConfig;
use crate::port::QueuePlace;

use super::super::device::Pool;

/// See the module.
#[derive(Clone, PartialEq)]
pub(in crate::invariants) struct BoundPools {
    pools: BTreeMap<QueuePlace, Pool>,
    /// Records that were asked for and have not entered, of each pool.
    on_way: BTreeMap<QueuePlace, u32>,
    queues: u8,
    levels: u8,
    /// The queue at which the search goes on, and the level that it looks at next.
    at: u8,
    level: u8,
}

impl BoundPools {
    pub(in crate::invariants) fn new(config: &LapermConfig, smx: usize) -> Self {
        Self {
            pools: BTreeMap::new(),
            on_way: BTreeMap::new(),
            queues: config.queues(smx) as u8,
            levels: config.levels,
            at: 0,
            level: config.levels,
        }
    }

    /// The record that is fetched if the search goes on in this cycle.
    pub(in crate::invariants) fn found(&self) -> Option<(QueuePlace, u32)> {
        let place = QueuePlace { queue: self.visited()?, level: self.level };
        let pool = self.pools.get(&place).filter(|pool| pool.records > 0)?;
        Some((place, pool.first))
    }

    /// A record of `place` may be at the port of records.
    pub(in crate::invariants) fn is_on_way(&self, place: QueuePlace) -> bool {
        self.on_way.get(&place).is_some_and(|records| *records > 0)
    }

    /// A record of `place` has entered the Kernel Distributor.
    pub(in crate::invariants) fn entered(&mut self, place: QueuePlace) {
        *self.on_way.entry(place).or_default() -= 1;
    }

    /// The clock edge: the search may have gone on, and a record may have joined a pool.
    pub(in crate::invariants) fn clock(&mut self, search: bool, launch: Option<QueuePlace>) {
        if let Some(queue) = self.visited().filter(|_| search) {
            if let Some((place, _)) = self.found() {
                self.pools.entry(place).or_default().take();
                *self.on_way.entry(place).or_default() += 1;
                (self.at, self.level) = ((queue + 1) % self.queues, self.levels);
            } else {
                (self.at, self.level) = (queue, self.level - 1);
            }
        }
        if let Some(place) = launch {
            self.pools.entry(place).or_default().records += 1;
        }
    }

    /// The first queue with a record, from `at` upwards and cyclically.
    fn visited(&self) -> Option<u8> {
        let waiting = self.pools.iter().filter(|(_, pool)| pool.records > 0);
        // Those from `at` on come before those below it.
        waiting.map(|(place, _)| place.queue).min_by_key(|queue| (*queue < self.at, *queue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laperm::Binding;

    #[test]
    fn the_search_goes_round_over_more_queues_than_half_of_what_a_byte_counts() {
        let config = LapermConfig::new(Binding::Bound);
        let mut pools = BoundPools::new(&config, 144);
        for queue in [142, 130, 143, 0, 142] {
            let place = QueuePlace { queue, level: config.levels };
            pools.clock(false, Some(place));
            assert_eq!(pools.found(), Some((place, pools.pools[&place].first)));
            pools.clock(true, None);
        }
    }
}
