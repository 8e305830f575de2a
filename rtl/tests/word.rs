//! The rules of fixed-width words.

use blockyard_rtl::word::{bit_cast, U};

#[test]
fn arithmetic_wraps_at_the_width_of_the_word() {
    for a in 0..16u64 {
        for b in 0..16u64 {
            assert_eq!((U::<4>::new(a) + U::new(b)).raw(), (a + b) % 16);
            assert_eq!((U::<4>::new(a) - U::new(b)).raw(), (a + 16 - b) % 16);
            assert_eq!((U::<4>::new(a) * U::new(b)).raw(), (a * b) % 16);
            assert_eq!((U::<4>::new(a) << U::<4>::new(b)).raw(), (a << b) % 16);
        }
        assert_eq!((!U::<4>::new(a)).raw(), 15 - a);
    }
}

#[test]
fn a_word_of_64_bits_uses_all_of_them() {
    assert_eq!((!U::<64>::new(0)).raw(), u64::MAX);
    assert!(U::<64>::new(u64::MAX).all());
    assert_eq!((U::<64>::new(u64::MAX) + U::new(1)).raw(), 0);
    assert_eq!((U::<64>::new(1) << U::<7>::new(64)).raw(), 0);
}

#[test]
fn the_largest_value_fits_and_the_next_one_does_not() {
    assert_eq!(U::<5>::new(31).raw(), 31);
    assert!(std::panic::catch_unwind(|| U::<5>::new(32)).is_err());
}

#[test]
fn casts_extend_with_zeros_and_cut_off_above() {
    assert_eq!(bit_cast::<9, 8>(U::new(255)).raw(), 255);
    assert_eq!(bit_cast::<4, 8>(U::new(0xa5)).raw(), 5);
    assert_eq!(U::<8>::new(0xa5).get_bits::<4>(4).raw(), 0xa);
}
