use super::*;
use proptest::prelude::*;

fn event(number: u64) -> Event {
    Event::Reply { request: number as u32 }
}

fn drain(calendar: &mut Calendar) -> Vec<(u64, Event)> {
    let mut all = Vec::new();
    while let Some(cycle) = calendar.next() {
        calendar.advance(cycle);
        let events = calendar.take_events().expect("something happens in it");
        all.extend(events.iter().map(|&event| (cycle, event)));
        calendar.happened(events);
    }
    all
}

#[test]
fn events_at_the_edge_of_the_ring_come_in_order() {
    let mut calendar = Calendar::default();
    for cycle in [RING, RING - 1, 2 * RING, RING + 1, 0] {
        calendar.schedule(cycle, event(cycle));
    }
    let order: Vec<u64> = drain(&mut calendar).iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(order, [0, RING - 1, RING, RING + 1, 2 * RING]);
}

#[test]
fn a_far_event_comes_before_a_nearer_one_that_was_scheduled_later() {
    let mut calendar = Calendar::default();
    calendar.schedule(RING + 5, event(1));
    calendar.schedule(6, event(0));
    calendar.advance(6);
    let events = calendar.take_events().unwrap();
    calendar.happened(events);
    calendar.schedule(RING + 5, event(2));
    assert_eq!(drain(&mut calendar), [(RING + 5, event(1)), (RING + 5, event(2))]);
}

proptest! {
    #[test]
    fn the_calendar_is_a_stable_sort_by_cycle(
        cycles in prop::collection::vec(0..5 * RING, 0..60),
        start in 0..3 * RING,
    ) {
        let mut calendar = Calendar::default();
        calendar.advance(start);
        let mut expected: Vec<(u64, Event)> = Vec::new();
        for (line, cycle) in cycles.iter().enumerate() {
            calendar.schedule(start + cycle, event(line as u64));
            expected.push((start + cycle, event(line as u64)));
        }
        expected.sort_by_key(|(cycle, _)| *cycle);
        prop_assert_eq!(drain(&mut calendar), expected);
    }
}
