//! The rules of the kernel table, each at its boundary; every cycle in lockstep.

use super::kernel_table::{kernel, table, Inputs, Outputs};
use crate::harness::Lockstep;
use blockyard_rtl::dispatch::KernelTable;
use blockyard_sim::port::{BlockNeeds, Dim3, KernelEntry, KernelLaunch, MAX_BLOCKS};
use blockyard_sim::sched::PerSmx;

type Table = Lockstep<KernelTable>;

const ONE: Dim3 = Dim3::new(1, 1, 1);

fn idle(marked: u32) -> Inputs {
    Inputs { marked, ..Inputs::default() }
}

fn launch(kernel: KernelLaunch, marked: u32) -> Inputs {
    Inputs { launch: Some(kernel), ..idle(marked) }
}

fn head(entry: u8, marked: u32) -> Inputs {
    Inputs { head: Some(KernelEntry(entry)), ..idle(marked) }
}

fn step(entry: u8, marked: u32) -> Inputs {
    Inputs { step: true, ..head(entry, marked) }
}

fn finish(entry: u8, marked: u32) -> Inputs {
    let mut inputs = idle(marked);
    inputs.finished[0] = Some(KernelEntry(entry));
    inputs
}

fn lookup(entry: u8, marked: u32) -> Inputs {
    Inputs { lookup: Some(KernelEntry(entry)), ..idle(marked) }
}

fn ready(outputs: &Outputs) -> Option<u8> {
    outputs.launch_ready.map(|entry| entry.0)
}

/// A table whose 32 entries all hold a kernel of one block.
fn full() -> Table {
    let mut table = table(2);
    for entry in 0..32u32 {
        let outputs = table.cycle(&launch(kernel(ONE, entry), (1 << entry) - 1));
        assert_eq!(ready(&outputs), Some(entry as u8));
    }
    table
}

/// Steps through the whole of a grid; the blocks in the order in which they come.
fn walk(grid: Dim3) -> Vec<Dim3> {
    let mut table = table(1);
    table.cycle(&launch(kernel(grid, 0), 0));
    let mut blocks = Vec::new();
    loop {
        let outputs = table.cycle(&step(0, 1));
        blocks.push(outputs.head_block);
        if outputs.head_last {
            return blocks;
        }
    }
}

#[test]
fn an_accepted_kernel_is_readable_one_cycle_later_and_not_before() {
    let mut table = table(1);
    let named = kernel(Dim3::new(2, 1, 1), 77);
    let offer = Inputs { lookup: Some(KernelEntry(0)), ..launch(named, 0) };
    assert_eq!(table.cycle(&offer).context, None);
    let outputs = table.cycle(&Inputs { lookup: Some(KernelEntry(0)), ..head(0, 1) });
    let context = outputs.context.expect("the entry is occupied");
    assert_eq!((context.entry_pc, context.block), (named.entry_pc, named.block));
    assert_eq!(context.parameter_address, named.parameter_address);
    assert_eq!((outputs.head_needs, outputs.head_block), (named.needs, Dim3::default()));
    assert_eq!(ready(&outputs), Some(1));
}

#[test]
fn the_thirty_third_kernel_is_not_accepted_and_disturbs_none_of_the_others() {
    let mut table = full();
    assert_eq!(ready(&table.cycle(&launch(kernel(ONE, 99), u32::MAX))), None);
    for entry in 0..32u8 {
        let context = table.cycle(&lookup(entry, u32::MAX)).context.expect("occupied");
        assert_eq!(context.entry_pc, 0x8000_0000 | u32::from(entry));
    }
}

#[test]
fn an_entry_released_at_the_end_of_a_cycle_is_free_in_the_next_one() {
    let mut table = full();
    let rest = u32::MAX ^ 1 << 20;
    table.cycle(&step(20, u32::MAX));
    assert_eq!(table.cycle(&finish(20, rest)).finished_kernels, 0);
    // In the cycle of its bit it can still be read, and a kernel on offer waits.
    let outputs =
        table.cycle(&Inputs { lookup: Some(KernelEntry(20)), ..launch(kernel(ONE, 99), rest) });
    assert_eq!((outputs.finished_kernels, ready(&outputs)), (1 << 20, None));
    assert!(outputs.context.is_some());
    let outputs =
        table.cycle(&Inputs { lookup: Some(KernelEntry(20)), ..launch(kernel(ONE, 99), rest) });
    assert_eq!((outputs.finished_kernels, ready(&outputs)), (0, Some(20)));
    assert_eq!(outputs.context, None);
    let context = table.cycle(&lookup(20, u32::MAX)).context.expect("used again");
    assert_eq!(context.entry_pc, 0x8000_0000 | 99);
}

