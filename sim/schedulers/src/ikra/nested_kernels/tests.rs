use super::*;

/// A kernel that is told from others by its number of blocks.
fn kernel(blocks: u32) -> KernelLaunch {
    KernelLaunch {
        entry_pc: 1000 + blocks,
        parameter_address: 2000 + blocks,
        grid: Dim3::new(blocks, 1, 1),
        block: Dim3::new(32, 2, 1),
        blocks,
        needs: BlockNeeds { threads: 64, registers: blocks, shared_memory: 3 },
        ..Default::default()
    }
}

fn host(blocks: u32) -> NestedKernelsInputs {
    NestedKernelsInputs { launch: Some(kernel(blocks)), ..Default::default() }
}

fn child(blocks: u32, home: usize, level: u8) -> NestedKernelsInputs {
    NestedKernelsInputs { home, level, ..host(blocks) }
}

fn ends(entries: &[u8]) -> NestedKernelsInputs {
    let ends = entries.iter().map(|entry| 1 << entry).sum();
    NestedKernelsInputs { ends, ..Default::default() }
}

fn of(cycles: &[NestedKernelsInputs]) -> NestedKernels {
    let mut kernels = NestedKernels::new(4);
    for inputs in cycles {
        kernels.clock(inputs);
    }
    kernels
}

fn state(kernels: &NestedKernels) -> NestedKernelsOutputs {
    kernels.evaluate(&NestedKernelsInputs::default())
}

/// `launch_ready`, and the first kernels of both lines.
fn firsts(kernels: &NestedKernels) -> [Option<u8>; 3] {
    let NestedKernelsOutputs { launch_ready, host, child, .. } = state(kernels);
    [launch_ready, host, child].map(|entry| entry.map(|entry| entry.0))
}

#[test]
fn a_kernel_takes_the_lowest_free_entry_and_is_seen_a_cycle_later() {
    let mut kernels = NestedKernels::new(4);
    assert_eq!(firsts(&kernels), [Some(0), None, None]);
    assert_eq!(kernels.evaluate(&host(5)).host, None, "not in the same cycle");
    kernels.clock(&host(5));
    kernels.clock(&child(6, 3, 2));
    kernels.clock(&host(7));
    assert_eq!(firsts(&kernels), [Some(3), Some(0), Some(1)]);
    let outputs = state(&kernels);
    let first = (outputs.host_grid, outputs.host_blocks, outputs.host_needs);
    assert_eq!(first, (kernel(5).grid, 5, kernel(5).needs));
    let first = (outputs.child_grid, outputs.child_empty, outputs.child_needs);
    assert_eq!(first, (kernel(6).grid, false, kernel(6).needs));
    assert_eq!((outputs.child_home, outputs.child_level), (3, 2));
    // Entry 1 is free again before entry 3.
    kernels.clock(&NestedKernelsInputs { child_pop: true, ..ends(&[1]) });
    assert_eq!(firsts(&kernels), [Some(1), Some(0), None]);
}

#[test]
fn each_line_keeps_the_order_of_arrival_whatever_the_entries() {
    let mut kernels = of(&[child(1, 0, 1), child(2, 1, 1), host(3), host(4)]);
    // The first device kernel leaves its line as it begins, and keeps its entry.
    kernels.clock(&NestedKernelsInputs { child_pop: true, ..Default::default() });
    assert_eq!(firsts(&kernels), [Some(4), Some(2), Some(1)]);
    kernels.clock(&ends(&[0]));
    kernels.clock(&child(9, 2, 1));
    assert_eq!(firsts(&kernels), [Some(4), Some(2), Some(1)], "entry 0 is last in line");
    let both = NestedKernelsInputs { host_pop: true, child_pop: true, ..ends(&[1, 2]) };
    kernels.clock(&both);
    assert_eq!(firsts(&kernels), [Some(1), Some(3), Some(0)], "several ends in one cycle");
}

