//! State space: N requests, 32 pointers or as many as N needs, a budget; exhausted for N up to 4,
//! random at 13, 32, and in several words at 33, 65 and 132.

use crate::harness::{drive_word, fresh, mask, random};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::BudgetArbiter;
use blockyard_rtl::word::{id_bits, U};
use rand::RngExt;

/// Serves one requester after the other, beginning at the pointer, until the budget is spent.
fn served(request: Mask, first: usize, mut budget: u64) -> Mask {
    let size = request.len();
    let start = if first < size { first } else { 0 };
    let mut grant = Mask::none(size);
    for at in (start..size).chain(0..start) {
        if request.get_bit(at) && budget > 0 {
            budget -= 1;
            grant.set(at, true);
        }
    }
    grant
}

fn check(arbiter: &mut BudgetArbiter, request: Mask, first: usize, budget: u64) {
    arbiter.request.next = request;
    drive_word(&mut arbiter.first, first);
    arbiter.budget.next = U::new(budget);
    settle(arbiter);
    assert_eq!(
        arbiter.grant.val(),
        served(request, first, budget),
        "request {request:?}, first {first}, budget {budget}"
    );
}

fn exhaust(count: usize) {
    let mut arbiter = fresh(BudgetArbiter::new(count));
    for request in 0..1 << count {
        for first in 0..32 {
            for budget in 0..=5 {
                check(&mut arbiter, mask::low(count, request), first, budget);
            }
        }
    }
}

fn sample(count: usize) {
    let mut arbiter = fresh(BudgetArbiter::new(count));
    let mut random = random(count as u64);
    for _ in 0..20_000 {
        let request = mask::random(count, &mut random);
        let budget = random.random_range(0..=count as u64 + 1);
        check(&mut arbiter, request, random.random_range(0..1 << id_bits(count)), budget);
    }
}

#[test]
fn requesters_are_served_in_order_until_the_budget_is_spent() {
    for count in 1..=4 {
        exhaust(count);
    }
}

#[test]
fn large_arbiters_serve_in_the_same_order() {
    for count in [13, 32, 33, 65, 132] {
        sample(count);
    }
}

#[test]
fn a_budget_of_all_ones_serves_everybody() {
    for count in [32, 65, 132] {
        let mut arbiter = fresh(BudgetArbiter::new(count));
        let all = !Mask::none(count);
        check(&mut arbiter, all, 7, u64::from(u32::MAX));
        check(&mut arbiter, all, 7, 1 << 31);
        check(&mut arbiter, all, 7, count as u64 - 1);
    }
}
