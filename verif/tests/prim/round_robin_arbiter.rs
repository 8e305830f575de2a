//! State space: N requests, 32 pointers; exhausted for N up to 5, random at 13, 31 and 32.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::RoundRobinArbiter;
use blockyard_rtl::word::U;
use rand::RngExt;

/// Asks one requester after the other, beginning at the pointer.
fn winner(size: usize, request: u64, first: usize) -> Option<usize> {
    let mut at = if first < size { first } else { 0 };
    for _ in 0..size {
        if request >> at & 1 == 1 {
            return Some(at);
        }
        at = if at + 1 == size { 0 } else { at + 1 };
    }
    None
}

fn check<const N: usize>(arbiter: &mut RoundRobinArbiter<N>, request: u64, first: usize) {
    arbiter.request.next = U::new(request);
    arbiter.first.next = U::new(first as u64);
    settle(arbiter);
    let got = (arbiter.valid.val(), arbiter.index.val().index(), arbiter.grant.val().raw());
    let expected = match winner(N, request, first) {
        Some(at) => (true, at, 1 << at),
        None => (false, 0, 0),
    };
    assert_eq!(got, expected, "N {N}, request {request:b}, first {first}");
}

fn exhaust<const N: usize>() {
    let mut arbiter = fresh(RoundRobinArbiter::<N>::new());
    for request in 0..1 << N {
        for first in 0..32 {
            check(&mut arbiter, request, first);
        }
    }
}

fn sample<const N: usize>() {
    let mut arbiter = fresh(RoundRobinArbiter::<N>::new());
    let mut random = random(N as u64);
    for _ in 0..20_000 {
        // And-ing thins the requests out, so that the search has to go far.
        let mut request: u64 = random.random::<u64>() & U::<N>::MASK;
        for _ in 0..random.random_range(0..6) {
            request &= random.random::<u64>();
        }
        check(&mut arbiter, request, random.random_range(0..32));
    }
}

#[test]
fn the_first_requester_at_or_after_the_pointer_is_granted_for_every_request_and_pointer() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
    exhaust::<5>();
}

#[test]
fn large_arbiters_search_all_the_way_round() {
    sample::<13>();
    sample::<31>();
    sample::<32>();
}

#[test]
fn a_pointer_beyond_the_last_requester_counts_as_zero() {
    let mut arbiter = fresh(RoundRobinArbiter::<5>::new());
    arbiter.request.next = U::new(0b10010);
    for (first, granted) in [(4, 4), (5, 1), (31, 1)] {
        arbiter.first.next = U::new(first);
        settle(&mut arbiter);
        assert_eq!(arbiter.index.val().raw(), granted, "first {first}");
    }
}
