//! `dependent` over whole runs: the rules of `docs/dependent.md`.

use super::harness::*;
use super::reset;
use crate::cover::count;
use crate::dependent::cover;
use crate::port::*;
use proptest::prelude::*;

/// A kernel whose blocks trigger that long after their dispatch.
fn triggering(arrive: u64, blocks: u32, duration: u64, trigger: u64) -> Work {
    Work { trigger: Some(trigger), ..Work::new(arrive, kernel(blocks), &[duration]) }
}

/// The same work as a dependent of work `of`.
fn following(of: usize, work: Work) -> Work {
    Work { follows: Some(of), ..work }
}

/// Cycle, kernel and block of each dispatch.
fn went(record: &Record) -> Vec<(u64, usize, u64)> {
    record.issues.iter().map(|issue| (issue.cycle, issue.kernel, issue.block)).collect()
}

#[test]
fn the_example_of_the_page_begins_two_cycles_after_the_last_trigger() {
    // The wait for the predecessor's end is the SMX's: what it makes of a duration of 50 is stated
    // here.
    let second = Work::new(0, kernel(1), &[133 - 64]);
    let work = [triggering(0, 2, 100, 60), following(0, second)];
    let record = golden("dependent", 1, slots(3), &work);
    assert_eq!(went(&record), [(1, 0, 0), (2, 0, 1), (64, 1, 0)]);
    assert_eq!(record.finished, [(0, 103), (1, 134)]);
    assert_eq!(record.accepted, [0, 1]);
    // Under rr nothing follows.
    assert_eq!(went(&golden("rr", 1, slots(3), &work))[2], (3, 1, 0));
}

#[test]
fn where_nothing_is_pending_the_first_block_goes_two_cycles_after_the_acceptance() {
    // Both blocks have triggered in 6 and 7; the launch is accepted in 20.
    let work = [triggering(0, 2, 100, 5), following(0, Work::new(20, kernel(1), &[10]))];
    let record = golden("dependent", 1, slots(3), &work);
    assert_eq!((record.accepted[1], went(&record)[2]), (20, (22, 1, 0)));
}

#[test]
fn a_predecessor_without_blocks_has_none_pending() {
    let work = [Work::new(0, kernel(0), &[1]), following(0, Work::new(0, kernel(1), &[10]))];
    let (record, counts) = count(|| golden("dependent", 1, slots(3), &work));
    assert_eq!((record.accepted, record.issues[0].cycle), (vec![0, 1], 3));
    assert_eq!(counts[cover::EMPTY.name], 1);
}

#[test]
fn a_predecessor_may_be_released_in_the_cycle_in_which_its_follower_is_accepted() {
    // Its block runs from 1 to 11, and its bit is high in 12.
    let work = [Work::new(0, kernel(1), &[10]), following(0, Work::new(12, kernel(1), &[10]))];
    let (record, counts) = count(|| golden("dependent", 1, slots(3), &work));
    assert_eq!(record.finished[0], (0, 12));
    assert_eq!(went(&record), [(1, 0, 0), (14, 1, 0)]);
    assert_eq!(counts[cover::RELEASED.name], 1);
}

#[test]
fn a_chain_of_followers_overlaps_kernel_by_kernel() {
    let chain = [0, 1].map(|of| following(of, triggering(0, 1, 100, 10)));
    let work = [vec![triggering(0, 1, 100, 10)], chain.into()].concat();
    let (record, counts) = count(|| golden("dependent", 1, slots(3), &work));
    // Triggers in 11 and 24; marked one cycle later, first block another one later.
    assert_eq!(went(&record), [(1, 0, 0), (13, 1, 0), (25, 2, 0)]);
    assert_eq!(counts[cover::CHAIN.name], 1);
}

#[test]
fn a_launch_without_predecessor_is_marked_before_one_that_waits() {
    // Both that wait may be marked from 12 on; in 12 another one is accepted.
    let wait = following(0, Work::new(0, kernel(1), &[5]));
    let other = Work::new(12, kernel(1), &[5]);
    let work = [triggering(0, 1, 100, 10), wait.clone(), wait, other];
    let (record, counts) = count(|| golden("dependent", 1, slots(9), &work));
    assert_eq!(went(&record), [(1, 0, 0), (13, 3, 0), (14, 1, 0), (15, 2, 0)]);
    assert_eq!((counts[cover::DIRECT.name], counts[cover::TOGETHER.name]), (1, 2));
}

#[test]
fn an_empty_grid_that_waits_finishes_after_it_was_marked() {
    let work = [triggering(0, 1, 100, 50), following(0, Work::new(0, kernel(0), &[1]))];
    let record = golden("dependent", 1, slots(3), &work);
    // The trigger is in 51, the mark in 52; the head is seen to be empty in 53.
    assert_eq!(record.finished, [(1, 54), (0, 102)]);
}

#[test]
fn ends_count_as_triggers_also_where_several_blocks_end_together() {
    let work = [Work::new(0, kernel(6), &[20]), following(0, Work::new(0, kernel(1), &[5]))];
    let record = golden("dependent", 2, slots(3), &work);
    // The last of six blocks goes in 6 and ends in 26.
    assert_eq!(went(&record)[6], (28, 1, 0));
}

#[test]
fn after_a_reset_in_any_cycle_nobody_waits() {
    let wait = following(0, triggering(0, 2, 13, 4));
    let work = [triggering(0, 5, 13, 4), wait.clone(), following(1, wait)];
    let reset = Inputs { reset: true, triggered: vec![None; 2], ..Inputs::idle(2) };
    reset::leaves_nothing("dependent", (2, 2), &work, Setup::default(), &reset);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_once_after_its_predecessors_triggers_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=6, Just(33)], gate in prop_oneof![Just(""), Just("+claso"), Just("+dyncta")],
        kernels in prop::collection::vec(
            (0u64..50, prop::option::of(0usize..9), 0u32..30, 1u64..60, prop::option::of(1u64..70)), 1..9,
        ),
    ) {
        let mut arrive: Vec<_> = kernels.iter().map(|kernel| kernel.0).collect();
        arrive.sort_unstable();
        let work: Vec<_> = kernels
            .into_iter()
            .enumerate()
            .map(|(at, (_, follows, blocks, duration, trigger))| {
                let follows = follows.filter(|&of| of < at);
                Work { trigger, follows, ..Work::new(arrive[at], kernel(blocks), &[duration, 7]) }
            })
            .collect();
        let name = format!("dependent{gate}");
        // The invariants of the run ask for the triggers and for the order of marks.
        let record = golden(&name, smx, slots(4), &work);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        let skipped = golden_with(&name, smx, slots(4), &work, true, None);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }

    #[test]
    fn kernels_that_follow_none_are_those_of_rr_cycle_by_cycle(
        kernels in prop::collection::vec((0u64..50, 0u32..30, 1u64..60, 1u64..70), 1..9),
    ) {
        let of = |(arrive, blocks, duration, trigger)| triggering(arrive, blocks, duration, trigger);
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        let dependent = golden("dependent", 5, slots(3), &work);
        prop_assert_eq!(dependent, golden("rr", 5, slots(3), &work));
    }
}
