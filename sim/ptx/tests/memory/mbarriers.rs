//! `mbarrier` against the manual's rules by which phases complete, and what ends a run.

use proptest::prelude::*;

use super::{left, left_by, module};
use crate::support;
use blockyard_ptx::Arguments;

/// What the manual says an object keeps: the phase, the pending count, the expected count, the
/// tx-count.
struct Model {
    phase: u32,
    pending: u32,
    expected: u32,
    transactions: i32,
}

impl Model {
    /// "Arrive-on operation": the pending count falls; at zero the phase is complete, and the next
    /// one begins with the expected count. Those that drop out are taken from the expected count
    /// first.
    fn arrive(&mut self, count: u32, drops: bool) {
        if drops {
            self.expected -= count;
        }
        self.pending -= count;
        self.complete(0);
    }

    /// "Complete-tx operation": the tx-count falls. A phase is complete when both counts are zero.
    fn complete(&mut self, count: i32) {
        self.transactions -= count;
        if self.pending == 0 && self.transactions == 0 {
            self.phase += 1;
            self.pending = self.expected;
        }
    }
}

/// Instructions by one thread on an object for `expected` arrivals, as `steps` draws them, with
/// what they must leave: words from `%a` on.
fn program(expected: u32, steps: &[(u8, u32)]) -> (String, Vec<u32>) {
    let mut model = Model { phase: 0, pending: expected, expected, transactions: 0 };
    let mut text = format!("mbarrier.init.shared.b64 [bar], {expected};\n");
    let mut left = Vec::new();
    let mut state = None;
    for &(kind, draw) in steps {
        let store = |text: &mut String, left: &mut Vec<u32>, value| {
            *text += &format!("st.global.u32 [%a+{}], %r0;\n", 4 * left.len());
            left.push(value);
        };
        if model.pending == 0 && model.transactions == 0 {
            // Nobody is awaited any more.
            break;
        }
        if model.pending == 0 && !matches!(kind, 3..=5 | 10..) {
            // Transactions alone are.
            continue;
        }
        let count = 1 + draw % model.pending.max(1);
        match kind {
            0 | 1 => {
                let drops = kind == 1;
                state = Some(model.phase);
                let drop = if drops { "_drop" } else { "" };
                text += &match count {
                    1 => format!("mbarrier.arrive{drop}.release.cta.shared::cta.b64 %d1, [bar];\n"),
                    _ => format!("mbarrier.arrive{drop}.shared.b64 %d1, [bar], {count};\n"),
                };
                model.arrive(count, drops);
            }
            2 if count < model.pending => {
                let pending = model.pending;
                text += &format!(
                    "mbarrier.arrive.noComplete.shared.b64 %d1, [bar], {count};
                    mbarrier.pending_count.b64 %r0, %d1;\n"
                );
                store(&mut text, &mut left, pending);
                state = Some(model.phase);
                model.arrive(count, false);
            }
            3 => {
                // Only the phase at hand and the one before may be asked for.
                if let Some(then) = state.filter(|then| model.phase - then <= 1) {
                    let name = ["test_wait", "try_wait"][draw as usize % 2];
                    text += &format!(
                        "mbarrier.{name}.shared.b64 %p0, [bar], %d1; selp.u32 %r0, 1, 0, %p0;\n"
                    );
                    store(&mut text, &mut left, u32::from(then != model.phase));
                }
            }
            4 => {
                let parity = draw % 2;
                text += &format!(
                    "mbarrier.test_wait.parity.acquire.cta.shared.b64 %p0, [bar], {parity};
                    selp.u32 %r0, 1, 0, %p0;\n"
                );
                // Phases are even and odd in turns; the one before the present one is over.
                store(&mut text, &mut left, u32::from(model.phase % 2 != parity));
            }
            5 => text += "cp.async.mbarrier.arrive.shared.b64 [bar];\n",
            6 => {
                text += "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n";
                model.arrive(1, false);
            }
            7 => {
                let drops = draw % 3 == 0;
                let (drop, expected) = (if drops { "_drop" } else { "" }, draw % 5);
                state = Some(model.phase);
                text += &format!(
                    "mbarrier.arrive{drop}.expect_tx.release.cta.shared::cta.b64 %d1, [bar], {expected};\n"
                );
                model.transactions += expected as i32;
                model.arrive(1, drops);
            }
            10 => {
                text += &format!("mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], {count};\n");
                model.transactions += count as i32;
            }
            11 | 12 => {
                let done = match (kind, model.transactions) {
                    (11, 1..) => model.transactions,
                    _ => (draw % 4) as i32,
                };
                text += &format!("mbarrier.complete_tx.shared.b64 [bar], {done};\n");
                model.complete(done);
            }
            _ => {}
        }
    }
    (text, left)
}

proptest! {
    #[test]
    fn phases_complete_when_all_that_are_expected_have_arrived(
        expected in 1_u32..6,
        steps in prop::collection::vec((0_u8..13, any::<u32>()), 0..60),
    ) {
        let (text, expected) = program(expected, &steps);
        let found = left(".shared .align 8 .b64 bar;", &text, expected.len().max(1));
        prop_assert_eq!(&found[..expected.len()], &expected[..], "{}", text);
    }
}

/// Warp 0 fills a buffer round by round and the others read it: full and empty are told by two
/// objects.
const HANDING_ON: &str = "
    .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 4 .b32 box[32];
    .reg .b64 %g; .reg .pred %w; .reg .b32 %lane, %sum, %odd;
    mov.u64 %g, full; cvta.shared.u64 %g, %g;
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra READY;
    mbarrier.init.b64 [%g], 32;
    mbarrier.init.shared.b64 [empty], 64;
