use super::*;

const NEEDS: BlockNeeds = BlockNeeds { threads: 64, registers: 1024, shared_memory: 256 };

fn launch(grid: Dim3) -> KernelLaunch {
    KernelLaunch {
        entry_pc: 0x100,
        parameter_address: 0x200,
        grid,
        block: Dim3::new(64, 1, 1),
        blocks: grid.volume() as u32,
        needs: NEEDS,
        ..Default::default()
    }
}

fn idle() -> KernelTableInputs {
    KernelTableInputs::default()
}

/// A table whose entry 0 holds a kernel of `grid`.
fn table_with(grid: Dim3) -> KernelTable {
    let mut table = KernelTable::new();
    table.clock(&KernelTableInputs { launch: Some(launch(grid)), ..idle() });
    table
}

/// Inputs in which entry 0 is marked and the head.
fn head() -> KernelTableInputs {
    KernelTableInputs { head: Some(KernelEntry(0)), marked: 1, ..idle() }
}

fn finished_on(smxs: &[usize]) -> PerSmx<Option<KernelEntry>> {
    let mut finished = PerSmx::default();
    for &smx in smxs {
        finished[smx] = Some(KernelEntry(0));
    }
    finished
}

#[test]
fn a_launch_is_readable_one_cycle_later() {
    let mut table = KernelTable::new();
    let inputs = KernelTableInputs {
        launch: Some(launch(Dim3::new(3, 1, 1))),
        lookup: Some(KernelEntry(0)),
        ..idle()
    };
    assert_eq!(table.evaluate(&inputs).context, None);
    assert_eq!(table.clock(&inputs), Activity::Busy);
    let context = table.evaluate(&inputs).context.unwrap();
    assert_eq!((context.entry_pc, context.parameter_address), (0x100, 0x200));
    assert_eq!(context.block, Dim3::new(64, 1, 1));
}

#[test]
fn entries_are_taken_lowest_first_and_the_thirty_third_launch_is_refused() {
    let mut table = KernelTable::new();
    let inputs =
        KernelTableInputs { launch: Some(launch(Dim3::new(1, 1, 1))), marked: !0, ..idle() };
    for k in 0..KERNEL_ENTRIES as u8 {
        assert_eq!(table.evaluate(&inputs).launch_ready, Some(KernelEntry(k)));
        assert_eq!(table.clock(&inputs), Activity::Busy);
    }
    assert_eq!(table.evaluate(&inputs).launch_ready, None);
    assert_eq!(table.clock(&inputs), Activity::Quiet);
}

#[test]
fn a_released_entry_is_free_one_cycle_later_and_is_the_lowest_one() {
    let mut table = KernelTable::new();
    let inputs =
        KernelTableInputs { launch: Some(launch(Dim3::new(1, 1, 1))), marked: !0, ..idle() };
    for _ in 0..KERNEL_ENTRIES {
        table.clock(&inputs);
    }
    let inputs = KernelTableInputs { marked: !(1 << 7), ..inputs };
    let outputs = table.evaluate(&inputs);
    assert_eq!((outputs.finished_kernels, outputs.launch_ready), (1 << 7, None));
    table.clock(&inputs);
    let outputs = table.evaluate(&inputs);
    assert_eq!((outputs.finished_kernels, outputs.launch_ready), (0, Some(KernelEntry(7))));
}

#[test]
fn the_next_block_advances_only_with_step() {
    let mut table = table_with(Dim3::new(2, 1, 2));
    assert_eq!(table.clock(&head()), Activity::Quiet);
    let expected = [(0, 0, false), (1, 0, false), (0, 1, false), (1, 1, true)];
    for (x, z, last) in expected {
        let outputs = table.evaluate(&head());
        assert_eq!((outputs.head_block, outputs.head_last), (Dim3::new(x, 0, z), last));
        assert_eq!(outputs.head_needs, NEEDS);
        assert_eq!(table.clock(&KernelTableInputs { step: true, ..head() }), Activity::Busy);
    }
    assert_eq!(table.entry(KernelEntry(0)).unwrap().executing, 4);
}

#[test]
fn completions_of_several_smxs_and_a_step_count_in_one_cycle() {
    let mut table = table_with(Dim3::new(9, 1, 1));
    for _ in 0..4 {
        table.clock(&KernelTableInputs { step: true, ..head() });
    }
    let finished = finished_on(&[0, 3, 143]);
    table.clock(&KernelTableInputs { step: true, finished, ..head() });
    assert_eq!(table.entry(KernelEntry(0)).unwrap().executing, 2);
}

#[test]
fn a_completion_frees_the_needs_of_its_kernel_on_its_smx_alone() {
    let table = table_with(Dim3::new(9, 1, 1));
    for smx in [0, 4, 31, 32, 63, 64, 128, 143] {
        let finished = finished_on(&[smx]);
        let mut freed = PerSmx::default();
        freed[smx] = NEEDS;
        assert_eq!(table.evaluate(&KernelTableInputs { finished, ..head() }).freed, freed);
    }
}

#[test]
fn a_kernel_is_finished_when_unmarked_and_without_a_block_in_execution() {
    let mut table = table_with(Dim3::new(1, 1, 1));
    assert_eq!(table.evaluate(&head()).finished_kernels, 0, "marked");
    table.clock(&KernelTableInputs { step: true, ..head() });
    assert_eq!(table.evaluate(&idle()).finished_kernels, 0, "a block in execution");
    let inputs = KernelTableInputs { finished: finished_on(&[0]), ..idle() };
    assert_eq!(table.evaluate(&inputs).finished_kernels, 0, "depends on the state alone");
    table.clock(&inputs);
    assert_eq!(table.evaluate(&idle()).finished_kernels, 1);
    assert_eq!(table.clock(&idle()), Activity::Busy);
    assert_eq!(table.evaluate(&idle()).finished_kernels, 0, "released");
}

#[test]
fn an_empty_grid_is_reported_as_such() {
    assert!(table_with(Dim3::new(4, 0, 1)).evaluate(&head()).head_empty);
    assert!(!table_with(Dim3::new(4, 1, 1)).evaluate(&head()).head_empty);
}

#[test]
fn reset_frees_every_entry_whatever_else_the_cycle_carries() {
    let mut table = table_with(Dim3::new(4, 1, 1));
    let inputs =
        KernelTableInputs { reset: true, launch: Some(launch(Dim3::new(1, 1, 1))), ..idle() };
    assert_eq!(table.clock(&inputs), Activity::Busy);
    assert_eq!(table, KernelTable::new());
    assert_eq!(table.clock(&inputs), Activity::Quiet);
}
