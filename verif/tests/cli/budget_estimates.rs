//! Estimates for sizes that are not built, held against sizes that are.
//!
//! Rationale. Nobody can count the bits of hardware that does not exist; but the same fit gives numbers for
//! hardware that does, and there every row must be exact.

use blockyard::budget::{built_or_estimated, estimated, Budget};
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::Composition;

/// Of the sizes 3, 13, 16 and those below, some are what estimates are made from; others are not.
const BASELINE: &[usize] = &[1, 2, 3, 5, 8, 15, 20, 31, 32];
const PAPERS: &[usize] = &[1, 2, 3, 8, 14, 15];

fn gpu(smx: usize) -> GpuConfig {
    let mut gpu = GpuConfig::preset("k20c").expect("a preset");
    gpu.smx.count = smx as u32;
    gpu
}

fn composition(name: &str) -> Composition {
    name.parse().expect("a scheduler")
}

#[test]
fn an_estimate_is_exact_in_every_row_where_there_is_hardware() {
    let cases: [(&str, LaunchMode, &[usize]); 16] = [
        ("rr", LaunchMode::Flat, BASELINE),
        ("rr", LaunchMode::Cdp, BASELINE),
        ("rr", LaunchMode::Dtbl, BASELINE),
        ("rr+claso", LaunchMode::Flat, BASELINE),
        ("rr+dyncta+claso", LaunchMode::Flat, BASELINE),
        ("rr-gpgpusim", LaunchMode::Flat, BASELINE),
        ("rr(start=last-finished)", LaunchMode::Flat, PAPERS),
        ("laperm/adaptive-bind", LaunchMode::Dtbl, PAPERS),
        ("laperm/adaptive-bind(cluster=2)", LaunchMode::Flat, PAPERS),
        ("laperm/smx-bind", LaunchMode::Cdp, PAPERS),
        ("laperm/tb-pri", LaunchMode::Cdp, PAPERS),
        ("laperm/tb-pri", LaunchMode::Dtbl, &[14, 15]),
        ("ikra/chunk", LaunchMode::Flat, PAPERS),
        ("ikra/steal", LaunchMode::Flat, PAPERS),
        ("mpmax", LaunchMode::Flat, PAPERS),
        ("srtf/adaptive", LaunchMode::Flat, PAPERS),
    ];
    for (name, launch, sizes) in cases {
        for &smx in sizes {
            let gpu = gpu(smx);
            let built = Budget::new(&composition(name), &gpu, launch)
                .unwrap_or_else(|error| panic!("{name}, {smx} SMXs: {error}"));
            let guess = estimated(&composition(name), &gpu, launch)
                .unwrap_or_else(|error| panic!("{name}, {smx} SMXs: {error}"));
            assert_eq!(guess.rows, built.rows, "{name}, {smx} SMXs");
            assert_eq!(guess.modules, built.modules, "{name}, {smx} SMXs");
            assert_eq!(guess.total, built.total, "{name}, {smx} SMXs");
            assert_eq!(guess.paper, built.paper, "{name}, {smx} SMXs");
            assert!(!guess.estimated_from.is_empty() && built.estimated_from.is_empty());
        }
    }
}

#[test]
fn totals_of_estimates_are_sums_of_rows() {
    for smx in [33, 80, 132, 1024] {
        let name = composition("laperm/adaptive-bind");
        let guess = built_or_estimated(&name, &gpu(smx), LaunchMode::Dtbl).expect("an estimate");
        assert_eq!(guess.rows.iter().map(|row| row.bits).sum::<u64>(), guess.total.bits);
        assert_eq!(guess.modules[0].bits, guess.total.bits, "{smx} SMXs");
        for row in &guess.rows {
            let words = row.memory.as_ref().map_or(0, |memory| memory.words * memory.width);
            let each = row.register_bits + words as u64;
            assert_eq!(each * row.instances as u64, row.bits, "{smx} SMXs, {}", row.path);
        }
    }
}

#[test]
fn a_queue_of_all_smxs_is_as_large_as_it_may_become() {
    let guess = built_or_estimated(&composition("laperm/tb-pri"), &gpu(132), LaunchMode::Dtbl);
    let guess = guess.expect("an estimate");
    let queue = guess.rows.iter().find(|row| row.path.ends_with("queue.memory")).expect("a queue");
    let memory = queue.memory.as_ref().expect("a memory");
    let built = Budget::new(&composition("laperm/tb-pri"), &gpu(16), LaunchMode::Dtbl);
    let built = built.expect("it is built");
    let same = built.rows.iter().find(|row| row.path == queue.path).expect("the same");
    assert_eq!((queue.instances, Some(memory)), (1, same.memory.as_ref()));
}

#[test]
fn without_any_hardware_there_is_no_estimate() {
    let launch = LaunchMode::Flat;
    let oracle = built_or_estimated(&composition("sjf(runtimes=5:6)"), &gpu(80), launch);
    assert!(oracle.expect_err("an oracle").to_string().contains("come from outside"));
    let groups = built_or_estimated(&composition("rr-gpgpusim"), &gpu(80), LaunchMode::Dtbl);
    assert!(groups.is_err());
    let slots = {
        let mut gpu = gpu(80);
        gpu.smx.thread_block_slots = 33;
        built_or_estimated(&composition("rr"), &gpu, LaunchMode::Dtbl)
    };
    assert!(slots.expect_err("33 slots").to_string().contains("1 to 32 thread-block slots"));
}
