//! `partitions` over whole runs: the rules of `docs/partitions.md`.

use super::super::{mask, SmxMask};
use super::harness::*;
use super::reset;
use crate::cover::count;
use crate::partitions::cover;
use crate::port::*;
use proptest::prelude::*;

/// A kernel for that partition whose blocks need a slot.
fn of(partition: u8, blocks: u32) -> KernelLaunch {
    KernelLaunch { partition, ..kernel(blocks) }
}

fn masks(smxs: &[&[usize]]) -> Vec<SmxMask> {
    smxs.iter().map(|smxs| mask::of(smxs.iter().copied())).collect()
}

/// Whole runs on `smx` SMXs of a slot each.
fn run(partitions: &[&[usize]], smx: usize, work: &[Work]) -> Record {
    golden_in(&masks(partitions), "partitions", smx, slots(1), work, false)
}

#[test]
fn the_example_of_the_page_goes_cycle_by_cycle() {
    let work = [Work::new(0, of(0, 4), &[100]), Work::new(1, of(1, 4), &[100])];
    let record = run(&[&[0, 1], &[2, 3]], 4, &work);
    let (a, b) = (0, 1);
    let first = [(1, 0, a, 0), (2, 2, b, 0), (3, 1, a, 1), (4, 3, b, 1)];
    let then = [(101, 0, a, 2), (102, 2, b, 2), (103, 1, a, 3), (104, 3, b, 3)];
    assert_eq!(went(&record), [first, then].concat());
    let under_rr: Vec<_> = golden("rr", 4, slots(1), &work).issues[..4].to_vec();
    assert!(under_rr.iter().all(|issue| issue.kernel == a), "{under_rr:?}");
}

#[test]
fn without_another_partitions_kernel_a_block_goes_in_every_cycle() {
    let record = run(&[&[0], &[1, 2, 3]], 4, &[Work::new(0, of(1, 3), &[50])]);
    assert_eq!(went(&record), [(1, 1, 0, 0), (2, 2, 0, 1), (3, 3, 0, 2)]);
}

#[test]
fn a_kernel_waits_for_older_ones_of_its_partition_alone() {
    let work = [
        Work::new(0, of(0, 2), &[100]),
        Work::new(0, of(0, 1), &[10]),
        Work::new(0, of(1, 1), &[10]),
    ];
    let record = run(&[&[0], &[1]], 2, &work);
    let order: Vec<_> = record.issues.iter().map(|issue| (issue.kernel, issue.smx)).collect();
    assert_eq!(order, [(0, 0), (2, 1), (0, 0), (1, 0)]);
}

#[test]
fn a_number_beyond_the_last_partition_counts_as_the_last() {
    let work = [0, 1, 2, 7].map(|partition| Work::new(0, of(partition, 1), &[10]));
    let record = run(&[&[0], &[2]], 3, &work);
    let mut smxs: Vec<_> = record.issues.iter().map(|issue| (issue.kernel, issue.smx)).collect();
    smxs.sort_unstable();
    assert_eq!(smxs, [(0, 0), (1, 2), (2, 2), (3, 2)]);
}

#[test]
fn the_turn_passes_on_although_the_head_fits_nowhere_and_the_pointers_stay_apart() {
    // Partition 0 is full from cycle 1 on, and has the turn in every other cycle all the same.
    let work = [Work::new(0, of(0, 2), &[100]), Work::new(0, of(1, 3), &[40])];
    let (record, counts) = count(|| run(&[&[0], &[1, 2, 3]], 4, &work));
    let cycles: Vec<_> = record.issues.iter().map(|i| (i.cycle, i.kernel, i.smx)).collect();
    assert_eq!(cycles, [(1, 0, 0), (2, 1, 1), (4, 1, 2), (6, 1, 3), (101, 0, 0)]);
    assert!(counts[cover::IDLE_TURN.name] > 0 && counts[cover::WRAPS.name] > 0);
    assert!(!counts.contains_key(cover::OVERLAP.name), "{counts:?}");
}

#[test]
fn partitions_may_overlap_and_share_what_room_there_is() {
    let work = [Work::new(0, of(0, 2), &[100]), Work::new(1, of(1, 2), &[100])];
    let (record, counts) = count(|| run(&[&[0, 1], &[1, 2]], 3, &work));
    let first: Vec<_> = record.issues[..3].iter().map(|i| (i.cycle, i.kernel, i.smx)).collect();
    assert_eq!(first, [(1, 0, 0), (2, 1, 1), (4, 1, 2)], "SMX 1 is full when 0 has the turn");
    assert!(counts[cover::OVERLAP.name] > 0);
}

#[test]
fn an_empty_grid_is_a_head_for_one_of_its_turns() {
    let work = [Work::new(0, of(0, 3), &[100]), Work::new(1, of(1, 0), &[1])];
    let record = golden_in(&masks(&[&[0, 1], &[1]]), "partitions", 2, slots(4), &work, false);
    let cycles: Vec<_> = record.issues.iter().map(|issue| issue.cycle).collect();
    assert_eq!(cycles, [1, 3, 4]);
    assert_eq!(record.finished[0], (1, 3));
}

#[test]
fn after_a_reset_in_any_cycle_pointers_and_queues_are_those_of_the_beginning() {
    let setup = Setup { partitions: masks(&[&[0, 1], &[1, 2]]), ..Default::default() };
    let work = [Work::new(0, of(0, 5), &[13]), Work::new(1, of(1, 4), &[9])];
    let reset = Inputs { reset: true, ..Inputs::idle(3) };
    reset::leaves_nothing("partitions", (3, 1), &work, setup, &reset);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_once_in_its_partition_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=9, Just(33), Just(65)], gated in any::<bool>(),
        kernels in prop::collection::vec((0u64..50, 0u8..=7, 0u32..30, 1u32..=128, 1u64..60), 1..9),
    ) {
        let limits = SmxLimits { threads: 128, thread_block_slots: 6, ..LIMITS };
        let mut work: Vec<_> = kernels
            .into_iter()
            .map(|(arrive, partition, blocks, threads, duration)| {
                let needs = BlockNeeds { threads, ..BlockNeeds::default() };
                let launch = KernelLaunch { needs, ..of(partition, blocks) };
                Work::new(arrive, launch, &[duration, 7])
            })
            .collect();
        work.sort_by_key(|work| work.arrive);
        let name = format!("partitions{}", if gated { "+dyncta" } else { "" });
        let plan = FloorPlan::uneven(smx);
        let of = |skip| golden_in(plan.partitions(), &name, smx, limits, &work, skip);
        // The invariants of the run ask for the turn and for the mask.
        let record = of(false);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        let skipped = of(true);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }

    #[test]
    fn one_partition_of_all_smxs_is_rr_cycle_by_cycle(
        kernels in prop::collection::vec((0u64..50, 0u8..=7, 0u32..30, 1u64..60), 1..9),
    ) {
        let of = |(arrive, partition, blocks, duration)| Work::new(arrive, of(partition, blocks), &[duration]);
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        prop_assert_eq!(golden("partitions", 5, slots(3), &work), golden("rr", 5, slots(3), &work));
    }
}
