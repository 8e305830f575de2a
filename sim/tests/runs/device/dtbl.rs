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

/// Cycles from the end of a call to the entry of its kernels into the Kernel Distributor, when none
/// is eligible: the search has all 32 entries to look at from one cycle after the offer on, 32
/// cycles before the end.
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

/// Kernel C runs natively for 200,000 cycles after a first launch that fell back; these launches
/// follow.
fn with_native(launches: &[(u32, u64, u32, &str, u32)]) -> String {
    let all = [&[(0, 0, 63, "C", 1)], launches].concat();
    family(2, &all).replace("1_000\n", "200_000\n")
}

/// The first block of each group of kernel C, in order of group.
fn starts(seen: &Seen) -> Vec<u64> {
    let first = |group| blocks(seen, "C").iter().find(|block| block.2 == group).map(|b| b.0);
    (1..).map_while(first).collect()
}

#[test]
fn groups_of_one_warp_are_coalesced_one_a_cycle_in_order_of_thread() {
    let seen = dtbl(&with_native(&[
        (0, 60_000, 9, "C", 1),
        (0, 60_000, 3, "C", 2),
        (0, 60_000, 5, "C", 1),
    ]));
    let first = 60_001 + call(3) + 1;
    let groups: Vec<_> = blocks(&seen, "C")[1..].iter().map(|b| (b.0, b.2, b.3)).collect();
    assert_eq!(groups, [(first, 1, 0), (first + 1, 1, 1), (first + 2, 2, 0), (first + 3, 3, 0)]);
    let launches = seen.stats.launches.unwrap();
    assert_eq!((launches.groups, launches.coalesced, launches.match_rate), (4, 3, Some(0.75)));
}

#[test]
fn groups_of_two_warps_wait_for_one_another_at_the_coalescer_alone() {
    let seen = dtbl(&with_native(&[(0, 60_000, 0, "C", 1), (0, 60_000, 32, "C", 1)]));
    let first = 60_001 + call(1) + 1;
    assert_eq!(starts(&seen), [first, first + 1]);
}

#[test]
fn ideally_the_search_alone_takes_time() {
    let text = with_native(&[(0, 60_000, 0, "C", 1)]);
    let seen = run_both(LaunchMode::Dtbl, &[("launch.ideal", "true")], &text);
    // Offered a cycle after the call; kernel C is in entry 1.
    assert_eq!(starts(&seen), [60_002 + (1 + 2) + 1]);
    // Called in 1, offered in 2, back 33 later, one cycle for the launch and one for the dispatch.
    assert_eq!(distributed(&seen, "C"), [(1, 2 + 33 + 1 + 1)]);
}

#[test]
fn a_group_in_memory_starts_exactly_the_fetch_later_than_one_in_the_table() {
    // The first group holds its entry of the table when the second one comes.
    let text = with_native(&[(0, 60_000, 0, "C", 1), (0, 70_000, 1, "C", 1)]);
    let with = |table: &str, fetch: &str| {
        let changes = [("launch.table", table), ("launch.group_fetch", fetch)];
        let seen = run_both(LaunchMode::Dtbl, &changes, &text);
        let launches = seen.stats.launches.clone().unwrap();
        (starts(&seen), launches.on_chip, launches.overflows)
    };
    let (large, two, none) = with("2", "299");
    assert_eq!((two, none), (2, 0));
    for fetch in [2, 3, 299] {
        let (small, one, overflows) = with("1", &fetch.to_string());
        assert_eq!((one, overflows), (1, 1));
        assert_eq!((small[0], small[1]), (large[0], large[1] + fetch));
    }
}

#[test]
fn the_entry_of_the_table_is_that_of_the_hardware_thread() {
    // Blocks of 64 threads on one SMX: thread 5 of block 1 is thread 69, which meets 5 in 64
    // entries.
    let launches = [(0, 60_000, 5, "C", 1), (1, 70_000, 5, "C", 1)];
    let text = format!("[gpu]\nsmx = 1\n{}", with_native(&launches));
    for (table, overflows) in [("64", 1), ("128", 0)] {
        let seen = run_both(LaunchMode::Dtbl, &[("launch.table", table)], &text);
        assert_eq!(seen.stats.launches.unwrap().overflows, overflows, "{table}");
    }
}

#[test]
fn groups_in_memory_are_asked_for_ahead_and_follow_their_links() {
    let launches: Vec<_> = (0..8).map(|thread| (0, 60_000, thread, "C", 2)).collect();
    // Two blocks each. The second group is coalesced with the first one's first block, and asked
    // for in the next cycle; the others come in the cycles after it, or when there is room again.
    let fetch = 299;
    for (ahead, expected) in [
        ("1", [fetch + 1, fetch + 2, fetch + 2, fetch + 2, fetch + 2, fetch + 2, fetch + 2]),
        ("2", [fetch + 1, 2, fetch, 2, fetch, 2, fetch]),
        ("7", [fetch + 1, 2, 2, 2, 2, 2, 2]),
        ("32", [fetch + 1, 2, 2, 2, 2, 2, 2]),
    ] {
        let changes = [("launch.table", "1"), ("launch.ahead", ahead)];
        let seen = run_both(LaunchMode::Dtbl, &changes, &with_native(&launches));
        let first = starts(&seen);
        assert_eq!(first.len(), 8);
        let later: Vec<u64> = first.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(later, expected, "{ahead} ahead");
    }
}

