//! How many instructions warps issue: lanes that parted go together again as soon as they can.
//!
//! Of instructions with a guard only the lanes count for which it holds.

use crate::support;
use blockyard_ptx::Arguments;

/// Instructions of the warp and of all its threads when `body` runs in one warp; `%t` is the
/// thread's number in it.
fn counts(items: &str, body: &str) -> (u64, u64) {
    let text = support::module(&format!(
        "{items}.visible .entry k()
{{
.reg .b32 %t, %b, %x;
.reg .pred %p, %q;
mov.u32 %t, %tid.x;
{body}
}}
"
    ));
    let machine = support::machine(&text);
    let counts = support::run(&machine, "k", (1, 32), Arguments::new()).unwrap();
    // Without the move.
    (counts.warp_instructions - 1, counts.thread_instructions - 32)
}

#[test]
fn lanes_meet_behind_both_arms_of_an_if() {
    let body = "and.b32 %b, %t, 1;
        setp.eq.u32 %p, %b, 0;
        @%p bra EVEN;
        mov.u32 %x, 1;
        bra JOIN;
        EVEN:
        mov.u32 %x, 2;
        JOIN:
        mov.u32 %x, 3;
        ret;";
    assert_eq!(counts("", body), (3 + 2 + 1 + 2, 2 * 32 + 16 + 2 * 16 + 16 + 2 * 32));
}

#[test]
fn an_arm_without_an_other_costs_only_its_own_lanes() {
    let body = "setp.lt.u32 %p, %t, 20;
        @%p bra JOIN;
        mov.u32 %x, 1;
        JOIN:
        mov.u32 %x, 3;
        ret;";
    assert_eq!(counts("", body), (5, 32 + 20 + 12 + 2 * 32));
}

#[test]
fn nested_ifs_meet_from_the_inside_to_the_outside() {
    let body = "setp.lt.u32 %p, %t, 16;
        @%p bra OUTER;
        setp.lt.u32 %q, %t, 24;
        @%q bra INNER;
        mov.u32 %x, 1;
        INNER:
        mov.u32 %x, 2;
        OUTER:
        ret;";
    assert_eq!(counts("", body), (7, 32 + 2 * 16 + 2 * 8 + 16 + 32));
}

#[test]
fn lanes_that_leave_a_loop_early_wait_behind_it() {
    let body = "and.b32 %b, %t, 3;
        NEXT:
        setp.eq.u32 %p, %b, 0;
        @%p bra OUT;
        sub.u32 %b, %b, 1;
        bra NEXT;
        OUT:
        ret;";
    // The head with 32, 24, 16 and 8 lanes, the rest without the first.
    assert_eq!(counts("", body), (1 + 4 * 2 + 3 * 2 + 1, 32 + 80 + 32 + 2 * 48 + 32));
}

#[test]
fn lanes_that_break_out_of_a_loop_wait_behind_it() {
    let body = "mov.u32 %x, 0;
        NEXT:
        setp.eq.u32 %p, %x, %t;
        @%p bra OUT;
        add.u32 %x, %x, 1;
        setp.lt.u32 %q, %x, 2;
        @%q bra NEXT;
        OUT:
        ret;";
    // Lane 0 breaks in the first turn, lane 1 in the second; the others go twice.
    assert_eq!(counts("", body), (1 + 5 + 5 + 1, 32 + (32 + 1 + 3 * 31) + (31 + 1 + 2 * 30) + 32));
}

#[test]
fn lanes_that_continue_meet_the_others_before_the_next_turn() {
    let body = "mov.u32 %x, 0;
        NEXT:
        setp.lt.u32 %p, %t, 8;
        @%p bra CONTINUE;
        mov.u32 %b, 1;
        CONTINUE:
        add.u32 %x, %x, 1;
        setp.lt.u32 %q, %x, 3;
        @%q bra NEXT;
        ret;";
    assert_eq!(counts("", body), (1 + 3 * 6 + 1, 32 + 3 * (3 * 32 + 8 + 24) + 2 * 32 + 32));
}

#[test]
fn the_ways_of_a_table_meet_behind_it() {
    let body = "and.b32 %b, %t, 3;
        TABLE: .branchtargets A, B, C, D;
        brx.idx %b, TABLE;
        A: mov.u32 %x, 1;
        bra JOIN;
        B: mov.u32 %x, 2;
        bra JOIN;
        C: mov.u32 %x, 3;
        bra JOIN;
        D: mov.u32 %x, 4;
        JOIN:
        ret;";
    assert_eq!(counts("", body), (2 + 3 * 2 + 1 + 1, 2 * 32 + 7 * 8 + 32));
}

#[test]
fn the_lanes_of_a_call_come_back_to_those_that_did_not_call() {
    let function = ".func f()\n{\n.reg .b32 %x;\nmov.u32 %x, 1;\nret;\n}\n";
    let body = "setp.lt.u32 %p, %t, 8;
        @%p call f;
        ret;";
    assert_eq!(counts(function, body), (2 + 2 + 1, 32 + 8 + 2 * 8 + 32));
}

#[test]
fn lanes_that_return_early_wait_behind_the_call() {
    let function = ".func f(.param .b32 a)
{
.reg .b32 %x;
.reg .pred %p;
ld.param.u32 %x, [a];
setp.lt.u32 %p, %x, 8;
@%p ret;
mov.u32 %x, 1;
ret;
}
";
    let body = "{ .param .b32 a; st.param.b32 [a], %t; call f, (a); }
        ret;";
    assert_eq!(counts(function, body), (2 + 3 + 2 + 1, 4 * 32 + 8 + 2 * 24 + 32));
}

#[test]
fn lanes_that_exit_early_do_not_keep_the_others_apart() {
    let body = "setp.lt.u32 %p, %t, 16;
        @%p bra JOIN;
        setp.lt.u32 %q, %t, 24;
        @%q exit;
        mov.u32 %x, 1;
        JOIN:
        mov.u32 %x, 2;
        ret;";
    // 16 lanes at the inner branch, of which 8 come to the join.
    assert_eq!(counts("", body), (2 + 3 + 2, 32 + 16 + 16 + 8 + 8 + 2 * 24));
}

#[test]
fn lanes_that_return_from_within_an_if_do_not_keep_the_others_apart() {
    let body = "setp.lt.u32 %p, %t, 16;
        @%p bra JOIN;
        setp.lt.u32 %q, %t, 24;
        @%q bra LEAVE;
        mov.u32 %x, 1;
        JOIN:
        mov.u32 %x, 2;
        ret;
        LEAVE:
        mov.u32 %x, 3;
        ret;";
    let lanes = 32 + 16 + 16 + 8 + 2 * 8 + 8 + 2 * 24;
    assert_eq!(counts("", body), (4 + 2 + 1 + 2, lanes));
}

#[test]
fn an_assertion_in_a_loop_does_not_keep_lanes_apart_behind_it() {
    let body = "and.b32 %b, %t, 1;
        NEXT:
        setp.eq.u32 %p, %b, 0;
        @%p bra OUT;
        setp.gt.u32 %q, %b, 5;
        @%q bra FAIL;
        sub.u32 %b, %b, 1;
        bra NEXT;
        OUT:
        mov.u32 %x, 2;
        ret;
        FAIL:
        trap;";
    // Half of the lanes go round once.
    let lanes = 32 + (32 + 16) + (16 + 2 * 16) + (16 + 16) + 2 * 32;
    assert_eq!(counts("", body), (1 + 2 + 4 + 2 + 2, lanes));
}
