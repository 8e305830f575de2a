//! Round robin over whole runs (LaPerm, section II-B).

use super::harness::*;
use crate::port::Dim3;

#[test]
fn a_hundred_blocks_on_an_empty_gpu_are_spread_evenly() {
    for smx in [1, 4, 13, 30, 32] {
        let limits = slots(100);
        let record = golden("rr", smx, limits, &[Work::new(0, kernel(100), &[10_000])]);
        for (block, issue) in record.issues.iter().enumerate() {
            assert_eq!((issue.block, issue.smx), (block as u64, block % smx));
        }
        assert_eq!(record.issues.len(), 100);
    }
}

#[test]
fn block_39_goes_to_smx_4_when_block_17_ends_first() {
    // The example of the paper: 13 SMXs, three blocks each.
    let mut durations = vec![10_000; 40];
    durations[17] = 500;
    let record = golden("rr", 13, slots(3), &[Work::new(0, kernel(100), &durations)]);
    let issue = record.issues[39];
    assert_eq!((issue.block, issue.smx, issue.cycle), (39, 4, 18 + 500));
}

#[test]
fn a_full_smx_is_passed_over_and_the_pointer_moves_on_from_the_one_that_was_served() {
    // One slot each; SMXs 2 and 0 become free in this order, then all others together.
    let durations = [60, 99, 40, 97, 1000];
    let record = golden("rr", 4, slots(1), &[Work::new(0, kernel(8), &durations)]);
    let after: Vec<_> = record.issues[4..].iter().map(|i| (i.cycle, i.smx)).collect();
    assert_eq!(after, [(43, 2), (61, 0), (101, 1), (102, 3)]);
}

#[test]
fn the_pointer_keeps_its_place_from_one_kernel_to_the_next() {
    let work = [Work::new(0, kernel(3), &[1]), Work::new(100, kernel(1), &[1])];
    let record = golden("rr", 4, slots(1), &work);
    assert_eq!(record.issues[3].smx, 3);
}

#[test]
fn blocks_go_in_the_order_of_their_linear_id_through_all_dimensions() {
    let extent = Dim3::new(3, 2, 4);
    let record = golden("rr", 5, slots(2), &[Work::new(0, grid(extent), &[3, 9, 1])]);
    let order: Vec<_> = record.issues.iter().map(|i| i.block).collect();
    assert_eq!(order, (0..24).collect::<Vec<_>>());
}

const LAST: &str = "rr(start=last-finished)";

#[test]
fn last_finished_begins_a_kernel_behind_the_smx_that_finished_last() {
    // Blocks 0 to 2 go to SMXs 0 to 2; block 0 ends last.
    let work = [Work::new(0, kernel(3), &[50, 1]), Work::new(100, kernel(5), &[1])];
    let smxs = |name| -> Vec<usize> {
        let record = golden(name, 4, slots(1), &work);
        record.issues[3..].iter().map(|issue| issue.smx).collect()
    };
    assert_eq!(smxs("rr"), [3, 0, 1, 2, 3]);
    assert_eq!(smxs(LAST), [1, 2, 3, 0, 1]);
}

#[test]
fn of_those_that_finish_together_the_highest_counts_as_the_last() {
    // Blocks 0 to 3 go in cycles 1 to 4; 0 and 2 end together in cycle 41, the others before.
    let work = [Work::new(0, kernel(4), &[40, 9, 38, 9]), Work::new(100, kernel(1), &[1])];
    assert_eq!(golden(LAST, 4, slots(1), &work).issues[4].smx, 3);
}

#[test]
fn the_pointer_moves_when_a_kernel_ends_whatever_is_dispatched_in_that_cycle() {
    // The first kernel's last block ends on SMX 1 in cycle 21: its bit is high in 22. The second
    // one has a block for every cycle and room everywhere.
    let work = [Work::new(0, kernel(2), &[5, 19]), Work::new(10, kernel(40), &[500])];
    let record = golden(LAST, 4, slots(16), &work);
    assert_eq!(record.finished[0], (0, 22));
    let of = |cycle| record.issues.iter().find(|issue| issue.cycle == cycle).unwrap().smx;
    // From SMX 2 on in cycle 11; in cycle 22 it is SMX 1's turn, and SMX 2 follows either way.
    assert_eq!([of(11), of(20), of(21), of(22), of(23)], [2, 3, 0, 1, 2]);
    let work = [Work::new(0, kernel(2), &[5, 18]), Work::new(10, kernel(40), &[500])];
    let record = golden(LAST, 4, slots(16), &work);
    let of = |cycle| record.issues.iter().find(|issue| issue.cycle == cycle).unwrap().smx;
    assert_eq!(record.finished[0], (0, 21));
    assert_eq!([of(20), of(21), of(22), of(23)], [3, 0, 2, 3], "SMX 1 is passed over");
}

#[test]
fn a_completion_in_the_cycle_of_a_kernel_s_end_counts_from_the_next_one_on() {
    // The first kernel's block ends on SMX 0 in cycle 11, so that its bit is high in 12, when a
    // block of the second one ends on SMX 1. The third one comes in between.
    let long = [Work::new(0, kernel(1), &[10]), Work::new(1, kernel(2), &[10, 900])];
    let late = Work::new(12, kernel(1), &[1]);
    let record = golden(LAST, 4, slots(1), &[&long[..], &[late]].concat());
    let starts: Vec<_> = record.issues.iter().map(|issue| (issue.cycle, issue.smx)).collect();
    assert_eq!(starts[..3], [(1, 0), (2, 1), (3, 2)]);
    assert_eq!(record.finished[0], (0, 12));
    assert_eq!(starts[3], (13, 1), "behind SMX 0, although SMX 1 reported in cycle 12");
}

#[test]
fn a_kernel_that_ends_before_any_completion_returns_the_pointer_to_smx_0() {
    let work = [
        Work::new(0, kernel(2), &[100]),
        Work::new(0, kernel(0), &[1]),
        Work::new(10, kernel(1), &[1]),
    ];
    let third = |name| golden(name, 4, slots(2), &work).issues[2].smx;
    assert_eq!([third("rr"), third(LAST)], [2, 0]);
}
