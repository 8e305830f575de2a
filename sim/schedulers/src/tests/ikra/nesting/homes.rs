//! Levels, homes, and what an SMX runs first: rules 20, 21, 23 to 25 and 28.

use super::*;

/// The cycle in which the first block of the host's first kernel is dispatched.
const START: u64 = 65;

#[test]
fn a_child_goes_to_the_smx_of_its_parent_two_cycles_after_its_record_was_accepted() {
    for (name, search) in [(TWO, 1), (FOUR, 3)] {
        let plans = [
            Plan::host(kernel(2), 0, &[1000]).launching(&[(1, 0, 1)]),
            Plan::child(kernel(3), &[10]),
        ];
        let run = run(name, 2, slots(4), &plans);
        assert_eq!(run.cycles(0), [START]);
        assert_eq!(run.places[&1], QueuePlace { queue: 1, level: 1 });
        // The search looks at the highest level first, and the record is fetched when it is found.
        let accepted = START + 1 + search + DISPATCH;
        assert_eq!(run.accepted[&1], accepted, "{name}");
        assert_eq!(run.order(1, 1), [0, 1, 2]);
        assert_eq!(run.cycles(1), [accepted + 2, accepted + 3, accepted + 4]);
        assert_eq!(run.finished[&1], accepted + 4 + 10 + 1, "one after the last block's end");
    }
}

#[test]
fn levels_count_up_from_parent_to_child_and_stop_at_the_last_one() {
    let chain: Vec<_> = (0..5)
        .map(|k| {
            let plan = Plan::child(kernel(1), &[20]);
            let plan = if k < 4 { plan.launching(&[(0, 3, k + 1)]) } else { plan };
            Plan { arrive: (k == 0).then_some(0), ..plan }
        })
        .collect();
    for (name, levels) in [(TWO, [1, 1, 1, 1]), (FOUR, [1, 2, 3, 3])] {
        let run = run(name, 1, slots(4), &chain);
        let places: Vec<_> = run.places.values().map(|place| place.level).collect();
        assert_eq!(places, levels, "{name}");
    }
}

#[test]
fn the_highest_level_of_which_something_is_left_goes_first() {
    let plans = [
        Plan::host(kernel(3), 0, &[200, 1000, 10]).launching(&[(0, 0, 1)]),
        Plan::child(kernel(2), &[100]).launching(&[(0, 0, 2)]),
        Plan::child(kernel(1), &[50]),
    ];
    let two_slots = run(FOUR, 1, slots(2), &plans);
    // Block 0 of the host's kernel makes room for the child, its block 0 for the grandchild.
    assert_eq!(two_slots.cycles(0), [START, START + 1, START + 450]);
    assert_eq!(two_slots.cycles(1), [START + 200, START + 350]);
    assert_eq!(two_slots.cycles(2), [START + 300]);
}

#[test]
fn a_block_that_does_not_fit_keeps_lower_levels_waiting() {
    let mut large = kernel(1);
    large.needs.threads = 2048;
    let plans = [
        Plan::host(kernel(3), 0, &[100, 300, 10]).launching(&[(0, 0, 1)]),
        Plan::child(large, &[50]),
    ];
    let run = run(TWO, 1, slots(2), &plans);
    assert_eq!(run.cycles(1), [START + 301], "when the SMX is empty");
    assert_eq!(run.cycles(0), [START, START + 1, START + 351]);
}

#[test]
fn a_kernel_waits_for_its_place_and_keeps_those_behind_it_waiting() {
    let plans = [
        Plan::host(kernel(2), 0, &[1000]).launching(&[(1, 0, 1), (1, 1, 2), (0, 2, 3)]),
        Plan::child(kernel(1), &[300]),
        Plan::child(kernel(1), &[10]),
        Plan::child(kernel(1), &[10]),
    ];
    let run = run(TWO, 2, slots(16), &plans);
    let first = run.finished[&1];
    assert!(run.accepted[&3] < first, "the home of the last one is free, and it is there");
    assert_eq!((run.cycles(2), run.order(2, 1)), (vec![first + 2], vec![0]));
    // It begins a cycle later, and SMX 0 waits for the answer to what it asked when the scan
    // went back.
    assert_eq!((run.cycles(3), run.order(3, 0)), (vec![first + 4], vec![0]));
}

#[test]
fn levels_of_one_smx_are_places_of_their_own() {
    // Child and grandchild run at the same time.
    let plans = [
        Plan::host(kernel(1), 0, &[1000]).launching(&[(0, 0, 1)]),
        Plan::child(kernel(1), &[500]).launching(&[(0, 0, 2)]),
        Plan::child(kernel(1), &[10]),
    ];
    let deep = run(FOUR, 1, slots(16), &plans);
    assert!(deep.finished[&2] < deep.finished[&1]);
    // With two levels the grandchild has the level of the child, and waits for its end.
    let flat = run(TWO, 1, slots(16), &plans);
    assert_eq!(flat.cycles(2), [flat.finished[&1] + 2]);
}

#[test]
fn a_device_kernel_without_blocks_ends_a_cycle_after_it_was_accepted_and_changes_nothing() {
    let plans = [
        Plan::host(kernel(1), 0, &[1000]).launching(&[(0, 0, 1), (0, 100, 2), (0, 200, 3)]),
        Plan::child(kernel(3), &[10]),
        Plan::child(kernel(0), &[10]),
        Plan::child(kernel(3), &[10]),
    ];
    let run = run(TWO, 1, slots(16), &plans);
    assert_eq!(run.finished[&2], run.accepted[&2] + 1);
    assert_eq!(run.order(3, 0), [2, 1, 0], "kept, and the other direction");
}

#[test]
fn a_device_kernel_without_blocks_waits_for_those_before_it_in_line_and_for_no_place() {
    let plans = [
        Plan::host(kernel(1), 0, &[1000]).launching(&[(0, 0, 1), (0, 1, 2), (0, 2, 3)]),
        Plan::child(kernel(1), &[100]),
        Plan::child(kernel(1), &[100]),
        Plan::child(kernel(0), &[10]),
    ];
    let run = run(TWO, 1, slots(16), &plans);
    // The second one leaves the line a cycle after the end of the first.
    assert_eq!(run.finished[&3], run.finished[&1] + 2);
    assert!(run.finished[&2] > run.finished[&3]);
}

#[test]
fn kernels_of_several_homes_and_of_the_host_end_in_one_cycle() {
    // An SMX reports one block a cycle, so those of the host's kernel end earlier where a child
    // runs.
    let lasting = |children: [u64; 2]| {
        let launches = [(0, 0, 1), (1, 0, 2)];
        let parent = Plan::host(kernel(3), 0, &[599, 599, 600]).launching(&launches);
        let children = children.map(|child| Plan::child(kernel(1), &[child]));
        run(TWO, 3, slots(16), &[&[parent][..], &children].concat())
    };
    let starts = lasting([500; 2]);
    let last = START + 600;
    let run = lasting([1, 2].map(|child| last - starts.cycles(child)[0]));
    let ends: Vec<_> = (0..3).map(|plan| run.finished[&plan]).collect();
    assert_eq!(ends, [last + 1; 3]);
}
