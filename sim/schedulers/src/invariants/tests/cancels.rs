//! Running blocks that take blocks that have not started (`docs/launch-control.md`).

use super::*;

/// A kernel of 6 blocks in entry 0, of which block 0 runs on SMX 0, and a second kernel of 6 in entry 1.
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
