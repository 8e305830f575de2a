//! Twin of `laperm/priority_queue`: the units of one SMX or cluster by decreasing level, first come
//! first served within a level (LaPerm, sections IV-A and IV-E; `docs/laperm.md`, rules 3 to 5).
//!
//! Latency: `insert` to `head` 1 cycle, and with a shifting queue one more for each unit of a lower
//! level; `step` and `remove` to the head that follows 1 cycle.
//!
//! Undefined, and not to be compared: `at` and `ends` of a head with an empty grid, and everything
//! after an `insert` without `ready` or into a queue that is full, a `step` of an empty head, a
//! `step` of the last block without `remove`, or a `step` or `remove` without a head.

use super::super::dispatch::{BlockSequence, BlockSequenceInputs, BlockSequenceOutputs};
use super::QueueKind;
use crate::port::{Activity, Dim3, QueueEntry};

/// Input ports of [`PriorityQueue`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityQueueInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A unit and its level, 1 to [`crate::port::MAX_LEVELS`]; only with `ready`.
    pub insert: Option<(u8, QueueEntry)>,
    /// The head's next block is dispatched in this cycle.
    pub step: bool,
    /// The head leaves at the end of this cycle.
    pub remove: bool,
}

/// The first unit of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Its level.
    pub level: u8,
    /// What it is.
    pub entry: QueueEntry,
    /// NextBL: its next block.
    pub at: Dim3,
    /// That block is its last one.
    pub ends: bool,
    /// Its grid holds no block.
    pub empty: bool,
}

/// Output ports of [`PriorityQueue`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityQueueOutputs {
    /// No unit is on its way to its place: one can be inserted.
    pub ready: bool,
    /// The first unit that is in its place.
    pub head: Option<Head>,
    /// Units on chip; one that is on its way to its place counts.
    pub count: usize,
}

/// A unit in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unit {
    level: u8,
    entry: QueueEntry,
    /// NextBL.
    at: Dim3,
}

/// The units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorityQueue {
    kind: QueueKind,
    entries: usize,
    /// In order: the head first.
    units: Vec<Unit>,
    /// A unit that is not in its place, and how many cycles after this one end before it is.
    inserting: Option<(Unit, usize)>,
}

impl PriorityQueue {
    /// An empty queue of `entries` entries.
    pub fn new(kind: QueueKind, entries: usize) -> Self {
        Self { kind, entries, units: Vec::new(), inserting: None }
    }

    /// How many units it holds at most.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &PriorityQueueInputs) -> PriorityQueueOutputs {
        PriorityQueueOutputs {
            ready: self.inserting.is_none(),
            head: self.units.first().map(|unit| {
                let following = following(unit);
                Head {
                    level: unit.level,
                    entry: unit.entry,
                    at: unit.at,
                    ends: following.beyond.is_none(),
                    empty: following.empty,
                }
            }),
            count: self.units.len() + usize::from(self.inserting.is_some()),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PriorityQueueInputs) -> Activity {
        if inputs.reset {
            let changed = !self.units.is_empty() || self.inserting.is_some();
            (self.units, self.inserting) = (Vec::new(), None);
            return Activity::from(changed);
        }
        // The one way to store what was there: a unit leaves and one like it takes its place.
        let before = (inputs.remove && inputs.insert.is_some()).then(|| self.clone());
        let mut changed = inputs.insert.is_some() || self.inserting.is_some();

        // What is behind the new unit counts as it is in the cycle of the acceptance.
        let inserted = inputs.insert.map(|(level, entry)| {
            let lower = self.units.iter().filter(|unit| unit.level < level).count();
            let cycles = match self.kind {
                QueueKind::Linked => 0,
                QueueKind::Shifting => lower.min(self.entries - 1),
            };
            (Unit { level, entry, at: Dim3::default() }, cycles)
        });
        if inputs.remove && !self.units.is_empty() {
            self.units.remove(0);
            changed = true;
        } else if let (true, Some(head)) = (inputs.step, self.units.first_mut()) {
            head.at = following(head).beyond.unwrap_or_default();
            changed = true;
        }
        let going_on = self.inserting.take().map(|(unit, cycles)| (unit, cycles - 1));
        match inserted.or(going_on) {
            Some((unit, 0)) => {
                let place = self.units.iter().take_while(|other| other.level >= unit.level).count();
                self.units.insert(place, unit);
            }
            not_there => self.inserting = not_there,
        }
        Activity::from(changed && before.is_none_or(|before| *self != before))
    }

    /// Units of each level, highest first, for the report of a stuck run.
    pub(super) fn levels(&self) -> Vec<(u8, usize)> {
        let units = self.units.iter().chain(self.inserting.iter().map(|(unit, _)| unit));
        let levels: Vec<u8> = units.map(|unit| unit.level).collect();
        let count = |level| levels.iter().filter(|&&of| of == level).count();
        let all = (1..=crate::port::MAX_LEVELS).rev().map(|level| (level, count(level)));
        all.filter(|&(_, units)| units > 0).collect()
    }
}

/// What follows a unit's next block.
fn following(unit: &Unit) -> BlockSequenceOutputs {
    let inputs = BlockSequenceInputs { at: unit.at, grid: unit.entry.grid };
    BlockSequence::new(1).evaluate(&inputs)
}

#[cfg(test)]
mod tests;
