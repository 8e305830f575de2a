//! Kernels that begin before their predecessors have ended (`docs/dependent.md`).

use super::*;

/// Two SMXs under these rules.
fn bench() -> Bench {
    let rules = PolicyRules {
        issue: IssueRule::OneACycle,
        order: BlockOrder::Increasing,
        triggers: true,
        ..PolicyRules::default()
    };
    Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 }
}

/// A cycle in which blocks of these kernels trigger on SMX 0 and 1.
fn cycle(
    bench: &mut Bench,
    triggered: [Option<u8>; 2],
    change: impl FnOnce(&mut Inputs, &mut Outputs),
) -> Result<(), String> {
    bench.cycle(|inputs, outputs| {
        inputs.triggered = triggered.map(|kernel| kernel.map(KernelEntry)).to_vec();
        change(inputs, outputs);
    })
}

/// A kernel of so many blocks is accepted.
fn launch(bench: &mut Bench, blocks: u32, follows: Option<u8>) -> Result<(), String> {
    let follows = follows.map(KernelEntry);
    let launch =
        KernelLaunch { grid: Dim3::new(blocks, 1, 1), blocks, follows, ..Default::default() };
    cycle(bench, [None; 2], |inputs, _| inputs.launch = Some(launch))?;
    bench.free += 1;
    Ok(())
}

fn dispatch(bench: &mut Bench, smx: usize, entry: u8, x: u32) -> Result<(), String> {
    let kernel = KernelEntry(entry);
    cycle(bench, [None; 2], |_, outputs| {
        outputs.dispatch[smx] = Some(Dispatch { kernel, ..block(x, 0) });
    })
}

/// A block of that kernel ends on SMX 0.
fn finish(bench: &mut Bench, triggered: [Option<u8>; 2], entry: u8) -> Result<(), String> {
    cycle(bench, triggered, |inputs, _| inputs.finished[0] = Some(KernelEntry(entry)))
}

fn wait(bench: &mut Bench) {
    cycle(bench, [None; 2], |_, _| {}).unwrap();
}

/// A kernel of two blocks, both on SMX 0, and one of two blocks that follows it.
fn followed() -> Bench {
    let mut bench = bench();
    launch(&mut bench, 2, None).unwrap();
    launch(&mut bench, 2, Some(0)).unwrap();
    dispatch(&mut bench, 0, 0, 0).unwrap();
    dispatch(&mut bench, 0, 0, 1).unwrap();
    bench
}

#[test]
fn a_dependent_never_dispatches_before_each_block_of_its_predecessor_has_triggered() {
    let message = |left| {
        format!("entry 1 dispatches while it waits for entry 0, of which {left} blocks have not triggered")
    };
    refused(dispatch(&mut followed(), 1, 1, 0), &message(2));
    let mut one = followed();
    cycle(&mut one, [Some(0), None], |_, _| {}).unwrap();
    wait(&mut one);
    refused(dispatch(&mut one, 1, 1, 0), &message(1));
    let mut both = followed();
    for _ in 0..2 {
        cycle(&mut both, [Some(0), None], |_, _| {}).unwrap();
    }
    refused(dispatch(&mut both, 1, 1, 0), &message(0));
    // In that cycle it is marked, unless it dispatches.
    let mut both = followed();
    for _ in 0..2 {
        cycle(&mut both, [Some(0), None], |_, _| {}).unwrap();
    }
    wait(&mut both);
    dispatch(&mut both, 1, 1, 0).unwrap();
}

#[test]
fn ends_count_where_a_block_has_not_triggered() {
    let mut bench = followed();
    for _ in 0..2 {
        finish(&mut bench, [Some(0), None], 0).unwrap();
    }
    wait(&mut bench);
    dispatch(&mut bench, 1, 1, 0).unwrap();
}

