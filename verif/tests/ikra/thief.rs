//! Rationale: 1. the state is a scan over victims and one message; every thief of up to 16 SMXs
//! scans all of its victims. 2. N = 1, 2, 3, 4, 15, 16, 33, 65 and 132; latency 0, 1, 2 and 31. 3.
//! A kernel's end while a message is under way.

use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::Thief;
use blockyard_rtl::module::Module;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{ThiefInputs as Inputs, ThiefOutputs as Outputs};

impl Twinned for Thief {
    type Twin = twin::Thief;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        self.stop.next = inputs.stop;
        self.hungry.next = inputs.hungry;
        self.granted.next = inputs.granted.is_some();
        self.refused.next = inputs.refused;
        self.granted_block.next = ports::block_id(inputs.granted.unwrap_or_default());
    }
    fn observe(&self) -> Outputs {
        Outputs {
            asks: self.asks.val(),
            victim: self.victim.val().index(),
            from_chunk: self.from_chunk.val(),
            owed: self.owed.val(),
            arrives: self.arrives.val(),
            block: kernel_table::block(self.block.val()),
        }
    }
    twin_calls!();
}

fn thief(number: usize, smx: usize, latency: u64) -> Lockstep<Thief> {
    let twin = twin::Thief::new(number, smx, latency as u32);
    Lockstep::new(Thief::new(number, smx, latency), twin)
}

fn hungry() -> Inputs {
    Inputs { hungry: true, ..Inputs::default() }
}

fn begins() -> Inputs {
    Inputs { begins: true, ..Inputs::default() }
}

/// Whom it asks until the scan ends, when all refuse.
fn scan(thief: &mut Lockstep<Thief>) -> Vec<(usize, bool)> {
    let (mut victims, mut quiet) = (Vec::new(), 0);
    while quiet < 4 {
        let outputs = thief.peek(&hungry());
        quiet = if outputs.asks { 0 } else { quiet + 1 };
        if outputs.asks {
            victims.push((outputs.victim, outputs.from_chunk));
        }
        thief.cycle(&Inputs { refused: outputs.asks, ..hungry() });
    }
    victims
}

#[test]
fn the_left_neighbour_comes_first_then_the_right_one_then_the_others_and_queues_before_chunks() {
    for smx in [1usize, 2, 3, 4, 15, 16, 33, 65, 132] {
        // Of many SMXs some: those on either side of a word's end, and others.
        for number in (0..smx).filter(|number| smx <= 33 || matches!(number % 64, 0 | 1 | 20 | 63))
        {
            let mut order: Vec<usize> = number.checked_sub(1).into_iter().collect();
            order.extend(Some(number + 1).filter(|&right| right < smx));
            let rest: Vec<_> = (0..smx).filter(|s| *s != number && !order.contains(s)).collect();
            order.extend(rest);
            let kinds = [false, true];
            let expected: Vec<_> =
                kinds.iter().flat_map(|&chunk| order.iter().map(move |&s| (s, chunk))).collect();
            let mut thief = thief(number, smx, 0);
            assert_eq!(scan(&mut thief), expected, "SMX {number} of {smx}");
            assert_eq!(scan(&mut thief), [], "the scan is at its end");
            thief.cycle(&begins());
            assert_eq!(scan(&mut thief), expected, "the next kernel");
        }
    }
}

#[test]
fn a_message_takes_one_cycle_and_the_latency_either_way() {
    for latency in [0, 1, 2, 31] {
        let mut thief = thief(0, 2, latency);
        assert!(!thief.cycle(&hungry()).asks, "sent");
        for _ in 0..latency {
            assert!(!thief.cycle(&hungry()).asks);
        }
        assert!(thief.cycle(&hungry()).asks, "it waits");
        let loot = Dim3::new(5, 1, 0);
        let granted = Inputs { granted: Some(loot), ..hungry() };
        let answered = thief.cycle(&granted);
        assert!(answered.asks && !answered.owed);
        for _ in 0..latency {
            let outputs = thief.cycle(&hungry());
            assert!(outputs.owed && !outputs.arrives);
        }
        let there = thief.cycle(&hungry());
        assert_eq!((there.owed, there.arrives, there.block), (true, true, loot));
        // It asks again from the cycle behind the arrival on.
        assert!(!thief.cycle(&hungry()).asks);
        for _ in 0..latency {
            assert!(!thief.cycle(&hungry()).asks);
        }
        assert!(thief.cycle(&hungry()).asks);
    }
}

#[test]
fn after_a_refusal_the_next_request_leaves_in_the_cycle_of_the_answer() {
    let mut thief = thief(1, 3, 0);
    thief.cycle(&hungry());
    let refused = Inputs { refused: true, ..hungry() };
    assert_eq!(thief.cycle(&refused).victim, 0);
    assert!(!thief.cycle(&hungry()).asks, "the answer is there");
    assert_eq!(thief.cycle(&hungry()).victim, 2);
}

#[test]
fn the_end_of_a_kernel_drops_what_is_under_way() {
    let mut thief = thief(0, 3, 3);
    thief.cycle(&hungry());
    thief.cycle(&Inputs { stop: true, ..hungry() });
    for _ in 0..8 {
        assert_eq!(thief.cycle(&Inputs::default()), Outputs::default());
    }
}

#[test]
fn hardware_and_twin_agree_on_random_answers() {
    for (number, smx) in
        [(0, 1), (0, 2), (1, 3), (2, 4), (14, 15), (7, 16), (32, 33), (64, 65), (70, 132)]
    {
        for latency in [0, 1, 16] {
            let mut thief = thief(number, smx, latency);
            let mut random = random(number as u64 + latency);
            for id in 0..20_000 {
                let mut inputs = Inputs { hungry: random.random_bool(0.7), ..Inputs::default() };
                inputs.begins = random.random_range(0..400) == 0;
                inputs.stop = random.random_range(0..400) == 0;
                inputs.reset = random.random_range(0..2_000) == 0;
                if thief.peek(&inputs).asks {
                    match random.random_range(0..4) {
                        0 => inputs.granted = Some(Dim3::new(id, id % 9, id % 5)),
                        1 => inputs.refused = true,
                        _ => {}
                    }
                }
                thief.cycle(&inputs);
            }
        }
    }
}
