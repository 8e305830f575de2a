//! State space: N bits; exhausted for N up to 8, random at 13, 31, 32, and in several words at 33,
//! 65 and 132.

use crate::harness::{fresh, mask, random};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Popcount;

fn check(counter: &mut Popcount, set: Mask) {
    counter.bits.next = set;
    settle(counter);
    let expected = (0..set.len()).filter(|&bit| set.get_bit(bit)).count();
    assert_eq!(counter.ones.val().index(), expected, "{set:?}");
}

#[test]
fn every_set_bit_of_up_to_eight_is_counted_once() {
    for count in 1..=8 {
        let mut counter = fresh(Popcount::new(count));
        (0..1 << count).for_each(|set| check(&mut counter, mask::low(count, set)));
    }
}

#[test]
fn all_none_and_random_bits_of_wide_masks_are_counted() {
    for count in [13, 31, 32, 33, 65, 132] {
        let mut counter = fresh(Popcount::new(count));
        let mut random = random(count as u64);
        check(&mut counter, Mask::none(count));
        check(&mut counter, !Mask::none(count));
        (0..2_000).for_each(|_| check(&mut counter, mask::random(count, &mut random)));
    }
}
