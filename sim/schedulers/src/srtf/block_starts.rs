//! Twin of `srtf/block_starts` (`docs/srtf.md`, rule 8): Block_Start of every slot of one SMX.
//!
//! Undefined, and not to be compared: `slot` when none is free, `duration` and everything after a
//! `finished` of a free slot or a `taken` without a free one, and what depends on a `clock` that is
//! not there.

use super::cover;
use super::CLOCK;
use crate::cover::when;
use crate::port::Activity;

/// Longest duration that is measured: 32 bits.
const MOST_DURATION: u64 = (1 << 32) - 1;

/// Input ports of [`BlockStarts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockStartsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The number of the cycle, 40 bits; valid with the other two.
    pub clock: u64,
    /// The block in that slot ends.
    pub finished: Option<u8>,
    /// A block goes to `slot`.
    pub taken: bool,
}

/// Output ports of [`BlockStarts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockStartsOutputs {
    /// The lowest slot that is free or whose block ends in this cycle.
    pub slot: Option<u8>,
    /// How long the block that ends has run; zero without one.
    pub duration: u32,
}

/// The slots: the clock at the start of what each holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockStarts {
    starts: Vec<Option<u64>>,
}

impl BlockStarts {
    /// That many free slots.
    pub fn new(slots: u32) -> Self {
        Self { starts: vec![None; slots as usize] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BlockStartsInputs) -> BlockStartsOutputs {
        let ending = inputs.finished.map(usize::from);
        let free = |slot: &usize| self.starts[*slot].is_none() || ending == Some(*slot);
        let slot = (0..self.starts.len()).find(free).map(|slot| slot as u8);
        let start = ending.and_then(|slot| *self.starts.get(slot)?);
        let duration = start.map_or(0, |start| inputs.clock.wrapping_sub(start) & CLOCK);
        BlockStartsOutputs { slot, duration: duration.min(MOST_DURATION) as u32 }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BlockStartsInputs) -> Activity {
        if !inputs.reset && inputs.finished.is_none() && !inputs.taken {
            return Activity::Quiet;
        }
        let before = self.starts.clone();
        let BlockStartsOutputs { slot, duration } = self.evaluate(inputs);
        when(u64::from(duration) == MOST_DURATION && !inputs.reset, &cover::DURATION_MOST);
        if inputs.reset {
            self.starts.fill(None);
            return Activity::from(self.starts != before);
        }
        if let Some(slot) = inputs.finished {
            self.starts[usize::from(slot)] = None;
        }
        if let (true, Some(slot)) = (inputs.taken, slot) {
            self.starts[usize::from(slot)] = Some(inputs.clock & CLOCK);
        }
        Activity::from(self.starts != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(clock: u64, finished: Option<u8>, taken: bool) -> BlockStartsInputs {
        BlockStartsInputs { reset: false, clock, finished, taken }
    }

    #[test]
    fn a_duration_is_from_the_cycle_of_the_dispatch_to_that_of_the_end() {
        let mut starts = BlockStarts::new(3);
        for clock in [10, 11] {
            starts.clock(&at(clock, None, true));
        }
        assert_eq!(starts.evaluate(&at(25, Some(1), false)).duration, 14);
        assert_eq!(starts.evaluate(&at(25, Some(0), false)).duration, 15);
        assert_eq!(starts.evaluate(&at(25, None, false)).duration, 0);
    }

    #[test]
    fn the_lowest_free_slot_is_taken_and_one_that_ends_counts_as_free() {
        let mut starts = BlockStarts::new(2);
        assert_eq!(starts.evaluate(&at(0, None, false)).slot, Some(0));
        starts.clock(&at(0, None, true));
        starts.clock(&at(1, None, true));
        assert_eq!(starts.evaluate(&at(2, None, false)).slot, None);
        let swap = at(7, Some(0), true);
        assert_eq!(starts.evaluate(&swap), BlockStartsOutputs { slot: Some(0), duration: 7 });
        assert_eq!(starts.clock(&swap), Activity::Busy);
        assert_eq!(starts.evaluate(&at(9, Some(0), false)).duration, 2);
    }

    #[test]
    fn the_clock_wraps_and_the_duration_saturates() {
        let mut starts = BlockStarts::new(2);
        starts.clock(&at(CLOCK - 1, None, true));
        assert_eq!(starts.evaluate(&at(3, Some(0), false)).duration, 5);
        let long = (1 << 32) + 17;
        starts.clock(&at(3, None, true));
        assert_eq!(starts.evaluate(&at(3 + long, Some(1), false)).duration, u32::MAX);
        assert_eq!(starts.evaluate(&at(2 + (1 << 32), Some(1), false)).duration, u32::MAX);
        assert_eq!(starts.evaluate(&at(1 + (1 << 32), Some(1), false)).duration, u32::MAX - 1);
    }

    #[test]
    fn reset_frees_every_slot_whatever_else_the_cycle_carries() {
        let mut starts = BlockStarts::new(2);
        starts.clock(&at(0, None, true));
        let reset = BlockStartsInputs { reset: true, ..at(1, None, true) };
        assert_eq!(starts.clock(&reset), Activity::Busy);
        assert_eq!(starts, BlockStarts::new(2));
        assert_eq!(starts.clock(&at(5, None, false)), Activity::Quiet);
    }
}