#[test]
fn an_entry_whose_kernel_ends_is_free_in_the_next_cycle_and_not_before() {
    let mut kernels = NestedKernels::new(4);
    for k in 0..32 {
        kernels.clock(&child(k, 0, 1));
    }
    assert_eq!(firsts(&kernels)[0], None);
    assert_eq!(kernels.clock(&host(99)), Activity::Quiet, "not accepted");
    let both = NestedKernelsInputs { child_pop: true, ends: 1, ..host(99) };
    assert_eq!(kernels.evaluate(&both).launch_ready, None);
    kernels.clock(&both);
    assert_eq!(firsts(&kernels), [Some(0), None, Some(1)], "it was not accepted");
}

#[test]
fn a_device_kernel_without_blocks_is_known_as_such_and_none_is_zero() {
    let outputs = state(&of(&[child(0, 1, 3)]));
    assert!(outputs.child_empty);
    assert_eq!((outputs.child_home, outputs.child_level), (1, 3));
    let launch_ready = Some(KernelEntry(0));
    let nothing = NestedKernelsOutputs { launch_ready, ..Default::default() };
    assert_eq!(state(&NestedKernels::new(4)), nothing);
}

#[test]
fn blocks_in_execution_are_counted_for_each_kernel_over_all_smxs() {
    let mut kernels = of(&[host(5), child(6, 0, 1)]);
    let on = |blocks: &[(usize, u8)]| {
        let mut of = PerSmx::default();
        blocks.iter().for_each(|&(smx, entry)| of[smx] = Some(KernelEntry(entry)));
        of
    };
    let dispatched = on(&[(0, 0), (1, 1), (2, 1), (3, 1)]);
    let dispatch = NestedKernelsInputs { dispatched, ..Default::default() };
    assert_eq!(kernels.evaluate(&dispatch).resident, 0, "state alone");
    kernels.clock(&dispatch);
    assert_eq!(state(&kernels).resident, 0b11);
    let finished = on(&[(0, 0), (1, 1), (2, 1)]);
    let mut freed = PerSmx::<BlockNeeds>::default();
    (freed[0], freed[1], freed[2]) = (kernel(5).needs, kernel(6).needs, kernel(6).needs);
    let finish = NestedKernelsInputs { finished, ..Default::default() };
    assert_eq!(kernels.evaluate(&finish).freed, freed);
    // A block comes as one goes.
    kernels.clock(&NestedKernelsInputs { dispatched: on(&[(0, 0)]), ..finish });
    assert_eq!(state(&kernels).resident, 0b11);
    kernels.clock(&NestedKernelsInputs { finished: on(&[(0, 0)]), ..Default::default() });
    assert_eq!(state(&kernels).resident, 0b10);
    kernels.clock(&NestedKernelsInputs { finished: on(&[(3, 1)]), ..Default::default() });
    assert_eq!(state(&kernels).resident, 0);
}

#[test]
fn a_lookup_is_answered_for_every_entry_in_use_and_for_no_other() {
    let kernels = of(&[host(5), child(6, 0, 1)]);
    let context = |entry| {
        let lookup = Some(KernelEntry(entry));
        let inputs = NestedKernelsInputs { lookup, ..Default::default() };
        kernels.evaluate(&inputs).kernel_context.map(|context| context.parameter_address)
    };
    assert_eq!([0, 1, 2, 31].map(context), [Some(2005), Some(2006), None, None]);
}

#[test]
fn reset_empties_the_table_whatever_else_the_cycle_carries() {
    let mut kernels = of(&[host(5), child(6, 0, 1)]);
    let reset = NestedKernelsInputs { reset: true, ..host(7) };
    assert_eq!(kernels.clock(&reset), Activity::Busy);
    assert_eq!(kernels, NestedKernels::new(4));
    assert_eq!(kernels.clock(&reset), Activity::Quiet);
}
