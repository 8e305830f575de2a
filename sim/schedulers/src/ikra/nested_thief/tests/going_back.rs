//! Where the scan goes on after something may have become available: rules 26a and 26b.

use super::*;

#[test]
fn without_a_request_the_scan_goes_back_at_once_also_from_its_end() {
    for place in 0..=TARGETS.len() {
        let back = place_after(&[&idle_at(place), &[begins(0, quiet()), hungry()]]);
        assert_eq!(back, Some(0), "from {place}");
    }
    let mut thief = after(&idle_at(TARGETS.len()));
    assert_eq!(thief.clock(&hungry()), Activity::Quiet, "at its end");
    assert_eq!(thief.clock(&begins(0, quiet())), Activity::Busy);
    assert_eq!(thief.clock(&begins(0, quiet())), Activity::Quiet);
}

#[test]
fn back_at_level_1_the_scan_leaves_level_0_unasked() {
    for place in LEVEL_1 + 1..=TARGETS.len() {
        let back = place_after(&[&idle_at(place), &[begins(1, quiet()), hungry()]]);
        assert_eq!(back, Some(LEVEL_1), "from {place}");
    }
    let mut thief = NestedThief::new(0, 3, 4);
    for level in (0..4).rev() {
        (0..100).for_each(|_| {
            let asks = asked(&thief).is_some();
            thief.clock(&if asks { refuse() } else { hungry() });
        });
        thief.clock(&begins(level, quiet()));
        thief.clock(&hungry());
        assert_eq!(asked(&thief), Some((level, false, 1)));
    }
}

#[test]
fn a_scan_before_or_at_the_level_s_first_queue_stays_where_it_is() {
    for place in 0..=LEVEL_1 {
        let mut thief = after(&idle_at(place));
        assert_eq!(thief.clock(&begins(1, quiet())), Activity::Quiet, "at {place}");
        thief.clock(&hungry());
        assert_eq!(asked(&thief), TARGETS.get(place).copied());
    }
    assert_eq!(after(&[]).clock(&begins(0, quiet())), Activity::Quiet);
}

#[test]
fn with_a_request_under_way_a_scan_that_is_not_behind_the_level_moves_on_or_stays() {
    for place in 0..LEVEL_1 {
        let of = |cycles: &[NestedThiefInputs]| place_after(&[&to(place), cycles]);
        assert_eq!(of(&[begins(1, refuse()), hungry()]), Some(place + 1));
        assert_eq!(of(&[begins(1, grant()), hungry(), hungry()]), Some(place));
    }
    // The level is looked at after the scan has moved on or stayed.
    let of = |cycles: &[NestedThiefInputs]| place_after(&[&to(LEVEL_1), cycles]);
    assert_eq!(of(&[begins(1, refuse()), hungry()]), Some(LEVEL_1), "moved on, and went back");
    assert_eq!(of(&[begins(1, grant()), hungry(), hungry()]), Some(LEVEL_1), "stayed");
}

#[test]
fn a_request_under_way_goes_on_and_the_scan_goes_back_when_its_refusal_is_back() {
    for (level, first) in [(0, 0), (1, LEVEL_1)] {
        // As it waits, and as it is answered.
        let waits = [begins(level, hungry()), refuse()];
        let answered = [begins(level, refuse())];
        for cycles in [&waits[..], &answered] {
            let mut thief = after(&[&to(5)[..], cycles].concat());
            assert_eq!(asked(&thief), None);
            thief.clock(&hungry());
            assert_eq!(asked(&thief), Some(TARGETS[first]), "sent as the answer is back");
        }
        // As it is sent.
        let mut thief = after(&[&idle_at(5)[..], &[begins(level, hungry())]].concat());
        assert_eq!(asked(&thief), Some(TARGETS[5]), "it goes on");
        thief.clock(&refuse());
        thief.clock(&hungry());
        assert_eq!(asked(&thief), Some(TARGETS[first]));
    }
}

