//! Rationale: 1. the state is that of `rr`; what is new is who gets the head's next block, so the
//! hardware alone is held to the page's rules while running blocks of the head and of others
//! ask. 2. N = 1, 3, 13 and 65.

use super::{cycle, LIMITS};
use blockyard::engine::RtlScheduler;
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler};
use std::collections::HashSet;

fn hardware(smxs: usize) -> RtlScheduler {
    let composition = "launch-control".parse().expect("a known scheduler");
    RtlScheduler::build(&composition, smxs, LIMITS).expect("it has hardware")
}

/// What is in an entry, and which of its blocks are given.
type Entry = Option<(Dim3, HashSet<Dim3>)>;

/// Gives a block, which is of the grid and was not given before.
fn give(entries: &mut [Entry], entry: KernelEntry, block: Dim3) {
    let (grid, given) = entries[entry.index()].as_mut().expect("a kernel is there");
    assert!(block.x < grid.x && block.y < grid.y && block.z < grid.z, "{block} of {grid}");
    assert!(given.insert(block), "block {block} is given twice");
}

#[test]
fn each_block_is_dispatched_or_cancelled_once_and_one_of_both_a_cycle() {
    for smxs in [1, 3, 13, 65] {
        let (mut hardware, mut inputs) = (hardware(smxs), Inputs::idle(smxs));
        let mut outputs = Outputs::idle(smxs);
        let seed = smxs as u64;
        let mut traffic = Traffic::new(smxs, LIMITS, Intensity::RESTARTED, seed).cancelling(seed);
        let mut entries: Vec<Entry> = vec![None; 32];
        let (mut cancelled, mut refused, mut beside, mut ended) = (0, 0, 0, 0);
        for _ in 0..12_000 {
            traffic.next(&mut inputs);
            hardware.cycle(&inputs, &mut outputs);
            traffic.observe(&inputs, &outputs);
            if inputs.reset {
                entries.fill(None);
                continue;
            }
            let dispatched = outputs.dispatch.iter().flatten().count();
            match (inputs.cancel, outputs.cancelled) {
                (Some(entry), Some(block)) => {
                    assert_eq!(dispatched, 0, "blocks beside a cancelled one");
                    give(&mut entries, entry, block);
                    cancelled += 1;
                }
                (Some(entry), None) => {
                    let (grid, given) = entries[entry.index()].as_ref().expect("its block runs");
                    assert_eq!(given.len() as u128, grid.volume(), "none is left, says the answer");
                    refused += 1;
                    beside += dispatched;
                }
                (None, answer) => assert_eq!(answer, None, "nobody asked"),
            }
            for dispatch in outputs.dispatch.iter().flatten() {
                give(&mut entries, dispatch.kernel, dispatch.block);
            }
            for entry in (0..32).filter(|entry| outputs.finished_kernels >> entry & 1 == 1) {
                let (grid, given) = entries[entry].take().expect("it was there");
                assert_eq!(given.len() as u128, grid.volume(), "entry {entry}");
                ended += 1;
            }
            if let (Some(launch), Some(entry)) = (inputs.launch, outputs.launch_ready) {
                entries[entry.index()] = Some((launch.grid, HashSet::new()));
            }
        }
        assert!(cancelled > 100 && refused > 20, "{smxs}: {cancelled} cancelled, {refused} not");
        assert!(beside > 5 && ended > 20, "{smxs}: {beside} beside a refusal, {ended} ended");
    }
}

/// A kernel of so many blocks.
fn kernel(blocks: u32) -> KernelLaunch {
    KernelLaunch { grid: Dim3::new(blocks, 1, 1), blocks, ..KernelLaunch::default() }
}

/// The SMXs that receive a block, and which.
fn received(outputs: &Outputs) -> Vec<(usize, u32)> {
    let received = outputs.dispatch.iter().enumerate();
    received.filter_map(|(smx, block)| block.map(|block| (smx, block.block.x))).collect()
}

#[test]
fn a_cancelled_block_takes_no_smx_and_no_turn() {
    let mut hardware = hardware(2);
    cycle(&mut hardware, Some(kernel(4)), None, None);
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), [(0, 0)]);
    let taken = cycle(&mut hardware, None, Some(0), None);
    assert_eq!((taken.cancelled, received(&taken)), (Some(Dim3::new(1, 0, 0)), vec![]));
    assert_eq!(received(&cycle(&mut hardware, None, None, None)), [(1, 2)], "the pointer stayed");
    let last = cycle(&mut hardware, None, Some(0), None);
    assert_eq!(last.cancelled, Some(Dim3::new(3, 0, 0)));
    assert_eq!(cycle(&mut hardware, None, Some(0), Some((0, 0))).cancelled, None, "none is left");
    assert_eq!(cycle(&mut hardware, None, None, Some((1, 0))).finished_kernels, 0);
    assert_eq!(cycle(&mut hardware, None, None, None).finished_kernels, 1, "two blocks ran");
}

#[test]
fn blocks_of_a_kernel_that_is_not_the_head_get_no_answer_and_hold_nobody_up() {
    let mut hardware = hardware(2);
    cycle(&mut hardware, Some(kernel(1)), None, None);
    cycle(&mut hardware, Some(kernel(3)), None, None);
    let beside = cycle(&mut hardware, None, Some(0), None);
    assert_eq!((beside.cancelled, received(&beside)), (None, vec![(1, 0)]), "of entry 1");
    assert_eq!(beside.dispatch[1].expect("a block").kernel, KernelEntry(1));
    assert_eq!(cycle(&mut hardware, None, Some(1), None).cancelled, Some(Dim3::new(1, 0, 0)));
}

#[test]
fn the_last_block_that_is_cancelled_unmarks_the_kernel() {
    let mut hardware = hardware(1);
    cycle(&mut hardware, Some(kernel(2)), None, None);
    cycle(&mut hardware, Some(kernel(1)), None, None);
    assert_eq!(cycle(&mut hardware, None, Some(0), None).cancelled, Some(Dim3::new(1, 0, 0)));
    let next = cycle(&mut hardware, None, None, None);
    assert_eq!(next.dispatch[0].expect("the next kernel's block").kernel, KernelEntry(1));
}
