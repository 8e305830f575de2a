mod going_back;

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

fn no_room() -> NestedThiefInputs {
    NestedThiefInputs { no_room: true, ..refuse() }
}

fn quiet() -> NestedThiefInputs {
    NestedThiefInputs::default()
}

/// The same in a cycle in which a kernel begins at this level.
fn begins(level: u8, inputs: NestedThiefInputs) -> NestedThiefInputs {
    NestedThiefInputs { begins: Some(level), ..inputs }
}

/// The same in a cycle in which a block ends here.
fn ends(inputs: NestedThiefInputs) -> NestedThiefInputs {
    NestedThiefInputs { ends: true, ..inputs }
}

fn outputs(thief: &NestedThief) -> NestedThiefOutputs {
    let outputs = thief.evaluate(&NestedThiefInputs::default());
    assert_eq!(outputs, thief.evaluate(&begins(0, ends(grant()))), "state alone");
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

/// What it asks for, in the order of the scan.
const TARGETS: [(u8, bool, usize); 8] = [
    (0, false, 0),
    (0, false, 2),
    (0, true, 0),
    (0, true, 2),
    (1, false, 0),
    (1, false, 2),
    (1, true, 0),
    (1, true, 2),
];
/// The place of the first one of level 1.
const LEVEL_1: usize = 4;

/// The cycles after which the request for the target at this place is at its victim.
fn to(place: usize) -> Vec<NestedThiefInputs> {
    let mut cycles = vec![hungry()];
    (0..place).for_each(|_| cycles.extend([refuse(), hungry()]));
    cycles
}

/// The same with nothing under way, and the scan at this place.
fn idle_at(place: usize) -> Vec<NestedThiefInputs> {
    let mut cycles = to(place);
    match place {
        0 => cycles.clear(),
        _ => *cycles.last_mut().unwrap() = quiet(),
    }
    cycles
}

/// The same with a thief that is short: it was refused for want of room at the place before.
fn short_at(place: usize) -> Vec<NestedThiefInputs> {
    [to(place - 1), vec![no_room(), quiet()]].concat()
}

/// The place of what it asks for after these cycles.
fn place_after(parts: &[&[NestedThiefInputs]]) -> Option<usize> {
    let asked = asked(&after(&parts.concat()))?;
    TARGETS.iter().position(|&target| target == asked)
}

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
    assert_eq!(asked(&thief), Some(TARGETS[0]));
    assert_eq!(thief.clock(&quiet()), Activity::Quiet, "waits, hungry or not");
    assert_eq!(asked(&thief), Some(TARGETS[0]));
}

#[test]
fn after_a_refusal_the_next_request_is_sent_a_cycle_later_and_is_there_two_later() {
    let mut thief = after(&[hungry(), refuse()]);
    assert_eq!(asked(&thief), None, "the answer is on its way");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some(TARGETS[1]));
}

#[test]
fn who_is_not_hungry_when_a_refusal_is_back_goes_on_with_the_next_victim_later() {
    let mut thief = after(&[hungry(), refuse(), quiet(), quiet()]);
    assert_eq!(asked(&thief), None);
    assert_eq!(thief.clock(&quiet()), Activity::Quiet);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some(TARGETS[1]));
}

#[test]
fn a_block_is_owed_in_the_cycle_after_it_was_granted_and_the_scan_stays() {
    let mut thief = after(&[hungry(), refuse(), hungry(), grant()]);
    let owed = NestedThiefOutputs { loot: Some(LOOT), loot_level: 0, ..Default::default() };
    assert_eq!(outputs(&thief), owed);
    thief.clock(&hungry());
    assert_eq!(outputs(&thief), NestedThiefOutputs::default(), "nothing was sent in that cycle");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some(TARGETS[1]));
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
fn nobody_asks_on_one_smx() {
    let mut thief = NestedThief::new(0, 1, 4);
    assert_eq!(thief.clock(&hungry()), Activity::Quiet);
    assert_eq!(thief.clock(&begins(0, ends(hungry()))), Activity::Quiet);
    assert_eq!(thief.clock(&begins(3, hungry())), Activity::Quiet);
}

#[test]
fn reset_drops_everything_whatever_else_the_cycle_carries() {
    for cycles in [
        to(0),
        [to(6), vec![begins(1, refuse())]].concat(),
        [to(0), vec![grant()]].concat(),
        short_at(3),
    ] {
        let mut thief = after(&cycles);
        let reset = NestedThiefInputs { reset: true, ..begins(0, ends(hungry())) };
        assert_eq!(thief.clock(&reset), Activity::Busy);
        assert_eq!(thief, NestedThief::new(1, 3, 2));
        assert_eq!(thief.clock(&reset), Activity::Quiet);
    }
}

#[test]
fn after_reset_a_thief_is_not_short_though_it_is_refused_for_want_of_room_in_that_cycle() {
    let reset = |inputs| NestedThiefInputs { reset: true, ..inputs };
    let end = [ends(quiet()), hungry()];
    for short in [[short_at(3), vec![reset(quiet())]], [to(3), vec![reset(no_room())]]] {
        assert_eq!(place_after(&[&short.concat(), &to(1), &[refuse(), quiet()], &end]), Some(2));
    }
}

proptest! {
    #[test]
    fn a_thief_asks_or_is_owed_and_moves_on_only_by_answers(
        cycles in prop::collection::vec(any::<(bool, Option<bool>, bool, u8)>(), 1..200),
    ) {
        let mut thief = NestedThief::new(1, 4, 2);
        let mut before = NestedThiefOutputs::default();
        for (hungry, begins, ends, answer) in cycles {
            let now = outputs(&thief);
            prop_assert!(!now.asks || now.loot.is_none());
            prop_assert!(!now.asks || now.victim != 1);
            let begins = begins.map(u8::from);
            let mut inputs = NestedThiefInputs { hungry, begins, ends, ..Default::default() };
            inputs.no_room = answer >= 128;
            if now.asks {
                inputs.granted = (answer % 3 == 0).then_some(LOOT);
                inputs.refused = answer % 3 == 1;
            }
            let state = thief.clone();
            let activity = thief.clock(&inputs);
            prop_assert_eq!(activity == Activity::Quiet, thief == state);
            // Where nothing becomes available the scan moves on by refusals alone.
            if state.goes_back.is_none() && begins.is_none() && !ends {
                let moves_on = usize::from(state.request == Request::Refused);
                prop_assert_eq!(thief.scan, state.scan + moves_on);
            }
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
