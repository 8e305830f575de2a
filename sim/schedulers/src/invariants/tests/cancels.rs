//! Running blocks that take blocks, or clusters, that have not started (`docs/launch-control.md`).

use super::*;
use crate::clusters::Policy;
use crate::port::Cluster;

/// A kernel of 6 blocks in entry 0, of which block 0 runs on SMX 0, and a second kernel of 6 in
/// entry 1.
fn bench() -> Bench {
    let rules = PolicyRules {
        issue: IssueRule::OneACycle,
        order: BlockOrder::Increasing,
        cancels: true,
        ..PolicyRules::default()
    };
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    bench.launch(BlockNeeds::default());
    bench.launch(BlockNeeds::default());
    bench.dispatch(0, 0, 0).unwrap();
    bench
}

/// A block of `entry` asks and gets `block`.
fn ask(bench: &mut Bench, entry: u8, block: Option<(u32, u32)>) -> Result<(), String> {
    bench.cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(entry));
        outputs.cancelled = block.map(|(x, y)| Dim3::new(x, y, 0));
    })
}

/// Blocks 1 to 5 of entry 0 are cancelled.
fn cancel_all(bench: &mut Bench) {
    for id in 1..6 {
        ask(bench, 0, Some((id % 3, id / 3))).unwrap();
    }
}

#[test]
fn a_block_is_dispatched_or_cancelled_once_and_in_order() {
    let mut with = bench();
    ask(&mut with, 0, Some((1, 0))).unwrap();
    refused(with.dispatch(1, 1, 0), "block (1, 0, 0) of entry 0 dispatched twice");
    let mut with = bench();
    ask(&mut with, 0, Some((1, 0))).unwrap();
    let twice = "the cancelled block (1, 0, 0) of entry 0 dispatched twice";
    refused(ask(&mut with, 0, Some((1, 0))), twice);
    refused(ask(&mut bench(), 0, Some((0, 0))), "dispatched twice");
    refused(ask(&mut bench(), 0, Some((2, 0))), "block 2 out of order: 1 was to come first");
    refused(ask(&mut bench(), 0, Some((3, 0))), "is outside its grid");
}

#[test]
fn the_answer_is_a_block_as_long_as_there_is_one() {
    refused(ask(&mut bench(), 0, None), "no block of entry 0 is cancelled, but 5 are left");
    let mut with = bench();
    cancel_all(&mut with);
    ask(&mut with, 0, None).unwrap();
}

#[test]
fn the_next_kernel_is_the_head_when_the_last_block_is_cancelled() {
    let mut with = bench();
    let second = Dispatch { kernel: KernelEntry(1), ..block(0, 0) };
    let early = with.cycle(|_, outputs| outputs.dispatch[1] = Some(second));
    refused(early, "entry 1 dispatches before entry 0, which is older");
    let mut with = bench();
    cancel_all(&mut with);
    // An answer of none leaves the cycle to others.
    let beside = with.cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(0));
        outputs.dispatch[1] = Some(second);
    });
    beside.unwrap();
}

#[test]
fn nothing_is_dispatched_in_the_cycle_of_a_cancel() {
    let both = bench().cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(0));
        outputs.cancelled = Some(Dim3::new(1, 0, 0));
        outputs.dispatch[1] = Some(block(2, 0));
    });
    refused(both, "a block is dispatched beside the cancelled one of entry 0");
}

#[test]
fn only_a_running_block_asks_and_only_who_asks_is_answered() {
    refused(ask(&mut bench(), 1, None), "a block of entry 1 asks, which has none in execution");
    refused(ask(&mut bench(), 7, None), "a block of entry 7 asks, which has none in execution");
    let unasked = bench().cycle(|_, outputs| outputs.cancelled = Some(Dim3::new(1, 0, 0)));
    refused(unasked, "block (1, 0, 0) is cancelled, but nobody asks");
    // In the cycle of its end it may, and after it not.
    let mut with = bench();
    let last = with.cycle(|inputs, outputs| {
        inputs.finished[0] = Some(KernelEntry(0));
        inputs.cancel = Some(KernelEntry(0));
        outputs.cancelled = Some(Dim3::new(1, 0, 0));
    });
    last.unwrap();
    refused(ask(&mut with, 0, Some((2, 0))), "which has none in execution");
    let rules = PolicyRules::default();
    let mut other = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    other.launch(BlockNeeds::default());
    refused(ask(&mut other, 0, None), "a block asks a scheduler that does not answer");
    let held = bench().cycle(|_, outputs| outputs.cancel_held = true);
    refused(held, "a question is held, but nobody asks");
}

#[test]
fn a_kernel_ends_when_what_runs_of_it_has_ended_whoever_ran_its_blocks() {
    let report = |_: &mut Inputs, outputs: &mut Outputs| outputs.finished_kernels = 1;
    let mut with = bench();
    cancel_all(&mut with);
    refused(with.cycle(report), "0 blocks not distributed and 1 in execution");
    let mut with = bench();
    cancel_all(&mut with);
    with.finish(0).unwrap();
    with.cycle(report).unwrap();
}

#[test]
fn without_clusters_no_question_is_held() {
    let held = bench().cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(0));
        outputs.cancel_held = true;
    });
    refused(held, "a question is held, but no cluster of entry 0 is open");
    // Nor does a kernel's cluster make one block more than one.
    let mut with = bench();
    with.invariants.entries[0].as_mut().unwrap().launch.cluster = Cluster { x: 3, y: 1, z: 1 };
    ask(&mut with, 0, Some((1, 0))).unwrap();
    with.dispatch(1, 2, 0).unwrap();
}

