//! State space: N bits; exhausted for N up to 8, every single bit at 32, 33, 65 and 132; N that a
//! type says and N that a value says.

use crate::harness::{fresh, mask};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::{BitSet, Bundle};
use blockyard_rtl::word::U;

fn check<B: BitSet>(bundle: &mut Bundle<B>, word: B) {
    for (bit, port) in bundle.bits.iter_mut().enumerate() {
        port.next = word.bit(bit);
    }
    settle(bundle);
    assert_eq!(bundle.word.val(), word, "{} bits", word.width());
}

fn exhaust(count: usize) {
    let mut bundle = fresh(Bundle::of(count));
    (0..1 << count).for_each(|bits| check(&mut bundle, mask::low(count, bits)));
}

#[test]
fn bit_k_of_the_word_is_input_k() {
    for count in 1..=8 {
        exhaust(count);
    }
}

#[test]
fn each_of_many_inputs_reaches_its_own_bit_alone() {
    for count in [32, 33, 65, 132] {
        let mut bundle = fresh(Bundle::of(count));
        for bit in 0..count {
            let alone = Mask::gather(count, |at| at == bit);
            check(&mut bundle, alone);
            check(&mut bundle, !alone);
        }
    }
    let mut bundle = fresh(Bundle::new(U::<32>::new(0)));
    for bit in 0..32 {
        check(&mut bundle, U::new(1 << bit));
        check(&mut bundle, !U::new(1 << bit));
    }
}
