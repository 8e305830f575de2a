use super::*;
use proptest::prelude::*;
use std::collections::VecDeque;

const GRID: Dim3 = Dim3::new(6, 4, 1);

fn load_of(grid: Dim3, start: u64, end: u64) -> ChunkEntryInputs {
    ChunkEntryInputs {
        begins: true,
        load: true,
        load_start: block_of(start, grid),
        load_last: block_of(end, grid),
        grid,
        ..Default::default()
    }
}

fn load(start: u64, end: u64) -> ChunkEntryInputs {
    load_of(GRID, start, end)
}

fn begin() -> ChunkEntryInputs {
    ChunkEntryInputs { begins: true, grid: GRID, ..Default::default() }
}

/// A kernel begins in the other direction than the one before of this entry.
fn turn(entry: &mut ChunkEntry, inputs: &ChunkEntryInputs) {
    let before = outputs(entry).forward;
    entry.clock(&ChunkEntryInputs { former: before, ..inputs.clone() });
}

fn take() -> ChunkEntryInputs {
    ChunkEntryInputs { take: true, grid: GRID, ..Default::default() }
}

fn steal() -> ChunkEntryInputs {
    ChunkEntryInputs { steal: true, grid: GRID, ..Default::default() }
}

fn both() -> ChunkEntryInputs {
    ChunkEntryInputs { take: true, ..steal() }
}

/// A chunk of the linear ids `start` to `end` of [`GRID`], running forward or backward.
fn chunk(start: u64, end: u64, forward: bool) -> ChunkEntry {
    let mut entry = ChunkEntry::new(true);
    entry.clock(&load(start, end));
    if !forward {
        turn(&mut entry, &begin());
    }
    assert_eq!(outputs(&entry).forward, forward);
    entry
}

fn outputs(entry: &ChunkEntry) -> ChunkEntryOutputs {
    let outputs = entry.evaluate(&ChunkEntryInputs::default());
    assert_eq!(outputs, entry.evaluate(&both()), "state alone");
    outputs
}

/// The linear ids of the current and the far block, and whether that is the last one.
fn shown(entry: &ChunkEntry) -> Option<(u64, u64, bool)> {
    let ChunkEntryOutputs { available, next_block: next, far_block: far, last, .. } =
        outputs(entry);
    assert!(available || (next, far, last) == Default::default(), "zero when spent");
    available.then(|| (next.linear(GRID), far.linear(GRID), last))
}

fn steps(entry: &mut ChunkEntry, inputs: &ChunkEntryInputs, times: usize) {
    (0..times).for_each(|_| assert_eq!(entry.clock(inputs), Activity::Busy));
}

#[test]
fn a_chunk_runs_from_start_to_end_and_is_spent_behind_the_far_bound() {
    for (forward, order) in [(true, [6, 7, 8]), (false, [8, 7, 6])] {
        let mut entry = chunk(6, 8, forward);
        for block in order {
            assert_eq!(shown(&entry), Some((block, order[2], block == order[2])));
            steps(&mut entry, &take(), 1);
        }
        assert_eq!(shown(&entry), None);
        assert_eq!(outputs(&entry).forward, forward, "it is shown when spent, too");
    }
}

