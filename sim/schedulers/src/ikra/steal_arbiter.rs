//! Twin of `ikra/steal_arbiter`: which thieves get a block (`docs/ikra.md`, rule 12).
//!
//! Undefined, and not to be compared: everything when a request is there for an SMX that is not
//! there. Combinational: there is no clock edge.

use super::super::{PerSmx, SmxMask};
use super::{ChunkEntryOutputs, StealQueueOutputs};
use crate::port::Dim3;

/// Input ports of [`StealArbiter`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StealArbiterInputs {
    /// The SMXs whose request is at its victim.
    pub asks: SmxMask,
    /// For each of those, whom it asks.
    pub victim: PerSmx<usize>,
    /// Of those, the ones that ask for the chunk instead of the queue.
    pub from_chunk: SmxMask,
    /// The SMXs of whose queue something is left after their own dispatch.
    pub queue_left: SmxMask,
    /// The same for the chunk.
    pub chunk_left: SmxMask,
    /// The block at the far end of each queue; valid where something is left.
    pub queue_far: PerSmx<Dim3>,
    /// The same for the chunk.
    pub chunk_far: PerSmx<Dim3>,
}

impl StealArbiterInputs {
    /// Without a request: what is left of chunks and queues that show this, one of each SMX, where
    /// SMXs take the next blocks of their own.
    pub(super) fn left_of(
        chunks: &[ChunkEntryOutputs],
        queues: &[StealQueueOutputs],
        take_chunk: SmxMask,
        take_queue: SmxMask,
    ) -> Self {
        let chunk_left = |(smx, chunk): (usize, &ChunkEntryOutputs)| {
            chunk.available && !(chunk.last && take_chunk[smx])
        };
        let queue_left = |(smx, queue): (usize, &StealQueueOutputs)| {
            queue.available && !(queue.last && take_queue[smx])
        };
        Self {
            chunk_left: chunks.iter().enumerate().map(chunk_left).collect(),
            queue_left: queues.iter().enumerate().map(queue_left).collect(),
            chunk_far: chunks.iter().map(|chunk| chunk.far_block).collect(),
            queue_far: queues.iter().map(|queue| queue.far_block).collect(),
            ..Default::default()
        }
    }
}

/// Output ports of [`StealArbiter`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StealArbiterOutputs {
    /// The thieves that get a block.
    pub granted: SmxMask,
    /// Those whose victim has nothing of that kind; who is in neither set waits.
    pub refused: SmxMask,
    /// For each thief that gets one, the block; zero for all others.
    pub block: PerSmx<Dim3>,
    /// The victims whose queue loses its far block.
    pub steal_queue: SmxMask,
    /// The same for the chunk.
    pub steal_chunk: SmxMask,
}

/// The number of SMXs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StealArbiter {
    smx: usize,
}

