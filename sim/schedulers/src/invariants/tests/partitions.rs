//! Kernels on a part of the SMXs (`docs/partitions.md`).

use super::*;
use crate::mask;

/// Kernels of two blocks of these partitions in entries 0, 1, ..., on SMX 0 and on SMX 1.
fn bench(partitions: &[u8]) -> Bench {
    let rules = PolicyRules {
        issue: IssueRule::OneACycle,
        order: BlockOrder::Increasing,
        partitions: true,
        ..PolicyRules::default()
    };
    let plan = FloorPlan::from(2).partitioned(&[mask::of([0]), mask::of([1])]).unwrap();
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules).on(&plan), free: 0 };
    for &partition in partitions {
        let grid = Dim3::new(2, 1, 1);
        let launch = KernelLaunch { grid, blocks: 2, partition, ..Default::default() };
        bench.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        bench.free += 1;
    }
    bench
}

fn dispatch(bench: &mut Bench, smx: usize, entry: u8, x: u32) -> Result<(), String> {
    let kernel = KernelEntry(entry);
    bench.cycle(|_, outputs| outputs.dispatch[smx] = Some(Dispatch { kernel, ..block(x, 0) }))
}

#[test]
fn an_smx_outside_the_partition_is_never_used() {
    let message = "SMX 1 receives a block of a kernel of partition 0, in which it is not";
    refused(dispatch(&mut bench(&[0]), 1, 0, 0), message);
    dispatch(&mut bench(&[0]), 0, 0, 0).unwrap();
    let last = "SMX 0 receives a block of a kernel of partition 1";
    refused(dispatch(&mut bench(&[7]), 0, 0, 0), last);
    dispatch(&mut bench(&[7]), 1, 0, 0).unwrap();
}

#[test]
fn without_a_plan_all_smxs_are_one_partition() {
    let rules = PolicyRules { partitions: true, ..PolicyRules::default() };
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    bench.launch(BlockNeeds::default());
    bench.dispatch(1, 0, 0).unwrap();
}

#[test]
fn a_block_goes_in_the_turn_of_its_partition_alone() {
    // Entry 1 is marked in the cycle after which partition 1 has the turn.
    let message = "entry 0 of partition 0 dispatches in the turn of partition 1";
    refused(dispatch(&mut bench(&[0, 1]), 0, 0, 0), message);
    let mut bench = bench(&[0, 1]);
    for (smx, entry, x) in [(1, 1, 0), (0, 0, 0), (1, 1, 1), (0, 0, 1)] {
        dispatch(&mut bench, smx, entry, x).unwrap();
    }
}

#[test]
fn a_turn_passes_whether_a_block_goes_or_not_but_for_empty_queues() {
    let mut with = bench(&[0, 1]);
    with.cycle(|_, _| {}).unwrap();
    refused(
        dispatch(&mut with, 1, 1, 0),
        "entry 1 of partition 1 dispatches in the turn of partition 0",
    );
    // When partition 1 has nothing left, 0 has every turn.
    let mut with = bench(&[0, 1]);
    for (smx, entry, x) in [(1, 1, 0), (0, 0, 0), (1, 1, 1), (0, 0, 1)] {
        dispatch(&mut with, smx, entry, x).unwrap();
    }
    let mut alone = bench(&[0]);
    dispatch(&mut alone, 0, 0, 0).unwrap();
    dispatch(&mut alone, 0, 0, 1).unwrap();
}

#[test]
fn within_a_partition_the_older_kernel_goes_first_and_one_block_a_cycle() {
    refused(
        dispatch(&mut bench(&[0, 0]), 0, 1, 0),
        "entry 1 dispatches before entry 0, which is older",
    );
    let two = bench(&[0, 1]).cycle(|_, outputs| {
        outputs.dispatch[0] = Some(block(0, 0));
        outputs.dispatch[1] = Some(Dispatch { kernel: KernelEntry(1), ..block(0, 0) });
    });
    refused(two, "2 blocks dispatched in one cycle");
}
