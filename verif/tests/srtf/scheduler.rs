//! Rationale: 1. the whole of each scheduler on random traffic: up to eight kernels at once, some
//! without blocks, some of one block, many with fewer blocks than there are SMXs; a clock that
//! wraps. 2. N = 1, 3, 4, 15 and 16, and in short runs 33, 65 and 132; samples of 1 and 3 blocks,
//! limits of 1 and 3. 3. The counts show that what shall be tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, LaunchMode, SmxLimits};

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

fn run(scheduler: &str, smx: usize, cycles: u64) -> Counts {
    let mut total = Counts::default();
    for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
        let case = RandomLockstep {
            composition: scheduler.parse().expect("a known scheduler"),
            plan: FloorPlan::uneven(smx),
            limits: LIMITS,
            launch: LaunchMode::Flat,
            storage: 1.into(),
            intensity,
            seed: 40 + smx as u64,
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
    let mut total = Counts::default();
    for scheduler in schedulers {
        for smx in [1, 3, 4, 15, 16] {
            total.merge(&run(scheduler, smx, 8_000));
        }
    }
    total
}

#[test]
fn mpmax_and_its_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&["mpmax"]);
    assert!(counts.ends > 500 && counts.resets > 10 && counts.full > 1_000, "{counts:?}");
}

#[test]
fn shortest_first_and_its_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&["srtf", "srtf(sample=3)"]);
    assert!(counts.ends > 500 && counts.resets > 20 && counts.full > 1_000, "{counts:?}");
}

#[test]
fn sharing_and_its_twin_agree_on_every_output_of_every_cycle() {
    let counts = run_all(&["srtf/adaptive", "srtf/adaptive(limit=1,threshold=0)"]);
    assert!(counts.ends > 500 && counts.resets > 20 && counts.full > 1_000, "{counts:?}");
}

#[test]
fn on_more_smxs_than_a_word_has_bits_each_and_its_twin_agree_on_every_output_of_every_cycle() {
    let mut counts = Counts::default();
    for scheduler in ["mpmax", "srtf", "srtf/adaptive"] {
        for smx in [33, 65, 132] {
            counts.merge(&run(scheduler, smx, 500));
        }
    }
    assert!(counts.ends > 50 && counts.dispatches > 5_000, "{counts:?}");
}
