//! `launch-control` over whole runs: the rules of `docs/launch-control.md`.

use super::super::{build, Composition};
use super::harness::*;
use super::reset;
use crate::cover::count;
use crate::launch_control::cover;
use crate::port::*;
use proptest::prelude::*;

/// A kernel whose blocks ask when their work is done; cycles of it beyond `setup` are theirs
/// whoever runs them.
fn asking(arrive: u64, blocks: u32, durations: &[u64], setup: u64) -> Work {
    Work { setup: Some(setup), ..Work::new(arrive, kernel(blocks), durations) }
}

/// Cycle and block of each answer.
fn answered(record: &Record) -> Vec<(u64, Option<u64>)> {
    record.answers.iter().map(|&(cycle, _, _, block)| (cycle, block)).collect()
}

#[test]
fn the_example_of_the_page_goes_cycle_by_cycle() {
    let (record, counts) =
        count(|| golden("launch-control", 1, slots(2), &[asking(0, 5, &[100], 20)]));
    assert_eq!(went(&record), [(1, 0, 0, 0), (2, 0, 0, 1)]);
    let answers = [(101, Some(2)), (102, Some(3)), (181, Some(4)), (182, None), (261, None)];
    assert_eq!(answered(&record), answers);
    assert_eq!(record.ends, [(183, 0, 0), (262, 0, 0)]);
    assert_eq!(record.finished, [(0, 263)]);
    assert_eq!((counts[cover::LAST.name], counts[cover::NO_ROOM.name]), (1, 3));
    assert!(!counts.contains_key(cover::INSTEAD.name), "{counts:?}");
    let rr = golden("rr", 1, slots(2), &[Work::new(0, kernel(5), &[100])]);
    assert_eq!(rr.ends.last(), Some(&(301, 0, 0)));
}

#[test]
fn a_cancel_goes_before_a_dispatch_and_leaves_the_pointer() {
    // In 4 the first block asks while SMXs 3 to 5 are free.
    let work = [asking(0, 6, &[3, 100], 1)];
    let (record, counts) = count(|| golden("launch-control", 6, slots(1), &work));
    let order = [(1, 0, 0, 0), (2, 1, 0, 1), (3, 2, 0, 2), (5, 3, 0, 4), (6, 4, 0, 5)];
    assert_eq!(went(&record), order);
    assert_eq!(record.answers[0], (4, 0, 0, Some(3)));
    assert_eq!(counts[cover::INSTEAD.name], 1);
}

#[test]
fn several_that_ask_are_answered_one_a_cycle() {
    // Three blocks that are done in 11, 11 and 11.
    let work = [asking(0, 5, &[10, 9, 8, 50], 1)];
    let record = golden("launch-control", 3, slots(1), &work);
    let first: Vec<_> = record.answers.iter().map(|a| (a.0, a.1, a.3)).take(3).collect();
    assert_eq!(first, [(11, 0, Some(3)), (12, 1, Some(4)), (13, 2, None)]);
    assert_eq!(record.ends[0], (14, 2, 0));
}

#[test]
fn the_next_kernel_is_the_head_after_the_last_cancel_and_goes_beside_an_answer_of_none() {
    let work = [asking(0, 3, &[10], 2), Work::new(0, kernel(1), &[10])];
    let (record, counts) = count(|| golden("launch-control", 1, slots(2), &work));
    // Block 2 is cancelled in 11; block 1 is told in 12 that there is no other, and ends in 13.
    assert_eq!(answered(&record)[..2], [(11, Some(2)), (12, None)]);
    assert_eq!(went(&record)[2], (13, 0, 1, 0));
    assert!(!counts.contains_key(cover::BESIDE.name));
    let roomy = golden(
        "launch-control",
        1,
        slots(3),
        &[asking(0, 3, &[10, 20], 2), Work::new(0, kernel(1), &[10])],
    );
    assert_eq!(went(&roomy).len(), 4, "with room for all nothing is cancelled");
}

