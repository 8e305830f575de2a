use super::*;
use crate::port::{Dim3, KernelEntry};
use proptest::prelude::*;

const LOOT: Loot = Loot { home: 3, kernel: KernelEntry(9), block: Dim3::new(5, 1, 2) };

fn hungry() -> NestedThiefInputs {
    NestedThiefInputs { hungry: true, ..Default::default() }
}

fn refuse() -> NestedThiefInputs {
    NestedThiefInputs { refused: true, ..hungry() }
}

fn grant() -> NestedThiefInputs {
    NestedThiefInputs { granted: Some(LOOT), ..hungry() }
}

/// The same in a cycle after which the scan starts anew.
fn anew(inputs: NestedThiefInputs) -> NestedThiefInputs {
    NestedThiefInputs { anew: true, ..inputs }
}

fn outputs(thief: &NestedThief) -> NestedThiefOutputs {
    let outputs = thief.evaluate(&NestedThiefInputs::default());
    assert_eq!(outputs, thief.evaluate(&anew(grant())), "state alone");
    outputs
}

/// Level, whether the chunk is asked for, and the victim.
fn asked(thief: &NestedThief) -> Option<(u8, bool, usize)> {
    let NestedThiefOutputs { asks, victim, from_chunk, level, .. } = outputs(thief);
    assert!(asks || (victim, from_chunk, level) == (0, false, 0), "zero when it does not ask");
    asks.then_some((level, from_chunk, victim))
}

/// SMX 1 of three with two levels, after these cycles.
fn after(cycles: &[NestedThiefInputs]) -> NestedThief {
    let mut thief = NestedThief::new(1, 3, 2);
    for inputs in cycles {
        thief.clock(inputs);
    }
    thief
}

const FIRST: Option<(u8, bool, usize)> = Some((0, false, 0));
const SECOND: Option<(u8, bool, usize)> = Some((0, false, 2));
const THIRD: Option<(u8, bool, usize)> = Some((0, true, 0));

#[test]
fn the_scan_goes_over_levels_from_0_then_queues_before_chunks_then_neighbours_first() {
    for (number, victims) in [(0, [1, 2, 3]), (1, [0, 2, 3]), (2, [1, 3, 0]), (3, [2, 0, 1])] {
        let mut thief = NestedThief::new(number, 4, 4);
        let mut order = Vec::new();
        for _ in 0..100 {
            let asks = asked(&thief);
            order.extend(asks);
            thief.clock(&if asks.is_some() { refuse() } else { hungry() });
        }
        let mut expected = Vec::new();
        for level in 0..4 {
            for from_chunk in [false, true] {
                expected.extend(victims.map(|victim| (level, from_chunk, victim)));
            }
        }
        assert_eq!(order, expected, "SMX {number}");
        assert_eq!(thief.clock(&hungry()), Activity::Quiet, "at its end");
    }
}

#[test]
fn a_request_sent_in_a_cycle_is_at_its_victim_in_the_next_and_stays_until_it_is_answered() {
    let mut thief = after(&[hungry()]);
    assert_eq!(asked(&thief), FIRST);
    let quiet = NestedThiefInputs::default();
    assert_eq!(thief.clock(&quiet), Activity::Quiet, "waits, hungry or not");
    assert_eq!(asked(&thief), FIRST);
}

#[test]
fn after_a_refusal_the_next_request_is_sent_a_cycle_later_and_is_there_two_later() {
    let mut thief = after(&[hungry(), refuse()]);
    assert_eq!(asked(&thief), None, "the answer is on its way");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), SECOND);
}

#[test]
fn who_is_not_hungry_when_a_refusal_is_back_goes_on_with_the_next_victim_later() {
    let quiet = NestedThiefInputs::default();
    let mut thief = after(&[hungry(), refuse(), quiet.clone(), quiet.clone()]);
    assert_eq!(asked(&thief), None);
    assert_eq!(thief.clock(&quiet), Activity::Quiet);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), SECOND);
}

#[test]
fn a_block_is_owed_in_the_cycle_after_it_was_granted_and_the_scan_stays() {
    let mut thief = after(&[hungry(), refuse(), hungry(), grant()]);
    let owed = NestedThiefOutputs { loot: Some(LOOT), loot_level: 0, ..Default::default() };
    assert_eq!(outputs(&thief), owed);
    thief.clock(&hungry());
    assert_eq!(outputs(&thief), NestedThiefOutputs::default(), "nothing was sent in that cycle");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), SECOND);
}

#[test]
fn what_is_owed_has_the_level_that_was_asked_for() {
    let mut cycles = vec![hungry()];
    (0..4).for_each(|_| cycles.extend([refuse(), hungry()]));
    let mut thief = after(&cycles);
    assert_eq!(asked(&thief), Some((1, false, 0)));
    thief.clock(&grant());
    assert_eq!((outputs(&thief).loot, outputs(&thief).loot_level), (Some(LOOT), 1));
}

