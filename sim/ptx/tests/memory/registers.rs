//! Registers of 32 bits beside those of 64: each value has the bits of its type.

use super::left;
use crate::support::kernel;

#[test]
fn a_constant_of_64_bits_keeps_all_of_them_where_the_result_has_32() {
    let body = "cvt.u32.u64 %r0, 0x500000007;
        cvt.rn.f32.u64 %r1, 0x100000000;
        setp.gt.u64 %p0, 0x500000007, 8;
        selp.b32 %r2, 1, 2, %p0;
        setp.gt.u32 %p1, 9, 8;
        selp.b32 %r3, 1, 2, %p1;
        st.global.v4.u32 [%a], {%r0, %r1, %r2, %r3};";
    assert_eq!(left("", body, 4), [7, 4_294_967_296f32.to_bits(), 1, 1]);
}

#[test]
fn values_of_both_widths_meet_in_one_instruction() {
    let body = "mov.u32 %r0, 0xfffffffe;
        mov.u64 %d0, 0x100000001;
        mul.wide.u32 %d1, %r0, 3;
        mad.wide.s32 %d2, %r0, 5, %d0;
        cvt.s64.s32 %d3, %r0;
        cvt.u32.u64 %r1, %d2;
        shl.b64 %d4, %d0, %r1;
        st.global.v2.u64 [%a], {%d1, %d2};
        st.global.v2.u64 [%a+16], {%d3, %d4};
        st.global.u32 [%a+32], %r1;";
    let long = |value: u64| [value as u32, (value >> 32) as u32];
    let expected = [0xffff_fffe * 3, 0x1_0000_0001 - 10, 2u64.wrapping_neg(), 0];
    let mut expected: Vec<u32> = expected.into_iter().flat_map(long).collect();
    expected.push(-9i32 as u32);
    assert_eq!(left("", body, 9), expected);
}

#[test]
fn a_register_keeps_what_it_has_while_its_place_serves_values_of_the_other_width() {
    // One slot of the scoreboard after the other: 32 bits, 64 bits, 32 bits.
    let body = "mov.u32 %r0, 11;
        st.global.u32 [%a], %r0;
        mov.u64 %d0, 0x1600000021;
        st.global.u64 [%a+8], %d0;
        mov.u32 %r1, 44;
        st.global.u32 [%a+16], %r1;
        add.u64 %d1, %d0, %d0;
        st.global.u64 [%a+24], %d1;";
    assert_eq!(left("", body, 8), [11, 0, 0x21, 0x16, 44, 0, 0x42, 0x2c]);
}

#[test]
fn lanes_that_stand_aside_keep_their_values_in_registers_of_either_width() {
    // Lane 0 alone is seen; it takes part in one of each pair.
    let body = "mov.u32 %r0, 1;
        mov.u64 %d0, 0x200000002;
        setp.eq.u32 %p0, %t, 0;
        @!%p0 add.u32 %r0, %r0, 10;
        @!%p0 add.u64 %d0, %d0, %d0;
        mov.u32 %r1, %r0;
        mov.u64 %d1, %d0;
        @%p0 add.u32 %r1, %r1, 20;
        @%p0 add.u64 %d1, %d1, 0x300000003;
        st.global.v2.u32 [%a], {%r0, %r1};
        st.global.v2.u64 [%a+16], {%d0, %d1};";
    assert_eq!(left("", body, 8), [1, 21, 0, 0, 2, 2, 5, 5]);
}

#[test]
fn a_number_with_a_point_stands_where_a_float_or_as_many_bits_may() {
    let body = "mov.b32 %r0, 0f3F800000;
        mov.b64 %d0, 1.5;
        add.f64 %d1, %d0, 0f3F000000;
        st.global.u32 [%a], %r0;
        st.global.f32 [%a+4], 0.5;
        st.global.b64 [%a+8], %d0;
        st.global.f64 [%a+16], %d1;";
    let long = |value: f64| [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    let [[low, high], [sum_low, sum_high]] = [1.5, 2.0].map(long);
    let expected = [1_f32.to_bits(), 0.5_f32.to_bits(), low, high, sum_low, sum_high];
    assert_eq!(left("", body, 6), expected);
}

#[test]
fn what_has_other_bits_than_its_place_is_refused() {
    let point = "is a floating-point number";
    for (body, message) in [
        ("mov.u32 %r0, 1.5;", point),
        ("mov.b32 %r0, 1.0;", point),
        ("mov.u64 %d0, 1.0;", point),
        ("mov.b64 %d0, 0f3F800000;", point),
        ("mov.b16 %h0, 1.0;", point),
        ("add.u32 %r0, %r1, 0f3F800000;", point),
        ("shl.b32 %r0, 1, 2.0;", point),
        ("st.global.s32 [%a], 1.0;", point),
        ("atom.global.add.u32 %r0, [%a], 2.0;", point),
        ("mov.b64 %d0, {%r0, %r1, %r2, %r3};", "the register `%r0` of `mov.b64` has 32 bits"),
        ("mov.b32 %r2, {%r0, %r1};", "the register `%r0` of `mov.b32` has 32 bits"),
        ("mov.b32 {%r0, %r1}, %r2;", "the register `%r0` of `mov.b32` has 32 bits"),
        ("mov.b64 {%h0, %h1}, %d0;", "the register `%h0` of `mov.b64` has 16 bits"),
    ] {
        let Err(error) = blockyard_ptx::load("test.ptx", &kernel("", body)) else {
            panic!("{body}");
        };
        let said = blockyard_contract::diagnostic::rendered(&error);
        assert!(said.contains(message), "{body}: {said}");
    }
}

#[test]
fn the_mode_of_prmt_stands_behind_its_type_or_before_it() {
    let body = "mov.b32 %r0, 0x12345678;
        mov.b32 %r1, 0x9abcdef0;
        prmt.b32.f4e %r2, %r0, %r1, 3;
        prmt.f4e.b32 %r3, %r0, %r1, 3;
        prmt.b32.rc16 %r4, %r0, %r1, 1;
        st.global.v2.u32 [%a], {%r2, %r3};
        st.global.u32 [%a+8], %r4;";
    assert_eq!(left("", body, 3), [0xbcde_f012, 0xbcde_f012, 0x1234_1234]);
}
