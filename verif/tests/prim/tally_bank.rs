//! State space: 32 counters, N increments and N decrements a cycle; random, against an array of
//! integers that are reduced only when they are compared.

use super::counter_bank::zeros;
use crate::harness::{cycle, fresh, random, reset, stores};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::{Tagged, TallyBank};
use blockyard_rtl::word::U;
use rand::RngExt;

/// For each port the counter that grows and the one that shrinks.
type Event = (Option<u64>, Option<u64>);

fn drive(bank: &mut TallyBank, events: &[Event]) {
    for (port, &(increase, decrease)) in events.iter().enumerate() {
        let entry = U::new(increase.unwrap_or(17));
        bank.increase[port].next = Tagged { valid: increase.is_some(), entry };
        bank.decrease_entry[port].next = U::new(decrease.unwrap_or(17));
    }
    bank.decrease.next = Mask::gather(events.len(), |port| events[port].1.is_some());
}

/// A cycle with these events, and what shows behind it.
fn zero_after(bank: &mut TallyBank, events: &[Event]) -> U<32> {
    cycle(bank, |bank| drive(bank, events), |_| ());
    settle(bank);
    bank.zero.val()
}

/// Random events on `entries` counters: few of them meet often, and reach zero and the wrap.
fn sample(ports: usize, bits: usize, entries: u64) {
    let mut bank = fresh(TallyBank::new(ports, bits));
    let mut random = random((ports * 100 + bits) as u64);
    let mut counts = [0i64; 32];
    for number in 0..5_000 {
        let mut entry = || random.random_bool(0.5).then(|| random.random_range(0..entries));
        let events: Vec<Event> = (0..ports).map(|_| (entry(), entry())).collect();
        let zero = cycle(&mut bank, |bank| drive(bank, &events), |bank| bank.zero.val().raw());
        assert_eq!(zero, zeros(&counts, 1 << bits), "{ports} ports, {bits} bits, cycle {number}");
        for (increase, decrease) in events {
            increase.into_iter().for_each(|entry| counts[entry as usize] += 1);
            decrease.into_iter().for_each(|entry| counts[entry as usize] -= 1);
        }
        if random.random_range(0..200) == 0 {
            reset(&mut bank);
            counts = [0; 32];
        }
    }
}

#[test]
fn counters_follow_an_array_of_integers() {
    sample(1, 1, 3);
    sample(1, 11, 32);
    sample(2, 3, 4);
    sample(4, 6, 5);
    sample(15, 11, 6);
    sample(32, 11, 32);
    sample(33, 12, 6);
    sample(65, 12, 32);
    sample(132, 14, 32);
}

#[test]
fn increments_and_decrements_that_meet_in_one_counter_all_count() {
    let mut bank = fresh(TallyBank::new(3, 11));
    let (up, down, both) = ((Some(9), None), (None, Some(9)), (Some(9), Some(9)));
    let mut zero = |events: [Event; 3]| zero_after(&mut bank, &events).get_bit(9);
    assert!(!zero([up; 3]));
    assert!(!zero([both, down, down]), "3 + 1 - 3 = 1");
    assert!(zero([both, both, down]), "1 + 2 - 3 = 0");
    assert!(zero([both; 3]), "0 + 3 - 3 = 0");
}

#[test]
fn a_counter_of_three_bits_holds_7_and_wraps_at_8() {
    let mut bank = fresh(TallyBank::new(7, 3));
    assert!(!zero_after(&mut bank, &[(Some(0), None); 7]).get_bit(0));
    let mut one = [(None, None); 7];
    one[6].0 = Some(0);
    assert!(zero_after(&mut bank, &one).all());
}

#[test]
fn an_edge_counts_as_activity_exactly_when_a_count_changes() {
    let mut bank = fresh(TallyBank::new(1, 11));
    assert!(!stores(&mut bank, |bank| drive(bank, &[(None, None)])));
    assert!(stores(&mut bank, |bank| drive(bank, &[(Some(3), None)])));
    assert!(!stores(&mut bank, |bank| drive(bank, &[(Some(3), Some(3))])), "+ 1 - 1");
    assert!(stores(&mut bank, |bank| drive(bank, &[(Some(4), Some(3))])), "elsewhere");
}
