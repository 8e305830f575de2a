use super::*;

const BLOCK: Dim3 = Dim3::new(5, 1, 2);

fn hungry() -> ThiefInputs {
    ThiefInputs { hungry: true, ..Default::default() }
}

fn refuse() -> ThiefInputs {
    ThiefInputs { refused: true, ..hungry() }
}

fn grant() -> ThiefInputs {
    ThiefInputs { granted: Some(BLOCK), ..hungry() }
}

fn outputs(thief: &Thief) -> ThiefOutputs {
    let outputs = thief.evaluate(&ThiefInputs::default());
    assert_eq!(outputs, thief.evaluate(&grant()), "state alone");
    let ThiefOutputs { asks, victim, from_chunk, owed, arrives, block } = outputs;
    assert!(asks || (victim, from_chunk) == (0, false), "zero when it does not ask");
    assert!(arrives || block == Dim3::default(), "zero when nothing arrives");
    assert!(owed || !arrives);
    outputs
}

/// The victim and whether its chunk is asked for.
fn asked(thief: &Thief) -> Option<(usize, bool)> {
    let ThiefOutputs { asks, victim, from_chunk, .. } = outputs(thief);
    asks.then_some((victim, from_chunk))
}

/// A thief that is hungry until it asks.
fn asking(number: usize, smx: usize, latency: u32) -> Thief {
    let mut thief = Thief::new(number, smx, latency);
    for _ in 0..=latency {
        assert_eq!(asked(&thief), None);
        assert_eq!(thief.clock(&hungry()), Activity::Busy);
    }
    assert!(asked(&thief).is_some());
    thief
}

/// Everything that a thief asks which is always refused.
fn scan(number: usize, smx: usize) -> Vec<(usize, bool)> {
    let mut thief = Thief::new(number, smx, 0);
    let mut order = vec![];
    for _ in 0..4 * smx {
        let asks = asked(&thief);
        order.extend(asks);
        thief.clock(&if asks.is_some() { refuse() } else { hungry() });
    }
    order
}

#[test]
fn queues_come_before_chunks_and_neighbours_before_all_others() {
    for (number, victims) in [
        (0, [1, 2, 3, 4]),
        (1, [0, 2, 3, 4]),
        (2, [1, 3, 0, 4]),
        (3, [2, 4, 0, 1]),
        (4, [3, 0, 1, 2]),
    ] {
        let each = |from_chunk| victims.map(|victim| (victim, from_chunk));
        assert_eq!(scan(number, 5), [each(false), each(true)].concat(), "SMX {number}");
    }
}

#[test]
fn nobody_wraps_and_one_smx_has_no_victim() {
    assert_eq!(scan(0, 1), []);
    assert_eq!(scan(0, 2), [(1, false), (1, true)]);
    assert_eq!(scan(2, 3), [(1, false), (0, false), (1, true), (0, true)]);
    for smx in [32, 33, 64, 65, 132, 144] {
        let scan = scan(smx - 1, smx);
        assert_eq!(scan[..2], [(smx - 2, false), (0, false)]);
        assert_eq!(scan.len(), 2 * (smx - 1), "each other one twice");
    }
}

#[test]
fn a_request_is_at_its_victim_one_cycle_and_the_latency_after_it_was_sent() {
    for latency in [0, 1, 4, 31] {
        let mut thief = Thief::new(0, 3, latency);
        thief.clock(&hungry());
        for _ in 0..latency {
            assert_eq!(asked(&thief), None);
            assert_eq!(thief.clock(&ThiefInputs::default()), Activity::Busy, "hungry or not");
        }
        assert_eq!(asked(&thief), Some((1, false)));
    }
}

#[test]
fn a_request_stays_until_it_is_answered() {
    let mut thief = asking(0, 3, 1);
    for inputs in [hungry(), ThiefInputs::default()] {
        assert_eq!(thief.clock(&inputs), Activity::Quiet);
        assert_eq!(asked(&thief), Some((1, false)));
    }
}

