//! State space: two numbers; all of four bits, and of 18 bits those where the quotient steps.

use crate::harness::{fresh, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Quotient;
use blockyard_rtl::word::Word;
use rand::RngExt;

fn check(module: &mut Quotient, bits: usize, dividend: u64, divisor: u64) {
    module.dividend.next = Word::new(bits, dividend);
    module.divisor.next = Word::new(bits, divisor);
    settle(module);
    let expected = dividend.checked_div(divisor).unwrap_or(63).min(63);
    assert_eq!(module.quotient.val().raw(), expected, "{dividend} / {divisor}");
}

#[test]
fn every_pair_of_four_bits_is_divided_and_zero_is_contained_63_times() {
    let mut module = fresh(Quotient::new(4));
    for dividend in 0..16 {
        for divisor in 0..16 {
            check(&mut module, 4, dividend, divisor);
        }
    }
}

#[test]
fn the_quotient_steps_where_it_should_and_stays_at_63() {
    const LAST: u64 = (1 << 18) - 1;
    let mut module = fresh(Quotient::new(18));
    let mut random = random(1);
    for _ in 0..2_000 {
        let bits = random.random_range(0..18);
        let divisor = random.random_range(1..=LAST >> bits);
        for times in 1..=65 {
            let step = times * divisor;
            if step <= LAST {
                check(&mut module, 18, step - 1, divisor);
                check(&mut module, 18, step, divisor);
            }
        }
        check(&mut module, 18, LAST, divisor);
        check(&mut module, 18, random.random_range(0..=LAST), divisor);
    }
}
