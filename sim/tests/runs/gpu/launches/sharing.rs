//! What child blocks share with their relatives, of programs whose lines are known.

use super::*;
use blockyard_sim::gpu::memory::load::RunApart;
use blockyard_sim::stats::{FootprintStats, RelativeHitStats};

/// One lane's access of a line of global memory.
fn touch(access_kind: Access, line: u64) -> Instruction {
    let addresses = [128 * line + 4; WARP_LANES].into();
    Instruction { active: 1, addresses, ..access(Space::Global, access_kind, 0) }
}

/// A load of a line, behind the one before.
fn load_line(line: u64) -> Instruction {
    let sources = two_sources([Some(1), None]);
    Instruction { destination: Some(1), sources, ..touch(Access::Load, line) }
}

/// A launch of one block of one warp that executes these.
fn child_with(thread: u32, instructions: Vec<Instruction>) -> DeviceLaunch {
    let warp = Warp { instructions, ..Warp::default() };
    DeviceLaunch { body: Body::Code(Rc::new(Warps(vec![warp]))), ..child(thread, "C") }
}

/// Some thousand cycles.
fn pause() -> Vec<Instruction> {
    vec![add(Unit::Special, Some(2), Some(2)); 200]
}

/// A block that touches lines 0 and 1 and launches two: of lines 1 to 3, and later of 2 to 4.
fn family() -> Warp {
    let shared = access(Space::Shared, Access::Load, 4);
    let first = vec![load_line(1), load_line(2), touch(Access::Atomic, 3), shared.clone()];
    let second = [load_line(2), load_line(3), load_line(3), touch(Access::Store, 4)];
    let second = [pause(), second.to_vec()].concat();
    Warp {
        instructions: vec![load_line(0), load_line(1), shared, launch()],
        launches: vec![vec![child_with(0, first), child_with(1, second)]],
    }
}

const KEPT: (&str, &str) = ("l1.invalidate_when_empty", "false");

/// A run in which sharing is looked for.
fn run_looking(
    mode: LaunchMode,
    changes: &[(&str, &str)],
    warps: &[Warp],
    (skip, threads): (bool, usize),
) -> Stats {
    let prepare = |gpu: &mut Gpu| {
        gpu.use_threads(threads, RunApart::Always);
        gpu.look_for_sharing();
    };
    try_run_on(mode, changes, warps, skip, prepare).unwrap()
}

/// A run whose figures have all keys of footprints.
pub fn run_of_a_family() -> Stats {
    run_looking(LaunchMode::Cdp, &[], &[family()], (true, 1))
}

/// What is shared: the same with skipping and without, on one thread and two.
fn footprint(mode: LaunchMode, changes: &[(&str, &str)], warps: &[Warp]) -> Option<FootprintStats> {
    let run = |skip, threads| run_looking(mode, changes, warps, (skip, threads));
    let seen = run(true, 1);
    assert_eq!(seen, run(false, 1));
    assert_eq!(seen, run(true, 2));
    let without = try_run(mode, changes, warps, true).unwrap();
    assert_eq!(without, Stats { footprint: None, ..seen.clone() }, "nothing else changes");
    seen.footprint
}

#[test]
fn a_parent_and_two_children_share_what_both_touch() {
    for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
        let seen = footprint(mode, &[KEPT], &[family()]).unwrap();
        let expected = FootprintStats {
            // Line 1, of 1 to 4.
            parents: 1,
            parent_child: Some(1.0 / 4.0),
            // 2 and 3, of three lines of the other one.
            children: 2,
            child_sibling: Some(2.0 / 3.0),
            // It is alone in its kernel.
            parent_blocks: 0,
            parent_parents: None,
            // The first child finds 1 and lacks 2; the second one finds 2, lacks 3, and finds that
            // then.
            l1: RelativeHitStats {
                loads: 5,
                own_hits: 1,
                parent_hits: 1,
                sibling_hits: 1,
                other_hits: 0,
            },
        };
        assert_eq!(seen, expected, "{mode:?}");
    }
}

#[test]
fn an_l1_that_is_emptied_before_the_children_come_has_nothing_of_their_parent() {
    let seen = footprint(LaunchMode::Cdp, &[], &[family()]).unwrap();
    assert_eq!(seen.parent_child, Some(1.0 / 4.0), "the footprint does not depend on time");
    assert_eq!((seen.l1.parent_hits, seen.l1.sibling_hits, seen.l1.own_hits), (0, 1, 1));
}

#[test]
fn stores_that_stay_in_the_l1_bring_their_line() {
    let children = vec![child_with(0, vec![load_line(7)])];
    let parent =
        Warp { instructions: vec![touch(Access::Store, 7), launch()], launches: vec![children] };
    for (write, hits) in [("back", 1), ("evict", 0)] {
        let seen =
            footprint(LaunchMode::Cdp, &[KEPT, ("l1.write", write)], std::slice::from_ref(&parent));
        let seen = seen.unwrap();
        assert_eq!((seen.l1.parent_hits, seen.l1.loads), (hits, 1), "{write}");
        assert_eq!(seen.parent_child, Some(1.0));
    }
}

#[test]
fn where_nothing_is_launched_there_is_no_ratio() {
    let warp = Warp { instructions: vec![load_line(0), load_line(0)], ..Warp::default() };
    let seen = footprint(LaunchMode::Flat, &[], &[warp]).unwrap();
    assert_eq!((seen.parents, seen.children, seen.parent_blocks, seen.l1.loads), (0, 0, 0, 0));
    assert_eq!([seen.parent_child, seen.child_sibling, seen.parent_parents], [None; 3]);
}
