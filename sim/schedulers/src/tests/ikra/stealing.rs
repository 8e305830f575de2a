//! `ikra/steal`: rules 8 to 13.

use super::*;

/// SMX 0 runs each of its blocks in a cycle; all others of the 6 x 4 blocks of figure 3 take 200.
fn figure_3() -> Work {
    let durations: Vec<_> = (0..24).map(|block| if block < 6 { 1 } else { 200 }).collect();
    Work::new(0, grid(Dim3::new(6, 4, 1)), &durations)
}

#[test]
fn figure_3_smx_0_steals_block_5_1_0_from_smx_1_and_keeps_it() {
    let next = Work { durations: vec![20], ..figure_3() };
    let record = golden("ikra/steal", 4, slots(1), &[figure_3(), next]);
    let own = order(&record, 0, 0);
    assert_eq!(own[..6], [0, 1, 2, 3, 4, 5], "its chunk");
    assert_eq!(own[6], 11, "(5, 1, 0): there is no left neighbour, and SMX 1's queue is empty");
    assert_eq!(own[7..9], [10, 9], "the end of SMX 1's chunk has moved each time");
    assert_eq!(order(&record, 0, 1)[..3], [6, 7, 8], "what was left of it");
    assert_eq!(order(&record, 1, 0)[0], *own.last().unwrap(), "the youngest runs first");
}

#[test]
fn a_thief_asks_its_left_neighbour_then_its_right_one_then_the_others() {
    // SMX 2 is idle at once; the others have two blocks each, of which they run one.
    let durations = [500, 500, 500, 500, 1, 1, 500, 500, 500, 500];
    let record = golden("ikra/steal", 5, slots(1), &[Work::new(0, kernel(10), &durations)]);
    assert_eq!(order(&record, 0, 2)[..3], [4, 5, 3], "SMX 1 is left of SMX 2");
    // What it steals is short, so that it steals all.
    let durations = [500, 1, 500, 1, 1, 1, 500, 1, 500, 1];
    let record = golden("ikra/steal", 5, slots(1), &[Work::new(0, kernel(10), &durations)]);
    assert_eq!(order(&record, 0, 2), [4, 5, 3, 7, 1, 9], "left, right, then 0 and 4");
}

#[test]
fn the_lowest_of_two_thieves_gets_the_block_and_the_other_one_waits_a_cycle() {
    // SMX 1 runs a long block and has more; SMXs 0 and 2 are idle together.
    let durations = [1, 1, 1, 1, 900, 900, 900, 900, 1, 1, 1, 1];
    let record = golden("ikra/steal", 3, slots(1), &[Work::new(0, kernel(12), &durations)]);
    let theft: Vec<_> = record.issues.iter().filter(|i| (5..8).contains(&i.block)).collect();
    let of: Vec<_> = theft.iter().map(|i| (i.smx, i.block)).collect();
    assert_eq!(of[0], (0, 7));
    assert_eq!(of[1].1, 6);
    // SMX 0 asks SMX 1 for its queue, SMX 2's and then SMX 1's chunk; SMX 2 does the same with
    // SMX 0.
    assert_eq!(theft[0].cycle + 1, theft[1].cycle);
    assert_eq!(of[1].0, 2);
}

/// On two SMXs of one slot, SMX 0 runs its four blocks in no time, and steals 7 and 6 before SMX 1
/// takes 5.
const STEALS_TWO: [u64; 8] = [1, 1, 1, 1, 150, 1000, 100, 100];

/// The same, but 5 is there to be stolen, too.
const STEALS_THREE: [u64; 8] = [1, 1, 1, 1, 1000, 100, 100, 100];

/// With 7 and 6 on SMX 0 both SMXs end in the same cycle.
const BALANCED: [u64; 8] = [20, 20, 20, 20, 60, 60, 20, 20];

#[test]
fn the_order_of_chunk_and_queue_alternates_and_so_does_the_one_within_each() {
    let work = repeated(kernel(8), &[&STEALS_TWO, &BALANCED, &BALANCED, &BALANCED]);
    let record = golden("ikra/steal", 2, slots(1), &work);
    assert_eq!(orders(&record, 0, 2), [vec![0, 1, 2, 3, 7, 6], vec![4, 5]]);
    assert_eq!(orders(&record, 1, 2), [vec![6, 7, 3, 2, 1, 0], vec![5, 4]], "the queue first");
    assert_eq!(orders(&record, 2, 2), [vec![0, 1, 2, 3, 7, 6], vec![4, 5]], "the chunk first");
    assert_eq!(orders(&record, 3, 2), [vec![6, 7, 3, 2, 1, 0], vec![5, 4]]);
}

#[test]
fn another_grid_empties_the_queues_and_the_chunk_comes_first() {
    let mut work = repeated(kernel(8), &[&STEALS_TWO, &BALANCED]);
    work.push(Work::new(0, grid(Dim3::new(4, 2, 1)), &[20]));
    let record = golden("ikra/steal", 2, slots(1), &work);
    assert_eq!(orders(&record, 2, 2), [[0, 1, 2, 3], [4, 5, 6, 7]], "forward, from new chunks");
}