#[test]
fn a_kernel_can_enter_one_entry_in_the_cycle_that_releases_another() {
    let mut table = table(1);
    table.cycle(&launch(kernel(ONE, 5), 0));
    table.cycle(&step(0, 1));
    table.cycle(&finish(0, 0));
    let outputs = table.cycle(&launch(kernel(ONE, 6), 0));
    assert_eq!((outputs.finished_kernels, ready(&outputs)), (1, Some(1)));
    let outputs = table.cycle(&head(1, 2));
    assert_eq!((outputs.finished_kernels, ready(&outputs)), (0, Some(0)));
    assert_eq!(outputs.head_needs, kernel(ONE, 6).needs);
}

#[test]
fn a_reused_entry_starts_from_block_zero() {
    let mut table = table(1);
    for name in 0..3 {
        table.cycle(&launch(kernel(Dim3::new(2, 1, 1), name), 0));
        for x in 0..2 {
            let outputs = table.cycle(&step(0, 1));
            assert_eq!((outputs.head_block, outputs.head_last), (Dim3::new(x, 0, 0), x == 1));
        }
        table.cycle(&finish(0, 0));
        assert_eq!(table.cycle(&finish(0, 0)).finished_kernels, 0);
        assert_eq!(table.cycle(&idle(0)).finished_kernels, 1);
    }
}

#[test]
fn launch_step_and_finish_in_one_cycle_all_count() {
    let mut table = table(2);
    table.cycle(&launch(kernel(Dim3::new(3, 1, 1), 0), 0));
    table.cycle(&step(0, 1));
    let mut all = step(0, 1);
    all.launch = Some(kernel(ONE, 1));
    all.finished[1] = Some(KernelEntry(0));
    let outputs = table.cycle(&all);
    assert_eq!((outputs.head_block.x, ready(&outputs)), (1, Some(1)));
    assert_eq!(outputs.freed[1], kernel(ONE, 0).needs);
    assert_eq!(outputs.freed[0], BlockNeeds::default());
    // One block of the three runs, one is left; the other kernel has come.
    let outputs = table.cycle(&head(0, 0b11));
    assert_eq!((outputs.head_block.x, outputs.head_last), (2, true));
    table.cycle(&step(0, 0b11));
    table.cycle(&finish(0, 0b10));
    assert_eq!(table.cycle(&finish(0, 0b10)).finished_kernels, 0, "one block still ran");
    assert_eq!(table.cycle(&idle(0b10)).finished_kernels, 1);
}

#[test]
fn a_finish_and_the_last_step_in_one_cycle_leave_one_block_in_execution() {
    let mut table = table(1);
    table.cycle(&launch(kernel(Dim3::new(2, 1, 1), 0), 0));
    table.cycle(&step(0, 1));
    let mut both = step(0, 1);
    both.finished[0] = Some(KernelEntry(0));
    assert!(table.cycle(&both).head_last);
    assert_eq!(table.cycle(&finish(0, 0)).finished_kernels, 0);
    assert_eq!(table.cycle(&idle(0)).finished_kernels, 1);
    assert_eq!(table.cycle(&idle(0)).finished_kernels, 0, "the bit is one cycle long");
}

#[test]
fn completions_of_all_smxs_of_one_kernel_in_one_cycle_are_all_taken() {
    for smxs in [32, 33, 65, 132] {
        let mut table = table(smxs);
        // As many blocks as SMXs with 63 slots hold.
        let blocks = 63 * smxs as u32;
        table.cycle(&launch(kernel(Dim3::new(blocks, 1, 1), 3), 0));
        for _ in 0..blocks {
            table.cycle(&step(0, 1));
        }
        let mut all = idle(0);
        all.finished = vec![Some(KernelEntry(0)); smxs].into_iter().collect();
        let freed: PerSmx<_> = vec![kernel(ONE, 3).needs; smxs].into_iter().collect();
        for _ in 0..62 {
            let outputs = table.cycle(&all);
            assert_eq!((outputs.finished_kernels, &outputs.freed), (0, &freed));
        }
        all.finished[smxs - 1] = None;
        assert_eq!(table.cycle(&all).freed[smxs - 1], BlockNeeds::default());
        let last = table.cycle(&finish(0, 0));
        assert_eq!(last.finished_kernels, 0, "all but one of {blocks} have ended");
        assert_eq!(table.cycle(&idle(0)).finished_kernels, 1);
    }
}

