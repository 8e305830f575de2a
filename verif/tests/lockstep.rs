//! Twin and hardware agree on every output of every cycle of random traffic.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::SmxLimits;

const C2050: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

fn run(scheduler: &str, smx: usize, intensity: Intensity, seed: u64) -> Counts {
    let composition = scheduler.parse().expect("a known scheduler");
    let case = RandomLockstep { composition, smx, limits: C2050, intensity, seed, cycles: 4_000 };
    case.run().unwrap_or_else(|failure| panic!("{scheduler}, {smx} SMXs, seed {seed}: {failure}"))
}

const SCHEDULERS: [&str; 9] = [
    "rr",
    "rr+claso(pa=1,pl=0)",
    "rr+claso(pa=2,pl=0)",
    "rr+claso(pa=1,pl=2)",
    "rr+claso(pa=65535,pl=65535)",
    "rr-gpgpusim",
    "rr+dyncta",
    "rr+dyncta(period=1,idle=4095,low=0,high=1)",
    "rr+dyncta+claso",
];

#[test]
fn twin_and_hardware_agree_at_any_number_of_smxs() {
    for scheduler in SCHEDULERS {
        for smx in [1, 2, 3, 4, 13, 14, 15, 16, 30, 32] {
            for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
                let counts = run(scheduler, smx, intensity, smx as u64);
                assert!(counts.dispatches > 0 && counts.ends > 0, "{scheduler} {smx}: {counts:?}");
            }
        }
    }
}

#[test]
fn dense_traffic_fills_the_kernel_table_and_resets_in_mid_run() {
    let mut sum = Counts::default();
    for seed in 0..8 {
        let counts = run("rr+claso", 4, Intensity::DENSE, seed);
        sum.full += counts.full;
        sum.resets += counts.resets;
    }
    assert!(sum.full > 100 && sum.resets > 3, "{sum:?}");
}