#[test]
fn blocks_that_do_not_ask_run_as_under_rr() {
    let work = [Work::new(0, kernel(7), &[10, 30, 20]), Work::new(5, kernel(3), &[12])];
    assert_eq!(golden("launch-control", 2, slots(2), &work), golden("rr", 2, slots(2), &work));
}

#[test]
fn credits_suffice_for_what_is_left_whoever_takes_the_rest() {
    // Three for each SMX.
    let work = [asking(0, 12, &[3, 60], 1)];
    let record = golden("launch-control+claso", 4, slots(2), &work);
    assert_eq!(record.finished.len(), 1);
    let cancelled = record.answers.iter().filter(|answer| answer.3.is_some()).count();
    assert_eq!((record.issues.len() + cancelled, cancelled > 0), (12, true));
}

#[test]
fn a_block_may_ask_in_the_cycle_in_which_it_ends() {
    let composition: Composition = "launch-control".parse().unwrap();
    let mut scheduler = build(&composition, 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let launch = Inputs { launch: Some(kernel(2)), ..Inputs::idle(1) };
    let (idle, entry) = (Inputs::idle(1), Some(KernelEntry(0)));
    scheduler.cycle(&launch, &mut outputs);
    scheduler.cycle(&idle, &mut outputs);
    assert!(outputs.dispatch[0].is_some());
    let both = Inputs { cancel: entry, finished: vec![entry], ..Inputs::idle(1) };
    let (_, counts) = count(|| scheduler.cycle(&both, &mut outputs));
    assert_eq!((outputs.cancelled, &outputs.dispatch), (Some(Dim3::new(1, 0, 0)), &vec![None]));
    assert_eq!((counts[cover::ENDING.name], counts[cover::INSTEAD.name]), (1, 1));
    scheduler.cycle(&idle, &mut outputs);
    assert_eq!((outputs.finished_kernels, outputs.cancelled), (1, None));
}

#[test]
fn an_empty_grid_as_the_head_has_nothing_to_cancel() {
    let work =
        [asking(0, 1, &[2], 0), Work::new(0, kernel(0), &[1]), Work::new(0, kernel(1), &[9])];
    let record = golden("launch-control", 1, slots(1), &work);
    assert_eq!(answered(&record), [(3, None)]);
    assert_eq!(went(&record)[1], (4, 0, 2, 0));
}

#[test]
fn after_a_reset_in_any_cycle_nothing_of_a_grid_is_left_to_cancel() {
    let work = [asking(0, 7, &[13, 9], 3), asking(2, 3, &[8], 0)];
    let reset = Inputs { reset: true, cancel: Some(KernelEntry(0)), ..Inputs::idle(2) };
    reset::leaves_nothing("launch-control", (2, 2), &work, Setup::default(), &reset);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_once_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=9, Just(33)], gate in 0usize..3,
        kernels in prop::collection::vec((0u64..50, 0u32..30, 1u32..=64, 1u64..60, 0u64..70), 1..9),
    ) {
        let limits = SmxLimits { threads: 128, thread_block_slots: 6, ..LIMITS };
        let of = |(arrive, blocks, threads, duration, setup)| {
            let needs = BlockNeeds { threads, ..BlockNeeds::default() };
            let launch = KernelLaunch { needs, ..kernel(blocks) };
            // A third of them do not ask.
            let setup = (setup < 47).then_some(setup);
            Work { setup, ..Work::new(arrive, launch, &[duration, 7]) }
        };
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        let name = format!("launch-control{}", ["", "+claso", "+dyncta"][gate]);
        let run = |skip| golden_with(&name, smx, limits, &work, skip, None);
        // The invariants of the run ask for the rest.
        let record = run(false);
        prop_assert_eq!(record.finished.len(), work.len());
        let mut ran = vec![0; work.len()];
        record.issues.iter().for_each(|issue| ran[issue.kernel] += 1);
        record.answers.iter().for_each(|answer| ran[answer.2] += u32::from(answer.3.is_some()));
        let blocks: Vec<_> = work.iter().map(|work| work.launch.blocks).collect();
        prop_assert_eq!(ran, blocks);
        let skipped = run(true);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }
}
