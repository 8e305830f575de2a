//! `mpmax`, `srtf`, `srtf/adaptive` and the oracles over whole runs: the rules of `docs/srtf.md`.

use super::super::{build_for, Composition, LaunchModeError};
use super::harness::*;
use crate::port::*;
use proptest::prelude::*;

const POLICIES: [&str; 5] =
    ["mpmax", "srtf", "srtf(sample=3)", "srtf/adaptive", "srtf/adaptive(limit=1,threshold=0)"];

/// Cycle, SMX and block of each dispatch of a kernel.
fn of_kernel(record: &Record, kernel: usize) -> Vec<(u64, usize, u64)> {
    let issues = record.issues.iter().filter(|issue| issue.kernel == kernel);
    issues.map(|issue| (issue.cycle, issue.smx, issue.block)).collect()
}

fn needing(blocks: u32, threads: u32) -> KernelLaunch {
    let needs = BlockNeeds { threads, ..BlockNeeds::default() };
    KernelLaunch { needs, ..kernel(blocks) }
}

// Rules 1 to 5.

#[test]
fn a_kernel_alone_is_issued_as_by_rr() {
    let work = [Work::new(3, kernel(9), &[10, 4, 7])];
    let rr = golden("rr", 2, slots(2), &work);
    for name in ["srtf", "srtf/adaptive"] {
        assert_eq!(golden(name, 2, slots(2), &work), rr, "{name}");
    }
}

#[test]
fn under_mpmax_a_kernel_alone_begins_when_its_limit_is_known() {
    for (slot_count, limit) in [(1, 1), (2, 2), (5, 5)] {
        let work = [Work::new(3, kernel(9), &[10])];
        let record = golden("mpmax", 2, slots(slot_count), &work);
        assert_eq!(record.issues[0].cycle, 3 + 10 + limit, "{slot_count} slots");
    }
}

#[test]
fn a_ninth_kernel_waits_at_the_launch_port_until_one_has_left() {
    for name in ["mpmax", "srtf", "srtf/adaptive"] {
        let work: Vec<_> = (0..9).map(|_| Work::new(0, kernel(1), &[200])).collect();
        let record = golden(name, 1, slots(16), &work);
        let (_, first_end) = record.finished[0];
        assert_eq!(record.accepted[..8], [0, 1, 2, 3, 4, 5, 6, 7], "{name}");
        assert_eq!(record.accepted[8], first_end + 1, "{name}");
    }
}

#[test]
fn an_empty_grid_ends_two_cycles_after_its_acceptance_and_delays_nobody() {
    for name in POLICIES {
        let work = [Work::new(0, kernel(0), &[1]), Work::new(0, kernel(1), &[50])];
        let record = golden(name, 2, slots(1), &work);
        assert_eq!(record.finished[0], (0, 2), "{name}");
        assert_eq!(of_kernel(&record, 1).len(), 1);
    }
}

// Rules 6 and 7.

#[test]
fn under_mpmax_each_kernel_leaves_room_for_a_block_of_the_other_one() {
    let work = [Work::new(0, kernel(40), &[1000]), Work::new(1, kernel(40), &[1000])];
    let record = golden("mpmax", 1, slots(4), &work);
    let until =
        |kernel, cycle| of_kernel(&record, kernel).iter().filter(|issue| issue.0 < cycle).count();
    assert_eq!((until(0, 1000), until(1, 1000)), (3, 1));
}

#[test]
fn under_mpmax_what_was_set_aside_is_taken_back_when_the_other_kernel_has_left() {
    let work = [Work::new(0, kernel(40), &[1000]), Work::new(1, kernel(1), &[1500])];
    let record = golden("mpmax", 1, slots(4), &work);
    assert_eq!(record.finished[0].0, 1);
    let end = record.finished[0].1;
    let resident = |cycle: u64| {
        let issues = of_kernel(&record, 0);
        issues.iter().filter(|issue| issue.0 <= cycle && issue.0 + 1000 > cycle).count()
    };
    assert_eq!(resident(end), 3);
    // Limits take 8 cycles and 1 + 4 for the one kernel.
    assert_eq!(resident(end + 13), 3);
    assert_eq!(resident(end + 14), 4);
}

#[test]
fn under_mpmax_blocks_above_a_new_limit_run_on_and_are_not_replaced() {
    let work = [Work::new(0, kernel(40), &[1000]), Work::new(500, kernel(40), &[5000])];
    let record = golden("mpmax", 1, slots(4), &work);
    let first_end = of_kernel(&record, 0)[0].0 + 1000;
    assert_eq!(of_kernel(&record, 1)[0].0, first_end, "the first slot that is free");
}

// Rules 13 to 15.

