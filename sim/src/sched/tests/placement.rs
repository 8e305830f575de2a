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
