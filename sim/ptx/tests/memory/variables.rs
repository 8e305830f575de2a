//! Variables at module scope, and what they hold at first.

use super::{left, left_by};

#[test]
fn variables_hold_their_initial_values() {
    let items = ".global .align 4 .u32 word = 5;
        .global .u8 bytes[6] = {1, 2, 255};
        .global .f32 floats[2] = {0f3f800000, 0f40000000};
        .global .u16 table[2][3] = {{1, 2, 3}, {4, 5}};
        .global .s32 less = -7;
        .const .u64 long = 0x1122334455667788;
        .global .u32 zero;";
    let body = "ld.global.u32 %r0, [word];
        ld.global.u8 %r1, [bytes+2];
        ld.global.u8 %r2, [bytes+5];
        ld.global.u32 %r3, [floats+4];
        st.global.v4.u32 [%a], {%r0, %r1, %r2, %r3};
        ld.global.u16 %r0, [table+8];
        ld.global.u16 %r1, [table+10];
        ld.global.s32 %r2, [less];
        ld.const.u32 %r3, [long+4];
        st.global.v4.u32 [%a+16], {%r0, %r1, %r2, %r3};
        ld.global.u32 %r0, [zero];
        st.global.u32 [%a+32], %r0;";
    let expected = [5, 255, 0, 0x4000_0000, 5, 0, -7_i32 as u32, 0x1122_3344, 0];
    assert_eq!(left(items, body, 9), expected);
}

#[test]
fn variables_hold_addresses_of_others() {
    let items = ".global .u64 chain[2] = {last+4, generic(second)};
        .global .u32 last[2] = {10, 20};
        .const .u64 second = generic(third);
        .const .u32 third[2] = {30, 40};";
    let body = "ld.global.u64 %d0, [chain];
        ld.u32 %r0, [%d0];
        ld.global.u64 %d1, [chain+8];
        ld.u64 %d1, [%d1];
        ld.u32 %r1, [%d1+4];
        st.global.v2.u32 [%a], {%r0, %r1};";
    assert_eq!(left(items, body, 2), [20, 40]);
}

#[test]
fn variables_keep_what_a_kernel_stores() {
    let items = ".global .u32 sum;";
    let body = "atom.global.add.u32 %r0, [sum], %t;
        bar.sync 0;
        ld.global.u32 %r0, [sum];
        st.global.u32 [%a], %r0;";
    assert_eq!(left_by(40, items, body, 1), [40 * 39 / 2]);
}

/// Two functions, and a table of them.
const TABLE: &str = ".func (.param .b32 result) twice(.param .b32 of)
    {
    .reg .b32 %r;
    ld.param.u32 %r, [of];
    add.u32 %r, %r, %r;
    st.param.u32 [result], %r;
    ret;
    }
    .func (.param .b32 result) square(.param .b32 of)
    {
    .reg .b32 %r;
    ld.param.u32 %r, [of];
    mul.lo.u32 %r, %r, %r;
    st.param.u32 [result], %r;
    ret;
    }
    .const .u64 table[2] = {twice, square};";

/// Calls the function whose address is in `%d0`.
const CALL: &str = "{ .param .b32 of; .param .b32 result;
    st.param.b32 [of], %t;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (result), %d0, (of), prototype;
    ld.param.b32 %r1, [result]; }
    mad.wide.u32 %a, %t, 4, %a;
    st.global.u32 [%a], %r1;";

#[test]
fn functions_are_called_through_a_table() {
    for (offset, function) in [(0, (|x| 2 * x) as fn(u32) -> u32), (8, |x| x * x)] {
        let body = format!("ld.const.u64 %d0, [table+{offset}];\n{CALL}");
        let expected: Vec<u32> = (0..40).map(function).collect();
        assert_eq!(left_by(40, TABLE, &body, 40), expected);
    }
}

#[test]
fn the_threads_of_a_warp_call_different_functions() {
    let body = format!(
        "mov.u64 %d1, table;
        and.b32 %r0, %t, 1;
        mad.wide.u32 %d1, %r0, 8, %d1;
        ld.const.u64 %d0, [%d1];
        {CALL}"
    );
    let expected: Vec<u32> = (0..40).map(|x| if x % 2 == 0 { 2 * x } else { x * x }).collect();
    assert_eq!(left_by(40, TABLE, &body, 40), expected);
}

#[test]
fn a_function_may_declare_variables_that_outlive_it() {
    let items = ".func (.reg .u32 %o) next ()
        { .global .u32 count = 5; .const .u32 step = 3; .reg .u32 %s;
        ld.const.u32 %s, [step];
        atom.global.add.u32 %o, [count], %s; ret; }";
    let body = ".global .u32 count;
        call (%r0), next;
        call (%r1), next;
        ld.global.u32 %r2, [count];
        st.global.v4.u32 [%a], {%r0, %r1, %r2, 0};";
    assert_eq!(left("", &body.replace("call", "//call"), 4)[2], 0);
    assert_eq!(left(items, body, 4), [5, 8, 0, 0]);
}

#[test]
fn registers_of_the_module_are_the_kernel_s_own() {
    let body = "mov.u32 %kept, %t; add.u32 %kept, %kept, 1;
        mad.wide.u32 %d0, %t, 4, %a; st.global.u32 [%d0], %kept;";
    assert_eq!(left_by(3, ".reg .u32 %kept;", body, 3), [1, 2, 3]);
}

#[test]
fn policies_of_caches_are_taken_and_change_nothing() {
    let body = "createpolicy.fractional.L2::evict_last.b64 %d0, 1.0;
        mov.u32 %r0, 7;
        st.global.L2::cache_hint.u32 [%a], %r0, %d0;
        ld.global.nc.L1::evict_first.L2::cache_hint.L2::128B.u32 %r1, [%a], %d0;
        atom.global.add.L2::cache_hint.u32 %r2, [%a], %r1, %d0;
        st.global.u32 [%a+4], %r2;";
    assert_eq!(left("", body, 2), [14, 7]);
}
