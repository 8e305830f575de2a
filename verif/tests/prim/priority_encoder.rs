//! State space: N bits; exhausted for N up to 8, every single bit and its neighbours at 32, 33, 65
//! and 132; N that a type says and N that a value says.

use crate::harness::{fresh, mask};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::{BitSet, PriorityEncoder};
use blockyard_rtl::word::U;

fn check<B: BitSet>(encoder: &mut PriorityEncoder<B>, request: B) {
    encoder.request.next = request;
    settle(encoder);
    let lowest = (0..request.width()).find(|&bit| request.bit(bit));
    assert_eq!(encoder.valid.val(), lowest.is_some(), "request {request:?}");
    assert_eq!(encoder.index.val(), request.id(lowest.unwrap_or(0)), "request {request:?}");
    let alone = request.gather(|bit| lowest == Some(bit));
    assert_eq!(encoder.grant.val(), alone, "request {request:?}");
}

fn exhaust(count: usize) {
    let mut encoder = fresh(PriorityEncoder::of(count));
    (0..1 << count).for_each(|request| check(&mut encoder, mask::low(count, request)));
}

#[test]
fn the_lowest_set_bit_is_found_in_every_word_of_up_to_eight_bits() {
    for count in 1..=8 {
        exhaust(count);
    }
}

#[test]
fn each_of_many_bits_is_found_alone_and_below_all_others() {
    for count in [32, 33, 65, 132] {
        let mut encoder = fresh(PriorityEncoder::of(count));
        for bit in 0..count {
            check(&mut encoder, Mask::gather(count, |at| at == bit));
            check(&mut encoder, Mask::gather(count, |at| at >= bit));
        }
        check(&mut encoder, Mask::none(count));
    }
    let mut encoder = fresh(PriorityEncoder::new(U::<32>::new(0)));
    let all = u64::from(u32::MAX);
    for bit in 0..32 {
        check(&mut encoder, U::new(1 << bit));
        check(&mut encoder, U::new(all << bit & all));
    }
    check(&mut encoder, U::new(0));
}
