//! Twin of `laperm/overflow`: what of one priority queue is in memory, and what is on its way from
//! there (LaPerm, sections IV-A and IV-E; `docs/laperm.md`, rules 6 and 7).
//!
//! Undefined, and not to be compared: `behind` and `index` of a level that does not exist, and
//! everything after a `fetched` without `fetch`, an `arrived` of a level of which nothing is on its
//! way, or with 2^32 units of a level in memory at once.

use crate::port::Activity;

/// Input ports of [`OverflowQueues`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverflowQueuesInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A level, 1 to L, that is asked about.
    pub level: u8,
    /// A unit of this level is put into memory.
    pub spill: Option<u8>,
    /// The unit that `fetch` names is asked for.
    pub fetched: bool,
    /// A unit of this level that was on its way is on chip from the next cycle on.
    pub arrived: Option<u8>,
}

/// Output ports of [`OverflowQueues`]; they depend on the state and `level` alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverflowQueuesOutputs {
    /// Units of `level` are in memory, or on their way from there.
    pub behind: bool,
    /// The number in memory of the next unit of `level` that is put there.
    pub index: u32,
    /// The highest level that has a unit in memory, and the number of its oldest one.
    pub fetch: Option<(u8, u32)>,
    /// Units on their way, of all levels.
    pub on_the_way: usize,
}

/// One level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    /// Units that were ever put into memory, and that were ever asked for; both wrap.
    spilled: u32,
    fetched: u32,
    /// Units that were asked for and have not come.
    on_the_way: usize,
}

/// The levels of one queue, level 1 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverflowQueues {
    levels: Vec<Level>,
}

impl OverflowQueues {
    /// `levels` levels (L) of which nothing was ever put into memory.
    pub fn new(levels: u8) -> Self {
        Self { levels: vec![Level::default(); usize::from(levels)] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &OverflowQueuesInputs) -> OverflowQueuesOutputs {
        let asked = self.levels.get(usize::from(inputs.level).wrapping_sub(1));
        let asked = asked.copied().unwrap_or_default();
        OverflowQueuesOutputs {
            behind: asked.spilled != asked.fetched || asked.on_the_way > 0,
            index: asked.spilled,
            fetch: self.oldest_of_highest(),
            on_the_way: self.levels.iter().map(|level| level.on_the_way).sum(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &OverflowQueuesInputs) -> Activity {
        if inputs.reset {
            let changed = self.levels.iter().any(|level| *level != Level::default());
            self.levels.fill(Level::default());
            return Activity::from(changed);
        }
        if inputs.spill.is_none() && !inputs.fetched && inputs.arrived.is_none() {
            return Activity::Quiet;
        }
        let fetched = self.oldest_of_highest().filter(|_| inputs.fetched).map(|(level, _)| level);
        for (level, state) in (1..).zip(&mut self.levels) {
            let (asked, came) = (fetched == Some(level), inputs.arrived == Some(level));
            state.spilled = state.spilled.wrapping_add((inputs.spill == Some(level)).into());
            state.fetched = state.fetched.wrapping_add(asked.into());
            state.on_the_way = (state.on_the_way + usize::from(asked)).saturating_sub(came.into());
        }
        Activity::from(inputs.spill.is_some() || fetched.is_some() || inputs.arrived.is_some())
    }

    /// Units in memory, for the report of a stuck run.
    pub(super) fn in_memory(&self) -> u64 {
        let of = |level: &Level| u64::from(level.spilled.wrapping_sub(level.fetched));
        self.levels.iter().map(of).sum()
    }

    fn oldest_of_highest(&self) -> Option<(u8, u32)> {
        let levels = (1..).zip(&self.levels);
        let in_memory = levels.filter(|(_, level)| level.spilled != level.fetched);
        in_memory.last().map(|(level, state)| (level, state.fetched))
    }
}

#[cfg(test)]
mod tests;
