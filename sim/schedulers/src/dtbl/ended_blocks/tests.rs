use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::*;

/// A block ended on each of these SMXs in the cycle before, one of the group in that entry.
fn ends(blocks: &[(usize, u32)]) -> EndedBlocksInputs {
    let mut inputs = EndedBlocksInputs::default();
    for &(smx, index) in blocks {
        inputs.ended.set(smx, true);
        inputs.ended_index[smx] = index;
    }
    inputs
}

fn shown(blocks: &EndedBlocks) -> EndedBlocksOutputs {
    blocks.evaluate(&EndedBlocksInputs::default())
}

/// What is served in this cycle, and then the edge of one in which nothing ends.
fn serve(blocks: &mut EndedBlocks) -> Option<u32> {
    let served = shown(blocks).served;
    blocks.clock(&EndedBlocksInputs::default());
    served
}

/// What is served from a cycle in which these come until the queues are empty.
fn drain(blocks: &mut EndedBlocks, first: &[(usize, u32)]) -> Vec<u32> {
    let first = come(blocks, first);
    first.into_iter().chain(std::iter::from_fn(|| serve(blocks))).collect()
}

/// What is served in the cycle in which these come.
fn come(blocks: &mut EndedBlocks, ended: &[(usize, u32)]) -> Option<u32> {
    let served = blocks.evaluate(&ends(ended)).served;
    blocks.clock(&ends(ended));
    served
}

/// The SMXs that are crowded in a cycle in which these come.
fn crowded(blocks: &EndedBlocks, ended: &[(usize, u32)]) -> SmxMask {
    blocks.evaluate(&ends(ended)).crowded
}

#[test]
fn a_block_is_served_in_the_cycle_in_which_it_comes_and_once() {
    let mut blocks = EndedBlocks::new(3, 4);
    assert_eq!(blocks.evaluate(&ends(&[(1, 2047)])).served, Some(2047));
    assert_eq!(blocks.clock(&ends(&[(1, 2047)])), Activity::Busy, "the pointer moves");
    assert_eq!(shown(&blocks).served, None);
    assert_eq!(blocks.clock(&EndedBlocksInputs::default()), Activity::Quiet);
    assert_eq!(blocks.clock(&ends(&[(0, 1), (1, 2)])), Activity::Busy);
    assert_eq!(shown(&blocks).served, Some(2), "SMX 0 went first");
    assert_eq!(blocks.clock(&EndedBlocksInputs::default()), Activity::Busy);
    assert_eq!(blocks.clock(&EndedBlocksInputs::default()), Activity::Quiet);
}

#[test]
fn a_block_that_is_served_at_once_leaves_nothing_where_the_pointer_stays() {
    let mut blocks = EndedBlocks::new(1, 4);
    assert_eq!(come(&mut blocks, &[(0, 3)]), Some(3));
    assert_eq!(blocks, EndedBlocks::new(1, 4));
    assert_eq!(blocks.clock(&ends(&[(0, 4)])), Activity::Quiet);
}

#[test]
fn blocks_of_an_smx_are_served_in_the_order_of_their_ends() {
    let mut blocks = EndedBlocks::new(2, 8);
    let come = |index| come(&mut blocks, &[(0, index), (1, 100 + index)]);
    assert_eq!([5, 3, 5].map(come), [Some(5), Some(105), Some(3)]);
    assert_eq!(drain(&mut blocks, &[(0, 9), (1, 109)]), [103, 5, 105, 9, 109]);
}

#[test]
fn an_smx_is_served_after_the_one_before_it_and_smx_0_after_the_last() {
    for smx in SMXS {
        let mut blocks = EndedBlocks::new(smx, 8);
        let all: Vec<_> = (0..smx).map(|s| (s, s as u32)).collect();
        assert_eq!(drain(&mut blocks, &all), (0..smx as u32).collect::<Vec<_>>(), "from SMX 0 on");
        assert_eq!(come(&mut blocks, &all), Some(0), "the pointer wrapped");
    }
}