#[test]
fn once_the_load_is_balanced_nothing_is_stolen_any_more() {
    for smx in [2, 3, 5] {
        // The first SMX is fast, all others are slow.
        let blocks = 12 * smx as u64;
        let first: Vec<_> = (0..blocks).map(|b| if b < 12 { 3 } else { 200 }).collect();
        let alone =
            golden("ikra/steal", smx, slots(1), &[Work::new(0, kernel(blocks as u32), &first)]);
        let owners_then = owners(&alone, 0);
        assert!(alone.share(0, 0) > 12, "something was stolen");
        // The same time for every SMX, whatever number of blocks it has now.
        let shares: Vec<_> = (0..smx).map(|smx| alone.share(0, smx)).collect();
        let product: u64 = shares.iter().product();
        let even: Vec<_> = owners_then.values().map(|&smx| product / shares[smx]).collect();
        let work = repeated(kernel(blocks as u32), &[&first, &even, &even, &even]);
        let composition: crate::Composition = "ikra/steal".parse().unwrap();
        let mut scheduler = crate::build(&composition, smx, slots(1));
        let rules = (&composition).into();
        let setup = Setup { last: 100_000_000, skip: true, rules, ..Setup::default() };
        let record = run_with(&mut *scheduler, slots(1), &work, &setup);
        for kernel in 0..4 {
            assert_eq!(owners(&record, kernel), owners_then, "{smx} SMXs, kernel {kernel}");
        }
    }
}

#[test]
fn a_full_queue_reinitialises_the_next_kernel_and_only_that_one() {
    let work = repeated(kernel(8), &[&STEALS_TWO, &[20; 8], &[20; 8]]);
    let record = golden("ikra/steal(queue=2)", 2, slots(1), &work);
    assert_eq!(order(&record, 0, 0), [0, 1, 2, 3, 7, 6], "two blocks fill it");
    assert_eq!(orders(&record, 1, 2), [[3, 2, 1, 0], [7, 6, 5, 4]], "backward, from new chunks");
    assert_eq!(orders(&record, 2, 2), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    let gap = |kernel: usize| cycles(&record, kernel)[0] - record.finished[kernel - 1].1;
    assert_eq!([gap(1), gap(2)], [65, 2]);
    let kept = golden("ikra/steal(queue=4)", 2, slots(1), &work[..2]);
    assert_eq!(cycles(&kept, 1)[0] - kept.finished[0].1, 2, "not full with two of four");
}

#[test]
fn stealing_goes_on_when_the_queue_is_full_and_what_it_does_not_hold_is_not_lost() {
    let work = repeated(kernel(8), &[&STEALS_THREE, &[20; 8]]);
    let record = golden("ikra/steal(queue=2)", 2, slots(1), &work);
    assert_eq!(order(&record, 0, 0), [0, 1, 2, 3, 7, 6, 5]);
    assert_eq!(orders(&record, 1, 2), [[3, 2, 1, 0], [7, 6, 5, 4]]);
}

#[test]
fn with_full_stop_a_full_queue_ends_stealing_and_is_kept() {
    let work = repeated(kernel(8), &[&STEALS_THREE, &BALANCED]);
    let record = golden("ikra/steal(queue=2,full=stop)", 2, slots(1), &work);
    assert_eq!(orders(&record, 0, 2), [vec![0, 1, 2, 3, 7, 6], vec![4, 5]]);
    assert_eq!(orders(&record, 1, 2), [vec![6, 7, 3, 2, 1, 0], vec![5, 4]]);
    assert_eq!(cycles(&record, 1)[0] - record.finished[0].1, 2, "chunks are kept");
}

#[test]
fn queues_are_stolen_from_before_chunks() {
    // SMX 0 steals 7 and 6 from SMX 1. In the next kernel it runs them first; before it does, SMX 1
    // is idle.
    let second = [900, 900, 900, 900, 1, 1, 900, 1];
    let work = repeated(kernel(8), &[&STEALS_TWO, &second]);
    let record = golden("ikra/steal", 2, slots(1), &work);
    assert_eq!(order(&record, 1, 0)[0], 6, "the youngest");
    assert_eq!(order(&record, 1, 1)[..3], [5, 4, 7], "7 was at the far end of SMX 0's queue");
    let chunk = order(&record, 1, 1)[3];
    assert_eq!(chunk, 0, "then the far end of the chunk, which runs backward");
}

#[test]
fn one_smx_and_grids_smaller_than_the_gpu_run_to_their_end() {
    for (smx, blocks) in [(1, 7), (4, 1), (4, 3), (4, 4), (32, 31), (32, 33)] {
        let work = repeated(kernel(blocks), &[&[30, 1, 50], &[4, 90, 2], &[1]]);
        let record = golden("ikra/steal(queue=2)", smx, slots(1), &work);
        assert_eq!(record.finished.len(), 3, "{smx} SMXs, {blocks} blocks");
        for kernel in 0..3 {
            assert_eq!(owners(&record, kernel).len(), blocks as usize);
        }
    }
}
