//! Barriers: who waits, who does not, and what threads find out there.

use expect_test::expect;

use crate::support;
use blockyard_ptx::Arguments;

/// Runs `body` in a block of `threads` threads; what each has in `%x` at its end. `%t` is its
/// number, `%n` that of all; at first `%x` is 0.
fn left(threads: u32, body: &str) -> Vec<u32> {
    let machine = support::machine(&kernel(body));
    let at = machine.array(&vec![0; threads as usize]).unwrap();
    let run = support::run(&machine, "k", (1, threads), Arguments::new().long(at));
    if let Err(error) = run {
        panic!("{}", blockyard_contract::diagnostic::rendered(&error));
    }
    machine.words(at, u64::from(threads)).unwrap()
}

fn kernel(body: &str) -> String {
    support::module(&format!(
        ".shared .align 4 .b32 slots[1024];
.visible .entry k(.param .u64 at)
{{
.reg .b32 %t, %n, %x, %y, %z, %s;
.reg .b64 %at;
.reg .pred %p, %q, %r;
ld.param.u64 %at, [at];
mov.u32 %t, %tid.x;
mov.u32 %n, %ntid.x;
mad.wide.u32 %at, %t, 4, %at;
mov.u32 %x, 0;
mov.u32 %s, slots;
mad.lo.u32 %s, %t, 4, %s;
{body}
DONE:
st.global.u32 [%at], %x;
ret;
}}
"
    ))
}

fn complaint(threads: u32, body: &str) -> String {
    support::complaint(&kernel(body), "k", threads, Arguments::new().long(0))
}

#[test]
fn a_barrier_in_both_arms_is_one() {
    let body = "setp.lt.u32 %p, %t, 40;
        st.shared.u32 [%s], %t;
        @%p bra LOW;
        bar.sync 0;
        ld.shared.u32 %x, [slots];
        bra DONE;
        LOW:
        bar.sync 0;
        ld.shared.u32 %x, [slots+256];";
    let expected: Vec<u32> = (0..70).map(|thread| if thread < 40 { 64 } else { 0 }).collect();
    assert_eq!(left(70, body), expected);
}

#[test]
fn threads_that_have_exited_are_not_waited_for() {
    // Whether those that wait or those that exit go first.
    for (condition, way) in [("%p", "EXIT"), ("!%p", "WAIT")] {
        for limit in [1, 16, 31, 32, 33] {
            let (exit, wait) = ("exit;", "bar.sync 0;\nmov.u32 %x, 7;\nbra DONE;");
            let rest = if way == "EXIT" {
                format!("{wait}\nEXIT: {exit}")
            } else {
                format!("{exit}\nWAIT: {wait}")
            };
            let body = format!("setp.lt.u32 %p, %t, {limit};\n@{condition} bra {way};\n{rest}");
            let expected: Vec<u32> =
                (0..40).map(|thread| if thread < limit { 0 } else { 7 }).collect();
            assert_eq!(left(40, &body), expected, "{body}");
        }
    }
}

#[test]
fn those_that_exit_behind_the_others_open_the_barrier() {
    let body = "setp.lt.u32 %p, %t, 8;
        @%p bar.sync 0;
        @%p mov.u32 %x, 5;
        @!%p exit;";
    let expected: Vec<u32> = (0..48).map(|thread| if thread < 8 { 5 } else { 0 }).collect();
    assert_eq!(left(48, body), expected);
}

#[test]
fn reductions_are_over_all_warps_time_and_again() {
    for threads in [1, 31, 32, 33, 95, 100] {
        let body = "setp.lt.u32 %p, %t, 35;
            bar.red.popc.u32 %y, 0, %p;
            add.u32 %x, %x, %y;
            bar.red.popc.u32 %y, 0, !%p;
            mad.lo.u32 %x, %y, 256, %x;
            bar.red.and.pred %q, 0, %p;
            selp.u32 %y, 0x10000, 0, %q;
            add.u32 %x, %x, %y;
            setp.eq.u32 %p, %t, 34;
            bar.red.or.pred %q, 0, %p;
            selp.u32 %y, 0x20000, 0, %q;
            add.u32 %x, %x, %y;
            bar.red.and.pred %q, 1, !%p;
            selp.u32 %y, 0x40000, 0, %q;
            add.u32 %x, %x, %y;";
        let low = threads.min(35);
        let has = threads > 34;
        let all = u32::from(threads <= 35);
        let expected = low
            + 256 * (threads - low)
            + 0x10000 * all
            + 0x20000 * u32::from(has)
            + 0x40000 * u32::from(!has);
        assert_eq!(left(threads, body), vec![expected; threads as usize], "{threads}");
    }
}

