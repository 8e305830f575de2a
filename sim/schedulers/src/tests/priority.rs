//! `priority` over whole runs: the rules of `docs/priority.md`.

use super::super::{build, Composition};
use super::harness::*;
use crate::port::*;
use proptest::prelude::*;

/// A kernel of that priority whose blocks need a slot.
fn urgent(priority: u8, blocks: u32) -> KernelLaunch {
    KernelLaunch { priority, ..kernel(blocks) }
}

/// Cycle, SMX, kernel and block of each dispatch.
fn went(record: &Record) -> Vec<(u64, usize, usize, u64)> {
    let of = |issue: &Issue| (issue.cycle, issue.smx, issue.kernel, issue.block);
    record.issues.iter().map(of).collect()
}

fn kernels(record: &Record) -> Vec<usize> {
    record.issues.iter().map(|issue| issue.kernel).collect()
}

/// The example of the page.
fn example() -> [Work; 2] {
    [Work::new(0, urgent(0, 6), &[100]), Work::new(150, urgent(1, 2), &[100])]
}

#[test]
fn an_urgent_kernel_takes_what_block_ends_leave_and_the_other_goes_on_behind_it() {
    let record = golden("priority", 2, slots(1), &example());
    let (a, b) = (0, 1);
    let first = [(1, 0, a, 0), (2, 1, a, 1), (101, 0, a, 2), (102, 1, a, 3)];
    let then = [(201, 0, b, 0), (202, 1, b, 1), (301, 0, a, 4), (302, 1, a, 5)];
    assert_eq!(went(&record), [first, then].concat());
    assert_eq!(kernels(&golden("rr", 2, slots(1), &example())), [0, 0, 0, 0, 0, 0, 1, 1]);
}

#[test]
fn where_there_is_room_an_urgent_kernel_begins_in_the_cycle_after_its_launch() {
    let work = [Work::new(0, urgent(0, 9), &[100]), Work::new(3, urgent(5, 2), &[100])];
    let record = golden("priority", 2, slots(16), &work);
    assert_eq!(kernels(&record), [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(record.issues[3].cycle, 4);
}

#[test]
fn within_a_priority_kernels_are_first_come_first_served() {
    let work = [3, 1, 3, 1, 3].map(|priority| Work::new(0, urgent(priority, 2), &[20]));
    let record = golden("priority", 1, slots(1), &work);
    assert_eq!(kernels(&record), [0, 0, 2, 2, 4, 4, 1, 1, 3, 3]);
}

#[test]
fn priorities_above_the_highest_level_count_as_it() {
    let work = [0, 1, 7].map(|priority| Work::new(0, urgent(priority, 2), &[20]));
    let order = |name| kernels(&golden(name, 1, slots(1), &work));
    assert_eq!(order("priority(levels=2)"), [0, 1, 1, 2, 2, 0]);
    assert_eq!(order("priority"), [0, 2, 2, 1, 1, 0]);
    let highest = [5, 7].map(|priority| Work::new(0, urgent(priority, 2), &[20]));
    let order = |name| kernels(&golden(name, 1, slots(1), &highest));
    assert_eq!(order("priority"), [0, 0, 1, 1]);
    assert_eq!(order("priority(levels=8)"), [0, 1, 1, 0]);
}

#[test]
fn an_empty_grid_of_an_urgent_kernel_is_the_head_for_one_cycle() {
    let work = [Work::new(0, urgent(0, 4), &[100]), Work::new(1, urgent(5, 0), &[1])];
    let record = golden("priority", 1, slots(4), &work);
    let cycles: Vec<_> = record.issues.iter().map(|issue| issue.cycle).collect();
    assert_eq!(cycles, [1, 3, 4, 5]);
    assert_eq!(record.finished[0], (1, 3));
}

#[test]
fn while_the_urgent_block_fits_nowhere_no_smaller_one_goes() {
    let large = |priority, threads| KernelLaunch {
        needs: BlockNeeds { threads, ..BlockNeeds::default() },
        ..urgent(priority, 2)
    };
    // Two blocks of kernel 0 fill half of an SMX each, those of kernel 1 a whole one.
    let work = [Work::new(0, large(0, 1024), &[100]), Work::new(2, large(1, 2048), &[50])];
    let record = golden("priority", 1, LIMITS, &work);
    assert_eq!(kernels(&record), [0, 0, 1, 1]);
    let work = [work[0].clone(), Work { arrive: 1, ..work[1].clone() }];
    let record = golden("priority", 1, LIMITS, &work);
    let cycles: Vec<_> = record.issues.iter().map(|issue| (issue.cycle, issue.kernel)).collect();
    assert_eq!(cycles, [(1, 0), (101, 1), (151, 1), (201, 0)]);
}

#[test]
fn after_a_reset_in_any_cycle_no_kernel_of_before_is_urgent() {
    let composition: Composition = "priority".parse().unwrap();
    let mut scheduler = build(&composition, 2, slots(1));
    let fresh = run(scheduler.as_mut(), slots(1), &example(), 1_000, false);
    for last in [1, 2, 150, 151, 201, 202, 301] {
        run(scheduler.as_mut(), slots(1), &example(), last, false);
        let reset = Inputs { reset: true, ..Inputs::idle(2) };
        scheduler.cycle(&reset, &mut Outputs::default());
        let again = run(scheduler.as_mut(), slots(1), &example(), 1_000, false);
        assert_eq!(again, fresh, "reset after {last} cycles");
        scheduler.cycle(&reset, &mut Outputs::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_once_by_priority_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=6, Just(33)], levels in 2u8..=8, gated in any::<bool>(),
        kernels in prop::collection::vec((0u64..50, 0u8..=7, 0u32..30, 1u32..=128, 1u64..60), 1..9),
    ) {
        let limits = SmxLimits { threads: 128, thread_block_slots: 6, ..LIMITS };
        let mut work: Vec<_> = kernels
            .into_iter()
            .map(|(arrive, priority, blocks, threads, duration)| {
                let needs = BlockNeeds { threads, ..BlockNeeds::default() };
                let launch = KernelLaunch { needs, ..urgent(priority, blocks) };
                Work::new(arrive, launch, &[duration, 7])
            })
            .collect();
        work.sort_by_key(|work| work.arrive);
        let name = format!("priority(levels={levels}){}", if gated { "+claso" } else { "" });
        // The invariants of the run ask for the most urgent kernel.
        let record = golden(&name, smx, limits, &work);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        let skipped = golden_with(&name, smx, limits, &work, true, None);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }

    #[test]
    fn kernels_of_one_priority_are_those_of_rr_cycle_by_cycle(
        kernels in prop::collection::vec((0u64..50, 0u32..30, 1u64..60), 1..9), priority in 0u8..=7,
    ) {
        let of = |(arrive, blocks, duration)| Work::new(arrive, urgent(priority, blocks), &[duration]);
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        prop_assert_eq!(golden("priority", 5, slots(3), &work), golden("rr", 5, slots(3), &work));
    }
}
