//! Rationale: 1. the whole of each scheduler on random traffic: up to eight kernels at once, some without
//! blocks, some of one block, many with fewer blocks than there are SMXs; a clock that wraps. 2. N = 1, 3,
//! 4, 15 and 16; samples of 1 and 3 blocks, limits of 1 and 3. 3. The counts show that what shall be
//! tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{LaunchMode, SmxLimits};

const LIMITS: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

/// All of them, on a stack that holds the largest one while it is built.
fn run_all(schedulers: &'static [&'static str]) -> Counts {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let counts = thread.spawn(|| run_each(schedulers)).expect("a thread").join();
    counts.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn run_each(schedulers: &[&str]) -> Counts {
    let mut total = Counts::default();
    for scheduler in schedulers {
        for smx in [1, 3, 4, 15, 16] {
            for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
                let case = RandomLockstep {
                    composition: scheduler.parse().expect("a known scheduler"),
                    smx,
                    limits: LIMITS,
                    launch: LaunchMode::Flat,
                    table: 1,
                    intensity,
                    seed: 40 + smx as u64,
                    cycles: 8_000,
                };
                let counts = case.run().unwrap_or_else(|failure| {
                    panic!("{scheduler}, {smx} SMXs, {intensity:?}: {failure}")
                });
                total.merge(&counts);
            }
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