#[test]
fn completions_of_32_kernels_in_one_cycle_end_them_all_together() {
    let mut table = table(32);
    let mut marked = 0;
    for entry in 0..32 {
        table.cycle(&launch(kernel(ONE, 50 + entry), marked));
        marked |= 1 << entry;
    }
    for entry in 0..32 {
        table.cycle(&step(entry, marked));
        marked ^= 1 << entry;
    }
    let mut all = idle(0);
    let mut expected = PerSmx::default();
    for smx in 0..32 {
        all.finished[smx] = Some(KernelEntry(31 - smx as u8));
        expected[smx] = kernel(ONE, 50 + 31 - smx as u32).needs;
    }
    assert_eq!(table.cycle(&all).freed, expected);
    assert_eq!(table.cycle(&idle(0)).finished_kernels, u32::MAX);
    let outputs = table.cycle(&idle(0));
    assert_eq!((outputs.finished_kernels, ready(&outputs)), (0, Some(0)));
}

#[test]
fn blocks_come_with_x_fastest_then_y_then_z() {
    let grids = [
        ONE,
        Dim3::new(1, 9, 1),
        Dim3::new(9, 1, 1),
        Dim3::new(1, 1, 9),
        Dim3::new(3, 4, 5),
        Dim3::new(2, 1, 3),
        Dim3::new(1, 2, 3),
        Dim3::new(3, 2, 1),
    ];
    for grid in grids {
        let mut expected = Vec::new();
        for z in 0..grid.z {
            for y in 0..grid.y {
                expected.extend((0..grid.x).map(|x| Dim3::new(x, y, z)));
            }
        }
        assert_eq!(walk(grid), expected, "{grid}");
    }
}

#[test]
fn y_and_z_count_to_the_end_of_their_16_bits_and_x_beyond_them() {
    for (grid, last) in [
        (Dim3::new(1, 65_535, 1), Dim3::new(0, 65_534, 0)),
        (Dim3::new(1, 1, 65_535), Dim3::new(0, 0, 65_534)),
        (Dim3::new(65_538, 1, 1), Dim3::new(65_537, 0, 0)),
    ] {
        let blocks = walk(grid);
        assert_eq!((blocks.len() as u128, blocks[blocks.len() - 1]), (grid.volume(), last));
    }
}

#[test]
fn the_first_blocks_of_the_largest_grids_are_not_the_last_ones() {
    for grid in
        [Dim3::new(MAX_BLOCKS, 1, 1), Dim3::new(32_767, 65_535, 1), Dim3::new(1, 32_767, 65_535)]
    {
        assert!(grid.volume() <= MAX_BLOCKS.into());
        let mut table = table(1);
        table.cycle(&launch(kernel(grid, 0), 0));
        for id in 0..3 {
            let outputs = table.cycle(&step(0, 1));
            assert_eq!(outputs.head_block.linear(grid), id);
            assert!(!outputs.head_last && !outputs.head_empty);
        }
    }
}

#[test]
fn a_grid_with_a_dimension_of_zero_is_empty_and_ends_once_it_is_unmarked() {
    for zeros in 1..8u32 {
        let side = |bit: u32, length| if zeros >> bit & 1 == 1 { 0 } else { length };
        let mut table = table(1);
        table.cycle(&launch(kernel(Dim3::new(side(0, 4), side(1, 5), side(2, 6)), 0), 0));
        let outputs = table.cycle(&head(0, 1));
        assert!(outputs.head_empty, "zeros {zeros:b}");
        assert_eq!(outputs.finished_kernels, 0, "it is marked");
        assert_eq!(table.cycle(&idle(0)).finished_kernels, 1);
        assert_eq!(table.cycle(&idle(0)).finished_kernels, 0);
    }
}

#[test]
fn a_lookup_of_a_free_entry_has_no_answer() {
    let mut table = table(1);
    table.cycle(&launch(kernel(ONE, 0), 0));
    for entry in 0..32 {
        assert_eq!(table.cycle(&lookup(entry, 1)).context.is_some(), entry == 0, "{entry}");
    }
}

#[test]
fn reset_frees_all_entries_and_forgets_what_runs() {
    let mut table = full();
    for entry in 0..32 {
        table.cycle(&step(entry, !0 << entry));
    }
    table.cycle(&Inputs { reset: true, ..launch(kernel(ONE, 99), 0) });
    let outputs = table.cycle(&launch(kernel(Dim3::new(2, 1, 1), 7), 0));
    assert_eq!((ready(&outputs), outputs.finished_kernels), (Some(0), 0));
    let outputs = table.cycle(&step(0, 1));
    assert_eq!((outputs.head_block, outputs.head_last), (Dim3::default(), false));
    table.cycle(&step(0, 1));
    table.cycle(&finish(0, 0));
    assert_eq!(table.cycle(&finish(0, 0)).finished_kernels, 0);
    assert_eq!(table.cycle(&idle(0)).finished_kernels, 1, "no count is left from before");
}