#[test]
fn without_a_request_the_scan_starts_anew_at_once_also_from_its_end() {
    let quiet = NestedThiefInputs::default();
    let thief = after(&[hungry(), refuse(), quiet.clone(), anew(quiet.clone()), hungry()]);
    assert_eq!(asked(&thief), FIRST);
    let mut cycles = Vec::new();
    (0..8).for_each(|_| cycles.extend([hungry(), refuse()]));
    cycles.push(hungry());
    let mut thief = after(&cycles);
    assert_eq!(thief.clock(&hungry()), Activity::Quiet, "at its end");
    assert_eq!(thief.clock(&anew(quiet)), Activity::Busy);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), FIRST);
}

#[test]
fn a_request_under_way_goes_on_and_the_scan_starts_anew_when_its_refusal_is_back() {
    let to_second = [hungry(), refuse(), hungry()];
    // Anew as it waits, and as it is answered.
    for cycles in [&[anew(hungry()), refuse()][..], &[anew(refuse())]] {
        let mut thief = after(&[&to_second[..], cycles].concat());
        assert_eq!(asked(&thief), None);
        thief.clock(&hungry());
        assert_eq!(asked(&thief), FIRST, "sent as the answer is back");
    }
    // Anew as it is sent.
    let mut thief = after(&[hungry(), refuse(), anew(hungry())]);
    assert_eq!(asked(&thief), SECOND, "it goes on");
    thief.clock(&refuse());
    thief.clock(&hungry());
    assert_eq!(asked(&thief), FIRST);
}

#[test]
fn anew_as_a_refusal_is_back_the_next_request_goes_on_and_then_the_scan_starts_anew() {
    let mut thief = after(&[hungry(), refuse(), hungry(), refuse(), anew(hungry())]);
    assert_eq!(asked(&thief), THIRD, "moved on and sent in that cycle");
    thief.clock(&refuse());
    thief.clock(&hungry());
    assert_eq!(asked(&thief), FIRST);
    // Without a next request it is anew at once.
    let full = anew(NestedThiefInputs::default());
    let mut thief = after(&[hungry(), refuse(), hungry(), refuse(), full]);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), FIRST);
}

#[test]
fn anew_with_a_block_on_its_way_or_dispatched_the_scan_does_not_stay() {
    let to_second = [hungry(), refuse(), hungry()];
    for cycles in [
        [anew(hungry()), grant(), hungry(), hungry()],
        [hungry(), anew(grant()), hungry(), hungry()],
        [hungry(), grant(), anew(hungry()), hungry()],
    ] {
        let thief = after(&[&to_second[..], &cycles].concat());
        assert_eq!(asked(&thief), FIRST);
    }
}

#[test]
fn nobody_asks_on_one_smx() {
    let mut thief = NestedThief::new(0, 1, 4);
    assert_eq!(thief.clock(&hungry()), Activity::Quiet);
    assert_eq!(thief.clock(&anew(hungry())), Activity::Quiet);
}

#[test]
fn reset_drops_everything_whatever_else_the_cycle_carries() {
    for cycles in [vec![hungry()], vec![hungry(), anew(refuse())], vec![hungry(), grant()]] {
        let mut thief = after(&cycles);
        let reset = NestedThiefInputs { reset: true, ..anew(hungry()) };
        assert_eq!(thief.clock(&reset), Activity::Busy);
        assert_eq!(thief, NestedThief::new(1, 3, 2));
        assert_eq!(thief.clock(&reset), Activity::Quiet);
    }
}

proptest! {
    #[test]
    fn a_thief_asks_or_is_owed_and_moves_on_only_by_answers(
        cycles in prop::collection::vec(any::<(bool, bool, u8)>(), 1..200),
    ) {
        let mut thief = NestedThief::new(1, 4, 2);
        let mut before = NestedThiefOutputs::default();
        for (hungry, anew, answer) in cycles {
            let now = outputs(&thief);
            prop_assert!(!now.asks || now.loot.is_none());
            prop_assert!(!now.asks || now.victim != 1);
            let mut inputs = NestedThiefInputs { hungry, anew, ..Default::default() };
            if now.asks {
                inputs.granted = (answer % 3 == 0).then_some(LOOT);
                inputs.refused = answer % 3 == 1;
            }
            thief.clock(&inputs);
            let next = outputs(&thief);
            // What waits stays as it is.
            let waits = now.asks && inputs.granted.is_none() && !inputs.refused;
            prop_assert!(!waits || next == now);
            prop_assert_eq!(next.loot.is_some(), inputs.granted.is_some());
            prop_assert!(before.loot.is_none() || now.loot.is_none());
            before = now;
        }
    }
}
