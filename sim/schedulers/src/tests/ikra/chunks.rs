//! Chunks, their order and what is kept of them: rules 1 to 7.

use super::*;

#[test]
fn figure_2_each_of_four_smxs_runs_a_row_of_the_grid() {
    let work = [Work::new(0, grid(Dim3::new(6, 4, 1)), &[20])];
    for name in NAMES {
        let record = golden(name, 4, slots(1), &work);
        for smx in 0..4u64 {
            let row: Vec<_> = (6 * smx..6 * smx + 6).collect();
            assert_eq!(order(&record, 0, smx as usize), row, "{name}");
        }
        // T = 1: every SMX has run one block; T = 6: all of them.
        assert_eq!(cycles(&record, 0), [65, 85, 105, 125, 145, 165], "{name}");
        assert!(record.issues.chunks(4).all(|row| row.iter().all(|i| i.cycle == row[0].cycle)));
    }
}

#[test]
fn the_first_remainder_smxs_have_one_block_more() {
    for (smx, blocks, shares) in [
        (1, 5, &[5u64][..]),
        (3, 2, &[1, 1, 0]),
        (3, 3, &[1, 1, 1]),
        (3, 4, &[2, 1, 1]),
        (4, 11, &[3, 3, 3, 2]),
        (5, 1, &[1, 0, 0, 0, 0]),
    ] {
        for name in ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal(queue=2,full=stop)"] {
            let record = golden(name, smx, slots(16), &[Work::new(0, kernel(blocks), &[500])]);
            let got: Vec<_> = (0..smx).map(|smx| record.share(0, smx)).collect();
            assert_eq!(got, shares, "{name}, {blocks} blocks");
            let in_order: Vec<_> = orders(&record, 0, smx).concat();
            assert_eq!(in_order, (0..u64::from(blocks)).collect::<Vec<_>>());
            assert_eq!(record.finished.len(), 1);
        }
    }
}

#[test]
fn reset_and_flip_and_steal_run_a_block_where_it_ran_before() {
    let work = repeated(grid(Dim3::new(5, 3, 2)), &[&[20][..]; 4]);
    for name in ["ikra/reset", "ikra/flip", "ikra/steal"] {
        for smx in [1, 3, 5, 6] {
            let record = golden(name, smx, slots(1), &work);
            for kernel in 1..4 {
                assert_eq!(owners(&record, kernel), owners(&record, 0), "{name}, {smx} SMXs");
            }
        }
    }
}

#[test]
fn reset_runs_every_kernel_forward_and_flip_every_other_one() {
    let work = repeated(kernel(6), &[&[20][..]; 3]);
    let (forward, backward) = ([vec![0, 1, 2], vec![3, 4, 5]], [vec![2, 1, 0], vec![5, 4, 3]]);
    for (name, second) in [("ikra/reset", &forward), ("ikra/flip", &backward)] {
        let record = golden(name, 2, slots(1), &work);
        assert_eq!(orders(&record, 0, 2), forward, "{name}");
        assert_eq!(orders(&record, 1, 2), *second, "{name}");
        assert_eq!(orders(&record, 2, 2), forward, "{name}");
    }
}

