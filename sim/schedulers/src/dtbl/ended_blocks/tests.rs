use super::super::super::mask;
use super::super::super::tests::harness::SMXS;
use super::*;

/// A block ends on each of these SMXs, one of the group in that entry.
fn ends(blocks: &[(usize, u32)]) -> EndedBlocksInputs {
    let mut inputs = EndedBlocksInputs::default();
    for &(smx, index) in blocks {
        inputs.finished.set(smx, true);
        inputs.finished_index[smx] = index;
    }
    inputs
}

fn shown(blocks: &EndedBlocks) -> EndedBlocksOutputs {
    let outputs = blocks.evaluate(&EndedBlocksInputs::default());
    assert_eq!(outputs, blocks.evaluate(&ends(&[(0, 77)])), "the inputs do not matter");
    outputs
}

/// What is served in this cycle, and then the edge of one in which nothing ends.
fn serve(blocks: &mut EndedBlocks) -> Option<u32> {
    let served = shown(blocks).served;
    blocks.clock(&EndedBlocksInputs::default());
    served
}

/// What is served until the queues are empty.
fn drain(blocks: &mut EndedBlocks) -> Vec<u32> {
    std::iter::from_fn(|| serve(blocks)).collect()
}

#[test]
fn a_block_is_served_in_the_cycle_after_its_end_and_once() {
    let mut blocks = EndedBlocks::new(3, 4);
    assert_eq!(blocks.evaluate(&ends(&[(1, 2047)])).served, None, "not in that cycle");
    assert_eq!(blocks.clock(&ends(&[(1, 2047)])), Activity::Busy);
    assert_eq!(shown(&blocks).served, Some(2047));
    assert_eq!(blocks.clock(&EndedBlocksInputs::default()), Activity::Busy);
    assert_eq!(shown(&blocks).served, None);
    assert_eq!(blocks.clock(&EndedBlocksInputs::default()), Activity::Quiet);
}

#[test]
fn blocks_of_an_smx_are_served_in_the_order_of_their_ends() {
    let mut blocks = EndedBlocks::new(2, 8);
    for index in [5, 3, 5, 9] {
        blocks.clock(&ends(&[(0, index), (1, 100 + index)]));
    }
    // SMX 0 and 1 were served once each, and SMX 0 again, while they filled.
    assert_eq!(drain(&mut blocks), [103, 5, 105, 9, 109]);
}

#[test]
fn an_smx_is_served_after_the_one_before_it_and_smx_0_after_the_last() {
    for smx in SMXS {
        let mut blocks = EndedBlocks::new(smx, 8);
        let all: Vec<_> = (0..smx).map(|s| (s, s as u32)).collect();
        blocks.clock(&ends(&all));
        assert_eq!(drain(&mut blocks), (0..smx as u32).collect::<Vec<_>>(), "from SMX 0 on");
        blocks.clock(&ends(&all));
        assert_eq!(serve(&mut blocks), Some(0), "the pointer wrapped");
    }
}

#[test]
fn every_pointer_and_set_of_queues_of_up_to_five_smxs_obeys_the_rule() {
    for smx in 1..=5 {
        for pointer in 0..smx {
            for bits in 0..1u32 << smx {
                let mut blocks = EndedBlocks::new(smx, 8);
                let before = (pointer + smx - 1) % smx;
                blocks.clock(&ends(&[(before, 99)]));
                assert_eq!(serve(&mut blocks), Some(99));
                let filled = (0..smx).filter(|s| bits >> s & 1 == 1);
                blocks.clock(&ends(&filled.map(|s| (s, s as u32)).collect::<Vec<_>>()));
                // The lowest at or above the pointer, else the lowest one of all.
                let above = bits >> pointer << pointer;
                let lowest = if above != 0 { above } else { bits };
                let expected = (bits != 0).then(|| lowest.trailing_zeros());
                assert_eq!(serve(&mut blocks), expected, "{smx} SMXs, {pointer}, {bits:b}");
            }
        }
    }
}

#[test]
fn the_pointer_stays_while_all_queues_are_empty() {
    let mut blocks = EndedBlocks::new(3, 8);
    blocks.clock(&ends(&[(1, 7)]));
    assert_eq!(serve(&mut blocks), Some(7));
    assert_eq!(serve(&mut blocks), None);
    blocks.clock(&ends(&[(0, 10), (1, 11), (2, 12)]));
    assert_eq!(drain(&mut blocks), [12, 10, 11], "SMX 2 is behind the one that was served");
}

#[test]
fn an_smx_is_crowded_with_as_many_blocks_as_slots_and_not_with_one_less() {
    for slots in [1, 2, 16, 32] {
        let mut blocks = EndedBlocks::new(144, slots);
        // SMX 0 takes the turn of the first cycle, and then others are served.
        for queued in 0..slots {
            assert_eq!(shown(&blocks).crowded, SmxMask::ZERO, "{queued} of {slots}");
            let other = queued as usize;
            blocks.clock(&ends(&[(143, 1), (other, 2)]));
        }
        assert_eq!(shown(&blocks).crowded, at_143_and_others(slots), "{slots} of {slots}");
        blocks.clock(&ends(&[(143, 1), (slots as usize, 2)]));
        assert!(shown(&blocks).crowded[143], "one more than slots");
    }
}

/// With one slot, an SMX is crowded that has not been served yet: the one that ended a block last.
fn at_143_and_others(slots: u32) -> SmxMask {
    mask::of([143].into_iter().chain((slots == 1).then_some(0)))
}

#[test]
fn a_crowded_smx_is_not_any_more_in_the_cycle_after_it_was_served() {
    let mut blocks = EndedBlocks::new(2, 1);
    blocks.clock(&ends(&[(0, 3), (1, 4)]));
    assert_eq!(shown(&blocks).crowded, mask::of([0, 1]));
    assert_eq!(serve(&mut blocks), Some(3));
    assert_eq!(shown(&blocks).crowded, mask::of([1]));
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
    blocks.clock(&ends(&[(0, 3)]));
    serve(&mut blocks);
    assert_eq!(blocks.clock(&reset), Activity::Busy);
}
