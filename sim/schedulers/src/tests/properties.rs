//! What holds in every run.

use super::super::build;
use super::harness::*;
use crate::port::*;
use proptest::prelude::*;
use std::ops::RangeInclusive;

/// Kernels whose blocks fit an SMX of [`limits`], with durations.
fn work(kernels: RangeInclusive<usize>) -> impl Strategy<Value = Vec<Work>> {
    let dim = (0u32..6, 0u32..5, 1u32..3);
    let needs = (1u32..=64, 0u32..=128, 0u32..=96);
    let durations = prop::collection::vec(1u64..40, 1..12);
    let one = (0u64..60, dim, needs, durations).prop_map(|(arrive, dim, needs, durations)| {
        let mut launch = grid(Dim3::new(dim.0, dim.1, dim.2));
        let (threads, registers, shared_memory) = needs;
        launch.needs = BlockNeeds { threads, registers, shared_memory };
        Work::new(arrive, launch, &durations)
    });
    prop::collection::vec(one, kernels).prop_map(|mut work| {
        work.sort_by_key(|work| work.arrive);
        work
    })
}

fn limits() -> impl Strategy<Value = SmxLimits> {
    (64u32..=160, 128u32..=300, 96u32..=200, 1u32..=5).prop_map(
        |(threads, registers, shared_memory, thread_block_slots)| SmxLimits {
            threads,
            registers,
            shared_memory,
            thread_block_slots,
        },
    )
}

fn smxs() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 2usize..=8, 4 => prop::sample::select(&SMXS[..])]
}

/// Sources whose kernels are bound to no SMX, so that credits may bind them.
fn sources() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["rr", "rr(start=last-finished)", "rr-gpgpusim"])
}

fn name(source: &str, active: u64, loose: u64) -> String {
    format!("{source}+claso(pa={active},pl={loose})")
}

proptest! {
    // 850 cases of 12 kernels: over 10,000 random kernels.
    #![proptest_config(ProptestConfig::with_cases(850))]

    #[test]
    fn credits_conserve_and_bound_every_core(
        work in work(12..=12), limits in limits(), smx in smxs(), active in 1u64..5, loose in 0u64..4,
        source in sources(),
    ) {
        let record = golden(&name(source, active, loose), smx, limits, &work);
        for (kernel, work) in work.iter().enumerate() {
            let blocks = u64::from(work.launch.blocks);
            let even = blocks.div_ceil(smx as u64);
            let shares: Vec<_> = (0..smx).map(|core| record.share(kernel, core)).collect();
            prop_assert_eq!(shares.iter().sum::<u64>(), blocks);
            prop_assert!(shares.iter().all(|&share| share <= even + loose), "{:?}", shares);
            // What cores receive beyond their free credits is paid for with global ones.
            if blocks > 0 {
                let free = even.saturating_sub(active);
                let paid: u64 = shares.iter().map(|share| share.saturating_sub(free)).sum();
                let global = (blocks - 1) % smx as u64 + 1 + (active - 1) * smx as u64;
                prop_assert!(paid <= global, "{} of {} global credits", paid, global);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_block_runs_once_in_order_and_no_smx_is_overcommitted(
        work in work(1..=40), limits in limits(), smx in smxs(), gate in any::<bool>(),
    ) {
        let name = if gate { name("rr", 1, 0) } else { "rr".to_owned() };
        let record = golden(&name, smx, limits, &work);
        prop_assert_eq!(record.finished.len(), work.len());
        let all = work.iter().enumerate().flat_map(|(kernel, work)| {
            (0..u64::from(work.launch.blocks)).map(move |block| (kernel, block))
        });
        let issued = record.issues.iter().map(|issue| (issue.kernel, issue.block));
        prop_assert!(issued.eq(all), "FCFS, then by block id");
        prop_assert!(record.issues.windows(2).all(|pair| pair[0].cycle < pair[1].cycle));
    }

    #[test]
    fn with_enough_levels_claso_is_the_plain_scheduler_cycle_by_cycle(
        work in work(1..=12), limits in limits(), smx in smxs(), more in 0u64..3,
        source in sources(),
    ) {
        let needed = |of: fn(u64, u64) -> u64| {
            let blocks = work.iter().map(|work| u64::from(work.launch.blocks));
            blocks.map(|n| of(n, n.div_ceil(smx as u64))).max().unwrap_or(0)
        };
        let active = needed(|_, even| even).max(1) + more;
        let loose = needed(|n, even| n - even) + more;
        let plain = golden(source, smx, limits, &work);
        prop_assert_eq!(golden(&name(source, active, loose), smx, limits, &work), plain);
    }

    #[test]
    fn skipping_quiet_cycles_changes_nothing_but_their_number(
        work in work(1..=40), limits in limits(), smx in smxs(), gate in any::<bool>(),
        source in sources(),
    ) {
        let name = if gate { name(source, 1, 0) } else { source.to_owned() };
        let every = golden(&name, smx, limits, &work);
        let mut scheduler = build(&name.parse().unwrap(), smx, limits);
        let skipped = run(scheduler.as_mut(), limits, &work, 100_000, true);
        prop_assert!(skipped.simulated <= every.simulated);
        prop_assert_eq!(Record { simulated: every.simulated, ..skipped }, every);
    }
}

#[test]
fn a_long_block_costs_few_simulated_cycles_when_quiet_ones_are_skipped() {
    let work = [Work::new(0, kernel(8), &[100_000])];
    let mut scheduler = build(&"rr+claso".parse().unwrap(), 4, slots(1));
    let record = run(scheduler.as_mut(), slots(1), &work, 1_000_000, true);
    assert_eq!(record.finished, [(0, 200_005)]);
    assert!(record.simulated < 40, "{}", record.simulated);
}
