//! Local memory: each thread has its own, and each call.

use super::left_by;

#[test]
fn each_thread_has_an_array_of_its_own() {
    let body = ".local .align 4 .b32 own[8];
        mov.u64 %d0, own;
        and.b32 %r0, %t, 7;
        mad.wide.u32 %d1, %r0, 4, %d0;
        st.local.u32 [%d1], %t;
        add.u32 %r1, %t, 1;
        and.b32 %r1, %r1, 7;
        mad.wide.u32 %d2, %r1, 4, %d0;
        mov.u32 %r3, 1000;
        st.local.u32 [%d2], %r3;
        ld.local.u32 %r2, [%d1];
        mad.wide.u32 %a, %t, 4, %a;
        st.global.u32 [%a], %r2;";
    assert_eq!(left_by(70, "", body, 70), (0..70).collect::<Vec<u32>>());
}

/// Puts its argument into an array of its own, calls itself with one less, and adds what it put
/// there and the thread's number to what comes back.
const DEEP: &str = ".func (.param .b32 result) deep(.param .b32 depth)
    {
    .local .align 8 .b32 own[3];
    .reg .b32 %d, %r, %t;
    .reg .b64 %at;
    .reg .pred %p;
    ld.param.u32 %d, [depth];
    mov.u32 %t, %tid.x;
    mov.u64 %at, own;
    cvta.local.u64 %at, %at;
    st.u32 [%at+8], %d;
    st.local.u32 [own+4], %t;
    mov.u32 %r, 0;
    setp.eq.u32 %p, %d, 0;
    @%p bra OUT;
    sub.u32 %d, %d, 1;
    { .param .b32 less; .param .b32 back;
    st.param.b32 [less], %d;
    call (back), deep, (less);
    ld.param.b32 %r, [back]; }
    OUT:
    ld.local.u32 %d, [own+8];
    add.u32 %r, %r, %d;
    ld.u32 %d, [%at+4];
    add.u32 %r, %r, %d;
    st.param.b32 [result], %r;
    ret;
    }";

#[test]
fn each_call_has_an_array_of_its_own() {
    let body = ".local .align 4 .b32 own[5];
        st.local.u32 [own+16], %t;
        and.b32 %r0, %t, 7;
        { .param .b32 depth; .param .b32 result;
        st.param.b32 [depth], %r0;
        call (result), deep, (depth);
        ld.param.b32 %r1, [result]; }
        ld.local.u32 %r2, [own+16];
        mad.wide.u32 %a, %t, 8, %a;
        st.global.v2.u32 [%a], {%r1, %r2};";
    let expected: Vec<u32> = (0..40)
        .flat_map(|thread| {
            let depth = thread & 7;
            [depth * (depth + 1) / 2 + thread * (depth + 1), thread]
        })
        .collect();
    assert_eq!(left_by(40, DEEP, body, 80), expected);
}

#[test]
fn a_function_writes_to_its_callers_array() {
    let function = ".func put(.param .b64 at)
        {
        .local .align 4 .b32 other[4];
        .reg .b64 %d;
        .reg .b32 %r;
        ld.param.u64 %d, [at];
        mov.u32 %r, %tid.x;
        st.local.u32 [other], %r;
        st.u32 [%d], %r;
        ret;
        }";
    let body = ".local .align 4 .b32 own[2];
        mov.u64 %d0, own;
        cvta.local.u64 %d0, %d0;
        add.u64 %d0, %d0, 4;
        { .param .b64 at;
        st.param.b64 [at], %d0;
        call put, (at); }
        ld.local.u32 %r0, [own+4];
        mad.wide.u32 %a, %t, 4, %a;
        st.global.u32 [%a], %r0;";
    assert_eq!(left_by(33, function, body, 33), (0..33).collect::<Vec<u32>>());
}
