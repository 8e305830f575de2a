//! Aggregated groups. The parent is dispatched in 1 and is in entry 0.

use super::*;

/// DTBL, Table 3: a call of `x` threads.
fn call(x: u64) -> u64 {
    8023 + 129 * x
}

/// The launch of `x` groups without an eligible kernel.
fn fallback(x: u64) -> u64 {
    12187 + 1592 * x
}

const DISPATCH: u64 = 283;

fn dtbl(text: &str) -> Seen {
    run_both(LaunchMode::Dtbl, &[], text)
}

/// Cycles from the end of a call to the entry of its kernels into the Kernel Distributor, when none is
/// eligible: the search has all 32 entries to look at from one cycle after the offer on, 32 cycles before
/// the end.
fn after_fallback(x: u64) -> u64 {
    1 + (x - 1) + fallback(x) + DISPATCH
}

#[test]
fn a_group_without_an_eligible_kernel_pays_the_launch_and_the_dispatch_but_no_stream() {
    let seen = dtbl(&family(1, &[(0, 500, 0, "C", 2)]));
    let distributed = 501 + call(1) + after_fallback(1);
    let child = kernel(&seen, "C", 0);
    assert_eq!((child.arrive, child.distributed), (501, Some(distributed)));
    assert_eq!(blocks(&seen, "C"), [(distributed + 1, 0, 0, 0), (distributed + 2, 0, 0, 1)]);
    let launches = seen.stats.launches.unwrap();
    assert_eq!((launches.groups, launches.fallbacks, launches.device_kernels), (1, 1, 1));
    assert_eq!((launches.coalesced, launches.match_rate), (0, Some(0.0)));
}

#[test]
fn groups_of_one_call_that_fall_back_are_launched_in_one_call() {
    let seen = dtbl(&family(1, &[(0, 500, 0, "C", 1), (0, 500, 9, "C", 1), (0, 500, 3, "C", 1)]));
    let first = 501 + call(3) + after_fallback(3);
    assert_eq!(distributed(&seen, "C"), [(501, first), (501, first + 1), (501, first + 2)]);
}

#[test]
fn a_group_is_coalesced_when_its_parameters_are_in_place() {
    // The first launch becomes kernel C, in entry 1, which runs for 100,000 cycles.
    let text =
        family(1, &[(0, 500, 0, "C", 1), (0, 60_000, 40, "C", 2)]).replace("1_000", "100_000");
    let seen = dtbl(&text);
    let coalesced = 60_001 + call(1);
    let native = kernel(&seen, "C", 0);
    assert_eq!(
        blocks(&seen, "C"),
        [
            (native.distributed.unwrap() + 1, 0, 0, 0),
            (coalesced + 1, 0, 1, 0),
            (coalesced + 2, 0, 1, 1)
        ]
    );
    assert_eq!(native.finish, Some(coalesced + 2 + 100_000 + 1));
    let launches = seen.stats.launches.unwrap();
    assert_eq!((launches.groups, launches.fallbacks, launches.coalesced), (2, 1, 1));
    assert_eq!((launches.on_chip, launches.overflows), (1, 0));
}
