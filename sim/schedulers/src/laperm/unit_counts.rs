//! Twin of `laperm/unit_counts`: how much of each kernel is still to be distributed, wherever it
//! waits (`docs/laperm.md`, rule 9).
//!
//! Undefined, and not to be compared: everything after a `leave` of an entry of which nothing is
//! there.

use crate::port::{Activity, KernelEntry, KERNEL_ENTRIES};

/// Input ports of [`UnitCounts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitCountsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A host kernel or a unit of this entry enters.
    pub enter: Option<KernelEntry>,
    /// A host kernel or a unit of this entry leaves its queue for good.
    pub leave: Option<KernelEntry>,
}

/// Output ports of [`UnitCounts`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitCountsOutputs {
    /// One bit an entry: something of it is still to be distributed.
    pub marked: u32,
}

/// The counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitCounts {
    counts: [u64; KERNEL_ENTRIES],
}

impl Default for UnitCounts {
    fn default() -> Self {
        Self::new()
    }
}

impl UnitCounts {
    /// Counts of nothing.
    pub fn new() -> Self {
        Self { counts: [0; KERNEL_ENTRIES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &UnitCountsInputs) -> UnitCountsOutputs {
        let bit = |(entry, &count): (usize, &u64)| u32::from(count > 0) << entry;
        UnitCountsOutputs { marked: self.counts.iter().enumerate().map(bit).sum() }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &UnitCountsInputs) -> Activity {
        let before = self.counts;
        if let Some(entry) = inputs.enter {
            self.counts[entry.index()] += 1;
        }
        if let Some(entry) = inputs.leave {
            let count = &mut self.counts[entry.index()];
            *count = count.saturating_sub(1);
        }
        if inputs.reset {
            *self = Self::new();
        }
        Activity::from(self.counts != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(enter: Option<u8>, leave: Option<u8>) -> UnitCountsInputs {
        let [enter, leave] = [enter, leave].map(|entry| entry.map(KernelEntry));
        UnitCountsInputs { reset: false, enter, leave }
    }

    fn marked(counts: &UnitCounts) -> u32 {
        counts.evaluate(&UnitCountsInputs::default()).marked
    }

    #[test]
    fn a_kernel_is_marked_until_as_much_has_left_as_has_entered() {
        let mut counts = UnitCounts::new();
        for _ in 0..2 {
            assert_eq!(counts.clock(&inputs(Some(31), None)), Activity::Busy);
            assert_eq!(marked(&counts), 1 << 31);
        }
        counts.clock(&inputs(Some(0), Some(31)));
        assert_eq!(marked(&counts), 1 << 31 | 1);
        counts.clock(&inputs(None, Some(31)));
        assert_eq!(marked(&counts), 1);
    }

    #[test]
    fn one_that_enters_as_another_one_leaves_changes_nothing() {
        let mut counts = UnitCounts::new();
        counts.clock(&inputs(Some(4), None));
        assert_eq!(counts.clock(&inputs(Some(4), Some(4))), Activity::Quiet);
        assert_eq!(marked(&counts), 1 << 4);
        assert_eq!(counts.clock(&inputs(None, None)), Activity::Quiet);
    }

    #[test]
    fn reset_forgets_all_whatever_else_the_cycle_carries() {
        let mut counts = UnitCounts::new();
        counts.clock(&inputs(Some(4), None));
        let reset = UnitCountsInputs { reset: true, ..inputs(Some(5), None) };
        assert_eq!(counts.clock(&reset), Activity::Busy);
        assert_eq!(counts, UnitCounts::new());
        assert_eq!(counts.clock(&reset), Activity::Quiet);
    }
}
