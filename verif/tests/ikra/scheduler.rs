//! Rationale: 1. the whole of each scheduler on random traffic: most kernels have the grid of the
//! one before, some are empty, a few are at the limits of the grid's fields and end by a reset. 2.
//! N = 1, 3, 4, 15 and 16, and in short runs 33, 65 and 132; queues of 2, 4 and 32 entries;
//! messages of 0 to 16 cycles; both uses of a full queue. 3. The counts show that what shall be
//! tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, LaunchMode, SmxLimits};

/// Few slots, so that chunks do not fit at once.
const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 3 };

fn run(scheduler: &str, launch: LaunchMode, smx: usize, cycles: u64) -> Counts {
    let mut total = Counts::default();
    for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
        let case = RandomLockstep {
            composition: scheduler.parse().expect("a known scheduler"),
            plan: FloorPlan::uneven(smx),
            limits: LIMITS,
            launch,
            storage: 1.into(),
            intensity,
            seed: 20 + smx as u64,
            cycles,
        };
        let counts = case
            .run()
            .unwrap_or_else(|failure| panic!("{scheduler}, {smx} SMXs, {intensity:?}: {failure}"));
        total.merge(&counts);
    }
    total
}

fn run_all(schedulers: &[&str]) -> Counts {
    run_for(12_000, schedulers, LaunchMode::Flat)
}

fn run_for(cycles: u64, schedulers: &[&str], launch: LaunchMode) -> Counts {
    let mut total = Counts::default();
    for scheduler in schedulers {
        for smx in [1, 3, 4, 15, 16] {
            total.merge(&run(scheduler, launch, smx, cycles));
        }
    }
    total
}

#[test]
fn static_chunks_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&["rr(start=last-finished)", "ikra/chunk", "ikra/reset", "ikra/flip"]);
    assert!(counts.ends > 1_000 && counts.resets > 50 && counts.full > 1_000, "{counts:?}");
    assert_eq!(counts.most, 16, "all SMXs of the largest GPU receive a block in one cycle");
}

#[test]
fn thieves_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&[
        "ikra/steal",
        "ikra/steal(queue=2,latency=1)",
        "ikra/steal(queue=2,latency=16)",
        "ikra/steal(queue=4,latency=0,full=stop)",
        "ikra/steal(thief=dispatched)",
        "ikra/steal(queue=2,latency=16,thief=dispatched)",
        "ikra/steal(queue=4,full=stop,thief=dispatched)",
    ]);
    assert!(counts.ends > 1_000 && counts.resets > 50 && counts.full > 1_000, "{counts:?}");
    assert_eq!(counts.most, 16, "all SMXs of the largest GPU receive a block in one cycle");
}

#[test]
fn under_every_gate_that_they_take_thieves_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&[
        "ikra/steal+dyncta",
        "ikra/steal(queue=2,latency=3)+dyncta",
        "ikra/steal(relations=on)+dyncta",
        "ikra/steal(thief=dispatched)+dyncta",
    ]);
    assert!(counts.ends > 1_000 && counts.resets > 50 && counts.full > 1_000, "{counts:?}");
}

#[test]
fn whatever_the_latency_and_the_number_of_smxs_waiting_thieves_agree_with_their_twin() {
    for latency in [0, 3, 31] {
        let mut counts = Counts::default();
        for form in ["", ",full=stop", ",relations=on", ",thief=dispatched"] {
            let scheduler = format!("ikra/steal(queue=4,latency={latency}{form})");
            for (smx, cycles) in [(1, 4_000), (2, 4_000), (5, 4_000), (13, 4_000), (33, 600)] {
                counts.merge(&run(&scheduler, LaunchMode::Flat, smx, cycles));
            }
        }
        assert!(counts.ends > 300 && counts.dispatches > 5_000, "{latency}: {counts:?}");
    }
}

#[test]
fn kernels_that_depend_on_earlier_ones_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&[
        "ikra/steal(relations=on)",
        "ikra/steal(queue=2,latency=1,relations=on)",
        "ikra/steal(queue=2,relations=on,thief=dispatched)",
        "ikra/steal(queue=4,latency=0,full=stop,relations=on)",
    ]);
    assert!(counts.ends > 1_000 && counts.resets > 50 && counts.full > 1_000, "{counts:?}");
    assert_eq!(counts.most, 16, "all SMXs of the largest GPU receive a block in one cycle");
}

/// Of them and of no others blocks launch kernels. They take several times as long a cycle.
const NESTED: [&str; 4] = [
    "ikra/steal(nesting=2)",
    "ikra/steal(nesting=4)",
    "ikra/steal(queue=2,nesting=2)",
    "ikra/steal(queue=2,nesting=4)",
];

#[test]
fn kernels_that_launch_kernels_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_for(4_000, &NESTED, LaunchMode::Cdp);
    assert!(counts.ends > 1_000 && counts.resets > 50 && counts.full > 1_000, "{counts:?}");
    assert!(counts.records > 1_000, "{counts:?}");
    assert_eq!(counts.most, 16, "all SMXs of the largest GPU receive a block in one cycle");
}

#[test]
fn without_launches_levels_and_their_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_for(4_000, &NESTED, LaunchMode::Flat);
    assert!(counts.ends > 1_000 && counts.resets > 50, "{counts:?}");
    assert_eq!(counts.records, 0);
}

/// Numbers of SMXs that need one word of a mask, two and three.
const LARGE: [usize; 3] = [33, 65, 132];

#[test]
fn on_more_smxs_than_a_word_has_bits_stealing_and_its_twin_agree_on_every_output_of_every_cycle() {
    let mut counts = Counts::default();
    for scheduler in ["rr(start=last-finished)", "ikra/flip", "ikra/steal(queue=2,relations=on)"] {
        for smx in LARGE {
            counts.merge(&run(scheduler, LaunchMode::Flat, smx, 600));
        }
    }
    assert!(counts.ends > 50 && counts.dispatches > 5_000, "{counts:?}");
    assert!(counts.most > 64, "{counts:?}");
}

#[test]
fn on_more_smxs_than_a_word_has_bits_levels_and_their_twin_agree_on_every_output_of_every_cycle() {
    let mut counts = Counts::default();
    for smx in LARGE {
        counts.merge(&run("ikra/steal(queue=2,nesting=2)", LaunchMode::Cdp, smx, 400));
    }
    assert!(counts.ends > 20 && counts.records > 20 && counts.most > 64, "{counts:?}");
}