#[test]
fn an_entry_runs_through_rows_and_planes() {
    let grid = Dim3::new(2, 2, 2);
    let mut entry = ChunkEntry::new(true);
    entry.clock(&load_of(grid, 1, 6));
    let mut order = vec![];
    while outputs(&entry).available {
        let Dim3 { x, y, z } = outputs(&entry).next_block;
        order.push((x, y, z));
        entry.clock(&ChunkEntryInputs { grid, ..take() });
    }
    assert_eq!(order, [(1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]);
}

#[test]
fn the_first_kernel_runs_forward_and_then_every_other_one_does_if_the_direction_flips() {
    for flips in [false, true] {
        let mut entry = ChunkEntry::new(flips);
        assert!(!outputs(&entry).forward, "low after reset");
        // That chunks are loaded sets nothing back.
        for (kernel, load_it) in [true, false, false, true, true, false].into_iter().enumerate() {
            turn(&mut entry, &ChunkEntryInputs { load: load_it, ..load(3, 9) });
            let forward = !flips || kernel % 2 == 0;
            let first = if forward { (3, 9, false) } else { (9, 3, false) };
            assert_eq!(outputs(&entry).forward, forward, "kernel {kernel}");
            assert_eq!(shown(&entry), Some(first), "kernel {kernel}");
        }
    }
}

#[test]
fn the_direction_is_the_other_one_than_that_before_whatever_this_entry_had() {
    for (flips, had, before) in (0..8).map(|bits| (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0)) {
        for load_it in [false, true] {
            let mut entry = ChunkEntry::new(flips);
            entry.clock(&ChunkEntryInputs { former: !had, ..load(3, 9) });
            entry.clock(&ChunkEntryInputs { former: before, load: load_it, ..load(3, 9) });
            let forward = !flips || !before;
            assert_eq!(outputs(&entry).forward, forward, "{flips} {had} {before}");
            assert_eq!(shown(&entry), Some(if forward { (3, 9, false) } else { (9, 3, false) }));
        }
    }
    let mut entry = chunk(3, 9, true);
    let only = ChunkEntryInputs { former: true, ..ChunkEntryInputs::default() };
    assert_eq!(entry.clock(&only), Activity::Quiet, "only with begins");
}

#[test]
fn a_begin_shows_its_chunk_one_cycle_later() {
    let entry = ChunkEntry::new(true);
    assert_eq!(entry.evaluate(&load(3, 9)), ChunkEntryOutputs::default());
}

#[test]
fn a_spent_chunk_is_there_again_when_the_next_kernel_begins() {
    let mut entry = chunk(6, 7, true);
    steps(&mut entry, &take(), 2);
    turn(&mut entry, &begin());
    assert_eq!(shown(&entry), Some((7, 6, false)));
    turn(&mut entry, &begin());
    assert_eq!(shown(&entry), Some((6, 7, false)), "also one that nobody has run");
}

#[test]
fn an_empty_chunk_is_spent_in_every_kernel_until_another_one_is_loaded() {
    let mut entry = ChunkEntry::new(false);
    let beyond = Dim3::new(0, 0, GRID.z);
    entry.clock(&ChunkEntryInputs { load_vacant: true, load_start: beyond, ..load(0, 23) });
    assert_eq!(shown(&entry), None);
    turn(&mut entry, &begin());
    assert_eq!(shown(&entry), None);
    entry.clock(&load(23, 23));
    assert_eq!(shown(&entry), Some((23, 23, true)));
}

#[test]
fn load_without_begin_and_its_values_without_load_are_not_seen() {
    let mut entry = chunk(6, 8, true);
    assert_eq!(entry.clock(&ChunkEntryInputs { begins: false, ..load(0, 1) }), Activity::Quiet);
    let begin = ChunkEntryInputs { load: false, load_vacant: true, ..load(0, 1) };
    turn(&mut entry, &begin);
    assert_eq!(shown(&entry), Some((8, 6, false)));
}

#[test]
fn a_stolen_block_is_the_far_one_and_is_gone_in_later_kernels_too() {
    // The example of section 4.4: block (5, 1, 0) leaves the end of SMX 1's chunk.
    let mut entry = chunk(6, 11, true);
    assert_eq!(outputs(&entry).far_block, Dim3::new(5, 1, 0));
    steps(&mut entry, &steal(), 1);
    assert_eq!(shown(&entry), Some((6, 10, false)));
    turn(&mut entry, &begin());
    assert_eq!(shown(&entry), Some((10, 6, false)));
    steps(&mut entry, &steal(), 1);
    assert_eq!(shown(&entry), Some((10, 7, false)), "backward it leaves the start");
    turn(&mut entry, &begin());
    assert_eq!(shown(&entry), Some((7, 10, false)));
}

#[test]
fn the_last_block_left_may_be_taken_or_stolen_and_then_the_chunk_is_spent() {
    for forward in [true, false] {
        let mut taken = chunk(6, 8, forward);
        steps(&mut taken, &take(), 2);
        let mut stolen = taken.clone();
        steps(&mut taken, &take(), 1);
        steps(&mut stolen, &steal(), 1);
        assert_eq!([shown(&taken), shown(&stolen)], [None, None]);
        turn(&mut taken, &begin());
        turn(&mut stolen, &begin());
        let (whole, rest) = if forward { ((8, 6), (7, 6)) } else { ((6, 8), (7, 8)) };
        assert_eq!(shown(&taken), Some((whole.0, whole.1, false)));
        assert_eq!(shown(&stolen), Some((rest.0, rest.1, false)));
    }
}

#[test]
fn a_chunk_of_which_everything_is_stolen_is_empty_from_then_on() {
    for forward in [true, false] {
        let mut entry = chunk(6, 7, forward);
        steps(&mut entry, &steal(), 2);
        assert_eq!(shown(&entry), None);
        for _ in 0..2 {
            turn(&mut entry, &begin());
            assert_eq!(shown(&entry), None);
        }
    }
}

#[test]
fn a_block_may_be_taken_and_another_one_stolen_in_one_cycle() {
    for forward in [true, false] {
        let mut entry = chunk(6, 9, forward);
        steps(&mut entry, &both(), 1);
        let (next, far) = if forward { (7, 8) } else { (8, 7) };
        assert_eq!(shown(&entry), Some((next, far, false)));
        steps(&mut entry, &both(), 1);
        assert_eq!(shown(&entry), None, "the last two");
        turn(&mut entry, &begin());
        let kept = if forward { (7, 6, false) } else { (8, 9, false) };
        assert_eq!(shown(&entry), Some(kept), "what has run here");
    }
}

#[test]
fn the_first_block_of_a_grid_and_the_last_one_of_the_largest_end_a_chunk() {
    let mut first = chunk(0, 0, false);
    assert_eq!(shown(&first), Some((0, 0, true)));
    steps(&mut first, &take(), 1);
    assert_eq!(shown(&first), None);
    let (x, yz) = ((1 << 31) - 1, 65_535);
    for grid in [Dim3::new(x, 1, 1), Dim3::new(1, yz, 32_768), Dim3::new(1, 32_768, yz)] {
        let blocks = grid.volume() as u64;
        let mut entry = ChunkEntry::new(true);
        entry.clock(&load_of(grid, blocks - 2, blocks - 1));
        steps(&mut entry, &ChunkEntryInputs { grid, ..take() }, 1);
        let last = Dim3::new(grid.x - 1, grid.y - 1, grid.z - 1);
        let ChunkEntryOutputs { next_block: next, far_block: far, .. } = outputs(&entry);
        assert_eq!((next, far), (last, last));
        steps(&mut entry, &ChunkEntryInputs { grid, ..take() }, 1);
        assert_eq!(shown(&entry), None);
    }
}

#[test]
fn without_begin_take_and_steal_nothing_is_stored() {
    let mut entry = chunk(6, 8, true);
    assert_eq!(entry.clock(&ChunkEntryInputs::default()), Activity::Quiet);
}

#[test]
fn reset_in_the_middle_forgets_the_chunk_and_the_direction() {
    for flips in [false, true] {
        let mut entry = ChunkEntry::new(flips);
        entry.clock(&load(6, 8));
        entry.clock(&take());
        let reset = ChunkEntryInputs { reset: true, ..load(1, 2) };
        assert_eq!(entry.clock(&reset), Activity::Busy);
        assert_eq!(entry, ChunkEntry::new(flips));
        assert_eq!(outputs(&entry), ChunkEntryOutputs::default());
        assert_eq!(entry.clock(&reset), Activity::Quiet);
        entry.clock(&load(6, 8));
        assert!(outputs(&entry).forward);
    }
}

proptest! {
    /// The blocks left as a list: `take` at one end, `steal` at the other.
    #[test]
    fn an_entry_is_a_list_of_which_both_ends_are_used(
        (x, y, z) in (1u32..5, 1u32..5, 1u32..5),
        (one, other) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        kernels in prop::collection::vec(prop::collection::vec(0u8..4, 0..70), 1..5),
    ) {
        let grid = Dim3::new(x, y, z);
        let (one, other) = (one.index(grid.volume() as usize), other.index(grid.volume() as usize));
        let mut owned: VecDeque<u64> = (one.min(other) as u64..=one.max(other) as u64).collect();
        let mut entry = ChunkEntry::new(true);
        let first = load_of(grid, owned[0], owned[owned.len() - 1]);
        for (kernel, cycles) in kernels.iter().enumerate() {
            turn(&mut entry, &ChunkEntryInputs { load: kernel == 0, ..first.clone() });
            let forward = kernel % 2 == 0;
            let mut left: VecDeque<u64> = if forward { owned.clone() } else { owned.iter().rev().copied().collect() };
            for cycle in cycles {
                let outputs = outputs(&entry);
                prop_assert_eq!(outputs.available, !left.is_empty());
                prop_assert_eq!(outputs.last, left.len() == 1);
                if let (Some(next), Some(far)) = (left.front(), left.back()) {
                    prop_assert_eq!((outputs.next_block, outputs.far_block), (block_of(*next, grid), block_of(*far, grid)));
                }
                let take = cycle & 1 == 1 && !left.is_empty();
                let steal = cycle & 2 == 2 && left.len() > usize::from(take);
                if take {
                    left.pop_front();
                }
                if steal {
                    let stolen = left.pop_back();
                    owned.retain(|block| Some(*block) != stolen);
                }
                entry.clock(&ChunkEntryInputs { take, steal, grid, ..Default::default() });
            }
        }
    }
}
