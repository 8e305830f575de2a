//! `clusters` over whole runs: the rules of `docs/clusters.md`, and what was measured on an H100.

use super::super::{build_for, Composition};
use super::harness::*;
use crate::port::*;
use expect_test::expect;
use proptest::prelude::*;
use std::fmt::Write;

const POLICIES: [&str; 2] = ["clusters", "clusters(policy=balance)"];

/// The GPCs of the preset `h100`; a test of the reference GPU holds the preset against it.
const H100: [u32; 8] = [16, 16, 16, 16, 18, 18, 18, 14];

/// What an SMX of an H100 holds, shared memory in units of 128 bytes.
const H100_SMX: SmxLimits =
    SmxLimits { threads: 2048, registers: 65536, shared_memory: 1824, thread_block_slots: 32 };

/// A kernel of `clusters` clusters side by side, whose blocks need that many threads each.
pub(super) fn clustered(clusters: u32, cluster: Cluster, threads: u32) -> KernelLaunch {
    let Dim3 { x, y, z } = cluster.extent();
    let needs = BlockNeeds { threads, ..BlockNeeds::default() };
    KernelLaunch { cluster, needs, ..grid(Dim3::new(clusters * x, y, z)) }
}

pub(super) fn row(blocks: u8) -> Cluster {
    Cluster { x: blocks, y: 1, z: 1 }
}

/// The twin of that name on GPCs of these sizes; what the name promises is checked.
pub(super) fn run_on(
    name: &str,
    gpcs: &[u32],
    limits: SmxLimits,
    work: &[Work],
    setup: Setup,
) -> Record {
    let composition: Composition = name.parse().unwrap();
    let plan = FloorPlan::new(gpcs.iter().sum::<u32>() as usize, gpcs);
    let mut scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
    let setup = Setup { rules: (&composition).into(), gpcs: gpcs.to_vec(), ..setup };
    run_with(scheduler.as_mut(), limits, work, &setup)
}

/// What goes before any block ends.
fn first_wave(name: &str, launch: KernelLaunch) -> Record {
    let setup = Setup { last: 5_000, skip: true, ..Setup::default() };
    run_on(name, &H100, H100_SMX, &[Work::new(0, launch, &[10_000])], setup)
}

/// Blocks that each SMX of an H100 received.
fn shares(record: &Record) -> Vec<u64> {
    (0..132).map(|smx| record.share(0, smx)).collect()
}

#[test]
fn on_an_h100_17_clusters_of_8_small_blocks_touch_120_of_132_smxs() {
    // Measured: accel-sim/gpu-app-collection, pull request 87.
    let record = first_wave("clusters", clustered(17, Cluster { x: 4, y: 2, z: 1 }, 32));
    let shares = shares(&record);
    assert_eq!(shares.iter().sum::<u64>(), 17 * 8);
    assert_eq!(shares.iter().filter(|&&blocks| blocks > 0).count(), 120);
    assert_eq!(shares.iter().max(), Some(&2));
}

#[test]
fn on_an_h100_15_clusters_of_8_blocks_that_fill_an_smx_run_at_once() {
    let record = first_wave("clusters", clustered(17, Cluster { x: 4, y: 2, z: 1 }, 2048));
    assert_eq!(record.issues.len(), 15 * 8);
    assert_eq!(shares(&record).iter().max(), Some(&1));
}

