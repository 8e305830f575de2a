//! Rationale: 1. the state is a limit of 1 to 63; every limit meets counts on both sides of every
//! threshold. It is part of the throttle's twin, so that the expectation here is its rule in
//! integers.
//! 2. slots from 1 to 63; the paper's thresholds, none, equal ones, the largest counts and beyond.

use super::thresholds;
use crate::harness::{cycle, fresh, reset, stores};
use blockyard_rtl::dyncta::Limit;
use blockyard_rtl::word::U;

const MOST: u16 = 4095;

/// Idle, low, high.
const THRESHOLDS: [[u16; 3]; 7] = [
    [16, 128, 384],
    [0, 0, 0],
    [1, 0, 1],
    [9, 7, 7],
    [MOST, MOST, MOST],
    [MOST + 1, 0, MOST + 1],
    [u16::MAX, u16::MAX, u16::MAX],
];

fn limit(slots: u64, [idle, low, high]: [u16; 3]) -> Limit {
    fresh(Limit::new(slots, thresholds(idle, low, high).0))
}

fn drive(limit: &mut Limit, sample: bool, idle: u16, memory: u16) {
    limit.sample.next = sample;
    limit.idle.next = U::new(idle.into());
    limit.memory.next = U::new(memory.into());
}

/// The limit before a sample.
fn send(limit: &mut Limit, idle: u16, memory: u16) -> u64 {
    cycle(limit, |limit| drive(limit, true, idle, memory), |limit| limit.limit.val().raw())
}

/// The limit, without a sample.
fn now(limit: &mut Limit) -> u64 {
    cycle(limit, |limit| drive(limit, false, 0, 0), |limit| limit.limit.val().raw())
}

/// Brings the limit of a module whose thresholds let it grow to a value.
fn bring(limit: &mut Limit, to: u64, up: (u16, u16), down: (u16, u16)) {
    for _ in 0..64 {
        let (idle, memory) = match now(limit) {
            at if at < to => up,
            at if at > to => down,
            _ => return,
        };
        send(limit, idle, memory);
    }
    panic!("the limit does not come to {to}");
}

#[test]
fn it_begins_at_half_the_slots_rounded_down_and_at_least_1() {
    for slots in 1..=63 {
        let mut limit = limit(slots, THRESHOLDS[0]);
        assert_eq!(now(&mut limit), (slots / 2).max(1), "{slots} slots");
    }
}

#[test]
fn every_limit_follows_counts_on_both_sides_of_every_threshold() {
    for [idle, low, high] in THRESHOLDS {
        let beside =
            |at: u16| [at.saturating_sub(1), at, at.saturating_add(1)].map(|n| n.min(MOST));
        let mut counts = [beside(idle), beside(low), beside(high), [0, 1, MOST]].concat();
        counts.sort_unstable();
        counts.dedup();
        for slots in [1u64, 2, 3, 8, 63] {
            let mut limit = limit(slots, [idle, low, high]);
            let mut expected = (slots / 2).max(1);
            for (i, m) in (0..3).flat_map(|_| counts.iter()).zip(counts.iter().cycle().skip(1)) {
                for &memory in counts.iter().chain([m]) {
                    assert_eq!(send(&mut limit, *i, memory), expected, "{idle} {low} {high}");
                    if *i >= idle || memory < low {
                        expected = (expected + 1).min(slots);
                    } else if memory >= high {
                        expected = (expected - 1).max(1);
                    }
                }
            }
            assert_eq!(now(&mut limit), expected);
        }
    }
}

#[test]
fn it_stays_within_1_and_the_slots_from_every_value() {
    let (up, down) = ((16, 384), (15, 384));
    for slots in 1..=63 {
        let mut limit = limit(slots, THRESHOLDS[0]);
        for value in [1, slots / 2, slots - 1, slots].into_iter().filter(|&value| value > 0) {
            bring(&mut limit, value, up, down);
            send(&mut limit, up.0, up.1);
            assert_eq!(now(&mut limit), (value + 1).min(slots));
            bring(&mut limit, value, up, down);
            send(&mut limit, down.0, down.1);
            assert_eq!(now(&mut limit), (value - 1).max(1));
        }
    }
}

#[test]
fn counts_without_a_sample_mean_nothing() {
    let mut limit = limit(8, THRESHOLDS[0]);
    for (idle, memory) in [(MOST, 0), (0, MOST)] {
        assert!(!stores(&mut limit, |limit| drive(limit, false, idle, memory)));
        assert_eq!(now(&mut limit), 4);
    }
}

#[test]
fn an_edge_counts_as_activity_exactly_when_the_limit_changes() {
    let mut limit = limit(2, THRESHOLDS[0]);
    assert!(!stores(&mut limit, |limit| drive(limit, true, 15, 128)), "the same");
    assert!(!stores(&mut limit, |limit| drive(limit, true, 15, 384)), "already 1");
    assert!(stores(&mut limit, |limit| drive(limit, true, 16, 384)));
    assert!(!stores(&mut limit, |limit| drive(limit, true, 16, 384)), "already 2");
}

#[test]
fn reset_returns_to_the_start_from_both_sides() {
    for sample in [(16, 384), (15, 384)] {
        let mut limit = limit(8, THRESHOLDS[0]);
        (0..6).for_each(|_| {
            send(&mut limit, sample.0, sample.1);
        });
        assert_ne!(now(&mut limit), 4);
        drive(&mut limit, true, sample.0, sample.1);
        reset(&mut limit);
        assert_eq!(now(&mut limit), 4);
    }
}
