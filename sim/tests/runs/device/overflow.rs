//! Overflow queues: what finds its priority queue full waits in memory and comes back.

use super::*;

/// On one SMX of one slot, `launches` of one block each by the block of P, which runs for 100,000
/// cycles.
fn full(launches: u32) -> String {
    let launches: Vec<_> = (0..launches).map(|thread| (0, 60_000, thread, "C", 1)).collect();
    format!("[gpu]\nsmx = 1\nthread_block_slots = 1\n{}", family(1, &launches))
}

fn overflow(entries: u32, fetch: u32, text: &str) -> (Vec<u64>, u64, u64) {
    let scheduler = format!("laperm/smx-bind(entries={entries})");
    let changes = [("launch.ideal", "true"), ("launch.group_fetch", &*fetch.to_string())];
    let seen = run_both_on(&scheduler, LaunchMode::Cdp, &changes, text);
    let launches = seen.stats.launches.clone().unwrap();
    let cycles = blocks(&seen, "C").iter().map(|block| block.0).collect();
    (cycles, launches.spills, launches.refills)
}

#[test]
fn units_that_find_their_queue_full_come_back_in_their_order_and_are_counted() {
    let (alone, none, _) = overflow(8, 50, &full(5));
    assert_eq!((alone.len(), none), (5, 0));
    let (cycles, spills, refills) = overflow(2, 50, &full(5));
    // Each that leaves makes room for the next one, which is there before its turn comes.
    assert_eq!((cycles, spills, refills), (alone, 3, 3));
}

#[test]
fn a_unit_from_memory_starts_exactly_the_fetch_later_than_one_on_chip() {
    // The blocks are so short that the one on chip is over when the other one comes. It is asked
    // for in the cycle after the first one has left its queue.
    let text = full(2).replace("1_000\n", "1\n");
    let (on_chip, ..) = overflow(2, 299, &text);
    assert_eq!(on_chip[1], on_chip[0] + 1);
    for fetch in [2, 3, 299] {
        let (cycles, spills, refills) = overflow(1, fetch, &text);
        assert_eq!((spills, refills), (1, 1));
        assert_eq!(cycles, [on_chip[0], on_chip[1] + u64::from(fetch)], "{fetch}");
    }
}

#[test]
fn groups_are_counted_where_their_information_is() {
    // C runs natively on the other SMX when P's threads launch groups. The first one starts at
    // once, and leaves its entry to another one.
    let launches: Vec<_> = (0..6).map(|thread| (0, 60_000, thread, "C", 1)).collect();
    let launches = [&[(1, 500, 0, "C", 1)], &launches[..]].concat();
    let text = family(2, &launches).replace("1_000\n", "100_000\n");
    let text = format!("[gpu]\nsmx = 2\nthread_block_slots = 2\n{text}");
    for (entries, on_chip) in [(4, 5), (8, 6)] {
        let scheduler = format!("laperm/smx-bind(entries={entries})");
        let seen = run_both_on(&scheduler, LaunchMode::Dtbl, &[("launch.ideal", "true")], &text);
        let launches = seen.stats.launches.unwrap();
        assert_eq!((launches.groups, launches.coalesced, launches.fallbacks), (7, 6, 1));
        assert_eq!((launches.on_chip, launches.overflows), (on_chip, 6 - on_chip), "{entries}");
        assert_eq!((launches.spills, launches.refills), (6 - on_chip, 6 - on_chip), "{entries}");
    }
}