READY:
    bar.sync 0;
    and.b32 %lane, %t, 31; mov.u32 %sum, 0; mov.u32 %r0, 0;
    mov.u32 %r1, box; mad.lo.u32 %r1, %lane, 4, %r1;
    setp.ge.u32 %w, %t, 32;
ROUND:
    and.b32 %odd, %r0, 1;
    @%w bra READER;
    xor.b32 %r2, %odd, 1;
EMPTY:
    mbarrier.test_wait.parity.shared.b64 %p1, [empty], %r2;
    @!%p1 bra EMPTY;
    mad.lo.u32 %r3, %r0, 100, %lane;
    st.shared.u32 [%r1], %r3;
    mbarrier.arrive.b64 %d1, [%g];
    bra NEXT;
READER:
    mbarrier.try_wait.parity.b64 %p1, [%g], %odd;
    @!%p1 bra READER;
    ld.shared.u32 %r3, [%r1];
    add.u32 %sum, %sum, %r3;
    mbarrier.arrive.shared.b64 _, [empty];
NEXT:
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p2, %r0, 7;
    @%p2 bra ROUND;
    mad.wide.u32 %d2, %t, 4, %a;
    st.global.u32 [%d2], %sum;";

#[test]
fn warps_hand_on_what_they_wrote() {
    // Rounds 0 to 6: 100 times their numbers, and the lane in each.
    let read = |t: u32| if t < 32 { 0 } else { 2100 + 7 * (t % 32) };
    let expected: Vec<u32> = (0..96).map(read).collect();
    assert_eq!(left_by(96, "", HANDING_ON, 96), expected);
    // Nor does a look for races find one.
    let machine = support::machine(&module("", HANDING_ON));
    machine.check_shared();
    let at = machine.array(&[0; 96]).unwrap();
    support::run(&machine, "k", (1, 96), Arguments::new().long(at).long(0)).unwrap();
}

/// What is wrong when one thread runs `body` with an object for two arrivals.
fn wrong(body: &str) -> String {
    let body = format!("mbarrier.init.shared.b64 [bar], 2;\n{body}");
    let items = ".shared .align 8 .b64 bar; .shared .align 8 .b64 other; .shared .b32 more;";
    let machine = support::machine(&module(items, &body));
    let at = machine.array(&[0; 4]).unwrap();
    let run = support::run(&machine, "k", (1, 1), Arguments::new().long(at).long(0));
    run.err().map_or(String::new(), |error| {
        error.to_string().replace("kernel `k`, block (0, 0, 0), thread (0, 0, 0): ", "")
    })
}

#[test]
fn what_the_manual_leaves_undefined_ends_the_run() {
    for (body, message) in [
        ("mbarrier.init.shared.b64 [other], 0;", "an mbarrier for 0 arrivals"),
        ("mbarrier.init.shared.b64 [other], 1048575;", ""),
        ("mbarrier.init.shared.b64 [other], 1048576;", "an mbarrier for 1048576 arrivals"),
        ("mbarrier.arrive.shared.b64 %d1, [other];", "no mbarrier is at 0x8"),
        (
            "mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];",
            "no mbarrier is at 0x0",
        ),
        ("mbarrier.arrive.shared.b64 %d1, [bar], 2;", ""),
        ("mbarrier.arrive.shared.b64 %d1, [bar], 3;", "3 arrive at an mbarrier that waits for 2"),
        ("mbarrier.arrive.noComplete.shared.b64 %d1, [bar], 1;", ""),
        (
            "mbarrier.arrive.noComplete.shared.b64 %d1, [bar], 2;",
            "2 of 2 arrive, and complete the phase",
        ),
        (
            "mbarrier.expect_tx.shared.b64 [bar], 1048575; mbarrier.expect_tx.shared.b64 [bar], 1;",
            "an mbarrier comes to 1048576 transactions",
        ),
        ("mbarrier.complete_tx.shared.b64 [bar], 1048575;", ""),
        ("mbarrier.test_wait.shared.b64 %p0, [bar], %b;", "0x0 is no state of an mbarrier"),
        ("mbarrier.test_wait.parity.shared.b64 %p0, [bar], 2;", "a phase has no parity of 2"),
        ("mbarrier.init.shared.b64 [bar+4], 2;", "an mbarrier at 0x4 is misaligned"),
        ("mbarrier.init.b64 [%a], 2;", "an mbarrier at 0x10000000 is not in shared memory"),
        (
            "mbarrier.init.shared.b64 [bar+24], 2;",
            "a store of 8 bytes at 0x18 of shared memory is outside of it",
        ),
    ] {
        assert_eq!(wrong(body), message, "{body}");
    }
}

#[test]
fn other_forms_are_refused() {
    for body in [
        "mbarrier.init.global.b64 [%a], 1;",
        "mbarrier.init.shared.b32 [%a], 1;",
        "mbarrier.init.shared.b64 [%a];",
        "mbarrier.arrive.noComplete.shared.b64 %d1, [%a];",
        "mbarrier.arrive.expect_tx.shared.b64 %d1, [%a];",
        "mbarrier.arrive.noComplete.expect_tx.shared.b64 %d1, [%a], 8;",
        "mbarrier.expect_tx.shared.b64 [%a];",
        "mbarrier.test_wait.shared.b64 %p0, [%a], %d1, 5;",
        "mbarrier.test_wait.parity.shared.b64 %p0, [%a], %d1;",
        "mbarrier.pending_count.shared.b64 %r0, %d1;",
        "mbarrier.complete_tx.global.b64 [%a], 8;",
        "cp.async.mbarrier.drop.shared.b64 [%a];",
    ] {
        assert!(blockyard_ptx::load("test.ptx", &module("", body)).is_err(), "{body}");
    }
}