/// Two kernels of (4, 4, 1) blocks in clusters of (2, 2, 1), of whose first one cluster runs on two
/// SMXs.
fn clusters() -> Bench {
    let rules = PolicyRules {
        issue: IssueRule::OneACycle,
        clusters: Some(Policy::Balance),
        cancels: true,
        ..PolicyRules::default()
    };
    let limits = SmxLimits { thread_block_slots: 16, ..LIMITS };
    let mut bench = Bench { invariants: Invariants::new(limits, 2, rules), free: 0 };
    let (grid, cluster) = (Dim3::new(4, 4, 1), Cluster { x: 2, y: 2, z: 1 });
    let launch = KernelLaunch { grid, cluster, blocks: 16, ..Default::default() };
    for _ in 0..2 {
        bench.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        bench.free += 1;
    }
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        bench.dispatch(x as usize, x, y).unwrap();
    }
    bench
}

/// A block of `entry` asks, and the question is held.
fn hold(bench: &mut Bench, entry: u8) -> Result<(), String> {
    bench.cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(entry));
        outputs.cancel_held = true;
    })
}

#[test]
fn all_blocks_of_a_cluster_are_cancelled_and_the_next_cluster_goes_on_behind_them() {
    for (x, y) in [(2, 0), (3, 0), (2, 1), (3, 1)] {
        let mut with = clusters();
        ask(&mut with, 0, Some((2, 0))).unwrap();
        refused(with.dispatch(0, x, y), "of entry 0 dispatched twice");
    }
    let mut with = clusters();
    ask(&mut with, 0, Some((2, 0))).unwrap();
    with.dispatch(0, 0, 2).unwrap();
    refused(
        with.dispatch(0, 2, 2),
        "block 10 out of order: in clusters of (2, 2, 1), 9 comes after",
    );
}

#[test]
fn the_cluster_that_is_cancelled_is_the_next_one_from_its_first_block_on() {
    let twice = "the cancelled block (0, 0, 0) of entry 0 dispatched twice";
    refused(ask(&mut clusters(), 0, Some((0, 0))), twice);
    let out_of_order = "out of order: in clusters of (2, 2, 1), 2 comes after 4 others";
    for other in [(3, 0), (2, 1), (0, 2), (2, 2)] {
        refused(ask(&mut clusters(), 0, Some(other)), out_of_order);
    }
    refused(ask(&mut clusters(), 0, Some((4, 0))), "(4, 0, 0) of entry 0 is outside its grid");
}

#[test]
fn a_question_is_held_while_a_cluster_of_its_kernel_is_open_and_only_then() {
    let mut with = clusters();
    refused(hold(&mut with, 0), "a question is held, but no cluster of entry 0 is open");
    let mut with = clusters();
    // The cluster opens in the cycle of the question: it is not yet open.
    let opens = with.cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(0));
        outputs.cancel_held = true;
        outputs.dispatch[0] = Some(block(2, 0));
    });
    refused(opens, "a question is held, but no cluster of entry 0 is open");
    let open = || {
        let mut with = clusters();
        with.dispatch(0, 2, 0).unwrap();
        with
    };
    refused(ask(&mut open(), 0, None), "no block of entry 0 is cancelled, but 11 are left");
    let during = "block (0, 2, 0) is cancelled while a cluster of entry 0 is open";
    refused(ask(&mut open(), 0, Some((0, 2))), during);
    let both = open().cycle(|inputs, outputs| {
        inputs.cancel = Some(KernelEntry(0));
        (outputs.cancelled, outputs.cancel_held) = (Some(Dim3::new(0, 2, 0)), true);
    });
    refused(both, "block (0, 2, 0) is cancelled, but the question is held");
    let mut with = open();
    for next in [(3, 0), (2, 1), (3, 1)] {
        let goes_on = with.cycle(|inputs, outputs| {
            inputs.cancel = Some(KernelEntry(0));
            outputs.cancel_held = true;
            outputs.dispatch[1] = Some(block(next.0, next.1));
        });
        goes_on.unwrap();
    }
    ask(&mut with, 0, Some((0, 2))).unwrap();
}

#[test]
fn a_question_of_another_kernel_than_the_one_whose_cluster_is_open_is_answered_with_none() {
    let mut with = clusters();
    for cluster in [(2, 0), (0, 2), (2, 2)] {
        ask(&mut with, 0, Some(cluster)).unwrap();
    }
    ask(&mut with, 0, None).unwrap();
    let of_second = Dispatch { kernel: KernelEntry(1), ..block(0, 0) };
    with.cycle(|_, outputs| outputs.dispatch[0] = Some(of_second)).unwrap();
    let second = |bench: &mut Bench, held| {
        bench.cycle(|inputs, outputs| {
            inputs.cancel = Some(KernelEntry(0));
            outputs.cancel_held = held;
            outputs.dispatch[1] = Some(Dispatch { kernel: KernelEntry(1), ..block(1, 0) });
        })
    };
    let mut held = Bench { invariants: with.invariants.clone(), free: 2 };
    refused(second(&mut held, true), "a question is held, but no cluster of entry 0 is open");
    second(&mut with, false).unwrap();
}

#[test]
fn nothing_is_dispatched_in_the_cycle_in_which_a_cluster_is_cancelled() {
    for (cancelled, dispatched) in [((2, 0), (0, 2)), ((0, 2), (2, 0))] {
        let beside = clusters().cycle(|inputs, outputs| {
            inputs.cancel = Some(KernelEntry(0));
            outputs.cancelled = Some(Dim3::new(cancelled.0, cancelled.1, 0));
            outputs.dispatch[0] = Some(block(dispatched.0, dispatched.1));
        });
        refused(beside, "a block is dispatched beside the cancelled one of entry 0");
    }
}