#[test]
fn a_group_has_three_dimensions() {
    let text = with_native(&[(0, 60_000, 0, "C", 7)]).replace("[7, 1, 1]", "[2, 1, 3]");
    let seen = dtbl(&text);
    let of_group = |line: &&str| line.split(',').nth(4) == Some("1");
    let lines: Vec<&str> = seen.log.lines().filter(of_group).collect();
    let index = |line: &str| line.rsplitn(4, ',').take(3).collect::<Vec<_>>().join("");
    let indices: Vec<String> = lines.iter().map(|line| index(line)).collect();
    assert_eq!(indices, ["000", "001", "100", "101", "200", "201"], "z, y, x");
}

#[test]
fn a_group_larger_than_the_machine_runs_in_order_on_one_smx() {
    let text = with_native(&[(0, 60_000, 0, "C", 1000)]).replace("200_000\n", "500\n");
    let text = format!("[gpu]\nsmx = 1\nthread_block_slots = 3\n{text}");
    // The native C is over by then: the group becomes the next instance.
    let seen = run_both(LaunchMode::Dtbl, &[], &text);
    let group: Vec<_> = blocks(&seen, "C").into_iter().filter(|block| block.1 == 1).collect();
    assert_eq!(group.iter().map(|block| block.3).collect::<Vec<_>>(), Vec::from_iter(0..1000));
}

#[test]
fn a_coalesced_group_larger_than_the_machine_runs_in_order() {
    let text = with_native(&[(0, 60_000, 0, "C", 700), (1, 60_000, 0, "C", 700)]);
    let text = format!("[gpu]\nsmx = 2\n{text}").replace("200_000\n", "50_000\n");
    let seen = dtbl(&text);
    let groups: Vec<_> =
        blocks(&seen, "C").iter().skip(1).map(|block| (block.2, block.3)).collect();
    let expected = [1, 2].map(|group| (0..700).map(move |x| (group, x)));
    assert_eq!(groups, Vec::from_iter(expected.into_iter().flatten()));
}

#[test]
fn a_block_of_a_group_runs_as_its_own_launch_says_and_launches_in_turn() {
    let text = with_native(&[(0, 60_000, 0, "C", 3)]);
    let child = "name = \"C\"\nchild = true\nblock = [64, 1, 1]\nduration = 200_000\n";
    let launch =
        "[[kernel.launch]]\nby = 0\nat = 7\nthread = 9\nkernel = \"D\"\ngrid = [1, 1, 1]\n";
    let seen = dtbl(&text.replace(child, &format!("{child}{launch}")));
    // The native block and the group's first one launch.
    let called: Vec<u64> = distributed(&seen, "D").iter().map(|(call, _)| *call).collect();
    let native = kernel(&seen, "C", 0).first_dispatch.unwrap() + 7;
    assert_eq!(called[0], native);
    let second = starts(&seen)[0] + 7;
    let group = blocks(&seen, "D").iter().find(|block| block.2 == 1).copied();
    assert_eq!(group.unwrap().0, second + call(1) + 1, "coalesced to the D of the native block");
}

#[test]
fn groups_of_one_command_that_nobody_takes_keep_their_order_as_instances() {
    let seen = dtbl(&family(1, &[(0, 500, 9, "C", 1), (0, 500, 3, "C", 2), (0, 700, 0, "D", 1)]));
    let lines: Vec<_> = blocks(&seen, "C").iter().map(|b| (b.1, b.2, b.3)).collect();
    assert_eq!(lines, [(0, 0, 0), (0, 0, 1), (1, 0, 0)]);
    assert_eq!(fallback(1), 13779);
}

#[test]
fn groups_wait_from_the_call_and_reserve_a_group_until_their_first_block() {
    let changes = [("launch.record_bytes", "1000"), ("launch.group_bytes", "10")];
    let seen = run_both(LaunchMode::Dtbl, &changes, &with_native(&[(0, 60_000, 0, "C", 1)]));
    let fell_back = 1 + call(1) + 1;
    let native = 1 + call(1) + after_fallback(1) + 1;
    let group = 60_001 + call(1) + 1;
    let launches = seen.stats.launches.unwrap();
    let waits = [native - 1, group - 60_001];
    assert_eq!(launches.average_wait, Some((waits[0] + waits[1]) as f64 / 2.0));
    assert_eq!(launches.pending_bytes_peak, 1000);
    let bytes = 10 * (fell_back - 1) + 1000 * (native - fell_back) + 10 * waits[1];
    assert_eq!(launches.pending_bytes_average, bytes as f64 / seen.stats.cycles as f64);
}
