//! `most-room` over whole runs: the rules of `docs/most-room.md`.

use super::harness::*;
use crate::port::*;
use proptest::prelude::*;

const NAME: &str = "most-room";

/// A kernel of blocks that need that many threads.
fn of_threads(blocks: u32, threads: u32) -> KernelLaunch {
    KernelLaunch { needs: BlockNeeds { threads, ..BlockNeeds::default() }, ..kernel(blocks) }
}

fn placed(record: &Record, kernel: usize) -> Vec<usize> {
    let of = record.issues.iter().filter(|issue| issue.kernel == kernel);
    of.map(|issue| issue.smx).collect()
}

#[test]
fn on_an_empty_gpu_blocks_of_one_kernel_go_where_those_of_rr_go() {
    for smx in SMXS {
        let work = [Work::new(0, kernel(300), &[10_000])];
        assert_eq!(golden(NAME, smx, slots(3), &work), golden("rr", smx, slots(3), &work));
    }
}

#[test]
fn a_second_kernel_fills_what_the_first_one_left() {
    // SMXs 0 and 1 have half of their threads left, SMX 2 all.
    let work =
        [Work::new(0, of_threads(2, 1024), &[900]), Work::new(10, of_threads(9, 256), &[900])];
    let fills = [2, 2, 2, 2, 0, 1, 2, 0, 1];
    assert_eq!(placed(&golden(NAME, 3, LIMITS, &work), 1), fills);
    assert_eq!(placed(&golden("rr", 3, LIMITS, &work), 1), [2, 0, 1, 2, 0, 1, 2, 0, 1]);
}

#[test]
fn room_is_counted_by_the_resource_that_runs_out_first() {
    // SMX 0 has fewer threads free, SMX 1 less shared memory; the blocks need nearly no threads.
    let first = BlockNeeds { threads: 1792, registers: 0, shared_memory: 0 };
    let second = BlockNeeds { threads: 1024, registers: 0, shared_memory: 40_000 };
    let third = BlockNeeds { threads: 32, registers: 0, shared_memory: 4_000 };
    let of = |blocks, needs| KernelLaunch { needs, ..kernel(blocks) };
    let work = [
        Work::new(0, of(1, first), &[900]),
        Work::new(5, of(1, second), &[900]),
        Work::new(10, of(4, third), &[900]),
    ];
    assert_eq!(placed(&golden(NAME, 2, LIMITS, &work), 2), [0, 0, 0, 0]);
}

#[test]
fn of_those_that_a_gate_allows_one_with_most_room_is_served() {
    // Credits bind each SMX to three of the nine blocks; SMX 2 has most room until it has spent its
    // own.
    let work =
        [Work::new(0, of_threads(2, 1024), &[900]), Work::new(10, of_threads(9, 256), &[900])];
    let record = golden("most-room+claso(pa=1,pl=0)", 3, LIMITS, &work);
    assert_eq!(placed(&record, 1), [2, 2, 2, 0, 1, 0, 1, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_block_runs_once_where_most_room_is_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=6, Just(33)],
        kernels in prop::collection::vec(
            (0u64..50, 0u32..30, (0u32..=96, 0u32..=128, 0u32..=96), 1u64..60), 1..8,
        ),
    ) {
        let limits =
            SmxLimits { threads: 128, registers: 256, shared_memory: 128, thread_block_slots: 6 };
        let mut work: Vec<_> = kernels
            .into_iter()
            .map(|(arrive, blocks, (threads, registers, shared_memory), duration)| {
                let needs = BlockNeeds { threads, registers, shared_memory };
                Work::new(arrive, KernelLaunch { needs, ..kernel(blocks) }, &[duration, 7])
            })
            .collect();
        work.sort_by_key(|work| work.arrive);
        // The invariants of the run ask for the most room.
        let record = golden(NAME, smx, limits, &work);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        let skipped = golden_with(NAME, smx, limits, &work, true, None);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }
}
