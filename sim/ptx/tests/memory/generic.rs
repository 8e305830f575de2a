//! Generic addresses: they reach all spaces, and come back from them.

use super::left;

/// Declares a variable `place` in `space`: at module scope, in the kernel.
fn declared(space: &str) -> (String, String) {
    match space {
        "local" => (String::new(), ".local .align 8 .b32 place[4];".to_owned()),
        "const" => (".const .align 8 .b32 place[4] = {1, 2, 3, 4};".to_owned(), String::new()),
        _ => (format!(".{space} .align 8 .b32 place[4];"), String::new()),
    }
}

#[test]
fn an_address_is_the_same_after_a_round_trip() {
    for space in ["global", "shared", "local", "const"] {
        let (items, own) = declared(space);
        let body = format!(
            "{own}
            mov.u64 %d0, place;
            cvta.{space}.u64 %d1, %d0;
            cvta.to.{space}.u64 %d2, %d1;
            sub.u64 %d0, %d2, %d0;
            st.global.u64 [%a], %d0;
            ld.{space}.u32 %r0, [%d2+8];
            ld.u32 %r1, [%d1+8];
            sub.u32 %r0, %r0, %r1;
            st.global.u32 [%a+8], %r0;"
        );
        assert_eq!(left(&items, &body, 3), [0; 3], "{space}");
    }
}

#[test]
fn stores_through_generic_addresses_are_seen_in_the_space() {
    for space in ["global", "shared", "local"] {
        let (items, own) = declared(space);
        let body = format!(
            "{own}
            mov.u64 %d0, place;
            cvta.{space}.u64 %d1, %d0;
            mov.u32 %r0, 77;
            st.u32 [%d1+12], %r0;
            atom.add.u32 %r1, [%d1+12], 3;
            ld.{space}.u32 %r2, [place+12];
            st.global.v2.u32 [%a], {{%r1, %r2}};"
        );
        assert_eq!(left(&items, &body, 2), [77, 80], "{space}");
    }
}

#[test]
fn an_address_is_in_one_space() {
    const SPACES: [&str; 4] = ["global", "shared", "local", "const"];
    for own in SPACES {
        let (items, inside) = declared(own);
        let mut body = format!("{inside}\nmov.u64 %d0, place;\ncvta.{own}.u64 %d1, %d0;\n");
        for (number, asked) in SPACES.iter().enumerate() {
            body += &format!("isspacep.{asked} %p0, %d1;\nselp.u32 %r0, 1, 0, %p0;\n");
            body += &format!("st.global.u32 [%a+{}], %r0;\n", 4 * number);
        }
        let expected: Vec<u32> = SPACES.iter().map(|asked| u32::from(*asked == own)).collect();
        assert_eq!(left(&items, &body, 4), expected, "{own}");
    }
}

#[test]
fn lanes_may_go_to_different_spaces_at_once() {
    let body = ".local .align 4 .b32 own[1];
        st.local.u32 [own], 10;
        st.shared.u32 [common], 20;
        mov.u64 %d0, own;
        cvta.local.u64 %d0, %d0;
        mov.u64 %d1, common;
        cvta.shared.u64 %d1, %d1;
        setp.eq.u32 %p0, %t, 1;
        selp.u64 %d0, %d1, %d0, %p0;
        setp.eq.u32 %p0, %t, 2;
        selp.u64 %d0, %a, %d0, %p0;
        ld.u32 %r0, [%d0];
        mad.wide.u32 %a, %t, 4, %a;
        st.global.u32 [%a], %r0;";
    assert_eq!(super::left_by(4, ".shared .b32 common;", body, 4), [10, 20, 0, 10]);
}

#[test]
fn a_kernels_parameters_have_generic_addresses() {
    let body = "mov.u64 %d0, b;
        cvta.param.u64 %d0, %d0;
        ld.u32 %r0, [%d0+4];
        isspacep.param %p0, %d0;
        selp.u32 %r1, 1, 0, %p0;
        st.global.v2.u32 [%a], {%r0, %r1};";
    assert_eq!(left("", body, 2), [0x0123_4567, 1]);
}

#[test]
fn a_function_reads_the_kernels_parameters_through_their_addresses() {
    let function = ".func (.param .b32 result) f(.param .b64 at)
        {
        .reg .b64 %d;
        .reg .b32 %r;
        ld.param.u64 %d, [at];
        ld.u32 %r, [%d+4];
        st.param.u32 [result], %r;
        ret;
        }";
    let body = "mov.u64 %d0, b;
        cvta.param.u64 %d0, %d0;
        { .param .b64 at; .param .b32 result;
        st.param.b64 [at], %d0;
        call (result), f, (at);
        ld.param.b32 %r0, [result]; }
        st.global.u32 [%a], %r0;";
    assert_eq!(left(function, body, 1), [0x0123_4567]);
}

#[test]
fn addresses_of_32_bits_wrap_at_32_bits() {
    let items = ".shared .align 4 .b32 place[4];";
    let body = "mov.u32 %r0, place;
        mov.u32 %r2, 9;
        st.shared.u32 [%r0], %r2;
        sub.u32 %r0, %r0, 8;
        ld.shared.u32 %r1, [%r0+8];
        st.global.u32 [%a], %r1;";
    assert_eq!(left(items, body, 1), [9]);
}
