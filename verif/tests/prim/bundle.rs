//! State space: N bits; exhausted for N up to 8, every single bit at 32.

use crate::harness::fresh;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::Bundle;

fn check<const N: usize>(bundle: &mut Bundle<N>, bits: u64) {
    for (bit, port) in bundle.bits.iter_mut().enumerate() {
        port.next = bits >> bit & 1 == 1;
    }
    settle(bundle);
    assert_eq!(bundle.word.val().raw(), bits, "N {N}");
}

fn exhaust<const N: usize>() {
    let mut bundle = fresh(Bundle::<N>::new());
    (0..1 << N).for_each(|bits| check(&mut bundle, bits));
}

#[test]
fn bit_k_of_the_word_is_input_k() {
    exhaust::<1>();
    exhaust::<2>();
    exhaust::<3>();
    exhaust::<8>();
}

#[test]
fn each_of_32_inputs_reaches_its_own_bit_alone() {
    let mut bundle = fresh(Bundle::<32>::new());
    for bit in 0..32 {
        check(&mut bundle, 1 << bit);
        check(&mut bundle, u64::from(u32::MAX) ^ 1 << bit);
    }
}