#[test]
fn every_pointer_and_set_of_queues_of_up_to_five_smxs_obeys_the_rule() {
    for smx in 1..=5 {
        for pointer in 0..smx {
            for bits in 0..1u32 << smx {
                // Each of the set comes in that cycle or waits already.
                for waiting in [0, bits & 0b01010, bits] {
                    let mut blocks = EndedBlocks::new(smx, 8);
                    let set = |bits: u32| {
                        let set = (0..smx).filter(move |s| bits >> s & 1 == 1);
                        set.map(|s| (s, s as u32)).collect::<Vec<_>>()
                    };
                    let before = (pointer + smx - 1) % smx;
                    blocks.queues[before].push_back(99);
                    blocks.pointer = before;
                    // They wait behind what is served, on that SMX as well.
                    assert_eq!(come(&mut blocks, &set(waiting)), Some(99));
                    // The lowest at or above the pointer, else the lowest one of all.
                    let above = bits >> pointer << pointer;
                    let lowest = if above != 0 { above } else { bits };
                    let expected = (bits != 0).then(|| lowest.trailing_zeros());
                    let served = come(&mut blocks, &set(bits & !waiting));
                    assert_eq!(served, expected, "{smx} SMXs, {pointer}, {bits:b}, {waiting:b}");
                }
            }
        }
    }
}

#[test]
fn the_pointer_stays_while_all_queues_are_empty() {
    let mut blocks = EndedBlocks::new(3, 8);
    assert_eq!(come(&mut blocks, &[(1, 7)]), Some(7));
    assert_eq!(serve(&mut blocks), None);
    let all = [(0, 10), (1, 11), (2, 12)];
    assert_eq!(drain(&mut blocks, &all), [12, 10, 11], "SMX 2 is behind the one that was served");
}

#[test]
fn an_smx_is_crowded_with_as_many_blocks_as_slots_and_not_with_one_less() {
    for slots in [2, 16, 32] {
        let mut blocks = EndedBlocks::new(144, slots);
        // Another SMX is served in each cycle.
        for queued in 1..slots {
            let ended = [(143, 1), (queued as usize, 2)];
            assert_eq!(crowded(&blocks, &ended), SmxMask::ZERO, "{queued} of {slots}");
            assert_eq!(come(&mut blocks, &ended), Some(2));
        }
        assert_eq!(crowded(&blocks, &[]), SmxMask::ZERO, "one less than slots");
        assert_eq!(crowded(&blocks, &[(143, 1)]), mask::of([143]), "with the one that comes");
        assert_eq!(come(&mut blocks, &[(143, 1), (slots as usize, 2)]), Some(2));
        assert_eq!(crowded(&blocks, &[]), mask::of([143]), "the same in its queue");
        assert_eq!(crowded(&blocks, &[(143, 1)]), mask::of([143]), "one more than slots");
    }
}

#[test]
fn a_crowded_smx_is_not_any_more_in_the_cycle_after_it_was_served() {
    let mut blocks = EndedBlocks::new(2, 1);
    assert_eq!(crowded(&blocks, &[(0, 3), (1, 4)]), mask::of([0, 1]));
    assert_eq!(come(&mut blocks, &[(0, 3), (1, 4)]), Some(3));
    assert_eq!(crowded(&blocks, &[]), mask::of([1]));
    assert_eq!(serve(&mut blocks), Some(4));
    assert_eq!(crowded(&blocks, &[]), SmxMask::ZERO);
}

#[test]
fn reset_empties_the_queues_and_returns_the_pointer_whatever_else_the_cycle_carries() {
    let mut blocks = EndedBlocks::new(4, 2);
    blocks.clock(&ends(&[(0, 3), (2, 4), (3, 5)]));
    blocks.clock(&ends(&[(2, 6)]));
    let reset = EndedBlocksInputs { reset: true, ..ends(&[(1, 7)]) };
    assert_eq!(blocks.clock(&reset), Activity::Busy);
    assert_eq!(blocks, EndedBlocks::new(4, 2));
    assert_eq!(blocks.clock(&reset), Activity::Quiet);
    // The pointer alone is state as well.
    assert_eq!(come(&mut blocks, &[(0, 3)]), Some(3));
    assert_eq!(blocks.clock(&reset), Activity::Busy);
}
