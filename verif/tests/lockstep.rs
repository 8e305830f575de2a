//! Twin and hardware agree on every output of every cycle of random traffic.

use blockyard::engine::RtlScheduler;
use blockyard::family::everything;
use blockyard::random_lockstep::{Counts, RandomFailure, RandomLockstep};
use blockyard::regress::StopFlag;
use blockyard::traffic::{Intensity, Traffic};
use blockyard_sim::port::{FloorPlan, Inputs, LaunchMode, Outputs, SmxLimits};
use blockyard_sim::sched;
use rayon::prelude::*;

const C2050: SmxLimits =
    SmxLimits { threads: 1536, registers: 32_768, shared_memory: 49_152, thread_block_slots: 8 };

fn run(scheduler: &str, smx: usize, intensity: Intensity, seed: u64) -> Counts {
    let composition = scheduler.parse().expect("a known scheduler");
    let case = RandomLockstep {
        composition,
        plan: FloorPlan::uneven(smx),
        limits: C2050,
        launch: LaunchMode::Flat,
        storage: 1.into(),
        intensity,
        seed,
        cycles: 4_000,
    };
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
    "rr+dyncta(period=1,idle=4095,low=0,high=1,pause=1)",
    "rr+dyncta+claso",
];

#[test]
fn twin_and_hardware_agree_at_any_number_of_smxs() {
    for scheduler in SCHEDULERS {
        for smx in [1, 2, 3, 4, 13, 14, 15, 16, 30, 32] {
            for density in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
                let intensity = Intensity { tides: false, ..density };
                let counts = run(scheduler, smx, intensity, smx as u64);
                assert!(counts.dispatches > 0 && counts.ends > 0, "{scheduler} {smx}: {counts:?}");
                let sampling = scheduler.contains("dyncta");
                assert_eq!(counts.samples > 100, sampling, "{scheduler} {smx}: {counts:?}");
                if scheduler != "rr-gpgpusim" {
                    assert_eq!(counts.most, 1, "{scheduler} {smx}");
                }
            }
        }
    }
}

#[test]
fn every_scheduler_agrees_with_its_twin_under_every_gate_and_launch_mode() {
    // Sizes in which the masks have one word and more than one, full and not.
    everything().into_par_iter().enumerate().for_each(|(number, (composition, launch))| {
        for smx in [[5, 33], [31, 64], [2, 65], [13, 80], [1, 132]][number % 5] {
            let case = RandomLockstep {
                composition: composition.clone(),
                plan: FloorPlan::uneven(smx),
                limits: C2050,
                launch,
                storage: 8.into(),
                intensity: Intensity::RESTARTED,
                seed: smx as u64,
                cycles: 60_000 / (smx as u64 + 20),
            };
            let counts = case.run().unwrap_or_else(|failure| {
                panic!("{composition} {launch:?}, {smx} SMXs: {failure}");
            });
            assert!(counts.dispatches > 0, "{composition} {launch:?}, {smx} SMXs: {counts:?}");
        }
    });
}

#[test]
fn dense_traffic_fills_the_kernel_table_and_mixed_traffic_resets_in_mid_run() {
    let (mut full, mut resets) = (0, 0);
    for seed in 0..8 {
        full += run("rr+claso", 4, Intensity::DENSE, seed).full;
        resets += run("rr+claso", 4, Intensity::MIXED, seed).resets;
    }
    assert!(full > 100 && resets > 3, "full in {full} cycles, {resets} resets");
}

#[test]
fn vast_traffic_puts_grids_that_nobody_can_count_into_any_entry() {
    let mut twin = sched::build(&"rr".parse().expect("a known scheduler"), 4, C2050);
    let mut traffic = Traffic::new(4, C2050, Intensity::VAST, 1);
    let (mut inputs, mut outputs) = (Inputs::idle(4), Outputs::idle(4));
    let mut entries = 0_u32;
    for _ in 0..24_000 {
        traffic.next(&mut inputs);
        twin.cycle(&inputs, &mut outputs);
        traffic.observe(&inputs, &outputs);
        let vast = inputs.launch.is_some_and(|kernel| kernel.blocks > 1 << 16);
        if let Some(entry) = outputs.launch_ready.filter(|_| vast && !inputs.reset) {
            entries |= 1 << entry.index();
        }
    }
    assert_eq!(entries, u32::MAX);
}

#[test]
fn gpgpusim_is_seen_to_serve_all_smxs_in_one_cycle() {
    for smx in [1, 2, 3, 4, 13, 14, 15, 16, 30, 32] {
        let counts = run("rr-gpgpusim", smx, Intensity::MIXED, 100 + smx as u64);
        assert_eq!(counts.most, smx as u64, "{smx} SMXs: {counts:?}");
    }
}

#[test]
fn random_traffic_tells_a_scheduler_from_its_neighbours() {
    // The hardware of the first against the twin of the second: what a difference that small costs.
    for (hardware, twin) in [
        ("rr-gpgpusim", "rr"),
        ("rr+dyncta", "rr"),
        ("rr+dyncta", "rr+dyncta(idle=15)"),
        ("rr+dyncta", "rr+dyncta(idle=17)"),
        ("rr+dyncta", "rr+dyncta(low=127)"),
        ("rr+dyncta", "rr+dyncta(low=129)"),
        ("rr+dyncta", "rr+dyncta(high=383)"),
        ("rr+dyncta", "rr+dyncta(high=385)"),
        ("rr+dyncta(pause=1)", "rr+dyncta"),
        ("rr+dyncta(pause=1)", "rr+dyncta(pause=1,high=383)"),
        ("rr+dyncta+claso", "rr+dyncta"),
        ("rr+dyncta+claso", "rr+claso"),
        ("rr+dyncta+claso", "rr+claso+dyncta"),
    ] {
        let composition = hardware.parse().expect("a known scheduler");
        let module = RtlScheduler::build(&composition, 4, C2050).expect("there is hardware");
        let other = twin.parse().expect("a known scheduler");
        let intensity = Intensity::DENSE;
        let case = RandomLockstep {
            composition,
            plan: FloorPlan::uneven(4),
            limits: C2050,
            launch: LaunchMode::Flat,
            storage: 1.into(),
            intensity,
            seed: 1,
            cycles: 20_000,
        };
        let result = case.run_against(sched::build(&other, 4, C2050), module, &StopFlag::new());
        let differ = matches!(result, Err(RandomFailure::Mismatch(_)));
        assert!(differ, "{hardware} against {twin}: {result:?}");
    }
}
