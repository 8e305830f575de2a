//! Twin of `srtf/room` (`docs/srtf.md`, rule 4): what each SMX has in use, and where a block of the
//! SMX's own choice fits.
//!
//! Undefined, and not to be compared: `room` of an SMX without a choice, and everything after more
//! was freed or taken than is in use or fits.

use super::super::dispatch::{ResourceTable, ResourceTableInputs};
use super::super::{PerSmx, SmxMask};
use crate::port::{Activity, BlockNeeds, SmxLimits};

/// Input ports of [`ChoiceRoom`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceRoomInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// For each SMX, what a block of its choice takes.
    pub needs: PerSmx<BlockNeeds>,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
    /// For each of those, what that block gives back beside its slot.
    pub freed: PerSmx<BlockNeeds>,
    /// The SMXs that receive a block of their choice.
    pub take: SmxMask,
}

/// A table of one SMX for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceRoom {
    smxs: Vec<ResourceTable>,
}

impl ChoiceRoom {
    /// `smx` SMXs without a resident block.
    pub fn new(smx: usize, limits: SmxLimits) -> Self {
        Self { smxs: vec![ResourceTable::new(1, limits); smx] }
    }

    /// The SMXs on which a block of their choice fits.
    pub fn evaluate(&self, inputs: &ChoiceRoomInputs) -> SmxMask {
        let mut room = SmxMask::ZERO;
        for (smx, table) in self.smxs.iter().enumerate() {
            room.set(smx, table.evaluate(&Self::of(smx, inputs)).room[0]);
        }
        room
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChoiceRoomInputs) -> Activity {
        let mut activity = Activity::Quiet;
        for (smx, table) in self.smxs.iter_mut().enumerate() {
            activity |= table.clock(&Self::of(smx, inputs));
        }
        activity
    }

    /// A line of a stuck run's report for each SMX that has resident blocks.
    pub(super) fn explain(&self) -> impl Iterator<Item = String> + '_ {
        self.smxs.iter().enumerate().flat_map(|(smx, table)| {
            table.explain().map(move |line| line.replace("on SMX 0", &format!("on SMX {smx}")))
        })
    }

    fn of(smx: usize, inputs: &ChoiceRoomInputs) -> ResourceTableInputs {
        let mut one = ResourceTableInputs {
            reset: inputs.reset,
            needs: inputs.needs[smx],
            freed: PerSmx::all(inputs.freed[smx]),
            ..ResourceTableInputs::default()
        };
        one.finished.set(0, inputs.finished[smx]);
        one.take.set(0, inputs.take[smx]);
        one
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::*;

    const LIMITS: SmxLimits =
        SmxLimits { threads: 64, registers: 100, shared_memory: 100, thread_block_slots: 4 };

    fn needs(threads: u32) -> BlockNeeds {
        BlockNeeds { threads, ..BlockNeeds::default() }
    }

    #[test]
    fn each_smx_is_asked_about_a_block_of_its_own() {
        let mut room = ChoiceRoom::new(3, LIMITS);
        let mut inputs = ChoiceRoomInputs { take: mask::of([0, 1]), ..ChoiceRoomInputs::default() };
        (inputs.needs[0], inputs.needs[1]) = (needs(64), needs(32));
        assert_eq!(room.clock(&inputs), Activity::Busy);
        let mut asked =
            ChoiceRoomInputs { needs: PerSmx::all(needs(32)), ..ChoiceRoomInputs::default() };
        assert_eq!(room.evaluate(&asked), mask::of([1, 2]));
        asked.needs[1] = needs(64);
        assert_eq!(room.evaluate(&asked), mask::of([2]));
        // What ends gives back its own needs, not those of the choice.
        (asked.finished, asked.freed[0]) = (mask::of([0]), needs(64));
        assert_eq!(room.evaluate(&asked), mask::of([0, 2]));
    }

    #[test]
    fn a_report_names_the_smx() {
        let mut room = ChoiceRoom::new(2, LIMITS);
        let mut inputs = ChoiceRoomInputs { take: mask::of([1]), ..ChoiceRoomInputs::default() };
        inputs.needs[1] = needs(32);
        room.clock(&inputs);
        let lines: Vec<_> = room.explain().collect();
        assert_eq!(lines, ["the scheduler counts 1 blocks, 32 threads on SMX 1"]);
        assert_eq!(room.clock(&ChoiceRoomInputs { reset: true, ..inputs }), Activity::Busy);
        assert_eq!(room, ChoiceRoom::new(2, LIMITS));
    }
}
