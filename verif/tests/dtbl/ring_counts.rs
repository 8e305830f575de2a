//! Rationale: 1. the state is two counts for each of 32 entries; random, against arrays, with
//! resets, so that counts begin again over words that hold something. 2. There is no parameter.

use crate::harness::{cycle, fresh, random, reset};
use blockyard_rtl::dtbl::RingCounts;
use blockyard_rtl::word::U;
use rand::RngExt;

const ENTRIES: usize = 32;

/// The entry whose group is left in memory, the head, and whether there is room.
type Drive = (Option<u64>, Option<u64>, bool);

/// The place that is asked for, and `head_asked`.
type Seen = (Option<(u64, u64)>, bool);

fn run(counts: &mut RingCounts, (overflow, head, room): Drive) -> Seen {
    let drive = |counts: &mut RingCounts| {
        counts.overflow.next.valid = overflow.is_some();
        counts.overflow.next.entry = U::new(overflow.unwrap_or(3));
        counts.head_valid.next = head.is_some();
        counts.head.next = U::new(head.unwrap_or(3));
        counts.room.next = room;
    };
    cycle(counts, drive, |counts| {
        let ask = counts.ask.val();
        let place = (ask.kernel.raw(), ask.index.raw());
        assert!(ask.valid || place == (0, 0), "zero when nothing is asked for");
        (ask.valid.then_some(place), counts.head_asked.val())
    })
}

#[test]
fn the_groups_of_the_head_are_asked_for_one_by_one_while_there_is_room() {
    let mut counts = fresh(RingCounts::new());
    let (mut left, mut asked) = ([0u64; ENTRIES], [0u64; ENTRIES]);
    let mut random = random(1);
    let (mut requests, mut caught_up) = (0, 0);
    for number in 0..100_000 {
        if number % 5000 == 4999 {
            reset(&mut counts);
            (left, asked) = ([0; ENTRIES], [0; ENTRIES]);
        }
        // Few entries for some time, so that rings run empty and fill.
        let entries = [2, 32][number / 500 % 2];
        let overflow = random.random_bool(0.4).then(|| random.random_range(0..entries));
        let head = random.random_bool(0.9).then(|| random.random_range(0..entries));
        let room = random.random_bool(0.7);
        let seen = run(&mut counts, (overflow, head, room));
        let waits = |head: &u64| asked[*head as usize] != left[*head as usize];
        let ask = head.filter(|head| room && waits(head));
        let place = ask.map(|head| (head, asked[head as usize]));
        if let Some(head) = ask {
            asked[head as usize] += 1;
        }
        let all = head.is_some_and(|head| asked[head as usize] == left[head as usize]);
        assert_eq!(seen, (place, all), "cycle {number}");
        requests += u32::from(ask.is_some());
        caught_up += u32::from(all);
        if let Some(entry) = overflow {
            left[entry as usize] += 1;
        }
    }
    assert!(requests > 10_000 && caught_up > 1000, "{requests} requests, {caught_up}");
}

#[test]
fn a_group_is_asked_for_from_the_cycle_after_it_is_left_in_memory() {
    let mut counts = fresh(RingCounts::new());
    assert_eq!(run(&mut counts, (Some(5), Some(5), true)), (None, true));
    assert_eq!(run(&mut counts, (None, Some(5), false)), (None, false), "no room");
    assert_eq!(run(&mut counts, (None, None, true)), (None, false), "no head");
    assert_eq!(run(&mut counts, (None, Some(4), true)), (None, true), "another head");
    assert_eq!(run(&mut counts, (Some(5), Some(5), true)), (Some((5, 0)), true));
    assert_eq!(run(&mut counts, (None, Some(5), true)), (Some((5, 1)), true));
}

#[test]
fn reset_sets_all_counts_to_zero() {
    let mut counts = fresh(RingCounts::new());
    for entry in 0..ENTRIES as u64 {
        run(&mut counts, (Some(entry), None, true));
        run(&mut counts, (None, Some(entry), true));
    }
    reset(&mut counts);
    for entry in 0..ENTRIES as u64 {
        assert_eq!(run(&mut counts, (Some(entry), Some(entry), true)), (None, true));
        assert_eq!(run(&mut counts, (None, Some(entry), true)), (Some((entry, 0)), true));
    }
}
