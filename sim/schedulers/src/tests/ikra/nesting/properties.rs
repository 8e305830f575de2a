//! What holds in every run. The invariants of each run refuse a second time, a kernel that must
//! wait, and too much on an SMX.

use super::*;
use proptest::prelude::*;

/// Extent, needs, durations, who launches it, which of its blocks, and when.
type Shape = (prop::sample::Index, bool, Vec<u64>, Option<prop::sample::Index>, u64, u64);

/// Kernels of few different extents, of which each is launched by the host or by a block of one
/// before it.
fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let extents = prop::collection::vec((0u32..6, 1u32..4, 1u32..3), 1..3);
    let shape = (
        any::<prop::sample::Index>(),
        any::<bool>(),
        prop::collection::vec(1u64..60, 1..8),
        prop::option::weighted(0.75, any::<prop::sample::Index>()),
        0u64..20,
        prop_oneof![Just(0u64), 0u64..400],
    );
    (extents, prop::collection::vec(shape, 1..24))
        .prop_map(|(extents, shapes)| build(&extents, &shapes))
}

fn build(extents: &[(u32, u32, u32)], shapes: &[Shape]) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    for (number, (extent, large, durations, parent, block, at)) in shapes.iter().enumerate() {
        let (x, y, z) = extents[extent.index(extents.len())];
        let mut launch = grid(Dim3::new(x, y, z));
        launch.needs.threads = if *large { 64 } else { 32 };
        let with_blocks = |plan: &usize| plans[*plan].launch.blocks > 0;
        let parents: Vec<_> = (0..number).filter(with_blocks).collect();
        match parent.filter(|_| !parents.is_empty()) {
            Some(parent) => {
                let parent = parents[parent.index(parents.len())];
                let block = block % u64::from(plans[parent].launch.blocks);
                plans[parent].launches.push((block, at % 60, number));
                plans.push(Plan::child(launch, durations));
            }
            None => plans.push(Plan::host(launch, *at, durations)),
        }
    }
    plans
}

fn limits() -> impl Strategy<Value = SmxLimits> {
    (64u32..=200, 1u32..=5).prop_map(|(threads, slots)| SmxLimits {
        threads,
        thread_block_slots: slots,
        ..LIMITS
    })
}

fn names() -> impl Strategy<Value = String> {
    (prop::sample::select(vec![2, 4, 32]), prop::sample::select(vec![2, 4]))
        .prop_map(|(queue, nesting)| format!("ikra/steal(queue={queue},nesting={nesting})"))
}

fn sampling() -> impl Strategy<Value = Sampling> {
    let sample = (0u16..=4, 0u16..=8);
    let rows = prop::collection::vec(prop::collection::vec(sample, 1..6), 1..20);
    rows.prop_map(|rows| Sampling { period: PERIOD, rows })
}

fn smxs() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), 2usize..=5, Just(13)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_block_of_every_kernel_runs_exactly_once_whoever_launches_it(
        plans in plans(), limits in limits(), smx in smxs(), name in names(), dispatch in 1u64..40,
        sampling in prop::option::of(sampling()),
    ) {
        let name = name + sampling.as_ref().map_or("", |_| DYNCTA);
        let run = machine::run_with(&name, smx, limits, &plans, dispatch, true, sampling.as_ref());
        for (kernel, plan) in plans.iter().enumerate() {
            let of = run.ran.iter().filter(|ran| ran.kernel == kernel);
            let mut blocks: Vec<_> = of.map(|ran| ran.block).collect();
            blocks.sort_unstable();
            prop_assert!(blocks.into_iter().eq(0..u64::from(plan.launch.blocks)));
        }
        let hosts = |plan: &usize| plans[*plan].arrive.is_some();
        let mut hosts: Vec<_> = (0..plans.len()).filter(hosts).collect();
        hosts.sort_by_key(|&plan| plans[plan].arrive);
        let ends: Vec<_> = hosts.iter().map(|plan| run.finished[plan]).collect();
        prop_assert!(ends.is_sorted(), "kernels of the host end in order of arrival");
    }

    #[test]
    fn skipping_quiet_cycles_changes_nothing_but_their_number(
        plans in plans(), limits in limits(), smx in smxs(), name in names(), dispatch in 1u64..40,
        sampling in prop::option::of(sampling()),
    ) {
        let name = name + sampling.as_ref().map_or("", |_| DYNCTA);
        let run = |skip| {
            machine::run_with(&name, smx, limits, &plans, dispatch, skip, sampling.as_ref())
        };
        let (every, skipped) = (run(false), run(true));
        prop_assert!(skipped.simulated <= every.simulated);
        prop_assert_eq!(Run { simulated: every.simulated, ..skipped }, every);
    }

    #[test]
    fn a_limit_that_nobody_reaches_changes_nothing(
        mut plans in plans(), limits in limits(), smx in smxs(), name in names(), dispatch in 1u64..40,
    ) {
        // The threads of an SMX are those of six blocks at most. Its limit is seven before the
        // first kernel arrives.
        let limits = SmxLimits { thread_block_slots: 7, ..limits };
        plans.iter_mut().for_each(|plan| plan.arrive = plan.arrive.map(|at| at + 40));
        let sampling = Sampling::new(PERIOD, &[&[MORE]]);
        let gated = name.clone() + DYNCTA;
        let throttled =
            machine::run_with(&gated, smx, limits, &plans, dispatch, false, Some(&sampling));
        prop_assert_eq!(throttled, machine::run(&name, smx, limits, &plans, dispatch, false));
    }
}
