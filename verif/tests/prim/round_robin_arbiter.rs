//! State space: N requests, 32 pointers or as many as N needs; exhausted for N up to 5, random at
//! 13, 31, 32, and in several words at 33, 65 and 132.

use crate::harness::{drive_word, fresh, mask, random};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::RoundRobinArbiter;
use blockyard_rtl::word::id_bits;
use rand::RngExt;

/// Asks one requester after the other, beginning at the pointer.
fn winner(request: Mask, first: usize) -> Option<usize> {
    let size = request.len();
    let mut at = if first < size { first } else { 0 };
    for _ in 0..size {
        if request.get_bit(at) {
            return Some(at);
        }
        at = if at + 1 == size { 0 } else { at + 1 };
    }
    None
}

fn check(arbiter: &mut RoundRobinArbiter, request: Mask, first: usize) {
    arbiter.request.next = request;
    drive_word(&mut arbiter.first, first);
    settle(arbiter);
    let got = (arbiter.valid.val(), arbiter.index.val().index(), arbiter.grant.val());
    let count = request.len();
    let expected = match winner(request, first) {
        Some(at) => (true, at, Mask::gather(count, |bit| bit == at)),
        None => (false, 0, Mask::none(count)),
    };
    assert_eq!(got, expected, "request {request:?}, first {first}");
}

fn exhaust(count: usize) {
    let mut arbiter = fresh(RoundRobinArbiter::new(count));
    for request in 0..1 << count {
        for first in 0..32 {
            check(&mut arbiter, mask::low(count, request), first);
        }
    }
}

fn sample(count: usize) {
    let mut arbiter = fresh(RoundRobinArbiter::new(count));
    let mut random = random(count as u64);
    for _ in 0..20_000 {
        // And-ing thins the requests out, so that the search has to go far.
        let mut request = mask::random(count, &mut random);
        for _ in 0..random.random_range(0..8) {
            request = request & mask::random(count, &mut random);
        }
        check(&mut arbiter, request, random.random_range(0..1 << id_bits(count)));
    }
}

#[test]
fn the_first_requester_at_or_after_the_pointer_is_granted_for_every_request_and_pointer() {
    for count in 1..=5 {
        exhaust(count);
    }
}

#[test]
fn large_arbiters_search_all_the_way_round() {
    for count in [13, 31, 32, 33, 65, 132] {
        sample(count);
    }
}

#[test]
fn a_pointer_beyond_the_last_requester_counts_as_zero() {
    let mut arbiter = fresh(RoundRobinArbiter::new(5));
    arbiter.request.next = mask::low(5, 0b10010);
    for (first, granted) in [(4, 4), (5, 1), (31, 1)] {
        drive_word(&mut arbiter.first, first);
        settle(&mut arbiter);
        assert_eq!(arbiter.index.val().raw(), granted, "first {first}");
    }
}