#[test]
fn a_reduction_in_a_loop_has_a_result_of_its_own_in_each_turn() {
    let body = "mov.u32 %z, 0;
        NEXT:
        setp.le.u32 %p, %t, %z;
        bar.red.popc.u32 %y, 0, %p;
        mad.lo.u32 %x, %x, 3, %y;
        add.u32 %z, %z, 1;
        setp.lt.u32 %q, %z, 5;
        @%q bra NEXT;";
    let expected = (1..=5).fold(0, |x, count| 3 * x + count);
    assert_eq!(left(65, body), vec![expected; 65]);
}

#[test]
fn a_reduction_counts_only_those_that_are_left() {
    let body = "setp.ge.u32 %p, %t, 50;
        @%p exit;
        setp.lt.u32 %p, %t, 1000;
        bar.red.popc.u32 %x, 0, %p;
        bar.red.and.pred %q, 0, %p;
        @%q add.u32 %x, %x, 100;";
    let expected: Vec<u32> = (0..70).map(|thread| if thread < 50 { 150 } else { 0 }).collect();
    assert_eq!(left(70, body), expected);
}

#[test]
fn a_reduction_in_both_arms_is_one() {
    let body = "setp.lt.u32 %p, %t, 10;
        @%p bra LOW;
        bar.red.popc.u32 %x, 0, %p;
        bra DONE;
        LOW:
        bar.red.popc.u32 %y, 0, %p;
        add.u32 %x, %y, 100;";
    let expected: Vec<u32> = (0..40).map(|thread| if thread < 10 { 110 } else { 10 }).collect();
    assert_eq!(left(40, body), expected);
}

#[test]
fn lanes_of_a_warp_that_never_come_are_named() {
    let body = "setp.lt.u32 %p, %t, 35;
        @%p bra LOW;
        bar.sync 0;
        LOW:
        bar.sync 0;";
    expect![[r#"
        × kernel `k`, block (0, 0, 0), thread (35, 0, 0): threads 35, 36, 37, 38, 39 of the block wait
        │ at a barrier that threads 32, 33, 34 never reach
        ╭─[test.ptx:19:9]
        18 │         @%p bra LOW;
        19 │         bar.sync 0;
        ·         ─────┬────
        ·              ╰── here
        20 │         LOW:
        ╰────
        help: expected all threads of a warp that have not exited to reach it"#]].assert_eq(&complaint(40, body));
}

#[test]
fn lanes_that_leave_without_the_barrier_are_not_waited_for() {
    // `if (t >= 40) return;` as compilers write it: to the return behind the barriers. The others
    // read what the next one, or the first one, has stored.
    for threads in [40, 41, 48, 64, 90] {
        let body = "setp.ge.u32 %p, %t, 40;
            @%p bra OUT;
            mad.lo.u32 %y, %t, 3, 1;
            st.shared.u32 [%s], %y;
            bar.sync 0;
            add.u32 %y, %t, 1;
            rem.u32 %y, %y, 40;
            mov.u32 %s, slots;
            mad.lo.u32 %s, %y, 4, %s;
            ld.shared.u32 %z, [%s];
            bar.sync 0;
            add.u32 %x, %z, 100;
            OUT:";
        let of = |t: u32| if t < 40 { 3 * ((t + 1) % 40) + 101 } else { 0 };
        assert_eq!(left(threads, body), (0..threads).map(of).collect::<Vec<_>>(), "{threads}");
    }
}

#[test]
fn barriers_have_numbers_from_0_to_15() {
    assert_eq!(left(33, "bar.sync 15;\nmov.u32 %x, 1;"), [1; 33]);
    expect![[r#"
        × kernel `k`, block (0, 0, 0), thread (0, 0, 0): barrier 16 does not exist
        ╭─[test.ptx:18:1]
        17 │ mov.u32 %y, 16;
        18 │ bar.sync %y;
        · ─────┬─────
        ·      ╰── here
        19 │ DONE:
        ╰────
        help: expected 0 to 15"#]]
    .assert_eq(&complaint(33, "mov.u32 %y, 16;\nbar.sync %y;"));
}

#[test]
fn what_was_stored_before_a_barrier_is_seen_behind_it() {
    let body = "st.shared.u32 [%s], %t;
        bar.sync 0;
        sub.u32 %y, %n, %t;
        sub.u32 %y, %y, 1;
        mov.u32 %s, slots;
        mad.lo.u32 %s, %y, 4, %s;
        ld.shared.u32 %x, [%s];";
    let expected: Vec<u32> = (0..100).rev().collect();
    assert_eq!(left(100, body), expected);
}
