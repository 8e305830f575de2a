//! `griddepcontrol` and `clusterlaunchcontrol`: what each form does without timing, what ends a
//! run, and what is refused. Who gets which block under a scheduler is tested where there is one.

mod support;

use blockyard_contract::port::Dim3;
use blockyard_gpu::program::Operation;
use blockyard_ptx::{functional, Arguments, Launch};
use support::{kernel, left, machine, module, run};

const ITEMS: &str =
    ".shared .align 16 .b8 answer[32]; .shared .align 8 .b64 bar; .shared .align 8 .b64 none;";

/// Asks, waits for the answer, and has it in `%x`, with whether it has a block in `%p1`.
const ASK: &str = ".reg .b128 %x;
    mbarrier.init.shared::cta.b64 [bar], 1;
    mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [bar], 16;
    clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p0, [bar], 0;
    @!%p0 bra WAIT;
    ld.shared.b128 %x, [answer];
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %x;
";

/// What is left of `words` words when the blocks of `grid` run `body`, of one thread each.
fn left_of(grid: Dim3, body: &str, words: usize) -> Vec<u32> {
    let machine = machine(&kernel(ITEMS, body));
    let at = machine.array(&vec![0; words]).unwrap();
    let parameters = Arguments::new().long(at).long(0).into_bytes();
    let launch = Launch { grid, block: Dim3::new(1, 1, 1), shared_memory: 0, parameters };
    support::run_launch(&machine, "k", launch).unwrap();
    machine.words(at, words as u64).unwrap()
}

#[test]
fn an_answer_is_the_next_block_of_the_grid_and_completes_at_the_mbarrier() {
    let body = format!(
        "{ASK}
        @!%p1 bra END;
        mov.u32 %r0, %ctaid.x; add.u32 %r0, %r0, %ctaid.y; add.u32 %r0, %r0, %ctaid.z;
        setp.ne.u32 %p2, %r0, 0; @%p2 bra END;
        clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {{%r1, %r2, %r3, _}}, %x;
        clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r4, %x;
        clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r5, %x;
        clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r6, %x;
        st.global.v4.u32 [%a], {{%r1, %r2, %r3, %r4}};
        st.global.v2.u32 [%a+16], {{%r5, %r6}};
        END:"
    );
    // The first block takes the one behind it.
    assert_eq!(left_of(Dim3::new(2, 1, 1), &body, 6), [1, 0, 0, 1, 0, 0]);
    assert_eq!(left_of(Dim3::new(1, 2, 3), &body, 6), [0, 1, 0, 0, 1, 0]);
    assert_eq!(left_of(Dim3::new(1, 1, 9), &body, 6), [0, 0, 1, 0, 0, 1]);
    // A grid of one block has none behind it.
    assert_eq!(left_of(Dim3::new(1, 1, 1), &body, 6), [0; 6]);
}

#[test]
fn each_lane_asks_for_itself_and_the_last_ones_get_none() {
    // 32 lanes of the first of 21 blocks ask in one instruction; each has a place for its answer.
    let items = ".shared .align 16 .b8 answers[512]; .shared .align 8 .b64 bar;";
    let body = ".reg .b128 %x;
        mov.u32 %r0, %ctaid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;
        setp.ne.u32 %p0, %t, 0; @%p0 bra READY;
        mbarrier.init.shared.b64 [bar], 32;
        READY: bar.sync 0;
        mov.u32 %r1, answers; mad.lo.u32 %r1, %t, 16, %r1; mov.u32 %r2, bar;
        mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16;
        clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2];
        WAIT: mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0; @!%p0 bra WAIT;
        ld.shared.b128 %x, [%r1];
        clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %x;
        mov.u32 %r3, 77;
        @%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %x;
        mad.wide.u32 %d0, %t, 4, %a; st.global.u32 [%d0], %r3;
        END:";
    let machine = machine(&kernel(items, body));
    let at = machine.array(&[0; 32]).unwrap();
    run(&machine, "k", (21, 32), Arguments::new().long(at).long(0)).unwrap();
    let expected: Vec<u32> = (1..=20).chain([77; 12]).collect();
    assert_eq!(machine.words(at, 32), Some(expected));
}

#[test]
fn generic_addresses_reach_shared_memory() {
    let generic = ASK
        .replace("async.shared::cta.mbarrier", "async.mbarrier")
        .replace("b128 [answer], [bar]", "b128 [%d0], [%d1]");
    let body = format!(
        "mov.u64 %d0, answer; cvta.shared.u64 %d0, %d0; mov.u64 %d1, bar; cvta.shared.u64 %d1, %d1;
        {generic} selp.u32 %r0, 7, 8, %p1; mov.u32 %r1, %ctaid.x;
        mad.wide.u32 %d2, %r1, 4, %a; st.global.u32 [%d2], %r0;"
    );
    assert_eq!(left_of(Dim3::new(2, 1, 1), &body, 2), [7, 0]);
}

#[test]
fn a_kernel_that_follows_another_one_runs_behind_it_and_waits_for_nobody() {
    let body = "griddepcontrol.wait; griddepcontrol.launch_dependents; st.global.u32 [%a], 5;
        griddepcontrol.launch_dependents; griddepcontrol.wait;";
    assert_eq!(left("", body, 1), [5]);
}

