//! State space: 2^A words and where the queue begins. All sequences of six cycles on two words, and
//! random ones on 2 to 256, against a `VecDeque`.

use crate::harness::{cycle, fresh, reset, stores};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Fifo;
use blockyard_rtl::word::U;
use proptest::prelude::*;
use std::collections::VecDeque;

/// What is asked of the queue in one cycle.
#[derive(Clone, Copy, Debug)]
struct Ask {
    push: Option<u8>,
    pop: bool,
}

const IDLE: Ask = Ask { push: None, pop: false };
const POP: Ask = Ask { push: None, pop: true };

const fn push(word: u8) -> Ask {
    Ask { push: Some(word), pop: false }
}

const fn both(word: u8) -> Ask {
    Ask { push: Some(word), pop: true }
}

fn drive<const A: usize>(fifo: &mut Fifo<U<8>, A>, ask: Ask) {
    fifo.push.next = ask.push.is_some();
    fifo.data.next = U::new(ask.push.unwrap_or(0xee).into());
    fifo.pop.next = ask.pop;
}

/// Empty, full, and the head if there is one.
fn read<const A: usize>(fifo: &Fifo<U<8>, A>) -> (bool, bool, Option<u8>) {
    let empty = fifo.empty.val();
    (empty, fifo.full.val(), (!empty).then(|| fifo.head.val().raw() as u8))
}

fn check<const A: usize>(asks: impl IntoIterator<Item = Ask>) {
    let mut fifo = fresh(Fifo::<U<8>, A>::new(U::new(0)));
    let mut model = VecDeque::new();
    for (number, ask) in asks.into_iter().enumerate() {
        let got = cycle(&mut fifo, |fifo| drive(fifo, ask), read);
        let full = model.len() == 1 << A;
        let expected = (model.is_empty(), full, model.front().copied());
        assert_eq!(got, expected, "2^{A} words, cycle {number}, {ask:?}");
        let accepted = ask.push.filter(|_| !full || ask.pop);
        if ask.pop {
            model.pop_front();
        }
        model.extend(accepted);
    }
}

/// A queue of four with these words.
fn with(words: &[u8]) -> Fifo<U<8>, 2> {
    let mut fifo = fresh(Fifo::new(U::new(0)));
    words.iter().for_each(|&word| cycle(&mut fifo, |fifo| drive(fifo, push(word)), |_| ()));
    drive(&mut fifo, IDLE);
    settle(&mut fifo);
    fifo
}

/// The words that come out of a queue.
fn drained(mut fifo: Fifo<U<8>, 2>) -> Vec<u8> {
    let mut words = Vec::new();
    while let (_, _, Some(word)) = cycle(&mut fifo, |fifo| drive(fifo, POP), read) {
        words.push(word);
    }
    words
}

#[test]
fn every_sequence_of_six_cycles_on_two_words_behaves_like_a_queue() {
    for sequence in 0..4u32.pow(6) {
        check::<1>((0..6).map(|at| match sequence >> (2 * at) & 3 {
            0 => IDLE,
            1 => push(at),
            2 => POP,
            _ => both(at),
        }));
    }
}

#[test]
fn a_push_into_a_full_queue_is_ignored() {
    let mut fifo = with(&[1, 2, 3, 4]);
    assert_eq!(read(&fifo), (false, true, Some(1)));
    assert!(!stores(&mut fifo, |fifo| drive(fifo, push(5))));
    assert_eq!(drained(fifo), [1, 2, 3, 4]);
}

#[test]
fn the_last_free_word_takes_a_push() {
    let mut fifo = with(&[1, 2, 3]);
    assert_eq!(read(&fifo), (false, false, Some(1)));
    assert!(stores(&mut fifo, |fifo| drive(fifo, push(4))));
    assert_eq!(drained(fifo), [1, 2, 3, 4]);
}

#[test]
fn a_pop_of_an_empty_queue_is_ignored() {
    let mut fifo = with(&[]);
    assert!(!stores(&mut fifo, |fifo| drive(fifo, POP)));
    assert!(stores(&mut fifo, |fifo| drive(fifo, push(7))));
    assert_eq!(drained(fifo), [7]);
}

#[test]
fn push_and_pop_together_do_both_at_full_and_only_push_at_empty() {
    let mut fifo = with(&[1, 2, 3, 4]);
    assert!(stores(&mut fifo, |fifo| drive(fifo, both(5))));
    assert_eq!(drained(fifo), [2, 3, 4, 5]);
    let mut fifo = with(&[]);
    assert!(stores(&mut fifo, |fifo| drive(fifo, both(5))));
    assert_eq!(drained(fifo), [5]);
}

#[test]
fn an_idle_cycle_stores_nothing() {
    for words in [&[][..], &[1], &[1, 2, 3, 4]] {
        assert!(!stores(&mut with(words), |fifo| drive(fifo, IDLE)));
    }
}

#[test]
fn reset_empties_the_queue_whatever_is_asked() {
    let mut fifo = with(&[1, 2, 3, 4]);
    drive(&mut fifo, both(9));
    reset(&mut fifo);
    drive(&mut fifo, IDLE);
    settle(&mut fifo);
    assert_eq!(read(&fifo), (true, false, None));
}

#[test]
fn the_largest_queue_holds_256_words_and_goes_round() {
    let fill = (0..=255).map(push);
    let turn = (0..=255).flat_map(|word| [both(word), push(word)]);
    check::<8>(fill.chain([push(99), POP]).chain(turn).chain(vec![POP; 260]));
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    // Phases that mostly push or mostly pop reach full and empty in deep queues, too.
    let phase = (any::<bool>(), prop::collection::vec((0..8u8, any::<u8>()), 1..40));
    prop::collection::vec(phase, 1..12).prop_map(|phases| {
        let one = |(filling, (choice, word)): (bool, (u8, u8))| match choice {
            0 => IDLE,
            1 | 2 => both(word),
            3 => {
                if filling {
                    POP
                } else {
                    push(word)
                }
            }
            _ => {
                if filling {
                    push(word)
                } else {
                    POP
                }
            }
        };
        let spread = |(filling, choices): (bool, Vec<_>)| {
            choices.into_iter().map(move |choice| one((filling, choice)))
        };
        phases.into_iter().flat_map(spread).collect()
    })
}

proptest! {
    #[test]
    fn random_traffic_behaves_like_a_queue(asks in asks()) {
        check::<1>(asks.iter().copied());
        check::<3>(asks.iter().copied());
        check::<5>(asks);
    }
}
