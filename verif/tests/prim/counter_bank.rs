//! State space: 32 counters, one increase and N decrements a cycle; random, against an array of
//! integers that are reduced only when they are compared.

use crate::harness::{cycle, drive_word, fresh, random, reset, stores};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::port::step_bits;
use blockyard_rtl::prim::CounterBank;
use blockyard_rtl::word::U;
use rand::RngExt;

/// One cycle's events: the counter that grows and by how much, and the ones that shrink.
#[derive(Clone, Debug)]
struct Events {
    increase: (u64, u64),
    decrease: Vec<Option<u64>>,
}

fn drive(bank: &mut CounterBank, events: &Events) {
    bank.increase_entry.next = U::new(events.increase.0);
    drive_word(&mut bank.increase_by, events.increase.1 as usize);
    let decrease = &events.decrease;
    for (port, entry) in decrease.iter().enumerate() {
        bank.decrease_entry[port].next = U::new(entry.unwrap_or(17));
    }
    bank.decrease.next = Mask::gather(decrease.len(), |port| decrease[port].is_some());
}

/// One bit for each of `counts` that is zero when it is reduced.
pub(super) fn zeros(counts: &[i64; 32], modulus: i64) -> u64 {
    (0..32).filter(|&k| counts[k].rem_euclid(modulus) == 0).map(|k| 1u64 << k).sum()
}

/// Random events on `entries` counters: few of them meet often, and reach zero and the wrap.
fn sample(ports: usize, bits: usize, entries: u64, most: u64) {
    let mut bank = fresh(CounterBank::new(ports, bits, step_bits(most as usize)));
    let mut random = random((ports * 100 + bits) as u64);
    let mut counts = [0i64; 32];
    for number in 0..5_000 {
        let events = Events {
            increase: (random.random_range(0..entries), random.random_range(0..=most)),
            decrease: (0..ports)
                .map(|_| random.random_bool(0.5).then(|| random.random_range(0..entries)))
                .collect(),
        };
        let zero = cycle(&mut bank, |bank| drive(bank, &events), |bank| bank.zero.val().raw());
        assert_eq!(zero, zeros(&counts, 1 << bits), "{ports} ports, {bits} bits, cycle {number}");
        counts[events.increase.0 as usize] += events.increase.1 as i64;
        events.decrease.iter().flatten().for_each(|&entry| counts[entry as usize] -= 1);
        if random.random_range(0..200) == 0 {
            reset(&mut bank);
            counts = [0; 32];
        }
    }
}

fn two(increase: (u64, u64), decrease: [Option<u64>; 2]) -> Events {
    Events { increase, decrease: decrease.to_vec() }
}

#[test]
fn counters_follow_an_array_of_integers() {
    sample(1, 1, 3, 1);
    sample(1, 11, 32, 2);
    sample(2, 3, 4, 3);
    sample(4, 6, 5, 63);
    sample(13, 11, 6, 20);
    sample(32, 11, 32, 40);
    sample(33, 12, 32, 40);
    sample(65, 12, 6, 65);
    sample(132, 14, 32, 132);
}

#[test]
fn an_increase_and_decrements_that_meet_in_one_counter_all_count() {
    let mut bank = fresh(CounterBank::new(2, 11, 6));
    let zero = |bank: &mut CounterBank, events| {
        cycle(bank, |bank| drive(bank, &events), |_| ());
        settle(bank);
        bank.zero.val().get_bit(9)
    };
    assert!(!zero(&mut bank, two((9, 3), [None; 2])));
    assert!(!zero(&mut bank, two((9, 1), [Some(9); 2])), "3 + 1 - 2 = 2");
    assert!(zero(&mut bank, two((9, 0), [Some(9); 2])), "2 - 2 = 0");
    assert!(zero(&mut bank, two((9, 2), [Some(9); 2])), "0 + 2 - 2 = 0");
}

#[test]
fn a_counter_of_eleven_bits_holds_2047_and_wraps_at_2048() {
    let mut bank = fresh(CounterBank::new(2, 11, 6));
    for _ in 0..32 {
        cycle(&mut bank, |bank| drive(bank, &two((0, 63), [None; 2])), |_| ());
    }
    cycle(&mut bank, |bank| drive(bank, &two((0, 31), [None; 2])), |_| ());
    settle(&mut bank);
    assert!(!bank.zero.val().get_bit(0), "32 x 63 + 31 = 2047");
    cycle(&mut bank, |bank| drive(bank, &two((0, 1), [None; 2])), |_| ());
    settle(&mut bank);
    assert!(bank.zero.val().all());
}

#[test]
fn an_edge_counts_as_activity_exactly_when_a_count_changes() {
    let mut bank = fresh(CounterBank::new(2, 11, 6));
    assert!(!stores(&mut bank, |bank| drive(bank, &two((3, 0), [None; 2]))));
    assert!(stores(&mut bank, |bank| drive(bank, &two((3, 2), [None; 2]))));
    assert!(!stores(&mut bank, |bank| drive(bank, &two((3, 2), [Some(3); 2]))), "+ 2 - 2");
    assert!(stores(&mut bank, |bank| drive(bank, &two((4, 2), [Some(3); 2]))), "elsewhere");
}
