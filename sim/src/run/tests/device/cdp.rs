//! Device kernels. The parent is dispatched in 1.

use super::*;

/// DTBL, Table 3: a call of `x` threads.
fn call(x: u64) -> u64 {
    7165 + (8023 + 129 * x) + (12187 + 1592 * x)
}

const DISPATCH: u64 = 283;

fn cdp(text: &str) -> Seen {
    run_both(LaunchMode::Cdp, &[], text)
}

#[test]
fn a_kernel_of_one_thread_is_distributed_after_its_call_and_the_dispatch_latency() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 2)]));
    let distributed = 501 + call(1) + DISPATCH;
    assert_eq!(call(1), 29096);
    assert_eq!(blocks(&seen, "C"), [(distributed + 1, 0, 0, 0), (distributed + 2, 0, 0, 1)]);
    let child = kernel(&seen, "C", 0);
    assert_eq!((child.arrive, child.distributed), (501, Some(distributed)));
    assert_eq!(child.first_dispatch, Some(distributed + 1));
    assert_eq!(child.finish, Some(distributed + 2 + 1000 + 1));
}

#[test]
fn two_threads_of_a_warp_make_one_call_and_their_kernels_follow_one_another() {
    let seen = cdp(&family(1, &[(0, 500, 7, "C", 1), (0, 500, 3, "C", 1)]));
    let first = 501 + call(2) + DISPATCH;
    assert_eq!(distributed(&seen, "C"), [(501, first), (501, first + 1)]);
}

#[test]
fn threads_of_two_warps_make_two_calls_and_reach_the_unit_in_order_of_thread() {
    let seen = cdp(&family(1, &[(0, 500, 32, "C", 1), (0, 500, 31, "D", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "D"), [(501, first)]);
    assert_eq!(distributed(&seen, "C"), [(501, first + 1)]);
}

#[test]
fn threads_of_two_smxs_reach_the_unit_in_order_of_smx() {
    let seen = cdp(&family(2, &[(1, 499, 0, "C", 1), (0, 500, 0, "D", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "D"), [(501, first)]);
    assert_eq!(distributed(&seen, "C"), [(501, first + 1)]);
}

#[test]
fn a_warp_launches_different_kernels_one_after_the_other() {
    let seen = cdp(&family(1, &[(0, 500, 1, "C", 1), (0, 500, 0, "D", 1), (0, 500, 2, "C", 1)]));
    let first = 501 + call(2);
    assert_eq!(distributed(&seen, "C"), [(501, first + DISPATCH), (501, first + 1 + DISPATCH)]);
    assert_eq!(distributed(&seen, "D"), [(first, first + call(1) + DISPATCH)]);
}

#[test]
fn calls_that_state_different_cycles_do_not_wait_for_one_another() {
    let seen = cdp(&family(1, &[(0, 500, 0, "C", 1), (0, 600, 0, "C", 1)]));
    let first = 501 + call(1) + DISPATCH;
    assert_eq!(distributed(&seen, "C"), [(501, first), (601, first + 100)]);
}

#[test]
fn ideally_a_call_and_the_dispatch_take_one_cycle_each() {
    let text = family(1, &[(0, 500, 0, "C", 1), (0, 500, 1, "C", 1), (0, 0, 40, "D", 1)]);
    let seen = run_both(LaunchMode::Cdp, &[("launch.ideal", "true")], &text);
    assert_eq!(distributed(&seen, "C"), [(501, 503), (501, 504)]);
    assert_eq!(distributed(&seen, "D"), [(1, 3)]);
}
