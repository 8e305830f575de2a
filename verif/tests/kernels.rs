//! Kernels in PTX in lockstep under every scheduler that takes them: what they leave is right,
//! whoever decides.

use blockyard::family::everything;
use blockyard::reproduce::benchmarks::{self, Size};
use blockyard::session::{Engine, Session, Workload, ONE_THREAD};
use blockyard_kernels::together::Member;
use blockyard_kernels::KernelSettings;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;
use rayon::prelude::*;

/// Small ones, still of several blocks and, in `reduce`, of several launches.
const SETTINGS: [(&str, &str); 29] = [
    ("vecadd.count", "300"),
    ("vecadd.block", "32"),
    ("reduce.count", "500"),
    ("reduce.block", "33"),
    ("nested.width", "20"),
    ("nested.height", "12"),
    ("nested.block", "4"),
    ("sort.count", "200"),
    ("sort.leaf", "16"),
    ("sort.levels", "2"),
    ("sort.block", "32"),
    ("bht.bodies", "40"),
    ("bht.threshold", "2"),
    ("pre.users", "20"),
    ("pre.items", "24"),
    ("pre.ratings", "100"),
    ("pre.threshold", "16"),
    ("pre.child_block", "32"),
    ("join.left", "60"),
    ("join.right", "60"),
    ("join.distinct", "6"),
    ("join.block", "4"),
    ("regx.packets", "12"),
    ("regx.block", "4"),
    ("regx.threshold", "2"),
    ("amr.width", "16"),
    ("amr.height", "8"),
    ("amr.spots", "3"),
    ("amr.levels", "1"),
];

/// Blocks that were dispatched; the run has compared twin and hardware, and checked the results.
fn run(name: &str, scheduler: &Composition, launch: LaunchMode) -> u64 {
    let mut settings = KernelSettings::default();
    for (key, value) in SETTINGS {
        assert_eq!(settings.set(key, value), Ok(true));
    }
    let mut gpu = GpuConfig::preset("k20c").expect("a preset");
    gpu.set("smx.count", "3").expect("a key of the GPU");
    let workload = settings.workload(name).expect("a workload");
    let session = Session {
        scheduler: scheduler.clone(),
        engine: Engine::Lockstep,
        gpu,
        workload: Workload::Kernel(workload),
        launch,
        seed: 1,
        skip_from: Some(0),
        // One kernel after another takes long.
        max_cycles: Some(20_000_000),
        faults: Vec::new(),
        footprint: false,
        intervals: None,
        threads: ONE_THREAD,
    };
    let report = session.run(None);
    let report = report.unwrap_or_else(|error| panic!("{name} {scheduler} {launch:?}: {error}"));
    report.stats.smx.iter().map(|smx| smx.thread_blocks).sum()
}

#[test]
fn kernels_are_right_under_every_scheduler() {
    everything().into_par_iter().for_each(|(scheduler, launch)| {
        let nested = run("nested", &scheduler, launch);
        assert_eq!(nested > 2, launch != LaunchMode::Flat, "{scheduler} {launch:?}: {nested}");
        // 40 bodies in blocks of 32; no more than 36 parts of 24 items, and a block for each item;
        // 60 rows and 8 parts of them in blocks of 4; 12 packets in blocks of 4; 16 by 8 cells in
        // blocks of 4 by 4.
        for (name, flat) in [("bht", 2), ("pre", 2 + 24), ("join", 15 + 2), ("regx", 3), ("amr", 8)]
        {
            let blocks = run(name, &scheduler, launch);
            assert_eq!(blocks > flat, launch != LaunchMode::Flat, "{name} {scheduler} {launch:?}");
        }
        let sorted = run("sort", &scheduler, launch);
        // Three parts of 64 keys have two halves, and these have two; one of 8 has none. Who has
        // halves waits for them, and is dispatched once more.
        let launched = if launch == LaunchMode::Flat { 0 } else { 3 * (2 + 4) + 3 * (1 + 2) };
        assert_eq!(sorted, 4 + launched, "{scheduler} {launch:?}");
        if launch == LaunchMode::Flat {
            // 300 words in blocks of 32; 500 in blocks of 66, and their sums in one.
            let blocks = ["vecadd", "reduce"].map(|name| run(name, &scheduler, launch));
            assert_eq!(blocks, [10, 9], "{scheduler}");
        }
    });
}

/// Of every kernel of SRTF's Table 2 one pair in which it is the first, so that each is in two.
#[test]
fn pairs_of_kernels_are_right_and_without_a_difference_under_the_policies_that_choose() {
    let kernels = benchmarks::srtf(Size::Reduced);
    let member = |place: usize, arrive| {
        let benchmark = &kernels[place % kernels.len()];
        let mut settings = KernelSettings::default();
        for setting in &benchmark.settings {
            let (key, value) = setting.split_once('=').expect("a setting");
            assert_eq!(settings.set(key, value), Ok(true));
        }
        Member { workload: settings.workload(&benchmark.workload).expect("a kernel"), arrive }
    };
    for scheduler in ["mpmax", "srtf", "srtf/adaptive"] {
        for place in 0..kernels.len() {
            let mut gpu = GpuConfig::preset("gtx480").expect("a preset");
            gpu.set("smx.count", "3").expect("a key of the GPU");
            let session = Session {
                scheduler: scheduler.parse().expect("a scheduler"),
                engine: Engine::Lockstep,
                gpu,
                workload: Workload::Together(vec![member(place, 0), member(place + 3, 75)]),
                launch: LaunchMode::Flat,
                seed: 1,
                skip_from: Some(0),
                max_cycles: Some(10_000_000),
                faults: Vec::new(),
                footprint: false,
                intervals: None,
                threads: ONE_THREAD,
            };
            let report =
                session.run(None).unwrap_or_else(|error| panic!("{place} {scheduler}: {error}"));
            let names: Vec<_> =
                report.stats.kernels.iter().map(|kernel| &kernel.name[..2]).collect();
            assert_eq!(names, ["1:", "2:"], "{place} {scheduler}");
        }
    }
}
