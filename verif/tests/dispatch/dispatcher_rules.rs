//! The rules of the whole dispatcher, each at its boundary; every cycle in lockstep.

use super::gated::Gated;
use crate::harness::mask;
use blockyard_sim::port::{
    BlockNeeds, Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, SmxLimits, MAX_SMX,
};
use blockyard_sim::sched::SmxMask;

const LIMITS: SmxLimits =
    SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 2 };

/// A gate that lets all through.
fn open() -> SmxMask {
    mask::all(MAX_SMX)
}

/// A kernel whose blocks take that many threads.
fn kernel(grid: Dim3, threads: u32) -> KernelLaunch {
    KernelLaunch {
        grid,
        block: Dim3::new(threads, 1, 1),
        blocks: grid.volume() as u32,
        needs: BlockNeeds { threads, registers: 0, shared_memory: 0 },
        ..KernelLaunch::default()
    }
}

fn line(blocks: u32, threads: u32) -> KernelLaunch {
    kernel(Dim3::new(blocks, 1, 1), threads)
}

fn launch(smxs: usize, kernel: KernelLaunch) -> Inputs {
    Inputs { launch: Some(kernel), ..Inputs::idle(smxs) }
}

/// A cycle in which a block of each of these kernels ends on its SMX.
fn finish(smxs: usize, ends: &[(usize, u8)]) -> Inputs {
    let mut inputs = Inputs::idle(smxs);
    for &(smx, kernel) in ends {
        inputs.finished[smx] = Some(KernelEntry(kernel));
    }
    inputs
}

/// SMX, kernel and x of the block that is dispatched.
fn sent(outputs: &Outputs) -> Option<(usize, u8, u32)> {
    let mut sent = outputs.dispatch.iter().enumerate();
    let found = sent.find_map(|(smx, block)| block.map(|b| (smx, b.kernel.0, b.block.x)));
    assert!(sent.all(|(_, block)| block.is_none()), "one block a cycle");
    found
}

/// An idle cycle with the gate open.
#[track_caller]
fn idle(gated: &mut Gated) -> Outputs {
    gated.cycle(&Inputs::idle(gated.smxs()), open())
}

#[test]
fn the_first_block_goes_one_cycle_after_the_launch() {
    let mut gated = Gated::new(2, LIMITS);
    assert_eq!(sent(&gated.cycle(&launch(2, line(1, 1)), open())), None);
    assert_eq!(sent(&idle(&mut gated)), Some((0, 0, 0)));
    assert_eq!(sent(&idle(&mut gated)), None);
}

#[test]
fn a_slot_is_refilled_in_the_cycle_of_the_finish() {
    let mut gated = Gated::new(1, LIMITS);
    gated.cycle(&launch(1, line(9, 1)), open());
    assert_eq!(sent(&idle(&mut gated)), Some((0, 0, 0)));
    assert_eq!(sent(&idle(&mut gated)), Some((0, 0, 1)));
    assert_eq!(sent(&idle(&mut gated)), None, "both slots are taken");
    for x in 2..9 {
        assert_eq!(sent(&gated.cycle(&finish(1, &[(0, 0)]), open())), Some((0, 0, x)));
    }
}

#[test]
fn a_block_that_exactly_fills_what_a_finish_frees_goes_and_one_thread_more_does_not() {
    for (threads, goes) in [(40, true), (41, false)] {
        let mut gated = Gated::new(1, LIMITS);
        gated.cycle(&launch(1, line(1, 24)), open());
        gated.cycle(&launch(1, line(1, 40)), open());
        gated.cycle(&launch(1, line(1, threads)), open());
        assert_eq!(sent(&idle(&mut gated)), None, "the SMX is full");
        let outputs = gated.cycle(&finish(1, &[(0, 1)]), open());
        assert_eq!(sent(&outputs).is_some(), goes, "{threads} threads beside 24");
    }
}

#[test]
fn the_kernel_ends_one_cycle_after_its_last_finish_and_its_entry_is_free_after_two() {
    let mut gated = Gated::new(2, LIMITS);
    gated.cycle(&launch(2, line(2, 1)), open());
    idle(&mut gated);
    idle(&mut gated);
    let outputs = gated.cycle(&finish(2, &[(0, 0), (1, 0)]), open());
    assert_eq!(outputs.finished_kernels, 0);
    let outputs = idle(&mut gated);
    assert_eq!((outputs.finished_kernels, outputs.launch_ready), (1, Some(KernelEntry(1))));
    let outputs = idle(&mut gated);
    assert_eq!((outputs.finished_kernels, outputs.launch_ready), (0, Some(KernelEntry(0))));
}

#[test]
fn blocks_of_consecutive_kernels_follow_without_a_bubble_and_the_pointer_goes_on() {
    let mut gated = Gated::new(3, LIMITS);
    gated.cycle(&launch(3, line(2, 1)), open());
    assert_eq!(sent(&gated.cycle(&launch(3, line(1, 1)), open())), Some((0, 0, 0)));
    assert_eq!(sent(&gated.cycle(&launch(3, line(2, 1)), open())), Some((1, 0, 1)));
    assert_eq!(sent(&idle(&mut gated)), Some((2, 1, 0)));
    assert_eq!(sent(&idle(&mut gated)), Some((0, 2, 0)));
    assert_eq!(sent(&idle(&mut gated)), Some((1, 2, 1)));
}