#[test]
fn the_smxs_of_an_h100_that_clusters_of_each_size_use() {
    let mut table = "| blocks of a cluster | clusters at once | SMXs used, of 132 |\n".to_owned();
    table += "| --- | --- | --- |\n";
    for blocks in 1..=16 {
        let used = POLICIES.map(|policy| {
            let launch = clustered(140, row(blocks), H100_SMX.threads);
            first_wave(policy, launch).issues.len()
        });
        assert_eq!(used[0], used[1], "a block fills an SMX under either policy");
        let clusters = used[0] / usize::from(blocks);
        let _ = writeln!(table, "| {blocks} | {clusters} | {} |", used[0]);
    }
    expect![[r#"
        | blocks of a cluster | clusters at once | SMXs used, of 132 |
        | --- | --- | --- |
        | 1 | 132 | 132 |
        | 2 | 66 | 132 |
        | 3 | 42 | 126 |
        | 4 | 31 | 124 |
        | 5 | 23 | 115 |
        | 6 | 19 | 114 |
        | 7 | 16 | 112 |
        | 8 | 15 | 120 |
        | 9 | 11 | 99 |
        | 10 | 8 | 80 |
        | 11 | 8 | 88 |
        | 12 | 8 | 96 |
        | 13 | 8 | 104 |
        | 14 | 8 | 112 |
        | 15 | 7 | 105 |
        | 16 | 7 | 112 |
    "#]]
    .assert_eq(&table);
    let page = include_str!("../../../../docs/clusters.md");
    assert!(page.contains(&table), "docs/clusters.md has another table");
}

#[test]
fn one_cluster_goes_after_the_other_without_a_pause() {
    let work = [Work::new(0, clustered(4, row(2), 2048), &[100])];
    let setup = || Setup { last: 1_000, ..Setup::default() };
    let record = run_on("clusters", &[3, 3], LIMITS, &work, setup());
    let went: Vec<_> = record.issues.iter().map(|issue| (issue.cycle, issue.smx)).collect();
    // The example of the page. Blocks end in the cycles in which others of their GPC can take their
    // place.
    assert_eq!(went[..4], [(1, 0), (2, 1), (3, 3), (4, 4)]);
    assert_eq!(went[4..], [(101, 2), (102, 0), (103, 5), (104, 3)]);
}

#[test]
fn a_cluster_that_fits_no_gpc_keeps_all_others_waiting() {
    let work = [
        Work::new(0, clustered(1, row(4), 32), &[1]),
        Work::new(1, clustered(1, row(1), 32), &[1]),
    ];
    let setup = Setup { last: 1_000, ..Setup::default() };
    let record = run_on("clusters", &[3, 3], LIMITS, &work, setup.clone());
    assert_eq!((record.issues.len(), record.accepted.len()), (0, 2));
    let balance = run_on("clusters(policy=balance)", &[3, 3], LIMITS, &work, setup);
    assert_eq!(balance.issues.len(), 5, "two on one SMX");
}

#[test]
fn kernels_without_clusters_use_all_gpcs_in_turn() {
    let work = [Work::new(0, kernel(6), &[100])];
    let record =
        run_on("clusters", &[3, 2], LIMITS, &work, Setup { last: 900, ..Setup::default() });
    let smxs: Vec<_> = record.issues.iter().map(|issue| issue.smx).collect();
    assert_eq!(smxs, [0, 3, 1, 4, 2, 3]);
}

/// A kernel: when it arrives, its clusters, how many blocks each has at most, needs, durations.
pub(super) type Drawn = (u64, u32, (u8, u8, u8), (u32, u32, u32), Vec<u64>);

pub(super) fn drawn() -> impl Strategy<Value = Drawn> {
    let extent =
        prop_oneof![Just((1, 1, 1)), (1u8..=4, 1u8..=2, 1u8..=2), (1u8..=16, Just(1), Just(1))];
    let needs = (0u32..=96, 0u32..=128, 0u32..=96);
    (0u64..60, 0u32..8, extent, needs, prop::collection::vec(1u64..40, 1..9))
}

/// The kernel in the largest part of its cluster that fits a GPC of `most` SMXs.
pub(super) fn fitting((arrive, clusters, (x, y, z), needs, durations): Drawn, most: u32) -> Work {
    let fits = |cluster: &Cluster| cluster.blocks() <= most;
    let whole = Some(Cluster { x, y, z }).filter(fits);
    let part = whole.or_else(|| Some(row(x)).filter(fits)).unwrap_or_default();
    let (threads, registers, shared_memory) = needs;
    let launch = KernelLaunch {
        needs: BlockNeeds { threads, registers, shared_memory },
        ..clustered(clusters, part, 0)
    };
    Work::new(arrive, launch, &durations)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn clusters_are_whole_or_absent_on_any_floor_plan_and_skipping_shows_nothing(
        gpcs in prop::collection::vec(1u32..=17, 1..=5),
        kernels in prop::collection::vec(drawn(), 1..8),
        balance in any::<bool>(), gated in any::<bool>(),
    ) {
        let limits =
            SmxLimits { threads: 128, registers: 256, shared_memory: 128, thread_block_slots: 6 };
        let most = gpcs.iter().copied().max().unwrap();
        let mut work: Vec<_> = kernels.into_iter().map(|one| fitting(one, most)).collect();
        work.sort_by_key(|work| work.arrive);
        let name = POLICIES[usize::from(balance)].to_owned() + if gated { DYNCTA } else { "" };
        let sampling = gated.then(|| Sampling::new(PERIOD, &[&[MORE], &[LESS, MORE], &[LESS]]));
        // The invariants of the run ask for whole clusters.
        let run = |skip| {
            let setup = Setup { last: 100_000, skip, sampling: sampling.clone(), ..Setup::default() };
            run_on(&name, &gpcs, limits, &work, setup)
        };
        let record = run(false);
        prop_assert_eq!(record.finished.len(), work.len());
        let blocks: u32 = work.iter().map(|work| work.launch.blocks).sum();
        prop_assert_eq!(record.issues.len(), blocks as usize);
        prop_assert_eq!(Record { simulated: record.simulated, ..run(true) }, record);
    }
}
