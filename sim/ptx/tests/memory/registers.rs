//! Registers of 32 bits beside those of 64: each value has the bits of its type.

use super::left;

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