#[test]
fn an_empty_grid_costs_one_cycle_as_head_and_ends_in_the_cycle_after_it() {
    let mut gated = Gated::new(2, LIMITS);
    gated.cycle(&launch(2, kernel(Dim3::new(4, 0, 1), 1)), open());
    let outputs = gated.cycle(&launch(2, line(1, 1)), open());
    assert_eq!((sent(&outputs), outputs.finished_kernels), (None, 0));
    let outputs = idle(&mut gated);
    assert_eq!((sent(&outputs), outputs.finished_kernels), (Some((0, 1, 0)), 1));
    assert_eq!(idle(&mut gated).finished_kernels, 0);
}

#[test]
fn a_head_that_fits_nowhere_is_not_overtaken() {
    let mut gated = Gated::new(1, LIMITS);
    gated.cycle(&launch(1, line(1, 40)), open());
    gated.cycle(&launch(1, line(1, 25)), open());
    gated.cycle(&launch(1, line(1, 1)), open());
    for _ in 0..4 {
        assert_eq!(sent(&idle(&mut gated)), None, "25 threads do not fit beside 40, 1 would");
    }
    assert_eq!(sent(&gated.cycle(&finish(1, &[(0, 0)]), open())), Some((0, 1, 0)));
    assert_eq!(sent(&idle(&mut gated)), Some((0, 2, 0)));
}

#[test]
fn a_refused_head_is_not_overtaken_and_the_pointer_stays() {
    let mut gated = Gated::new(4, LIMITS);
    gated.cycle(&launch(4, line(3, 1)), open());
    gated.cycle(&launch(4, line(1, 1)), open());
    for _ in 0..3 {
        assert_eq!(sent(&gated.cycle(&Inputs::idle(4), SmxMask::ZERO)), None);
        assert_eq!(gated.first(), 1);
    }
    // Only SMX 0 is let through, behind the pointer; then all are.
    assert_eq!(sent(&gated.cycle(&Inputs::idle(4), mask::from_bits(0b0001))), Some((0, 0, 1)));
    assert_eq!(sent(&idle(&mut gated)), Some((1, 0, 2)));
    assert_eq!(sent(&idle(&mut gated)), Some((2, 1, 0)));
}

#[test]
fn three_dimensional_blocks_come_in_order_of_their_linear_id() {
    let grid = Dim3::new(3, 4, 5);
    let mut gated = Gated::new(1, LIMITS);
    gated.cycle(&launch(1, kernel(grid, 1)), open());
    let mut inputs = Inputs::idle(1);
    for id in 0..60 {
        let outputs = gated.cycle(&inputs, open());
        let block = outputs.dispatch[0].expect("a block every cycle").block;
        assert_eq!(block.linear(grid), id);
        inputs = finish(1, &[(0, 0)]);
    }
    gated.cycle(&inputs, open());
    assert_eq!(idle(&mut gated).finished_kernels, 1);
}

#[test]
fn the_thirty_third_kernel_waits_until_an_entry_is_free() {
    let mut gated = Gated::new(1, LIMITS);
    for entry in 0..32 {
        // Kernel 0 fills the SMX, so that all others stay.
        let threads = if entry == 0 { 64 } else { 1 };
        let outputs = gated.cycle(&launch(1, line(1, threads)), open());
        assert_eq!(outputs.launch_ready, Some(KernelEntry(entry)));
    }
    let waiting = Inputs { launch: Some(line(1, 7)), ..finish(1, &[(0, 0)]) };
    let outputs = gated.cycle(&waiting, open());
    assert_eq!((outputs.launch_ready, sent(&outputs)), (None, Some((0, 1, 0))));
    let outputs = gated.cycle(&launch(1, line(1, 7)), open());
    assert_eq!((outputs.launch_ready, outputs.finished_kernels), (None, 1));
    let outputs = gated.cycle(&launch(1, line(1, 7)), open());
    assert_eq!(outputs.launch_ready, Some(KernelEntry(0)));
    // It is the youngest, although its entry has the lowest number.
    for kernel in (3..32).chain([0]) {
        let ends = finish(1, &[(0, if kernel == 0 { 30 } else { kernel - 2 })]);
        assert_eq!(sent(&gated.cycle(&ends, open())), Some((0, kernel, 0)));
    }
}

#[test]
fn reset_in_the_middle_forgets_kernels_residents_and_the_pointer() {
    let mut gated = Gated::new(3, LIMITS);
    gated.cycle(&launch(3, line(9, 64)), open());
    idle(&mut gated);
    idle(&mut gated);
    gated.cycle(&Inputs { reset: true, ..launch(3, line(9, 64)) }, open());
    let outputs = gated.cycle(&launch(3, line(3, 64)), open());
    assert_eq!((outputs.launch_ready, sent(&outputs)), (Some(KernelEntry(0)), None));
    for smx in 0..3 {
        assert_eq!(sent(&idle(&mut gated)), Some((smx, 0, smx as u32)));
    }
    assert_eq!(sent(&idle(&mut gated)), None);
}
