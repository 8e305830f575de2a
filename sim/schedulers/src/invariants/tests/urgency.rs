//! Kernels by priority (`docs/priority.md`).

use super::*;
use crate::priority::PriorityConfig;

/// Kernels of two blocks with these priorities in entries 0, 1, ...
fn bench(levels: u8, priorities: &[u8]) -> Bench {
    let rules = PolicyRules {
        issue: IssueRule::OneACycle,
        order: BlockOrder::Increasing,
        priority: Some(PriorityConfig { levels }),
        ..PolicyRules::default()
    };
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    for &priority in priorities {
        launch(&mut bench, priority).unwrap();
        bench.free += 1;
    }
    bench
}

fn launch(bench: &mut Bench, priority: u8) -> Result<(), String> {
    let grid = Dim3::new(2, 1, 1);
    let launch = KernelLaunch { grid, blocks: 2, priority, ..Default::default() };
    bench.cycle(|inputs, _| inputs.launch = Some(launch))
}

fn dispatch(bench: &mut Bench, entry: u8, x: u32) -> Result<(), String> {
    let kernel = KernelEntry(entry);
    bench.cycle(|_, outputs| outputs.dispatch[0] = Some(Dispatch { kernel, ..block(x, 0) }))
}

#[test]
fn a_more_urgent_kernel_is_never_passed_by_and_the_older_goes_first_within_a_level() {
    let with = || bench(6, &[0, 5, 5]);
    refused(dispatch(&mut with(), 0, 0), "entry 0 passes by entry 1, which is more urgent");
    refused(dispatch(&mut with(), 2, 0), "entry 2 dispatches before entry 1, which is older");
    let mut bench = with();
    for (entry, x) in [(1, 0), (1, 1)] {
        dispatch(&mut bench, entry, x).unwrap();
    }
    refused(dispatch(&mut bench, 0, 0), "entry 0 passes by entry 2");
}

#[test]
fn what_is_launched_in_a_cycle_counts_from_the_next_one_on() {
    let mut bench = bench(6, &[0]);
    let grid = Dim3::new(3, 1, 1);
    let launch = KernelLaunch { grid, blocks: 3, priority: 1, ..Default::default() };
    bench
        .cycle(|inputs, outputs| {
            inputs.launch = Some(launch);
            outputs.dispatch[0] = Some(block(0, 0));
        })
        .unwrap();
    bench.free = 2;
    refused(dispatch(&mut bench, 0, 1), "entry 0 passes by entry 1");
}

#[test]
fn levels_above_the_highest_are_of_one_age() {
    dispatch(&mut bench(2, &[1, 7]), 0, 0).unwrap();
    refused(dispatch(&mut bench(2, &[1, 7]), 1, 0), "entry 0, which is older");
    refused(dispatch(&mut bench(8, &[1, 7]), 0, 0), "entry 0 passes by entry 1");
}