#[test]
fn the_gpu_sees_each_of_them() {
    let body = format!("griddepcontrol.wait; {ASK} griddepcontrol.launch_dependents;");
    let machine = machine(&kernel(ITEMS, &body));
    let at = machine.array(&[0]).unwrap();
    let parameters = Arguments::new().long(at).long(0).into_bytes();
    let one = Dim3::new(1, 1, 1);
    let launch = Launch { grid: one, block: one, shared_memory: 0, parameters };
    let launch = machine.launch("k", launch, 0).unwrap();
    let mut seen = Vec::new();
    let mut host = vec![launch];
    let ended = functional::run_while(&mut host, &mut |instruction| {
        let of = [Operation::Trigger, Operation::AwaitPredecessor, Operation::Cancel];
        seen.extend(of.contains(&instruction.operation).then_some(instruction.operation));
        std::ops::ControlFlow::Continue(())
    });
    assert!(ended.is_ok());
    assert_eq!(seen, [Operation::AwaitPredecessor, Operation::Cancel, Operation::Trigger]);
}

/// What is wrong when one thread runs `body`.
fn wrong(body: &str) -> String {
    let machine = machine(&kernel(ITEMS, body));
    let at = machine.array(&[0; 4]).unwrap();
    let run = run(&machine, "k", (1, 1), Arguments::new().long(at).long(0));
    run.err().map_or(String::new(), |error| {
        error.to_string().replace("kernel `k`, block (0, 0, 0), thread (0, 0, 0): ", "")
    })
}

#[test]
fn what_the_manual_leaves_undefined_ends_the_run() {
    let ask = |space: &str, places: &str| {
        format!(
            "clusterlaunchcontrol.try_cancel.async{space}.mbarrier::complete_tx::bytes.b128 {places};"
        )
    };
    for (body, message) in [
        (ask(".shared::cta", "[answer+16], [bar]"), ""),
        (ask(".shared::cta", "[answer], [none]"), "no mbarrier is at 0x28"),
        (ask(".shared::cta", "[answer], [bar+4]"), "an mbarrier at 0x24 is misaligned"),
        (ask(".shared::cta", "[answer+8], [bar]"), "an answer of 16 bytes to 0x8 is misaligned"),
        (
            ask(".shared::cta", "[answer+48], [bar]"),
            "an answer of 16 bytes to 0x30 of shared memory is outside of it",
        ),
        (ask("", "[%a], [%a]"), "an answer to 0x10000000 is not in shared memory"),
        (
            "mov.u64 %d0, answer; cvta.shared.u64 %d0, %d0;".to_owned() + &ask("", "[%d0], [%a]"),
            "an mbarrier at 0x10000000 is not in shared memory",
        ),
        (
            "mbarrier.complete_tx.shared.b64 [bar], 1048570;".to_owned()
                + &ask(".shared::cta", "[answer], [bar]"),
            "an mbarrier comes to -1048586 transactions",
        ),
    ] {
        assert_eq!(wrong(&format!("mbarrier.init.shared.b64 [bar], 1; {body}")), message, "{body}");
    }
    let first = "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r0, %x;";
    assert_eq!(wrong(&format!("{ASK} {first}")), "the first block of an answer that has none");
}

#[test]
fn an_answer_that_nobody_can_take_names_the_instruction_that_asked() {
    let body = "mbarrier.init.shared.b64 [bar], 1; mbarrier.complete_tx.shared.b64 [bar], 1048570;
        clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];";
    let text = support::complaint(&kernel(ITEMS, body), "k", 1, Arguments::new().long(0).long(0));
    assert!(text.contains("clusterlaunchcontrol.try_cancel.async"), "{text}");
    assert!(text.contains("expected -1048575 to 1048575"), "{text}");
}

#[test]
fn an_answer_counts_as_written_when_it_has_come() {
    let machine = machine(&kernel(ITEMS, ASK));
    machine.check_shared();
    run(&machine, "k", (3, 1), Arguments::new().long(0).long(0)).unwrap();
    let early = ASK.replace("WAIT:", "ld.shared.u32 %r0, [answer+16];\nWAIT:");
    let machine = support::machine(&kernel(ITEMS, &early));
    machine.check_shared();
    let error = run(&machine, "k", (1, 1), Arguments::new().long(0).long(0)).unwrap_err();
    assert!(error.to_string().ends_with("is read, and nobody has written it"), "{error}");
}

#[test]
fn other_forms_are_refused() {
    for body in [
        "griddepcontrol;",
        "griddepcontrol.wait %r0;",
        "griddepcontrol.launch_dependents.async;",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.b128 [answer], [bar];",
        "clusterlaunchcontrol.try_cancel.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];",
        "clusterlaunchcontrol.try_cancel.async.global.mbarrier::complete_tx::bytes.b128 [%a], [bar];",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer];",
        ".reg .b128 %x; clusterlaunchcontrol.query_cancel.is_canceled.b128 %p0, %x;",
        ".reg .b128 %x; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %r0, %x;",
        ".reg .b128 %x; clusterlaunchcontrol.query_cancel.get_first_ctaid::w.b32.b128 %r0, %x;",
        ".reg .b128 %x; clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r1}, %x;",
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %d0;",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &kernel(ITEMS, body)).is_err(), "{body}");
    }
    assert!(blockyard_ptx::load("test.ptx", &module("")).is_ok());
}
