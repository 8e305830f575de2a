//! State space: N requests, 32 pointers, a budget; exhausted for N up to 4, random at 13 and 32.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::BudgetArbiter;
use blockyard_rtl::word::U;
use rand::RngExt;

/// Serves one requester after the other, beginning at the pointer, until the budget is spent.
fn served(size: usize, request: u64, first: usize, mut budget: u64) -> u64 {
    let start = if first < size { first } else { 0 };
    let mut grant = 0;
    for at in (start..size).chain(0..start) {
        if request >> at & 1 == 1 && budget > 0 {
            budget -= 1;
            grant |= 1 << at;
        }
    }
    grant
}

fn check<const N: usize>(arbiter: &mut BudgetArbiter<N>, request: u64, first: usize, budget: u64) {
    arbiter.request.next = U::new(request);
    arbiter.first.next = U::new(first as u64);
    arbiter.budget.next = U::new(budget);
    settle(arbiter);
    assert_eq!(
        arbiter.grant.val().raw(),
        served(N, request, first, budget),
        "N {N}, request {request:b}, first {first}, budget {budget}"
    );
}

fn exhaust<const N: usize>() {
    let mut arbiter = fresh(BudgetArbiter::<N>::new());
    for request in 0..1 << N {
        for first in 0..32 {
            for budget in 0..=5 {
                check(&mut arbiter, request, first, budget);
            }
        }
    }
}

fn sample<const N: usize>() {
    let mut arbiter = fresh(BudgetArbiter::<N>::new());
    let mut random = random(N as u64);
    for _ in 0..20_000 {
        let request = random.random::<u64>() & U::<N>::MASK;
        let budget = random.random_range(0..=N as u64 + 1);
        check(&mut arbiter, request, random.random_range(0..32), budget);
    }
}

#[test]
fn requesters_are_served_in_order_until_the_budget_is_spent() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
}

#[test]
fn large_arbiters_serve_in_the_same_order() {
    sample::<13>();
    sample::<32>();
}

#[test]
fn a_budget_of_all_ones_serves_everybody() {
    let mut arbiter = fresh(BudgetArbiter::<32>::new());
    check(&mut arbiter, u64::from(u32::MAX), 7, u64::from(u32::MAX));
    check(&mut arbiter, u64::from(u32::MAX), 7, 1 << 31);
    check(&mut arbiter, u64::from(u32::MAX), 7, 31);
}
