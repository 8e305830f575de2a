//! State space: N bits; exhausted for N up to 8, every single bit and its neighbours at 32.

use crate::harness::fresh;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::PriorityEncoder;
use blockyard_rtl::word::U;

fn check<const N: usize>(encoder: &mut PriorityEncoder<N>, request: u64) {
    encoder.request.next = U::new(request);
    settle(encoder);
    let lowest = (0..N).find(|&bit| request >> bit & 1 == 1);
    assert_eq!(encoder.valid.val(), lowest.is_some(), "N {N}, request {request:b}");
    assert_eq!(encoder.index.val().index(), lowest.unwrap_or(0), "N {N}, request {request:b}");
    let alone = lowest.map_or(0, |bit| 1 << bit);
    assert_eq!(encoder.grant.val().raw(), alone, "N {N}, request {request:b}");
}

fn exhaust<const N: usize>() {
    let mut encoder = fresh(PriorityEncoder::<N>::new());
    (0..1 << N).for_each(|request| check(&mut encoder, request));
}

#[test]
fn the_lowest_set_bit_is_found_in_every_word_of_up_to_eight_bits() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<4>();
    exhaust::<5>();
    exhaust::<6>();
    exhaust::<7>();
    exhaust::<8>();
}

#[test]
fn each_of_32_bits_is_found_alone_and_below_all_others() {
    let mut encoder = fresh(PriorityEncoder::<32>::new());
    let all = u64::from(u32::MAX);
    for bit in 0..32 {
        check(&mut encoder, 1 << bit);
        check(&mut encoder, all << bit & all);
    }
    check(&mut encoder, 0);
}