#[test]
fn of_all_that_begins_during_a_request_the_lowest_level_counts() {
    for (one, other) in [(0, 1), (1, 0)] {
        let cycles = [begins(one, hungry()), begins(other, hungry()), refuse(), hungry()];
        assert_eq!(place_after(&[&to(6), &cycles]), Some(0));
        let cycles = [begins(one, hungry()), begins(other, refuse()), hungry()];
        assert_eq!(place_after(&[&to(6), &cycles]), Some(0));
    }
    let cycles = [begins(1, hungry()), begins(1, refuse()), hungry()];
    assert_eq!(place_after(&[&to(6), &cycles]), Some(LEVEL_1));
    // So it does with a block that ends on a thief that is short.
    let short = [short_at(6), vec![hungry()]].concat();
    for cycles in [
        [begins(1, hungry()), ends(hungry()), refuse(), hungry()],
        [ends(hungry()), begins(1, hungry()), refuse(), hungry()],
        [hungry(), ends(begins(1, hungry())), refuse(), hungry()],
    ] {
        assert_eq!(place_after(&[&short, &cycles]), Some(0));
    }
    assert_eq!(place_after(&[&short_at(6), &[ends(begins(1, quiet())), hungry()]]), Some(0));
}

#[test]
fn what_begins_as_a_refusal_is_back_is_for_the_next_request_if_that_leaves_now() {
    let refused = [to(5), vec![refuse()]].concat();
    let mut thief = after(&[&refused[..], &[begins(1, hungry())]].concat());
    assert_eq!(asked(&thief), Some(TARGETS[6]), "moved on and sent in that cycle");
    thief.clock(&refuse());
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some(TARGETS[LEVEL_1]));
    // Without a next request it goes back at once.
    let back = place_after(&[&refused, &[begins(1, quiet()), hungry()]]);
    assert_eq!(back, Some(LEVEL_1));
}

#[test]
fn a_request_that_leaves_as_an_answer_is_back_has_reasons_of_its_own() {
    // What began during the one before has been followed, and is not followed again.
    let first = [to(6), vec![begins(1, refuse()), hungry()]].concat();
    assert_eq!(place_after(&[&first]), Some(LEVEL_1));
    assert_eq!(place_after(&[&first, &[refuse(), hungry()]]), Some(LEVEL_1 + 1));
    // In the cycle in which it leaves the scan goes back for the one before, and it gets its own.
    let both = [to(6), vec![begins(1, refuse()), begins(0, hungry())]].concat();
    assert_eq!(place_after(&[&both]), Some(LEVEL_1));
    assert_eq!(place_after(&[&both, &[refuse(), hungry()]]), Some(0));
    let granted = [to(6), vec![begins(1, grant()), hungry(), hungry()]].concat();
    assert_eq!(place_after(&[&granted, &[refuse(), hungry()]]), Some(LEVEL_1 + 1));
}

#[test]
fn with_a_block_on_its_way_or_dispatched_the_scan_goes_back_and_does_not_stay() {
    for (level, first) in [(0, 0), (1, LEVEL_1)] {
        for cycles in [
            [begins(level, hungry()), grant(), hungry(), hungry()],
            [hungry(), begins(level, grant()), hungry(), hungry()],
            [hungry(), grant(), begins(level, hungry()), hungry()],
        ] {
            assert_eq!(place_after(&[&to(5), &cycles]), Some(first));
        }
    }
}

#[test]
fn what_is_owed_keeps_its_level_whatever_the_scan_goes_back_to() {
    let thief = after(&[&to(5)[..], &[begins(0, hungry()), begins(0, grant())]].concat());
    assert_eq!((outputs(&thief).loot, outputs(&thief).loot_level), (Some(LOOT), 1));
}

#[test]
fn the_end_of_a_block_brings_nothing_to_who_was_refused_because_nothing_is_left() {
    let mut thief = after(&idle_at(TARGETS.len()));
    assert_eq!(thief.clock(&ends(hungry())), Activity::Quiet, "at the scan's end");
    for place in 1..TARGETS.len() {
        assert_eq!(place_after(&[&idle_at(place), &[ends(quiet()), hungry()]]), Some(place));
        assert_eq!(place_after(&[&to(place - 1), &[ends(refuse()), hungry()]]), Some(place));
    }
    let mut thief = after(&to(2));
    assert_eq!(thief.clock(&ends(hungry())), Activity::Quiet, "as a request waits");
}

