//! State space: three words of two bits; exhausted.

use crate::harness::fresh;
use blockyard_rtl::module::settle;
use blockyard_rtl::prim::{Pack, Unpack};
use blockyard_rtl::value::Value;
use blockyard_rtl::word::U;

#[test]
fn word_k_is_bits_k_times_its_width_upwards_and_comes_out_where_it_went_in() {
    let mut pack = fresh(Pack::<U<2>, 3>::new(U::new(0)));
    let mut unpack = fresh(Unpack::<U<2>, 3>::new(U::new(0)));
    for bits in 0..64_u64 {
        for (part, port) in pack.parts.iter_mut().enumerate() {
            port.next = U::new(bits >> (2 * part) & 3);
        }
        settle(&mut pack);
        let row = pack.row.val();
        assert_eq!(row.width(), 6);
        assert!((0..6).all(|place| row.bit(place) == (bits >> place & 1 == 1)), "{bits:#b}");
        unpack.row.next = row;
        settle(&mut unpack);
        for (part, port) in unpack.parts.iter().enumerate() {
            assert_eq!(port.val(), U::new(bits >> (2 * part) & 3), "word {part} of {bits:#b}");
        }
    }
}
