//! `domains` over whole runs: the rules of `docs/domains.md`.

use super::harness::*;
use super::reset;
use crate::cover::count;
use crate::domains::cover;
use crate::port::*;
use proptest::prelude::*;

/// Runs on SMXs of a slot each, in domains of these sizes.
fn run(domains: &[usize], name: &str, work: &[Work]) -> Record {
    golden_domains(domains, name, slots(1), work, false)
}

const CONTIGUOUS: &str = "domains(policy=contiguous)";

#[test]
fn the_interleaved_example_of_the_page_goes_cycle_by_cycle() {
    let record = run(&[2, 2], "domains", &[Work::new(0, kernel(8), &[100])]);
    let first = [(1, 0, 0, 0), (2, 2, 0, 1), (3, 1, 0, 2), (4, 3, 0, 3)];
    assert_eq!(went(&record)[..4], first);
    assert_eq!(went(&record).len(), 8);
}

#[test]
fn the_contiguous_example_of_the_page_goes_cycle_by_cycle() {
    let record = run(&[2, 2], CONTIGUOUS, &[Work::new(0, kernel(8), &[100])]);
    let expected = [
        (65, 0, 0, 0),
        (65, 2, 0, 4),
        (66, 1, 0, 1),
        (66, 3, 0, 5),
        (165, 0, 0, 2),
        (165, 2, 0, 6),
        (166, 1, 0, 3),
        (166, 3, 0, 7),
    ];
    assert_eq!(went(&record), expected);
    assert_eq!(record.finished, [(0, 267)]);
}

#[test]
fn chunks_are_dealt_out_in_turn_and_the_walk_passes_those_of_others() {
    let name = "domains(chunk=2)";
    let record = run(&[3, 3], name, &[Work::new(0, kernel(7), &[100])]);
    let first = [(1, 0, 0, 0), (2, 1, 0, 1), (3, 3, 0, 2), (4, 4, 0, 3), (5, 2, 0, 4)];
    // Block 5 is domain 0's, which is full; domain 1 passes it.
    assert_eq!(went(&record), [&first[..], &[(7, 5, 0, 6), (101, 0, 0, 5)]].concat());
}

#[test]
fn first_dispatches_are_as_late_as_the_page_says() {
    for chunk in [1, 3] {
        let name = format!("domains(chunk={chunk})");
        let record = run(&[2; 4], &name, &[Work::new(0, kernel(40), &[500])]);
        for domain in 0..4 {
            let first = record.issues.iter().find(|issue| issue.smx / 2 == domain).unwrap();
            assert_eq!(first.cycle, 1 + domain as u64 * chunk, "domain {domain}, chunk {chunk}");
        }
    }
    let record = run(&[2; 4], CONTIGUOUS, &[Work::new(0, kernel(40), &[500])]);
    assert!(record.issues[..4].iter().all(|issue| issue.cycle == 65));
}

#[test]
fn a_domain_may_be_a_kernel_ahead_and_a_kernel_ends_when_no_domain_has_it() {
    // Domain 0 is full for long; domain 1 goes on to the second kernel.
    let work = [Work::new(0, kernel(3), &[100, 10, 100]), Work::new(0, kernel(2), &[10])];
    let (record, counts) = count(|| run(&[1, 1], "domains", &work));
    let expected = [(1, 0, 0, 0), (2, 1, 0, 1), (12, 1, 1, 1), (101, 0, 0, 2), (201, 0, 1, 0)];
    assert_eq!(went(&record), expected);
    assert_eq!(record.finished, [(0, 202), (1, 212)]);
    assert!(counts[cover::AHEAD.name] > 0 && counts[cover::PASSES.name] > 0);
}

#[test]
fn a_kernel_that_runs_nowhere_waits_for_the_domain_that_has_it_marked() {
    // Kernel 1 has its block 1 done in domain 1 while its block 0 waits for room in domain 0.
    let work = [Work::new(0, kernel(1), &[100]), Work::new(0, kernel(2), &[10])];
    let (record, counts) = count(|| run(&[1, 1], "domains", &work));
    assert_eq!(went(&record), [(1, 0, 0, 0), (3, 1, 1, 1), (101, 0, 1, 0)]);
    assert_eq!(record.finished, [(0, 102), (1, 112)]);
    assert!(counts[cover::WAITS.name] > 0 && counts[cover::LAST_IS_OTHERS.name] > 0);
}

