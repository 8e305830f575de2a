//! State space: 256 divisors, 2^32 dividends; every divisor at the dividends where the quotient
//! steps, and on random ones.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::{ConstantDivider, MAX_DIVISOR};
use blockyard_rtl::word::U;
use rand::RngExt;

const LAST: u64 = (1 << 32) - 1;

/// Checks the definition of division rather than its result: `n = q d + r` with `r < d`.
fn check(divider: &mut ConstantDivider, divisor: u64, dividend: u64) {
    divider.dividend.next = U::new(dividend);
    settle(divider);
    let (quotient, rest) = (divider.quotient.val().raw(), divider.remainder.val().raw());
    assert!(rest < divisor, "{dividend} / {divisor}: remainder {rest}");
    assert_eq!(quotient * divisor + rest, dividend, "{dividend} / {divisor}: {quotient}, {rest}");
}

fn divider(divisor: u64) -> ConstantDivider {
    fresh(ConstantDivider::new(divisor))
}

#[test]
fn every_divisor_is_exact_on_both_sides_of_each_step_of_the_quotient() {
    for divisor in 1..=MAX_DIVISOR {
        let mut divider = divider(divisor);
        let most = LAST / divisor;
        let steps = (1..300).chain([65_535 / divisor, 65_536 / divisor, (1 << 31) / divisor]);
        for step in steps.chain(most - 300..=most).filter(|&step| (1..=most).contains(&step)) {
            check(&mut divider, divisor, step * divisor - 1);
            check(&mut divider, divisor, step * divisor);
        }
    }
}

#[test]
fn every_divisor_is_exact_at_the_borders_of_the_word_and_of_its_halves() {
    for divisor in 1..=MAX_DIVISOR {
        let mut divider = divider(divisor);
        for border in [0, 1, 1 << 16, 1 << 17, 1 << 31, LAST] {
            for dividend in [border.max(1) - 1, border, (border + 1).min(LAST)] {
                check(&mut divider, divisor, dividend);
            }
        }
        // The lower half is all ones: the folded dividend is as large as it gets.
        for high in (0..65_536).step_by(257) {
            check(&mut divider, divisor, high << 16 | 0xffff);
        }
    }
}

#[test]
fn every_divisor_is_exact_on_random_dividends() {
    let mut random = random(1);
    for divisor in 1..=MAX_DIVISOR {
        let mut divider = divider(divisor);
        for _ in 0..1_000 {
            check(&mut divider, divisor, random.random_range(0..=LAST));
        }
    }
}

#[test]
fn divisors_of_0_and_257_are_refused() {
    for divisor in [0, MAX_DIVISOR + 1] {
        assert!(std::panic::catch_unwind(|| ConstantDivider::new(divisor)).is_err());
    }
}