#[test]
fn the_example_of_section_4_3_runs_tbs_0_through_9_and_then_9_to_0() {
    let record = golden("ikra/flip", 2, slots(1), &repeated(kernel(20), &[&[20][..]; 2]));
    let forward: Vec<_> = (0..10).collect();
    assert_eq!(order(&record, 0, 0), forward);
    assert_eq!(order(&record, 1, 0), forward.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn another_grid_assigns_chunks_and_does_not_set_the_direction_back() {
    let grids = [(6, 1, 1), (1, 6, 1), (1, 6, 1), (6, 1, 1)];
    let work = grids.map(|(x, y, z)| Work::new(0, grid(Dim3::new(x, y, z)), &[20]));
    let record = golden("ikra/flip", 2, slots(1), &work);
    for (kernel, first) in
        [vec![0, 1, 2], vec![2, 1, 0], vec![0, 1, 2], vec![2, 1, 0]].iter().enumerate()
    {
        assert_eq!(order(&record, kernel, 0), *first, "kernel {kernel}");
    }
    let gaps: Vec<_> =
        (1..4).map(|kernel| cycles(&record, kernel)[0] - record.finished[kernel - 1].1).collect();
    assert_eq!(gaps, [65, 2, 65], "only the third kept its chunks");
}

#[test]
fn a_kernel_without_blocks_ends_one_cycle_after_it_was_accepted_and_changes_nothing() {
    for (x, y, z) in [(0, 1, 1), (6, 0, 1), (5, 5, 0)] {
        let empty = grid(Dim3::new(x, y, z));
        for name in NAMES {
            let record = golden(name, 2, slots(1), &[Work::new(3, empty, &[1])]);
            assert_eq!(record.finished, [(0, 4)], "{name}");
        }
        let work = [kernel(6), empty, kernel(6)].map(|launch| Work::new(0, launch, &[20]));
        let record = golden("ikra/flip", 2, slots(1), &work);
        assert_eq!(order(&record, 2, 0), [2, 1, 0], "backward, as if it had not been there");
        let last = record.finished[0].1;
        assert_eq!(record.finished[1], (1, last + 1));
        assert_eq!(cycles(&record, 2)[0], last + 3, "chunks are kept, and it cost a cycle");
    }
}

#[test]
fn chunk_begins_behind_the_smx_that_finished_last() {
    // Chunks of two blocks; those of SMX 1 take the longest.
    let work = repeated(kernel(8), &[&[10, 10, 90, 90, 10], &[10], &[10]]);
    let record = golden("ikra/chunk", 4, slots(1), &work);
    assert_eq!(orders(&record, 0, 4), [[0, 1], [2, 3], [4, 5], [6, 7]]);
    assert_eq!(orders(&record, 1, 4), [[4, 5], [6, 7], [0, 1], [2, 3]]);
    // All end together: the highest number counts, and forward it stays.
    assert_eq!(orders(&record, 2, 4), [[0, 1], [2, 3], [4, 5], [6, 7]]);
}

#[test]
fn chunk_gives_the_remainder_to_the_first_positions_wherever_they_are() {
    let work = repeated(kernel(7), &[&[10, 10, 90, 90, 10], &[10]]);
    let record = golden("ikra/chunk", 3, slots(1), &work);
    assert_eq!(orders(&record, 0, 3), [vec![0, 1, 2], vec![3, 4], vec![5, 6]]);
    // Block 2 ends at 65 + 110, block 4 at 65 + 100.
    assert_eq!(orders(&record, 1, 3), [vec![5, 6], vec![0, 1, 2], vec![3, 4]]);
}

#[test]
fn an_smx_without_room_keeps_no_other_one_waiting() {
    let work = [Work::new(0, kernel(9), &[500, 1])];
    let record = golden("ikra/reset", 3, slots(1), &work);
    let first: Vec<_> = record.issues.iter().filter(|i| i.smx > 0).map(|i| i.cycle).collect();
    assert_eq!(first, [65, 65, 66, 66, 67, 67]);
    let cycles: Vec<_> = record.issues.iter().filter(|i| i.smx == 0).map(|i| i.cycle).collect();
    assert_eq!(cycles, [65, 565, 566]);
}

#[test]
fn a_block_goes_where_its_needs_fit_beside_what_is_resident() {
    let mut launch = kernel(6);
    launch.needs.shared_memory = LIMITS.shared_memory / 2;
    let record = golden("ikra/reset", 2, LIMITS, &[Work::new(0, launch, &[40, 40, 40, 90])]);
    let of = |smx| record.issues.iter().filter(move |i| i.smx == smx).map(|i| i.cycle);
    assert_eq!(of(0).collect::<Vec<_>>(), [65, 66, 105], "two fit");
    launch.needs.shared_memory += 1;
    let record = golden("ikra/reset", 2, LIMITS, &[Work::new(0, launch, &[40])]);
    let of = |smx| record.issues.iter().filter(move |i| i.smx == smx).map(|i| i.cycle);
    assert_eq!(of(0).collect::<Vec<_>>(), [65, 105, 145], "one fits");
}

#[test]
fn the_largest_grids_begin_where_their_linear_ids_say() {
    let (x, yz) = ((1 << 31) - 1, 65_535);
    for extent in [Dim3::new(x, 1, 1), Dim3::new(1, yz, 32_768), Dim3::new(32_768, 1, yz)] {
        let blocks = extent.volume() as u64;
        for (name, smx) in [("ikra/reset", 3), ("ikra/steal", 32)] {
            let composition = name.parse().unwrap();
            let mut scheduler = crate::build(&composition, smx, slots(1));
            let work = [Work::new(0, grid(extent), &[1000])];
            let record = run(&mut *scheduler, slots(1), &work, 66, false);
            let expected: Vec<_> = (0..smx as u64)
                .map(|s| s * (blocks / smx as u64) + s.min(blocks % smx as u64))
                .collect();
            let got: Vec<_> = record.issues.iter().map(|issue| issue.block).collect();
            assert_eq!(got, expected, "{name} {extent}");
        }
    }
}

#[test]
fn entries_are_taken_in_order_of_the_ring_and_the_thirty_third_kernel_waits() {
    for name in NAMES {
        let work: Vec<_> = (0..40).map(|_| Work::new(0, kernel(2), &[5])).collect();
        // The invariants of the run check each entry.
        let record = golden(name, 2, slots(1), &work);
        let finished: Vec<_> = record.finished.iter().map(|(kernel, _)| *kernel).collect();
        assert_eq!(finished, (0..40).collect::<Vec<_>>(), "in order of arrival");
        assert_eq!(record.accepted[..32], (0..32).collect::<Vec<_>>());
        assert_eq!(record.accepted[32], record.finished[0].1 + 1, "{name}");
    }
}
