//! Calls of functions: under divergence, recursive, by address, with registers for parameters.

mod support;

use support::{complaint, kernel, left_by};

/// What each thread of a warp leaves in its word.
fn by_lane(items: &str, body: &str) -> Vec<u32> {
    let body = format!("mad.wide.u32 %d8, %t, 4, %a;\n{body}\nst.global.u32 [%d8], %r0;\n");
    left_by(32, items, &body, 32)
}

fn expected(of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(of).collect()
}

const ADD: &str = ".func (.reg .u32 %sum) add (.reg .u32 %x, .reg .u32 %y)
    { add.u32 %sum, %x, %y; ret; }\n";

#[test]
fn parameters_and_results_may_be_registers_and_numbers() {
    let body = "call (%r0), add, (%t, 7);\ncall.uni (%r0), add, (%r0, %r0);";
    assert_eq!(by_lane(ADD, body), expected(|t| 2 * (t + 7)));
}

#[test]
fn registers_keep_their_width_when_they_are_passed() {
    let items = ".func (.reg .u64 %wide, .reg .f32 %f, .reg .u16 %h) f
        (.reg .u16 %a, .reg .f32 %b, .reg .u64 %c)
        { mov.u64 %wide, %c; add.f32 %f, %b, 0f3F800000; add.u16 %h, %a, 1; ret; }";
    let body = "cvt.u16.u32 %h0, %t;
        .reg .f32 %f<2>;
        cvt.rn.f32.u32 %f0, %t;
        mov.u64 %d0, 0x123456789abcdef0;
        call (%d1, %f1, %h1), f, (%h0, %f0, %d0);
        sub.u64 %d1, %d1, %d0;
        cvt.u32.u64 %r0, %d1;
        cvt.rzi.u32.f32 %r1, %f1;
        cvt.u32.u16 %r2, %h1;
        mad.lo.u32 %r0, %r1, 1000, %r0;
        add.u32 %r0, %r0, %r2;";
    assert_eq!(by_lane(items, body), expected(|t| 1001 * (t + 1)));
}

#[test]
fn predicates_are_passed_as_registers() {
    let items = ".func (.reg .pred %o) not (.reg .pred %p, .reg .pred %q)
        { xor.pred %o, %p, %q; ret; }";
    let body = "setp.lt.u32 %p0, %t, 20;
        setp.gt.u32 %p1, %t, 10;
        call (%p2), not, (%p0, %p1);
        selp.u32 %r0, 1, 0, %p2;";
    assert_eq!(by_lane(items, body), expected(|t| u32::from((t < 20) != (t > 10))));
}

#[test]
fn vectors_are_passed_part_by_part() {
    let items = ".func (.reg .v2 .u32 o) swap (.reg .v2 .u32 i)
        { mov.v2.u32 o, {i.y, i.x}; ret; }";
    let body = ".reg .v2 .u32 v;
        .reg .b64 pair;
        mov.u32 v.x, %t;
        mov.u32 v.g, 100;
        call (v), swap, (v);
        mov.v2.u32 v, {v.y, v.x};
        mov.b64 pair, v;
        mov.b64 v, pair;
        mad.lo.u32 %r0, v.r, 1000, v.y;";
    assert_eq!(by_lane(items, body), expected(|t| 1000 * t + 100));
}

#[test]
fn lanes_with_a_guard_alone_take_part_in_a_call() {
    let body = "mov.u32 %r0, 5;\nsetp.lt.u32 %p0, %t, 9;\n@%p0 call (%r0), add, (%t, 7);";
    assert_eq!(by_lane(ADD, body), expected(|t| if t < 9 { t + 7 } else { 5 }));
}

#[test]
fn a_function_gives_what_it_has_at_each_of_its_returns() {
    let items = ".func (.reg .u32 %o) f (.reg .u32 %i)
        {
        .reg .pred %p;
        mov.u32 %o, 1;
        setp.lt.u32 %p, %i, 8;
        @%p ret;
        mov.u32 %o, 2;
        setp.lt.u32 %p, %i, 16;
        @%p bra END;
        mov.u32 %o, 3;
        END:
        }";
    let body = "call (%r0), f, (%t);";
    assert_eq!(by_lane(items, body), expected(|t| 1 + u32::from(t >= 8) + u32::from(t >= 16)));
}

/// Fibonacci's numbers, the slow way, with a parameter in memory and a result in a register.
const FIBONACCI: &str = ".func (.reg .u32 %o) fib (.param .u32 n)
    {
    .reg .u32 %n, %a, %b;
    .reg .pred %p;
    ld.param.u32 %n, [n];
    mov.u32 %o, %n;
    setp.lt.u32 %p, %n, 2;
    @%p ret;
    .param .u32 next;
    sub.u32 %n, %n, 1;
    st.param.u32 [next], %n;
    call (%a), fib, (next);
    sub.u32 %n, %n, 1;
    st.param.u32 [next], %n;
    call (%b), fib, (next);
    add.u32 %o, %a, %b;
    ret;
    }";

#[test]
fn each_lane_recurses_as_deeply_as_it_has_to() {
    fn fibonacci(n: u32) -> u32 {
        if n < 2 {
            n
        } else {
            fibonacci(n - 1) + fibonacci(n - 2)
        }
    }
    let body = ".param .u32 n;
        rem.u32 %r1, %t, 11;
        st.param.u32 [n], %r1;
        call (%r0), fib, (n);";
    assert_eq!(by_lane(FIBONACCI, body), expected(|t| fibonacci(t % 11)));
}