#[test]
fn the_end_of_a_block_lets_a_thief_that_is_short_ask_from_level_0_on() {
    for place in 1..=TARGETS.len() {
        let mut thief = after(&short_at(place));
        assert_eq!(thief.clock(&quiet()), Activity::Quiet, "nothing ends");
        assert_eq!(thief.clock(&ends(quiet())), Activity::Busy);
        thief.clock(&hungry());
        assert_eq!(asked(&thief), Some(TARGETS[0]), "from {place}");
    }
    // During a request: as it is sent, as it waits, and as it is answered.
    for cycles in [
        [ends(hungry()), hungry(), refuse(), hungry()],
        [hungry(), ends(hungry()), refuse(), hungry()],
        [hungry(), hungry(), ends(refuse()), hungry()],
    ] {
        assert_eq!(place_after(&[&short_at(3), &cycles]), Some(0));
    }
    let cycles = [hungry(), ends(grant()), hungry(), hungry()];
    assert_eq!(place_after(&[&short_at(3), &cycles]), Some(0));
}

#[test]
fn shortage_holds_from_the_cycle_after_the_refusal_on() {
    // A block that ends in that very cycle does not count, in the next one it does.
    let late = place_after(&[&to(2), &[ends(no_room()), quiet(), hungry()]]);
    assert_eq!(late, Some(3));
    let back = place_after(&[&to(2), &[no_room(), ends(quiet()), hungry()]]);
    assert_eq!(back, Some(0));
    // With the next request on its way from then on the scan goes back behind that one's answer.
    let sent = [to(2), vec![no_room(), ends(hungry())]].concat();
    assert_eq!(place_after(&[&sent]), Some(3));
    assert_eq!(place_after(&[&sent, &[refuse(), hungry()]]), Some(0));
}

#[test]
fn shortage_lasts_until_the_scan_goes_back_to_level_0_and_not_only_to_level_1() {
    // It lasts over other refusals, blocks, and a way back to level 1.
    let short = short_at(6);
    let way = [begins(1, quiet()), hungry(), refuse(), hungry(), grant(), quiet()];
    assert_eq!(place_after(&[&short, &way, &[hungry()]]), Some(LEVEL_1 + 1));
    assert_eq!(place_after(&[&short, &way, &[ends(quiet()), hungry()]]), Some(0));
    // Back at level 0, because of a block's end or a kernel, it is over.
    for back in [ends(quiet()), begins(0, quiet())] {
        let way = [back, hungry(), refuse(), quiet()];
        assert_eq!(place_after(&[&short, &way, &[ends(quiet()), hungry()]]), Some(1));
    }
    // It comes again.
    let way = [ends(quiet()), hungry(), no_room(), quiet()];
    assert_eq!(place_after(&[&short, &way, &[ends(quiet()), hungry()]]), Some(0));
}

#[test]
fn shortage_includes_the_cycle_at_whose_end_the_scan_goes_back_to_level_0() {
    // The refusal of a request that is at target 6 is back; another one leaves for target 0.
    let refused = [short_at(6), vec![hungry(), begins(0, refuse())]].concat();
    let in_that_cycle = [ends(hungry()), refuse(), hungry()];
    assert_eq!(place_after(&[&refused, &in_that_cycle]), Some(0), "again");
    let later = [hungry(), ends(refuse()), hungry()];
    assert_eq!(place_after(&[&refused, &later]), Some(1));
    // The way back ends also what the answer to that very request has brought.
    let very = [to(6), vec![begins(0, no_room()), quiet(), ends(quiet()), hungry()]].concat();
    assert_eq!(place_after(&[&very]), Some(0));
    let over = [to(6), vec![begins(0, no_room()), hungry(), ends(refuse()), hungry()]].concat();
    assert_eq!(place_after(&[&over]), Some(1));
}

#[test]
fn no_room_means_nothing_without_a_refusal() {
    let no_room = |inputs| NestedThiefInputs { no_room: true, ..inputs };
    // Without a request, with one that waits or is granted, and as an answer is back.
    let cycles = [no_room(quiet()), no_room(hungry()), no_room(hungry()), no_room(grant())];
    let back = [no_room(quiet()), hungry(), refuse(), no_room(quiet())];
    let end = [ends(quiet()), hungry()];
    assert_eq!(place_after(&[&cycles, &back, &end]), Some(1));
    assert_eq!(after(&to(2)).clock(&no_room(hungry())), Activity::Quiet);
    assert_eq!(after(&idle_at(2)).clock(&no_room(quiet())), Activity::Quiet);
}
