//! Homes, the chunk of a tenant, and its end: rules 23, 24 and 28.

use super::*;

#[test]
fn a_kernel_is_the_tenant_of_its_home_from_the_cycle_after_it_begins() {
    let mut bench = Bench::new(4);
    let inputs = begin(1, 9, 2);
    let outputs = bench.evaluate(&inputs);
    assert!(!outputs.taken && outputs.chunk_next[1].is_none());
    assert_eq!(bench.clock(&inputs), Activity::Busy);
    assert_eq!(bench.chunk(1), Some((9, 0)));
    for (home, taken) in [(0, false), (1, true), (2, false)] {
        let inputs = ChildLevelInputs { home, ..Default::default() };
        assert_eq!(bench.evaluate(&inputs).taken, taken);
    }
}

#[test]
fn each_home_has_a_tenant_of_its_own() {
    let mut bench = Bench::new(4);
    bench.begin(0, 3, 2);
    bench.begin(2, 4, 2);
    assert_eq!([0, 1, 2].map(|smx| bench.chunk(smx)), [Some((3, 0)), None, Some((4, 0))]);
}

#[test]
fn a_chunk_runs_forward_and_backward_in_turn_whether_it_is_kept_or_populated() {
    let mut bench = Bench::new(4);
    assert_eq!(bench.whole(1, 0, 3), [0, 1, 2], "the first one forward");
    assert_eq!(bench.whole(1, 0, 3), [2, 1, 0], "kept");
    assert_eq!(bench.whole(1, 0, 2), [0, 1], "another grid");
    assert_eq!(bench.whole(1, 0, 3), [2, 1, 0], "the one before had another grid");
    assert_eq!(bench.whole(2, 0, 3), [0, 1, 2], "each home by itself");
}

#[test]
fn a_populated_chunk_is_the_whole_grid_in_all_dimensions() {
    let mut bench = Bench::new(4);
    let grid = Dim3::new(2, 3, 2);
    bench.clock(&ChildLevelInputs { grid, ..begin(1, 0, 0) });
    let mut ran = Vec::new();
    while let Some((_, block)) = bench.state().chunk_next[1] {
        ran.push(block.linear(grid));
        let take_chunk = mask::of([1]);
        bench.clock(&ChildLevelInputs { take_chunk, ..Default::default() });
    }
    assert!(ran.into_iter().eq(0..12));
}

#[test]
fn a_tenant_stays_while_a_block_is_in_execution_or_owed() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 1);
    bench.run_chunk(0);
    bench.resident = 1 << 5;
    assert_eq!(bench.state().ends, 0);
    bench.resident = 1 << 4;
    let mut owed = ChildLevelInputs::default();
    owed.owed[2] = Some(0);
    assert_eq!(bench.evaluate(&owed).ends, 0);
    owed.owed[2] = Some(1);
    assert_eq!(bench.evaluate(&owed).ends, 1 << 5, "of another home");
}

#[test]
fn a_tenant_stays_while_something_is_left_of_a_queue_of_its_home() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 2);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 6, 2);
    bench.run_chunk(0);
    assert_eq!((bench.state().ends, bench.queue(1)), (0, Some((6, 1))));
    assert_eq!(bench.run_queue(1), [1]);
    bench.end(6);
}

#[test]
fn a_tenant_all_of_whose_blocks_are_in_queues_of_others_has_no_chunk_and_does_not_end() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 1);
    bench.steal(1, 0, true);
    bench.end(5);
    bench.begin(0, 6, 1);
    assert_eq!((bench.chunk(0), bench.queue(1), bench.state().ends), (None, Some((6, 0)), 0));
}

#[test]
fn several_tenants_end_in_one_cycle_and_their_homes_are_free_in_the_next() {
    let mut bench = Bench::new(4);
    for (home, kernel) in [(0, 7), (1, 31), (2, 0)] {
        bench.begin(home, kernel, 1);
    }
    let all = mask::of(0..SMXS);
    bench.clock(&ChildLevelInputs { take_chunk: all, ..Default::default() });
    assert_eq!(bench.state().ends, 1 << 7 | 1 << 31 | 1);
    assert!(bench.evaluate(&begin(1, 9, 1)).taken, "as the cycle begins");
    bench.clock(&ChildLevelInputs::default());
    (0..SMXS).for_each(|home| bench.begin(home, 1, 1));
}

#[test]
fn another_kernel_may_begin_in_the_cycle_in_which_one_ends() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 1);
    bench.run_chunk(0);
    assert_eq!(bench.state().ends, 1 << 5);
    bench.clock(&begin(1, 6, 1));
    assert!(!bench.evaluate(&begin(0, 7, 1)).taken);
    assert_eq!(bench.chunk(1), Some((6, 0)));
}

#[test]
fn reset_forgets_tenants_queues_and_grids_whatever_else_the_cycle_carries() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 4);
    bench.steal(1, 0, true);
    let reset = ChildLevelInputs { reset: true, ..begin(1, 6, 3) };
    assert_eq!(bench.clock(&reset), Activity::Busy);
    assert_eq!(bench.level, ChildLevel::new(SMXS, 4));
    assert_eq!(bench.clock(&reset), Activity::Quiet);
}
