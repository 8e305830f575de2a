//! `docs/partitions.md`.

use super::*;

/// Two kernels of four blocks that fill an SMX for 100 cycles, on four SMXs in these partitions.
fn two(partitions: &str, other: u8) -> String {
    let gpu = format!("[gpu]\nsmx = 4\nthread_block_slots = 1\nsmx_partitions = {partitions}\n");
    let second = format!("arrive = 1\npartition = {other}");
    gpu + &kernel("A", 4, "100", "") + &kernel("B", 4, "100", &second)
}

#[test]
fn the_table_of_the_page() {
    let seen = run_on("partitions", &two("[\"0-1\", \"2-3\"]", 1));
    assert_eq!(seen.blocks("A"), [(1, 0), (3, 1), (101, 0), (103, 1)]);
    assert_eq!(seen.blocks("B"), [(2, 2), (4, 3), (102, 2), (104, 3)]);
    // Under rr A has all four, and B waits until its last one is placed.
    let seen = run_on("rr", &two("[\"0-1\", \"2-3\"]", 1));
    assert_eq!(seen.blocks("A"), [(1, 0), (2, 1), (3, 2), (4, 3)]);
    assert_eq!(seen.blocks("B"), [(101, 0), (102, 1), (103, 2), (104, 3)]);
}

#[test]
fn a_kernel_of_a_partition_that_there_is_not_counts_for_the_last_one() {
    let second = run_on("partitions", &two("[\"0-1\", \"2-3\"]", 1));
    let beyond = run_on("partitions", &two("[\"0-1\", \"2-3\"]", 7));
    assert_eq!(second.ports, beyond.ports);
}

#[test]
fn without_the_key_all_smxs_are_one_partition() {
    let partitions = run_on("partitions", &two("[]", 1));
    assert_eq!(partitions, run_on("rr", &two("[]", 1)));
}

#[test]
fn partitions_may_overlap_and_leave_smxs_out() {
    let seen = run_on("partitions", &two("[\"0,2\", \"2\"]", 1));
    let smxs =
        |kernel: &str| -> Vec<_> { seen.blocks(kernel).iter().map(|&(_, smx)| smx).collect() };
    assert!(smxs("A").iter().all(|smx| [0, 2].contains(smx)), "{:?}", smxs("A"));
    assert_eq!(smxs("B"), [2; 4]);
}

#[test]
fn statistics_tell_the_turnaround_of_each_partition_under_every_scheduler() {
    let turnaround = |scheduler: &str, partitions: &str| {
        let stats = run_on(scheduler, &two(partitions, 1)).stats.partitions?;
        Some(
            stats
                .iter()
                .map(|of| (of.smx, of.kernels, of.thread_blocks, of.longest_turnaround))
                .collect::<Vec<_>>(),
        )
    };
    let halves = "[\"0-1\", \"2-3\", \"0-3\"]";
    // A arrives in 0, B in 1; both end a cycle after their last blocks, of 103 and of 104.
    let expected = vec![(2, 1, 4, Some(204)), (2, 1, 4, Some(204)), (4, 0, 0, None)];
    assert_eq!(turnaround("partitions", halves), Some(expected));
    let expected = vec![(2, 1, 4, Some(105)), (2, 1, 4, Some(204)), (4, 0, 0, None)];
    assert_eq!(turnaround("rr", halves), Some(expected));
    assert_eq!(turnaround("partitions", "[]"), None);
}
