//! Rationale: each boundary of the cache from both sides: lines, sets, ways, miss registers,
//! merges, and what lanes share.

use super::*;
use crate::config::GpuConfig;
use crate::program::WARP_LANES;

/// Two sets of two ways in lines of 64 bytes, as many miss registers, two accesses to each.
fn small(changes: impl FnOnce(&mut ReadOnlyConfig)) -> ReadOnly {
    let mut config =
        ReadOnlyConfig { size: 256, ways: 2, line: 64, mshrs: 4, merges: 2, by_address: false };
    changes(&mut config);
    ReadOnly::new(&config, 8).expect("it has bytes")
}

/// Requests `line` and lets it come.
fn bring(cache: &mut ReadOnly, line: u64) {
    let Outcome::Miss(way) = cache.load(line, 0, true) else { panic!("line {line} is there") };
    cache.fill(way, |_| {});
}

fn instruction(active: u32, address: impl Fn(u64) -> u64) -> Instruction {
    let addresses = std::array::from_fn(|lane| address(lane as u64)).into();
    Instruction { active, addresses, ..Instruction::default() }
}

/// The lines of the accesses.
fn lines(cache: &ReadOnly, instruction: &Instruction) -> Vec<u64> {
    let mut accesses = Vec::new();
    cache.split(instruction, 1, &mut accesses);
    accesses.iter().map(|access| access.line).collect()
}

#[test]
fn a_cache_of_no_bytes_is_none() {
    let config = GpuConfig::preset("k20c").unwrap();
    assert!(ReadOnly::new(&config.constant, 8).is_none());
    assert!(ReadOnly::new(&config.texture, 8).is_none());
}

#[test]
fn the_papers_caches_have_its_sets() {
    let config = GpuConfig::preset("c2050").unwrap();
    for (of, sets) in [(&config.constant, 64), (&config.texture, 4)] {
        let cache = ReadOnly::new(of, 8).unwrap();
        assert_ne!(cache.lines.set(0), cache.lines.set(sets - 1));
        assert_eq!(cache.lines.set(0), cache.lines.set(sets));
    }
}

#[test]
fn the_last_byte_of_a_line_hits_and_the_next_byte_misses() {
    let mut cache = small(|_| {});
    let of_byte = |cache: &ReadOnly, address| lines(cache, &instruction(1, |_| address))[0];
    let [first, last, next] = [0, 63, 64].map(|address| of_byte(&cache, address));
    bring(&mut cache, first);
    assert_eq!(cache.load(last, 0, true), Outcome::Hit);
    assert!(matches!(cache.load(next, 0, true), Outcome::Miss(_)));
    assert_eq!(cache.counts, ReadOnlyCounts { hits: 1, misses: 2, merged: 0 });
}

#[test]
fn as_many_lines_as_fit_stay_and_one_more_evicts_the_least_recently_used_of_its_set() {
    let mut cache = small(|_| {});
    (0..4).for_each(|line| bring(&mut cache, line));
    for line in [1, 0, 3, 2] {
        assert_eq!(cache.load(line, 0, true), Outcome::Hit, "{line}");
    }
    // Set 0 used 0 before 2.
    bring(&mut cache, 4);
    for line in [1, 2, 3, 4] {
        assert_eq!(cache.load(line, 0, true), Outcome::Hit, "{line}");
    }
    assert!(matches!(cache.load(0, 0, true), Outcome::Miss(_)));
}

#[test]
fn accesses_merge_with_a_line_on_its_way_as_many_as_may_wait_for_it() {
    let mut cache = small(|_| {});
    let Outcome::Miss(way) = cache.load(7, 10, true) else { panic!("it is empty") };
    assert_eq!(cache.load(7, 11, false), Outcome::Merged, "a merge sends nothing");
    assert_eq!(cache.load(7, 12, true), Outcome::Stalled);
    let mut come = Vec::new();
    cache.fill(way, |load| come.push(load));
    assert_eq!(come, [10, 11]);
    assert_eq!(cache.load(7, 12, true), Outcome::Hit);
    let counts = ReadOnlyCounts { hits: 1, misses: 1, merged: 1 };
    assert_eq!(cache.counts, counts, "a stalled access counts when it gets through");
}

#[test]
fn as_many_lines_are_on_their_way_as_there_are_miss_registers() {
    let mut cache = small(|config| config.mshrs = 1);
    let Outcome::Miss(way) = cache.load(0, 0, true) else { panic!("it is empty") };
    assert_eq!(cache.load(1, 1, true), Outcome::Stalled);
    cache.fill(way, |_| {});
    assert!(matches!(cache.load(1, 1, true), Outcome::Miss(_)));
}

#[test]
fn ways_on_their_way_are_not_taken_and_without_room_nothing_is_requested() {
    let mut cache = small(|_| {});
    assert_eq!(cache.load(0, 0, false), Outcome::Stalled, "no room");
    assert!(matches!(cache.load(0, 0, true), Outcome::Miss(_)));
    assert!(matches!(cache.load(2, 0, true), Outcome::Miss(_)));
    assert_eq!(cache.load(4, 0, true), Outcome::Stalled, "both ways of the set wait");
    assert!(matches!(cache.load(1, 0, true), Outcome::Miss(_)), "the other set is free");
}

#[test]
fn lanes_share_an_access_by_line_or_by_address() {
    let (by_line, by_address) = (small(|_| {}), small(|config| config.by_address = true));
    let broadcast = instruction(u32::MAX, |_| 20);
    let row = instruction(u32::MAX, |lane| 4 * lane);
    let pairs = instruction(0x0000_00f1, |lane| 128 + 4 * (lane / 2));
    for (instruction, lines_of, addresses) in [
        (&broadcast, vec![0], vec![0]),
        (&row, vec![0, 1], [[0; 16], [1; 16]].concat()),
        (&pairs, vec![2], vec![2, 2, 2]),
    ] {
        assert_eq!(lines(&by_line, instruction), lines_of);
        assert_eq!(lines(&by_address, instruction), addresses);
    }
    assert_eq!(addresses_of(&row), WARP_LANES);
}

/// How many addresses its lanes have.
fn addresses_of(instruction: &Instruction) -> usize {
    let mut all: Vec<u64> = (0..WARP_LANES).map(|lane| instruction.addresses.of(lane)).collect();
    all.dedup();
    all.len()
}

#[test]
fn a_line_is_requested_as_its_part_of_a_line_of_the_l2() {
    let cache = small(|_| {});
    assert_eq!(cache.in_l2(6, 7), (3, 0x0000_ffff));
    assert_eq!(cache.in_l2(7, 7), (3, 0xffff_0000));
    assert_eq!(cache.in_l2(7, 6), (7, 0x0000_ffff));
    let whole = small(|config| (config.line, config.size) = (128, 512));
    assert_eq!(whole.in_l2(7, 7), (7, u32::MAX));
    let part = small(|config| config.line = 32);
    assert_eq!(part.in_l2(5, 7), (1, 0x0000_ff00));
}