#[test]
fn recursion_without_an_end_is_a_fault() {
    let items = ".func f (.reg .u32 %i) { add.u32 %i, %i, 1; call f, (%i); ret; }";
    let arguments = || blockyard_ptx::Arguments::new().long(0).long(0);
    let said = complaint(&kernel(items, "call f, (%t);"), "k", 32, arguments());
    assert!(said.contains("512 calls within one another are too many"), "{said}");
    assert!(said.contains("thread (0, 0, 0)"), "{said}");
}

/// Three functions and a table of them.
const TABLE: &str = ".func (.reg .u32 %o) twice (.reg .u32 %i) { add.u32 %o, %i, %i; ret; }
    .func (.reg .u32 %o) square (.reg .u32 %i) { mul.lo.u32 %o, %i, %i; ret; }
    .func (.reg .u32 %o) flip (.reg .u32 %i) { not.b32 %o, %i; ret; }
    .global .align 8 .u64 table[3] = {twice, square, flip};\n";

#[test]
fn lanes_may_call_different_functions_by_address() {
    for (declared, named) in [
        ("proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);", "proto"),
        ("list: .calltargets twice, square, flip;", "list"),
    ] {
        let body = format!(
            "{declared}
            rem.u32 %r1, %t, 3;
            mov.u64 %d0, table;
            mad.wide.u32 %d0, %r1, 8, %d0;
            ld.global.u64 %d1, [%d0];
            call (%r0), %d1, (%t), {named};"
        );
        let by_remainder = |t: u32| [2 * t, t * t, !t][t as usize % 3];
        assert_eq!(by_lane(TABLE, &body), expected(by_remainder), "{named}");
    }
}

#[test]
fn a_prototype_says_what_a_number_is_passed_as() {
    let body = "proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);
        mov.u64 %d1, square;
        call (%r0), %d1, (12), proto;";
    assert_eq!(by_lane(TABLE, body), expected(|_| 144));
}

#[test]
fn lanes_branch_to_different_entries_of_a_table() {
    let body = "list: .branchtargets A, B, C;
        and.b32 %r1, %t, 3;
        min.u32 %r1, %r1, 2;
        brx.idx %r1, list;
        A: mov.u32 %r0, 10; bra END;
        B: mov.u32 %r0, 20; bra END;
        C: call (%r0), add, (%t, 1);
        END:";
    let entry = |t: u32| match t % 4 {
        0 => 10,
        1 => 20,
        _ => t + 1,
    };
    assert_eq!(by_lane(ADD, body), expected(entry));
}

#[test]
fn a_structure_is_passed_as_bytes() {
    let items = ".func (.param .align 4 .b8 o[8]) f (.param .align 4 .b8 i[8])
        { .reg .u32 %a, %b; .reg .u64 %p; mov.u64 %p, i;
        ld.param.u32 %a, [%p]; ld.param.u32 %b, [i+4];
        st.param.v2.u32 [o], {%b, %a}; ret; }";
    let body = ".param .align 4 .b8 i[8];
        .param .align 8 .b8 o[8];
        st.param.u32 [i+4], %t;
        mov.u64 %d0, i;
        st.param.u32 [%d0], 77;
        call (o), f, (i);
        ld.param.v2.u32 {%r1, %r2}, [o];
        mad.lo.u32 %r0, %r1, 1000, %r2;";
    assert_eq!(by_lane(items, body), expected(|t| 1000 * t + 77));
}

#[test]
fn only_who_calls_what_is_not_defined_fails() {
    let body = |lanes: u32| {
        format!("setp.lt.u32 %p0, %t, {lanes};\nmov.u32 %r0, 3;\n@%p0 call (%r0), lost, (%t);")
    };
    assert_eq!(by_lane("", &body(0)), expected(|_| 3));
    let arguments = blockyard_ptx::Arguments::new().long(0).long(0);
    let said = complaint(&kernel("", &body(5)), "k", 32, arguments);
    assert!(said.contains("the function `lost` is called and not defined"), "{said}");
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    let refused = |body: &str| {
        let Err(error) = blockyard_ptx::load("test.ptx", &kernel(ADD, body)) else {
            panic!("{body}");
        };
        blockyard_contract::diagnostic::rendered(&error)
    };
    for (body, message) in [
        ("call (%r0), add, (%t);", "`add` is called with 1 arguments"),
        ("call add, (%t, 1);", "`add` is called for 0 results"),
        ("call (%r0, %r1), add, (%t, 1);", "`add` is called for 2 results"),
        ("call (%r0), add, (%d0, 1);", "the register `%d0` of `call` has 64 bits"),
        ("call (%r0), add, (%h0, 1);", "the register `%h0` of `call` has 16 bits"),
        ("call (%r0), %d0, (3);", "a call passes a number to a function of which nothing is known"),
        ("call (3), add, (%t, 1);", "a result goes to what is no register"),
        ("call (list), add, (%t, 1); list:", "the result of a call goes to `list`"),
        ("call (%r0), %d0, (%t), add;", "`add` says nothing of a call"),
    ] {
        let said = refused(body);
        assert!(said.contains(message), "{said}");
    }
}
