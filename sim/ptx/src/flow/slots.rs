use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::Range;

use super::Lifetimes;

/// Kind of a register: each has slots of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `.pred`
    Predicate,
    /// All others, of any width up to 64 bits: a slot holds one value.
    General,
}

/// Where a warp keeps the registers of a function: no two that are needed at once share a slot.
///
/// A thread that reads a register before it has written it sees what its slot held at first, as no
/// other register has been there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// The slot of every register among those of its class; 0 for registers that no instruction
    /// names.
    pub slot_of: Vec<u16>,
    /// Number of slots for general registers.
    pub general: u16,
    /// Number of slots for predicates.
    pub predicates: u16,
}

impl Slots {
    /// Gives a slot to each register, or None when there are not enough numbers for them.
    ///
    /// Registers take the lowest slot that is free for their lifetime, holes included, in the order
    /// in which they are first needed. That is the least possible number of slots for lifetimes
    /// without holes, and little more for others.
    ///
    /// # Panics
    ///
    /// When `classes` has no entry for a register that is needed.
    pub fn new(lifetimes: &Lifetimes, classes: &[Class]) -> Option<Self> {
        let mut slot_of = vec![0; classes.len()];
        let mut count = |class| {
            let mut taken = Taken::default();
            let of_class = (0..classes.len()).filter(|&register| classes[register] == class);
            let begin = |register| Some((lifetimes.ranges(register).first()?.start, register));
            let mut order: Vec<(u32, usize)> = of_class.filter_map(begin).collect();
            order.sort_unstable();
            for (_, register) in order {
                let slot = taken.take(lifetimes.ranges(register));
                slot_of[register] = u16::try_from(slot).ok()?;
            }
            u16::try_from(taken.slots.len()).ok()
        };
        let (general, predicates) = (count(Class::General)?, count(Class::Predicate)?);
        Some(Self { slot_of, general, predicates })
    }
}

/// Slots of one class while registers are put there in the order in which they are first needed.
#[derive(Default)]
struct Taken {
    /// Of each slot: when it is taken, as the end of each range by its beginning.
    slots: Vec<BTreeMap<u32, u32>>,
    /// Slots that may be free now.
    idle: BTreeSet<usize>,
    /// Slots that are taken now, by the time until which they are.
    busy: BinaryHeap<Reverse<(u32, usize)>>,
}

impl Taken {
    /// Finds a slot for a register that is needed during `ranges`; there is at least one.
    fn take(&mut self, ranges: &[Range<u32>]) -> usize {
        let now = ranges[0].start;
        while let Some(&Reverse((_, slot))) = self.busy.peek().filter(|next| next.0 .0 <= now) {
            self.busy.pop();
            self.idle.insert(slot);
        }
        let slot = self.first_free(now, ranges).unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(BTreeMap::new());
        }
        self.set_busy(slot, ranges[0].end);
        self.slots[slot].extend(ranges.iter().map(|range| (range.start, range.end)));
        slot
    }

    /// The lowest slot that is free during `ranges`. On the way to it those are set busy whose
    /// register is needed again after a hole in its lifetime.
    fn first_free(&mut self, now: u32, ranges: &[Range<u32>]) -> Option<usize> {
        let mut woken = Vec::new();
        let found = self.idle.iter().copied().find(|&slot| {
            let ends = &self.slots[slot];
            let until = ends.range(..=now).next_back().map(|(_, &end)| end);
            woken.extend(until.filter(|&end| end > now).map(|end| (slot, end)));
            ranges.iter().all(|range| is_free(ends, range))
        });
        for (slot, end) in woken {
            self.set_busy(slot, end);
        }
        found
    }

    fn set_busy(&mut self, slot: usize, until: u32) {
        self.idle.remove(&slot);
        self.busy.push(Reverse((until, slot)));
    }
}

/// Whether nothing has `slot` during `range`.
fn is_free(slot: &BTreeMap<u32, u32>, range: &Range<u32>) -> bool {
    slot.range(..range.end).next_back().is_none_or(|(_, &end)| end <= range.start)
}
