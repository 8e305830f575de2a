//! Constants and textures through their caches.

use super::*;
use blockyard_sim::stats::{ExecutionStats, ReadOnlyStats};

/// Caches of two sets of two ways: constants in lines of 64 bytes, textures in lines of 128.
pub(super) const CACHES: [(&str, &str); 4] = [
    ("constant.size", "256"),
    ("constant.ways", "2"),
    ("texture.size", "512"),
    ("texture.ways", "2"),
];

const CONSTANTS: (Space, u64) = (Space::Constant, 64);
const TEXTURES: (Space, u64) = (Space::Texture, 128);

/// Lane 0 loads from `address`, after the load before it.
fn lone(space: Space, address: u64) -> Instruction {
    let read = access(space, Access::Load, 0);
    let sources = two_sources([Some(1), None]);
    let addresses = [address; WARP_LANES].into();
    Instruction { active: 1, destination: Some(1), sources, addresses, ..read }
}

/// Lane `l` loads from `stride * l`, after the load before it.
fn all_lanes(space: Space, stride: u64) -> Instruction {
    let read = access(space, Access::Load, stride);
    Instruction { destination: Some(1), sources: two_sources([Some(1), None]), ..read }
}

fn execution(changes: &[(&str, &str)], warps: Vec<Vec<Instruction>>) -> ExecutionStats {
    seen(&[&CACHES, changes].concat(), warps).stats.execution.expect("it executes")
}

/// Accesses, hits, misses and merged ones of the cache of `space`.
fn figures(space: Space, execution: &ExecutionStats) -> [u64; 4] {
    let of =
        if space == Space::Texture { &execution.texture_cache } else { &execution.constant_cache };
    let ReadOnlyStats { accesses, hits, misses, merged, .. } = of.as_ref().expect("it is there");
    [*accesses, *hits, *misses, *merged]
}

#[test]
fn a_line_is_fetched_once_up_to_its_last_byte() {
    for (space, line) in [CONSTANTS, TEXTURES] {
        let run = [0, line - 4, line, 2 * line - 4].map(|address| lone(space, address));
        assert_eq!(figures(space, &execution(&[], vec![run.to_vec()])), [4, 2, 2, 0], "{space:?}");
    }
}

#[test]
fn as_many_lines_as_fit_stay_and_one_more_evicts_in_order_of_use() {
    for (space, line) in [CONSTANTS, TEXTURES] {
        let twice = |lines: u64| {
            let once = (0..lines).map(|number| lone(space, number * line));
            let run = once.clone().chain(once).collect();
            figures(space, &execution(&[], vec![run]))
        };
        assert_eq!(twice(4), [8, 4, 4, 0], "{space:?}");
        // Lines 0, 2 and 4 take turns in one set; 1 and 3 stay in the other.
        assert_eq!(twice(5), [10, 2, 8, 0], "{space:?}");
    }
}

#[test]
fn warps_merge_with_a_line_on_its_way() {
    for (space, _) in [CONSTANTS, TEXTURES] {
        let execution = execution(&[], vec![vec![lone(space, 0)]; 3]);
        assert_eq!(figures(space, &execution), [3, 0, 1, 2], "{space:?}");
        let (traffic, l2) = (&execution.traffic, &execution.l2);
        assert_eq!(traffic.read_flits, 1, "{space:?}: one request");
        assert_eq!((l2.misses, execution.l1.accesses), (l2.reads, 0));
        assert!(execution.dram.reads > 0);
    }
}

#[test]
fn a_second_line_waits_while_the_only_miss_register_is_taken() {
    for (key, (space, line)) in [("constant.mshrs", CONSTANTS), ("texture.mshrs", TEXTURES)] {
        let warps = || vec![vec![lone(space, 0)], vec![lone(space, line)]];
        let [one, two] = ["1", "2"].map(|mshrs| execution(&[(key, mshrs)], warps()));
        assert_eq!((figures(space, &one), figures(space, &two)), ([2, 0, 2, 0], [2, 0, 2, 0]));
        assert!(one.load_store.stall_cycles > 100, "{space:?}: as long as a load takes");
        assert_eq!(two.load_store.stall_cycles, 0, "{space:?}");
    }
}

#[test]
fn divergent_lanes_take_a_cycle_for_each_line_or_for_each_address() {
    for (key, (space, line)) in
        [("constant.by_address", CONSTANTS), ("texture.by_address", TEXTURES)]
    {
        let warm = [lone(space, 0), lone(space, line)];
        let with = |last: Option<Instruction>| vec![warm.iter().cloned().chain(last).collect()];
        // The lanes of a row touch 128 bytes.
        let lines = 128 / line;
        for (stride, by_line, by_address) in [(0, 1, 1), (4, lines, 32)] {
            for (by, accesses) in [("false", by_line), ("true", by_address)] {
                let changes = [&CACHES[..], &[(key, by)]].concat();
                let took = |last| exit_of(&changes, with(last));
                let last = || Some(all_lanes(space, stride));
                let hit = took(Some(lone(space, 0)));
                assert_eq!(took(last()) - hit, accesses - 1, "{space:?}, {stride}, {by}");
                let seen = figures(space, &execution(&[(key, by)], with(last())));
                assert_eq!(seen, [2 + accesses, accesses, 2, 0], "{space:?}, {stride}, {by}");
            }
        }
    }
}

#[test]
fn constants_at_unknown_places_and_those_of_a_gpu_without_a_cache_hit() {
    let unplaced = execution(&[], vec![vec![lone(Space::Unplaced, 0)]]);
    assert_eq!(figures(Space::Constant, &unplaced), [0; 4]);
    assert_eq!((unplaced.load_store.constant, unplaced.traffic.read_flits), (1, 0));
    let without = seen(&[], vec![vec![lone(Space::Constant, 0)]]).stats.execution.unwrap();
    assert!(without.constant_cache.is_none() && without.texture_cache.is_none());
    assert_eq!((without.load_store.constant, without.traffic.read_flits), (1, 0));
    let exit = |changes: &[_], space| exit_of(changes, vec![vec![lone(space, 0)]]);
    assert_eq!(exit(&CACHES, Space::Unplaced), exit(&[], Space::Constant));
}

#[test]
fn without_a_cache_textures_are_instructions_of_the_special_function_unit() {
    let texture = vec![vec![lone(Space::Texture, 0)]];
    let special = Instruction { active: 1, ..add(Unit::Special, Some(1), Some(1)) };
    assert_eq!(seen(&[], texture.clone()), seen(&[], vec![vec![special]]));
    let execution = execution(&[], texture);
    assert_eq!((execution.instructions.special, execution.instructions.other), (0, 2));
}
