//! Twin of `laperm/bound_pools`: the pools in memory of kernels launched by blocks, one for each
//! queue and level, and the search for the next record (LaPerm, sections IV-C and IV-E;
//! `docs/laperm.md`, rule 14).
//!
//! Latency: `launch` to `fetch` 1 cycle, and one more for each level above the record's that is
//! looked at.
//!
//! Undefined, and not to be compared: everything after a `launch` into a pool that does not exist,
//! or with 2^32 records in a pool at once.

use super::super::kmu::{PendingPool, PendingPoolInputs, PendingPoolOutputs};
use super::LapermConfig;
use crate::port::{Activity, QueuePlace};

/// Input ports of [`BoundPools`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoundPoolsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A record is put into this pool.
    pub launch: Option<QueuePlace>,
    /// A record may be fetched in this cycle; otherwise the search stands still.
    pub search: bool,
}

/// Output ports of [`BoundPools`]; they depend on the state and `search` alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoundPoolsOutputs {
    /// The record that is fetched: its pool, and its place there.
    pub fetch: Option<(QueuePlace, u32)>,
}

/// The pools and how far the search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundPools {
    /// For each queue its pools, level 1 first.
    queues: Vec<Vec<PendingPool>>,
    /// The queue that is visited next, or the next one with a record.
    at: usize,
    /// The level of it that is looked at.
    level: u8,
    /// L.
    levels: u8,
}

impl BoundPools {
    /// Empty pools of a GPU with `smx` SMXs.
    pub fn new(config: &LapermConfig, smx: usize) -> Self {
        let levels = config.levels;
        let queue = vec![PendingPool::new(); usize::from(levels)];
        Self { queues: vec![queue; config.queues(smx)], at: 0, level: levels, levels }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BoundPoolsInputs) -> BoundPoolsOutputs {
        let visited = self.visited().filter(|_| inputs.search);
        let fetch = visited.and_then(|queue| {
            let record = records(&self.queues[queue][usize::from(self.level - 1)]);
            let place = QueuePlace { queue: queue as u8, level: self.level };
            record.any.then_some((place, record.first))
        });
        BoundPoolsOutputs { fetch }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BoundPoolsInputs) -> Activity {
        let BoundPoolsInputs { reset, launch, search } = *inputs;
        let before = (self.at, self.level);
        let fetch = self.evaluate(inputs).fetch;
        if let Some(queue) = self.visited().filter(|_| search) {
            (self.at, self.level) = match fetch {
                Some(_) => ((queue + 1) % self.queues.len(), self.levels),
                // A queue that is visited has a record, and no level below the lowest one.
                None => (queue, self.level.max(2) - 1),
            };
        }
        if reset {
            (self.at, self.level) = (0, self.levels);
        }
        let mut activity = Activity::from(before != (self.at, self.level));
        if !reset && launch.is_none() && fetch.is_none() {
            return activity;
        }
        for (queue, pools) in (0..).zip(&mut self.queues) {
            for (level, pool) in (1..).zip(pools) {
                let here = QueuePlace { queue, level };
                let push = launch == Some(here);
                let pop = fetch.is_some_and(|(place, _)| place == here);
                activity |= pool.clock(&PendingPoolInputs { reset, push, pop });
            }
        }
        activity
    }

    /// Records in memory, for the report of a stuck run.
    pub(super) fn waiting(&self) -> u32 {
        self.queues.iter().flatten().map(PendingPool::waiting).sum()
    }

    /// The first queue with a record, from `at` upwards and cyclically.
    fn visited(&self) -> Option<usize> {
        let queues = (0..self.queues.len()).map(|step| (self.at + step) % self.queues.len());
        let has_record = |&queue: &usize| self.queues[queue].iter().any(|pool| records(pool).any);
        let mut found = queues.filter(has_record);
        found.next()
    }
}

/// What is in a pool by the state at the start of the cycle.
fn records(pool: &PendingPool) -> PendingPoolOutputs {
    pool.evaluate(&PendingPoolInputs::default())
}

#[cfg(test)]
mod tests;
