//! State space: bits and a number; all of five bits and every range within them, and random ones
//! of 132.

use crate::harness::{fresh, mask, random};
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Enough;
use blockyard_rtl::word::U;
use rand::RngExt;

#[test]
fn the_bits_of_the_range_are_counted_and_no_others() {
    for from in 0..5 {
        for to in from + 1..=5 {
            let mut module = fresh(Enough::new(5, from..to));
            for set in 0..32u64 {
                for least in 0..32 {
                    module.up.next = mask::low(5, set);
                    module.least.next = U::new(least);
                    settle(&mut module);
                    let up = (from..to).filter(|at| set >> at & 1 == 1).count() as u64;
                    assert_eq!(module.yes.val(), up >= least, "{set:b} {from}..{to} {least}");
                }
            }
        }
    }
}

#[test]
fn a_range_in_a_word_of_several_words_is_counted() {
    let mut module = fresh(Enough::new(132, 60..78));
    let mut random = random(2);
    for _ in 0..5_000 {
        let (set, least) = (mask::random(132, &mut random), random.random_range(0..32));
        module.up.next = set;
        module.least.next = U::new(least);
        settle(&mut module);
        let up = (60..78).filter(|&at| set.get_bit(at)).count() as u64;
        assert_eq!(module.yes.val(), up >= least, "{set:?} {least}");
    }
}
