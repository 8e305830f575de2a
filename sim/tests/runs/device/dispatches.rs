//! Where child blocks are dispatched, of LaPerm's Figure 4: what its rounds show.

use super::laperm::FIGURE_4;
use super::*;

/// Child blocks dispatched, of these to their parent's SMX, and outside of its cluster.
fn dispatches(scheduler: &str) -> [u64; 3] {
    let count = |mode| {
        let launches = run_both_on(scheduler, mode, &[], FIGURE_4).stats.launches.unwrap();
        [launches.child_blocks, launches.on_parent_smx, launches.outside_cluster]
    };
    let seen = count(LaunchMode::Cdp);
    assert_eq!(seen, count(LaunchMode::Dtbl));
    seen
}

#[test]
fn what_the_third_stage_takes_is_outside_of_the_cluster() {
    // P2 runs on SMX 2, P4 on SMX 0. C3 goes to SMX 3 and C5 to SMX 1.
    assert_eq!(dispatches("laperm/adaptive-bind"), [6, 4, 2]);
    assert_eq!(dispatches("laperm/smx-bind"), [6, 6, 0]);
}

#[test]
fn the_other_smx_of_a_cluster_is_not_outside() {
    // C0, C2 and C4 go to their parent's SMX, C1, C3 and C5 to the one beside it.
    assert_eq!(dispatches("laperm/smx-bind(cluster=2)"), [6, 3, 0]);
}

#[test]
fn the_one_queue_of_tb_pri_is_that_of_all_and_without_queues_each_smx_is_a_cluster() {
    // P2 and P4 run on SMX 2. C0 and C1 go to SMXs 0 and 1, C2 to C5 to 0 to 3: C4 alone is where
    // its parent was.
    assert_eq!(dispatches("laperm/tb-pri"), [6, 1, 0]);
    // P4 runs on SMX 0. C0 to C5 go to SMXs 0, 1, 2, 3, 0, 1: C4 alone again.
    assert_eq!(dispatches("rr"), [6, 1, 5]);
}

#[test]
fn a_launch_has_the_threads_of_all_its_blocks() {
    let text = family(1, &[(0, 0, 0, "C", 1), (0, 0, 1, "C", 4)]);
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let launches = run_both(mode, &[], &text).stats.launches.unwrap();
        assert_eq!(launches.average_threads, Some((64.0 + 4.0 * 64.0) / 2.0), "{mode:?}");
    }
}

#[test]
fn pending_bytes_over_time_are_what_each_launch_reserves_times_its_wait() {
    let text = family(1, &[(0, 0, 0, "C", 1), (0, 20_000, 1, "C", 2)]);
    let seen = run_both(LaunchMode::Cdp, &[("launch.record_bytes", "100")], &text);
    let launches = seen.stats.launches.unwrap();
    let waits: u64 = seen
        .stats
        .kernels
        .iter()
        .filter(|kernel| kernel.name == "C")
        .map(|kernel| kernel.first_dispatch.unwrap() - kernel.arrive)
        .sum();
    assert_eq!(launches.pending_byte_cycles, u128::from(100 * waits));
    assert_eq!(launches.average_wait, Some(waits as f64 / 2.0));
}
