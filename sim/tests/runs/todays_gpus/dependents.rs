//! Two kernels of a stream of which the second one begins before the first one has ended.

use super::*;
use crate::run_under;
use blockyard_ptx::functional;
use blockyard_sim::run::observer::Nobody;

/// `first` lets its dependent begin, works, and leaves its thread's number and 7 more; `second`
/// works, waits, and adds what it has worked out to twice of what the first one has left. WAIT
/// stands for the wait.
const PAIR: &str = "
.visible .entry first(.param .u64 x, .param .u32 rounds)
{
    .reg .b32 %i, %n, %t, %rounds, %r; .reg .b64 %x; .reg .pred %p;
    ld.param.u64 %x, [x]; ld.param.u32 %rounds, [rounds];
    griddepcontrol.launch_dependents;
    mov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %n, %t;
    mov.u32 %r, 0;
AGAIN:
    add.u32 %r, %r, 1; setp.lt.u32 %p, %r, %rounds; @%p bra AGAIN;
    mad.wide.u32 %x, %i, 4, %x; add.u32 %i, %i, 7; st.global.u32 [%x], %i;
    ret;
}
.visible .entry second(.param .u64 x, .param .u64 y, .param .u32 rounds)
{
    .reg .b32 %i, %n, %t, %rounds, %r, %v; .reg .b64 %x, %y; .reg .pred %p;
    ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; ld.param.u32 %rounds, [rounds];
    mov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %n, %t;
    mov.u32 %r, 0;
AGAIN:
    add.u32 %r, %r, 1; setp.lt.u32 %p, %r, %rounds; @%p bra AGAIN;
    WAIT
    mad.wide.u32 %x, %i, 4, %x; ld.global.u32 %v, [%x];
    mad.lo.u32 %v, %v, 2, %r;
    mad.wide.u32 %y, %i, 4, %y; st.global.u32 [%y], %v;
    ret;
}";

const WAIT: &str = "griddepcontrol.wait;";
const THREADS: u32 = 64;

/// Both kernels over `blocks` blocks; what is in `y` behind them, and the cycles. `None` as
/// scheduler: without timing.
fn left(
    scheduler: Option<&str>,
    text: &str,
    (blocks, rounds): (u32, u32),
    dependent: bool,
) -> (Vec<u32>, u64) {
    let run = |skip| {
        let machine = machine(text);
        let words = blocks * THREADS;
        let [x, y] = [0, 0].map(|zero| machine.array(&vec![zero; words as usize]).unwrap());
        let arguments = Arguments::new().long(x).word(rounds);
        let first = launch(&machine, "first", (blocks, THREADS), arguments);
        let arguments = Arguments::new().long(x).long(y).word(rounds / 2);
        let mut second = launch(&machine, "second", (blocks, THREADS), arguments);
        second.overlap.dependent = dependent;
        let mut launches = vec![first, second];
        let cycles = match scheduler {
            Some(scheduler) => {
                let mut gpu = gpu(&[("smx", "2")], launches);
                run_under(scheduler, &mut gpu, skip, &mut Nobody).cycles
            }
            None => {
                functional::run(&mut launches).unwrap();
                0
            }
        };
        (machine.words(y, u64::from(words)).unwrap(), cycles)
    };
    let seen = run(true);
    assert_eq!(run(false), seen);
    seen
}

fn with_wait() -> String {
    PAIR.replace("WAIT", WAIT)
}

/// What the CPU says.
fn expected((blocks, rounds): (u32, u32)) -> Vec<u32> {
    (0..blocks * THREADS).map(|i| 2 * (i + 7) + rounds / 2).collect()
}

#[test]
fn a_dependent_overlaps_and_leaves_the_same_bytes() {
    // Eight blocks on each of two SMXs: both kernels fit at once.
    let size = (16, 400);
    let [rr, dependent] =
        ["rr", "dependent"].map(|name| left(Some(name), &with_wait(), size, true));
    assert_eq!((&rr.0, &dependent.0), (&expected(size), &expected(size)));
    // The second kernel works as long as half of the first one, all of it beside that.
    assert!(dependent.1 * 5 < rr.1 * 4, "{} {}", dependent.1, rr.1);
    assert_eq!(left(None, &with_wait(), size, true).0, expected(size));
}

#[test]
fn one_that_is_no_dependent_runs_behind_the_kernel_before() {
    let size = (16, 400);
    let [rr, dependent] =
        ["rr", "dependent"].map(|name| left(Some(name), &with_wait(), size, false));
    assert_eq!(rr, dependent);
    assert_eq!(rr.0, expected(size));
}

#[test]
fn without_the_wait_it_reads_what_has_not_been_written() {
    let (size, text) = ((16, 400), PAIR.replace("WAIT", ""));
    let early: Vec<u32> = vec![200; 16 * THREADS as usize];
    assert_eq!(left(Some("dependent"), &text, size, true).0, early);
    assert_eq!(left(Some("rr"), &text, size, true).0, expected(size));
}

#[test]
fn more_blocks_than_fit_are_right_too() {
    let size = (150, 60);
    for scheduler in ["rr", "dependent", "launch-control", "partitions"] {
        assert_eq!(
            left(Some(scheduler), &with_wait(), size, true).0,
            expected(size),
            "{scheduler}"
        );
    }
}

#[test]
fn a_trigger_by_some_lanes_is_one_of_the_warp_and_what_exits_early_counts() {
    let size = (16, 400);
    // Lane 5 of each warp alone, behind a branch; the second warp of a block exits at once instead.
    let text = with_wait().replace(
        "griddepcontrol.launch_dependents;",
        "mov.u32 %t, %tid.x; and.b32 %t, %t, 31; setp.ne.u32 %p, %t, 5; @%p bra PAST;
        griddepcontrol.launch_dependents;
        PAST: mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @%p exit;",
    );
    let (bytes, cycles) = left(Some("dependent"), &text, size, true);
    let (other, behind) = left(Some("rr"), &text, size, true);
    assert_eq!(bytes, other);
    assert!(cycles * 5 < behind * 4, "{cycles} {behind}");
    // Where one warp neither triggers nor exits before its end, nothing overlaps but the very end.
    let late = with_wait().replace(
        "griddepcontrol.launch_dependents;",
        "mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @!%p griddepcontrol.launch_dependents;",
    );
    let (bytes, late) = left(Some("dependent"), &late, size, true);
    assert_eq!(bytes, expected(size));
    assert!(late > cycles + (behind - cycles) / 2, "{late} {cycles} {behind}");
}
