use super::*;

fn spill(level: u8) -> OverflowQueuesInputs {
    OverflowQueuesInputs { spill: Some(level), ..Default::default() }
}

fn arrived(level: u8) -> OverflowQueuesInputs {
    OverflowQueuesInputs { arrived: Some(level), ..Default::default() }
}

fn fetched() -> OverflowQueuesInputs {
    OverflowQueuesInputs { fetched: true, ..Default::default() }
}

fn shown(overflow: &OverflowQueues, level: u8) -> OverflowQueuesOutputs {
    let asked = OverflowQueuesInputs { level, ..Default::default() };
    let busy = OverflowQueuesInputs { level, spill: Some(1), fetched: true, ..arrived(1) };
    assert_eq!(overflow.evaluate(&asked), overflow.evaluate(&busy), "state and level alone");
    overflow.evaluate(&asked)
}

fn behind(overflow: &OverflowQueues) -> Vec<u8> {
    (1..=3).filter(|&level| shown(overflow, level).behind).collect()
}

#[test]
fn a_level_is_behind_from_the_cycle_after_a_spill_to_that_of_the_last_arrival() {
    let mut overflow = OverflowQueues::new(3);
    assert_eq!(behind(&overflow), [0; 0]);
    overflow.clock(&spill(2));
    overflow.clock(&spill(2));
    for inputs in [fetched(), fetched(), arrived(2)] {
        assert_eq!(behind(&overflow), [2], "{inputs:?}");
        overflow.clock(&inputs);
    }
    assert_eq!(behind(&overflow), [2], "one is still on its way");
    overflow.clock(&arrived(2));
    assert_eq!(behind(&overflow), [0; 0]);
}

#[test]
fn the_oldest_unit_of_the_highest_level_is_asked_for() {
    let mut overflow = OverflowQueues::new(3);
    for level in [1, 3, 2, 3] {
        overflow.clock(&spill(level));
    }
    let mut order = Vec::new();
    while let Some(fetch) = shown(&overflow, 1).fetch {
        order.push(fetch);
        overflow.clock(&fetched());
        assert_eq!(shown(&overflow, 1).on_the_way, order.len());
    }
    assert_eq!(order, [(3, 0), (3, 1), (2, 0), (1, 0)]);
    assert_eq!(overflow.clock(&fetched()), Activity::Quiet, "nothing is left");
}

#[test]
fn indices_count_what_was_ever_put_into_a_level_and_wrap() {
    let last = u32::MAX;
    let level = Level { spilled: last, fetched: last, on_the_way: 0 };
    let mut overflow = OverflowQueues { levels: vec![Level::default(), level] };
    assert_eq!((shown(&overflow, 1).index, shown(&overflow, 2).index), (0, last));
    overflow.clock(&spill(2));
    overflow.clock(&spill(2));
    assert_eq!((shown(&overflow, 1).index, shown(&overflow, 2).index), (0, 1));
    assert_eq!((shown(&overflow, 1).fetch, overflow.in_memory()), (Some((2, last)), 2));
    overflow.clock(&fetched());
    assert_eq!(shown(&overflow, 1).fetch, Some((2, 0)));
}

#[test]
fn spill_fetch_and_arrival_of_one_level_in_one_cycle_all_count() {
    let mut overflow = OverflowQueues::new(1);
    overflow.clock(&spill(1));
    overflow.clock(&spill(1));
    overflow.clock(&fetched());
    let all = OverflowQueuesInputs { spill: Some(1), fetched: true, ..arrived(1) };
    assert_eq!(overflow.clock(&all), Activity::Busy);
    let outputs = shown(&overflow, 1);
    assert_eq!((outputs.on_the_way, outputs.fetch, outputs.index), (1, Some((1, 2)), 3));
}

#[test]
fn reset_forgets_all_indices_whatever_else_the_cycle_carries() {
    let mut overflow = OverflowQueues::new(8);
    overflow.clock(&spill(8));
    overflow.clock(&fetched());
    let reset = OverflowQueuesInputs { reset: true, ..spill(1) };
    assert_eq!(overflow.clock(&reset), Activity::Busy);
    assert_eq!(overflow, OverflowQueues::new(8));
    assert_eq!(overflow.clock(&reset), Activity::Quiet);
    assert_eq!(overflow.clock(&OverflowQueuesInputs::default()), Activity::Quiet);
}
