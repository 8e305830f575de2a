use super::super::Binding;
use super::*;

fn pools(smx: usize, levels: u8) -> BoundPools {
    BoundPools::new(&LapermConfig { levels, ..LapermConfig::new(Binding::Bound) }, smx)
}

fn place(queue: u8, level: u8) -> QueuePlace {
    QueuePlace { queue, level }
}

const SEARCH: BoundPoolsInputs = BoundPoolsInputs { reset: false, launch: None, search: true };

fn launch(queue: u8, level: u8) -> BoundPoolsInputs {
    BoundPoolsInputs { launch: Some(place(queue, level)), ..SEARCH }
}

/// Queue, level and index of what a cycle with these inputs fetches.
fn cycle(pools: &mut BoundPools, inputs: &BoundPoolsInputs) -> Option<(u8, u8, u32)> {
    let fetch = pools.evaluate(inputs).fetch;
    pools.clock(inputs);
    fetch.map(|(place, index)| (place.queue, place.level, index))
}

#[test]
fn a_record_is_fetched_as_many_cycles_after_its_launch_as_levels_are_looked_at() {
    for level in 1..=4 {
        let mut pools = pools(3, 4);
        assert_eq!(cycle(&mut pools, &launch(2, level)), None, "the record of this cycle");
        for above in level..4 {
            assert_eq!(cycle(&mut pools, &SEARCH), None, "level {level}, {above}");
        }
        assert_eq!(cycle(&mut pools, &SEARCH), Some((2, level, 0)));
        assert_eq!(pools.clock(&SEARCH), Activity::Quiet);
    }
}

#[test]
fn after_a_fetch_the_queue_after_it_is_next_and_queues_without_records_take_no_cycle() {
    let mut pools = pools(5, 1);
    for queue in [1, 1, 4, 3, 4] {
        cycle(&mut pools, &BoundPoolsInputs { search: false, ..launch(queue, 1) });
    }
    let order: Vec<_> = (0..5).map(|_| cycle(&mut pools, &SEARCH).unwrap()).collect();
    assert_eq!(order, [(1, 1, 0), (3, 1, 0), (4, 1, 0), (1, 1, 1), (4, 1, 1)]);
}

#[test]
fn a_level_that_is_already_looked_at_waits_for_the_next_visit_and_a_lower_one_does_not() {
    let mut pools = pools(2, 4);
    cycle(&mut pools, &launch(0, 2));
    cycle(&mut pools, &SEARCH);
    // Level 3 is looked at, and the record comes in that cycle.
    assert_eq!(cycle(&mut pools, &launch(0, 3)), None);
    assert_eq!(cycle(&mut pools, &launch(0, 4)), Some((0, 2, 0)));
    assert_eq!(cycle(&mut pools, &launch(0, 4)), Some((0, 4, 0)), "a new visit");

    let mut pools = super::tests::pools(2, 4);
    cycle(&mut pools, &launch(0, 1));
    cycle(&mut pools, &SEARCH);
    cycle(&mut pools, &launch(0, 2));
    assert_eq!(cycle(&mut pools, &SEARCH), Some((0, 2, 0)), "it was ahead of the search");
}

#[test]
fn a_queue_that_gets_a_record_during_a_visit_waits_for_its_turn() {
    let mut pools = pools(3, 2);
    cycle(&mut pools, &launch(1, 1));
    cycle(&mut pools, &launch(0, 2));
    assert_eq!(cycle(&mut pools, &launch(2, 2)), Some((1, 1, 0)));
    assert_eq!(cycle(&mut pools, &SEARCH), Some((2, 2, 0)));
    assert_eq!(cycle(&mut pools, &SEARCH), Some((0, 2, 0)));
}

#[test]
fn the_search_stands_still_where_it_is_while_nothing_may_be_fetched() {
    let mut pools = pools(1, 4);
    let still = BoundPoolsInputs { search: false, ..SEARCH };
    cycle(&mut pools, &launch(0, 3));
    assert_eq!(cycle(&mut pools, &SEARCH), None, "level 4");
    for _ in 0..3 {
        assert_eq!(pools.clock(&still), Activity::Quiet);
        assert_eq!(cycle(&mut pools, &still), None);
    }
    assert_eq!(cycle(&mut pools, &SEARCH), Some((0, 3, 0)));
}

#[test]
fn records_of_a_level_come_in_order_and_each_pool_counts_for_itself() {
    let mut pools = pools(1, 2);
    for level in [1, 2, 1, 2] {
        cycle(&mut pools, &BoundPoolsInputs { search: false, ..launch(0, level) });
    }
    let all: Vec<_> = (0..6).filter_map(|_| cycle(&mut pools, &SEARCH)).collect();
    assert_eq!(all, [(0, 2, 0), (0, 2, 1), (0, 1, 0), (0, 1, 1)]);
}

#[test]
fn reset_empties_the_pools_and_returns_to_queue_0_whatever_else_the_cycle_carries() {
    let mut pools = pools(3, 2);
    cycle(&mut pools, &launch(1, 1));
    cycle(&mut pools, &launch(1, 1));
    assert_eq!(cycle(&mut pools, &SEARCH), Some((1, 1, 0)));
    let reset = BoundPoolsInputs { reset: true, ..launch(0, 1) };
    assert_eq!(pools.clock(&reset), Activity::Busy);
    assert_eq!(pools, super::tests::pools(3, 2));
    assert_eq!(pools.clock(&reset), Activity::Quiet);
}