#[test]
fn a_share_without_blocks_is_left_64_cycles_after_it_became_the_head() {
    let work = [Work::new(0, kernel(1), &[1]), Work::new(0, kernel(2), &[10])];
    let (record, counts) = count(|| run(&[1, 1], CONTIGUOUS, &work));
    // Domain 1 leaves the first kernel in 65, domain 0 in 65 as well, with its block.
    assert_eq!(went(&record), [(65, 0, 0, 0), (130, 0, 1, 0), (130, 1, 1, 1)]);
    assert_eq!(record.finished[0], (0, 67));
    assert!(counts[cover::NO_SHARE.name] > 0 && counts[cover::TOGETHER.name] > 0);
}

#[test]
fn an_empty_grid_is_left_in_its_first_cycle_as_the_head() {
    for (name, first) in [("domains", 3), (CONTIGUOUS, 67)] {
        let work = [Work::new(0, kernel(0), &[1]), Work::new(1, kernel(2), &[10])];
        let record = run(&[1, 1], name, &work);
        assert_eq!((record.finished[0], record.issues[0].cycle), ((0, 2), first - 1), "{name}");
    }
}

#[test]
fn the_pointer_of_a_domain_keeps_its_place_and_wraps_within_it() {
    let record = run(&[1, 3], CONTIGUOUS, &[Work::new(0, kernel(10), &[10])]);
    let smxs: Vec<_> = record.issues.iter().map(|i| i.smx).filter(|&smx| smx > 0).collect();
    assert_eq!(smxs, [1, 2, 3, 1, 2]);
}

#[test]
fn after_a_reset_in_any_cycle_everything_is_as_in_the_beginning() {
    for name in ["domains(chunk=3)", CONTIGUOUS] {
        let setup = Setup { domains: vec![1, 2], ..Default::default() };
        let work = [Work::new(0, kernel(5), &[13]), Work::new(1, kernel(4), &[9])];
        let reset = Inputs { reset: true, ..Inputs::idle(3) };
        reset::leaves_nothing(name, (3, 1), &work, setup, &reset);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_block_runs_once_in_its_domain_and_skipping_shows_nothing(
        smx in prop_oneof![1usize..=9, Just(33), Just(65)], gated in any::<bool>(),
        policy in prop_oneof![Just(""), Just("(chunk=2)"), Just("(chunk=7)"), Just("(policy=contiguous)")],
        kernels in prop::collection::vec((0u64..50, 0u32..30, 1u32..=128, 1u64..60), 1..9),
    ) {
        let limits = SmxLimits { threads: 128, thread_block_slots: 6, ..LIMITS };
        let of = |(arrive, blocks, threads, duration)| {
            let needs = BlockNeeds { threads, ..BlockNeeds::default() };
            Work::new(arrive, KernelLaunch { needs, ..kernel(blocks) }, &[duration, 7])
        };
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        let name = format!("domains{policy}{}", if gated { "+dyncta" } else { "" });
        let plan = FloorPlan::uneven(smx);
        let run = |skip| golden_domains(plan.domains(), &name, limits, &work, skip);
        // The invariants of the run ask for the share and for the order.
        let record = run(false);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        let skipped = run(true);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }

    #[test]
    fn one_domain_of_all_smxs_is_rr_cycle_by_cycle(
        chunk in 1u32..9,
        kernels in prop::collection::vec((0u64..50, 0u32..30, 1u64..60), 1..9),
    ) {
        let of = |(arrive, blocks, duration)| Work::new(arrive, kernel(blocks), &[duration]);
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        let name = format!("domains(chunk={chunk})");
        prop_assert_eq!(golden(&name, 5, slots(3), &work), golden("rr", 5, slots(3), &work));
    }
}