/// A long kernel of one block a slot on two SMXs, whose blocks run for 100 cycles but for one on
/// SMX 1 that ends in `end`, and the next one there, of 1 cycle; and a short one from cycle 150 on.
fn sampled(end: u64) -> Record {
    // Blocks 0, 2, 4, ... run on SMX 0 from cycles 1, 101, 201, and 1, 3, 5, ... on SMX 1 from 2,
    // 102, ...
    let durations = [100, 100, 100, end - 102, 1, 100];
    let work = [Work::new(0, kernel(80), &durations), Work::new(150, kernel(100), &[12])];
    golden("srtf", 2, slots(1), &work)
}

#[test]
fn a_new_kernel_is_sampled_on_smx_0_and_the_others_follow_when_its_prediction_is_copied() {
    // Its first block runs from 201 to 213: the prediction is stored in 222 and copied in 223.
    let short = of_kernel(&sampled(224), 1);
    assert_eq!(short[..4], [(201, 0, 0), (213, 0, 1), (224, 1, 2), (225, 0, 3)]);
}

#[test]
fn before_the_copy_the_other_smxs_stay_with_the_old_kernel() {
    let record = sampled(223);
    let others: Vec<_> = record.issues.iter().filter(|i| i.smx == 1 && i.cycle >= 223).collect();
    // The block that takes 1 cycle; then the short kernel.
    assert_eq!((others[0].kernel, others[0].cycle), (0, 223));
    assert_eq!((others[1].kernel, others[1].cycle), (1, 224));
}