impl StealArbiter {
    /// An arbiter between `smx` SMXs.
    pub fn new(smx: usize) -> Self {
        Self { smx }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &StealArbiterInputs) -> StealArbiterOutputs {
        let mut outputs = StealArbiterOutputs::default();
        // Of thieves that ask for the same block the lowest one comes first.
        for thief in (0..self.smx).filter(|&thief| inputs.asks[thief]) {
            let victim = inputs.victim[thief];
            let (left, far, stolen) = if inputs.from_chunk[thief] {
                (inputs.chunk_left[victim], inputs.chunk_far[victim], &mut outputs.steal_chunk)
            } else {
                (inputs.queue_left[victim], inputs.queue_far[victim], &mut outputs.steal_queue)
            };
            if !left {
                outputs.refused.set(thief, true);
            } else if !stolen[victim] {
                stolen.set(victim, true);
                outputs.granted.set(thief, true);
                outputs.block[thief] = far;
            }
        }
        outputs
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;
    use crate::port::MAX_SMX;
    use proptest::prelude::*;

    /// Requests as thief, victim, and whether for the chunk; victims with something left of each.
    fn requests(
        asks: &[(usize, usize, bool)],
        queue_left: &[usize],
        chunk_left: &[usize],
    ) -> StealArbiterInputs {
        let mut inputs = StealArbiterInputs {
            queue_left: mask::of(queue_left.iter().copied()),
            chunk_left: mask::of(chunk_left.iter().copied()),
            queue_far: (0..144).map(|victim| Dim3::new(victim, 1, 0)).collect(),
            chunk_far: (0..144).map(|victim| Dim3::new(victim, 2, 0)).collect(),
            ..Default::default()
        };
        for &(thief, victim, from_chunk) in asks {
            inputs.asks.set(thief, true);
            inputs.victim[thief] = victim;
            inputs.from_chunk.set(thief, from_chunk);
        }
        inputs
    }

    #[test]
    fn without_a_request_nobody_is_answered_and_nothing_leaves() {
        let arbiter = StealArbiter::new(4);
        let outputs = arbiter.evaluate(&requests(&[], &[0, 1, 2, 3], &[0, 1, 2, 3]));
        assert_eq!(outputs, StealArbiterOutputs::default());
    }

    #[test]
    fn the_lowest_thief_gets_the_far_block_and_the_others_wait() {
        let asks = [(3, 1, false), (2, 1, false), (0, 1, false)];
        let outputs = StealArbiter::new(4).evaluate(&requests(&asks, &[1], &[]));
        let mut block = PerSmx::default();
        block[0] = Dim3::new(1, 1, 0);
        let expected = StealArbiterOutputs {
            granted: mask::of([0]),
            block,
            steal_queue: mask::of([1]),
            ..Default::default()
        };
        assert_eq!(outputs, expected);
    }

    #[test]
    fn all_thieves_of_a_victim_without_anything_are_refused_together() {
        let asks = [(0, 1, true), (2, 1, true), (3, 1, true)];
        let outputs = StealArbiter::new(4).evaluate(&requests(&asks, &[0, 1, 2, 3], &[0, 2, 3]));
        let refused = mask::of([0, 2, 3]);
        assert_eq!(outputs, StealArbiterOutputs { refused, ..Default::default() });
    }

    #[test]
    fn a_victim_answers_for_its_queue_and_its_chunk_in_one_cycle() {
        let asks = [(0, 1, true), (2, 1, false), (3, 1, true)];
        let outputs = StealArbiter::new(4).evaluate(&requests(&asks, &[1], &[1]));
        assert_eq!(outputs.granted, mask::of([0, 2]));
        let blocks = [Dim3::new(1, 2, 0), Dim3::default(), Dim3::new(1, 1, 0)];
        assert_eq!(outputs.block, blocks.into_iter().collect());
        assert_eq!((outputs.steal_queue, outputs.steal_chunk), (mask::of([1]), mask::of([1])));
        let mixed = StealArbiter::new(4).evaluate(&requests(&asks, &[], &[1]));
        assert_eq!((mixed.granted, mixed.refused), (mask::of([0]), mask::of([2])));
    }

    #[test]
    fn victims_answer_independently_of_each_other_up_to_the_last_smx() {
        for smx in SMXS {
            let last = smx - 1;
            let asks: Vec<_> = (0..smx).map(|thief| (thief, last - thief, thief < 20)).collect();
            let all: Vec<_> = (0..smx).collect();
            let outputs = StealArbiter::new(smx).evaluate(&requests(&asks, &all, &all));
            assert_eq!(outputs.granted, mask::of(0..smx));
            assert_eq!(outputs.block[last], Dim3::new(0, if smx > 20 { 1 } else { 2 }, 0));
        }
    }

    proptest! {
        #[test]
        fn every_request_is_granted_refused_or_waits_for_a_lower_one(
            smx in prop_oneof![1usize..=32, prop::sample::select(&SMXS[..])],
            masks in any::<[[u64; 3]; 4]>(), victims in prop::collection::vec(0..MAX_SMX, MAX_SMX),
        ) {
            let [asks, from_chunk, queue_left, chunk_left] = masks.map(|[low, middle, high]| {
                SmxMask::from_words([low, middle, high >> 48]) & mask::of(0..smx)
            });
            let inputs = StealArbiterInputs {
                asks,
                victim: victims.iter().map(|victim| victim % smx).collect(),
                from_chunk,
                queue_left,
                chunk_left,
                ..requests(&[], &[], &[])
            };
            let outputs = StealArbiter::new(smx).evaluate(&inputs);
            for thief in 0..smx {
                let (victim, from_chunk) = (inputs.victim[thief], inputs.from_chunk[thief]);
                let left = if from_chunk { inputs.chunk_left } else { inputs.queue_left }[victim];
                let lower = (0..thief).any(|other| {
                    inputs.asks[other]
                        && (inputs.victim[other], inputs.from_chunk[other]) == (victim, from_chunk)
                });
                let asks = inputs.asks[thief];
                prop_assert_eq!(outputs.granted[thief], asks && left && !lower);
                prop_assert_eq!(outputs.refused[thief], asks && !left);
            }
            let leaves = outputs.steal_queue.count_ones() + outputs.steal_chunk.count_ones();
            prop_assert_eq!(outputs.granted.count_ones(), leaves);
        }
    }
}
