//! Twin of `most_room/room` (`docs/most-room.md`, rules 2 and 3): the SMXs on which most blocks
//! with the same needs still fit.
//!
//! Undefined, and not to be compared: nothing. Combinational: there is no clock edge.

use super::super::{PerSmx, SmxMask};
use super::{Fits, FitsInputs, Most, MostInputs};
use crate::port::{BlockNeeds, SmxLimits};

/// Input ports of [`Room`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomInputs {
    /// The SMXs that ask.
    pub request: SmxMask,
    /// What one block takes.
    pub needs: BlockNeeds,
    /// What is free on each SMX, from SMX 0 on.
    pub free: Vec<SmxLimits>,
}

/// Output ports of [`Room`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomOutputs {
    /// Those of `request` with the most room in blocks.
    pub most: SmxMask,
}

/// It has no state, and serves any number of SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room;

impl Room {
    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &RoomInputs) -> RoomOutputs {
        let RoomInputs { request, needs, free } = inputs;
        let count = room_in_blocks(free, *needs);
        RoomOutputs { most: Most.evaluate(&MostInputs { request: *request, count }).most }
    }
}

/// How many blocks with `needs` fit what is free on each SMX (rule 2).
pub(crate) fn room_in_blocks(free: &[SmxLimits], needs: BlockNeeds) -> PerSmx<u32> {
    let count = |&free| Fits.evaluate(&FitsInputs { free, needs }).count;
    free.iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::*;

    /// The example of the page: blocks of 20 KB, of which 2, 4 and 4 fit.
    fn asked(request: &[usize], left: [u32; 3]) -> Vec<usize> {
        let kb = |kb| SmxLimits { shared_memory: kb << 10, ..LEFT };
        let inputs = RoomInputs {
            request: mask::of(request.iter().copied()),
            needs: BlockNeeds { threads: 256, registers: 4096, shared_memory: 20 << 10 },
            free: left.into_iter().map(kb).collect(),
        };
        Room.evaluate(&inputs).most.iter_ones().collect()
    }

    const LEFT: SmxLimits =
        SmxLimits { threads: 2048, registers: 65_536, shared_memory: 0, thread_block_slots: 32 };

    #[test]
    fn of_those_that_ask_the_ones_on_which_most_blocks_fit_are_left() {
        assert_eq!(asked(&[0, 1, 2], [48, 96, 96]), [1, 2]);
        assert_eq!(asked(&[0, 1, 2], [48, 76, 96]), [2], "after one has gone to SMX 1");
        assert_eq!(asked(&[0, 1], [48, 48, 96]), [0, 1], "SMX 2 does not ask");
        assert_eq!(asked(&[], [48, 96, 96]), []);
    }
}