#[test]
fn smxs_return_to_the_longer_kernel_when_the_shorter_one_has_no_block_left() {
    let record = sampled(224);
    let last = of_kernel(&record, 1).last().unwrap().0;
    let after = record.issues.iter().find(|issue| issue.cycle > last).unwrap();
    assert_eq!(after.kernel, 0);
    assert_eq!(record.finished.iter().map(|end| end.0).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn a_longer_kernel_gives_smx_0_back_after_its_sample() {
    let work = [Work::new(0, kernel(80), &[100]), Work::new(150, kernel(100), &[1000])];
    let record = golden("srtf", 2, slots(1), &work);
    let long = of_kernel(&record, 1);
    assert_eq!(long[0], (201, 0, 0));
    // The block that replaces the sample before its prediction is there belongs to it, too.
    assert_eq!(long[1], (1201, 0, 1));
    let ends = record.finished.iter().find(|end| end.0 == 0).unwrap().1;
    let meanwhile = long.iter().filter(|issue| issue.0 > 1201 && issue.0 < ends);
    let meanwhile: Vec<_> = meanwhile.collect();
    let last = of_kernel(&record, 0).last().unwrap().0;
    assert!(meanwhile.iter().all(|issue| issue.0 >= last), "{meanwhile:?}, {last}");
}

#[test]
fn several_new_kernels_are_sampled_one_after_the_other_in_order_of_arrival() {
    let work = [
        Work::new(0, kernel(400), &[100]),
        Work::new(150, kernel(60), &[40]),
        Work::new(151, kernel(60), &[20]),
    ];
    let record = golden("srtf", 2, slots(1), &work);
    assert_eq!(of_kernel(&record, 1)[0], (201, 0, 0));
    let second = of_kernel(&record, 2)[0];
    assert_eq!((second.0, second.1), (281, 0), "after the first one's second block");
}

// Rule 17.

#[test]
fn two_kernels_of_one_length_share_and_the_fastest_has_at_most_its_limit() {
    let work = [Work::new(0, kernel(400), &[1000]), Work::new(1, kernel(400), &[1000])];
    let both = |name| {
        let record = golden(name, 1, slots(8), &work);
        let resident = |kernel, cycle| {
            let issues = of_kernel(&record, kernel);
            issues.iter().filter(|issue| issue.0 <= cycle && issue.0 + 1000 > cycle).count()
        };
        let mixed =
            (2000..20_000).step_by(500).filter(|&c| resident(0, c) > 0 && resident(1, c) > 0);
        mixed.count()
    };
    assert!(both("srtf/adaptive") > 30);
    assert!(both("srtf") < 10);
}

// Rules 18 and 19.

#[test]
fn oracles_go_by_what_they_are_told_whatever_the_order_of_arrival() {
    let work: Vec<_> = (0..3).map(|_| Work::new(0, kernel(4), &[10])).collect();
    let order = |name| {
        let record = golden(name, 1, slots(1), &work);
        let mut kernels: Vec<_> = record.issues.iter().map(|issue| issue.kernel).collect();
        kernels.dedup();
        (record.issues[0].cycle, kernels)
    };
    assert_eq!(order("sjf(runtimes=30:10:20,wait=5)"), (6, vec![1, 2, 0]));
    assert_eq!(order("ljf(runtimes=20:10:30,wait=5)"), (6, vec![2, 0, 1]));
    assert_eq!(
        order("sjf(runtimes=30:10,wait=5)"),
        (6, vec![1, 0, 2]),
        "the last one is not known"
    );
    assert_eq!(order("sjf(runtimes=10:10:10)"), (1, vec![0, 1, 2]), "the older one of equals");
    // A block that ends counts from the next cycle on: 40 or 30, 30 or 30 (the older one), 30 or
    // 22, 20 or 22, ...
    let name = "srtf/zero-sampling(runtimes=40:30:50)";
    assert_eq!(order(name), (1, vec![0, 1, 0, 1, 0, 1, 0, 1, 2]));
}

// Rule 20.

#[test]
fn an_smx_at_its_limit_keeps_its_choice_and_does_not_ask() {
    // A limit of one of two slots; kernel 1 is the choice of nobody while kernel 0 has blocks.
    let work = [Work::new(0, kernel(4), &[100]), Work::new(0, kernel(2), &[10])];
    for name in ["sjf(runtimes=1:2)", "ljf(runtimes=2:1)", "srtf/zero-sampling(runtimes=1:9)"] {
        let record = golden(&format!("{name}+dyncta"), 2, slots(2), &work);
        assert_eq!(of_kernel(&record, 0), [(1, 0, 0), (2, 1, 1), (101, 0, 2), (102, 1, 3)]);
        assert_eq!(of_kernel(&record, 1), [(201, 0, 0), (202, 1, 1)], "{name}");
    }
    for name in ["srtf", "srtf/adaptive"] {
        let record = golden(&format!("{name}+dyncta"), 2, slots(2), &work[..1]);
        assert_eq!(of_kernel(&record, 0), [(1, 0, 0), (2, 1, 1), (101, 0, 2), (102, 1, 3)]);
    }
}

#[test]
fn limits_of_resident_blocks_hold_beside_those_of_mpmax() {
    // Three blocks of kernel 0 would leave room for one of kernel 1; an SMX may have two of four.
    let work = [Work::new(0, kernel(4), &[1000]), Work::new(1, kernel(4), &[1000])];
    let record = golden("mpmax+dyncta", 1, slots(4), &work);
    let early: Vec<_> = record.issues.iter().filter(|issue| issue.cycle < 1000).collect();
    assert_eq!(early.iter().map(|issue| issue.kernel).collect::<Vec<_>>(), [0, 0]);
}

// Composition.

#[test]
fn launches_from_the_device_are_refused_with_the_reason() {
    for name in ["mpmax", "srtf", "srtf/adaptive", "sjf(runtimes=1)"] {
        let composition: Composition = name.parse().unwrap();
        for launch in [LaunchMode::Cdp, LaunchMode::Dtbl] {
            let refused = build_for(&composition, launch, 4, 2, slots(2)).err();
            assert!(matches!(refused, Some(LaunchModeError::Concurrent(_))), "{name}");
        }
        assert!(build_for(&composition, LaunchMode::Flat, 4, 2, slots(2)).is_ok());
    }
}

fn work() -> impl Strategy<Value = Vec<Work>> {
    let durations = prop::collection::vec(1u64..60, 1..8);
    let one = (0u64..120, 0u32..40, 1u32..=64, durations).prop_map(
        |(arrive, blocks, threads, durations)| {
            Work::new(arrive, needing(blocks, threads), &durations)
        },
    );
    prop::collection::vec(one, 1..=12).prop_map(|mut work| {
        work.sort_by_key(|work| work.arrive);
        work
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_block_runs_once_whatever_arrives_and_skipping_is_invisible(
        work in work(), smx in prop_oneof![Just(1), 2usize..6, Just(15)], slot_count in 1u32..9,
        policy in 0..POLICIES.len(), threads in 64u32..=200,
    ) {
        let limits = SmxLimits { threads, ..slots(slot_count) };
        let record = golden(POLICIES[policy], smx, limits, &work);
        prop_assert_eq!(record.finished.len(), work.len());
        for (kernel, work) in work.iter().enumerate() {
            let blocks: Vec<_> = of_kernel(&record, kernel).iter().map(|issue| issue.2).collect();
            prop_assert_eq!(blocks, (0..u64::from(work.launch.blocks)).collect::<Vec<_>>());
        }
        let skipping = golden_with(POLICIES[policy], smx, limits, &work, true, None);
        prop_assert_eq!(skipping.issues, record.issues);
        prop_assert_eq!(skipping.finished, record.finished);
    }
}