#[test]
fn a_granted_block_arrives_one_cycle_and_the_latency_after_the_answer() {
    for latency in [0, 1, 4, 31] {
        let mut thief = asking(0, 3, latency);
        assert!(!outputs(&thief).owed, "not in the cycle of the answer");
        thief.clock(&grant());
        for _ in 0..latency {
            assert_eq!(outputs(&thief), ThiefOutputs { owed: true, ..Default::default() });
            thief.clock(&hungry());
        }
        let there = ThiefOutputs { owed: true, arrives: true, block: BLOCK, ..Default::default() };
        assert_eq!(outputs(&thief), there);
        thief.clock(&hungry());
        assert_eq!(outputs(&thief), ThiefOutputs::default());
    }
}

#[test]
fn no_request_is_sent_as_a_block_arrives_and_the_same_victim_is_asked_again() {
    let mut thief = asking(1, 3, 0);
    assert_eq!(asked(&thief), Some((0, false)));
    thief.clock(&refuse());
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some((2, false)));
    thief.clock(&grant());
    assert!(outputs(&thief).arrives);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), None, "sent in this cycle at the earliest");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some((2, false)));
}

#[test]
fn after_a_refusal_the_next_victim_is_asked_in_the_cycle_in_which_it_is_known() {
    for latency in [0, 3] {
        let mut thief = asking(0, 3, latency);
        thief.clock(&refuse());
        // The answer's way, and the next request's.
        for _ in 0..2 * latency + 1 {
            assert_eq!(outputs(&thief), ThiefOutputs::default());
            thief.clock(&hungry());
        }
        assert_eq!(asked(&thief), Some((2, false)));
    }
}

#[test]
fn a_thief_that_is_not_hungry_when_a_refusal_arrives_asks_the_next_victim_later() {
    let mut thief = asking(0, 3, 0);
    thief.clock(&refuse());
    assert_eq!(thief.clock(&ThiefInputs::default()), Activity::Busy, "the scan moves on");
    assert_eq!(thief.clock(&ThiefInputs::default()), Activity::Quiet);
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some((2, false)));
}

#[test]
fn behind_the_last_refusal_nobody_is_asked_until_the_next_kernel() {
    let mut thief = asking(0, 2, 0);
    thief.clock(&refuse());
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some((1, true)));
    thief.clock(&refuse());
    assert_eq!(thief.clock(&hungry()), Activity::Busy, "the refusal is known");
    assert_eq!(thief.clock(&hungry()), Activity::Quiet);
    assert_eq!(thief.clock(&ThiefInputs { begins: true, ..hungry() }), Activity::Busy);
    assert_eq!(asked(&thief), None, "not sent as the kernel begins");
    thief.clock(&hungry());
    assert_eq!(asked(&thief), Some((1, false)));
}

#[test]
fn with_one_smx_nothing_is_ever_sent() {
    let mut thief = Thief::new(0, 1, 0);
    assert_eq!(thief.clock(&hungry()), Activity::Quiet);
    assert_eq!(outputs(&thief), ThiefOutputs::default());
}

#[test]
fn a_kernel_s_end_its_begin_and_a_reset_drop_what_is_under_way_and_start_the_scan_anew() {
    let fresh = Thief::new(1, 3, 2);
    let drop = |begins, stop, reset| ThiefInputs { begins, stop, reset, ..grant() };
    for inputs in [drop(true, false, false), drop(false, true, false), drop(false, false, true)] {
        // A refusal, then a request, a granted block, and nothing, each of them a cycle more.
        for cycles in 0..16 {
            let mut thief = asking(1, 3, 2);
            thief.clock(&refuse());
            for _ in 0..cycles {
                let asks = asked(&thief).is_some();
                thief.clock(&if asks { grant() } else { hungry() });
            }
            assert_eq!(thief.clock(&inputs), Activity::Busy);
            assert_eq!(thief, fresh, "{cycles} cycles");
            assert_eq!(thief.clock(&inputs), Activity::Quiet);
        }
    }
}