#[test]
fn a_block_triggers_once_after_its_dispatch_and_before_it_is_gone() {
    let mut twice = followed();
    for _ in 0..2 {
        cycle(&mut twice, [Some(0), None], |_, _| {}).unwrap();
    }
    let message = "a block of entry 0 triggers on SMX 0, where none is that has not";
    refused(cycle(&mut twice, [Some(0), None], |_, _| {}), message);
    refused(cycle(&mut followed(), [None, Some(0)], |_, _| {}), "triggers on SMX 1");
    let message = "a block of entry 0 ends on SMX 0 and has not triggered";
    let mut untriggered = followed();
    finish(&mut untriggered, [Some(0), None], 0).unwrap();
    refused(finish(&mut untriggered, [None; 2], 0), message);
    let mut at_dispatch = bench();
    launch(&mut at_dispatch, 2, None).unwrap();
    let at_once = cycle(&mut at_dispatch, [Some(0), None], |_, outputs| {
        outputs.dispatch[0] = Some(block(0, 0));
    });
    refused(at_once, "triggers on SMX 0");
}

#[test]
fn a_kernel_that_waits_is_not_reported_as_finished() {
    let mut bench = bench();
    launch(&mut bench, 2, None).unwrap();
    launch(&mut bench, 0, Some(0)).unwrap();
    let reported = cycle(&mut bench, [None; 2], |_, outputs| outputs.finished_kernels = 1 << 1);
    refused(reported, "entry 1 reported as finished while it waits");
}

#[test]
fn a_launch_is_marked_at_once_and_before_those_that_wait() {
    let mut bench = followed();
    for _ in 0..2 {
        cycle(&mut bench, [Some(0), None], |_, _| {}).unwrap();
    }
    launch(&mut bench, 2, None).unwrap();
    wait(&mut bench);
    refused(dispatch(&mut bench, 1, 1, 0), "entry 1 dispatches before entry 2, which is older");
}

#[test]
fn a_dependent_does_not_wait_for_the_kernel_that_comes_to_its_predecessors_entry() {
    let mut bench = bench();
    launch(&mut bench, 0, None).unwrap();
    launch(&mut bench, 1, Some(0)).unwrap();
    // Two launches are marked before 1, the second one of them in entry 0.
    let empty = Some(KernelLaunch::default());
    cycle(&mut bench, [None; 2], |inputs, outputs| {
        (inputs.launch, outputs.finished_kernels) = (empty, 1);
    })
    .unwrap();
    bench.free = 0;
    launch(&mut bench, 2, None).unwrap();
    bench.free = 3;
    let mut early = Bench { invariants: bench.invariants.clone(), free: 3 };
    wait(&mut bench);
    for x in 0..2 {
        dispatch(&mut bench, 0, 0, x).unwrap();
    }
    dispatch(&mut bench, 1, 1, 0).unwrap();
    // Who follows the new one waits for it.
    launch(&mut bench, 1, Some(0)).unwrap();
    let message = |entry, left| {
        format!("entry {entry} dispatches while it waits for entry 0, of which {left} blocks have not triggered")
    };
    refused(dispatch(&mut bench, 1, 3, 0), &message(3, 2));
    // In the cycle in which it is marked it has not been yet.
    refused(dispatch(&mut early, 1, 1, 0), &message(1, 0));
}

#[test]
fn a_launch_follows_a_kernel_that_is_there_or_is_released_in_that_cycle() {
    refused(launch(&mut bench(), 1, Some(5)), "a launch follows entry 5, which is free");
    let mut bench = bench();
    launch(&mut bench, 0, None).unwrap();
    wait(&mut bench);
    let launch = KernelLaunch { follows: Some(KernelEntry(0)), ..Default::default() };
    cycle(&mut bench, [None; 2], |inputs, outputs| {
        (inputs.launch, outputs.finished_kernels) = (Some(launch), 1);
    })
    .unwrap();
}

#[test]
fn triggers_are_of_every_smx_where_they_are_looked_at_and_of_none_elsewhere() {
    refused(bench().cycle(|_, _| {}), "0 triggers for 2 SMXs");
    let mut other = Bench::new();
    let triggers = other.cycle(|inputs, _| inputs.triggered = vec![None; 2]);
    refused(triggers, "triggers for a scheduler that does not look at them");
}
