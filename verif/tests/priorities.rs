//! Twin and hardware of LaPerm agree on every output of every cycle of random traffic.
//!
//! Rationale. 1. The state is that of 32 kernels, the coalescer, the priority queues, what they
//! keep in memory, pools by place, and the selector with its backups; phases of traffic fill and
//! drain each of them. 2. The three ways of binding, both queues, every launch mode; 1, 3, 4, 13
//! and 16 SMXs, clusters of 1 and 2; L of 1, 3 and 8; queues of 1, 2 and 128 entries, so that
//! overflow is constant or rare.
//! 3. The counts show that what shall be tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, LaunchMode, SmxLimits};

const K20C: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

fn run(scheduler: &str, launch: LaunchMode, smx: usize, seed: u64) -> Counts {
    let mut total = Counts::default();
    for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
        let case = RandomLockstep {
            composition: scheduler.parse().expect("a known scheduler"),
            plan: FloorPlan::uneven(smx),
            limits: K20C,
            launch,
            storage: 1024.into(),
            intensity,
            seed,
            cycles: 6_000,
        };
        let counts = case.run().unwrap_or_else(|failure| {
            panic!("{scheduler} {launch:?}, {smx} SMXs, {intensity:?}: {failure}")
        });
        total.merge(&counts);
    }
    total
}

#[test]
fn priority_queues_and_their_twin_agree_on_groups_in_every_way_of_binding() {
    let mut total = Counts::default();
    for queue in ["linked", "shifting"] {
        for (parameters, smx) in [
            ("laperm/tb-pri(levels=1,entries=1,", 1),
            ("laperm/tb-pri(levels=3,entries=2,", 3),
            ("laperm/smx-bind(levels=8,entries=2,", 4),
            ("laperm/smx-bind(cluster=2,entries=1,", 13),
            ("laperm/adaptive-bind(levels=3,entries=2,", 13),
            ("laperm/adaptive-bind(cluster=2,entries=4,levels=8,", 16),
            ("laperm/adaptive-bind(", 4),
        ] {
            let scheduler = format!("{parameters}queue={queue})");
            let counts = run(&scheduler, LaunchMode::Dtbl, smx, 11);
            let Counts { coalesced, refused, group_blocks, .. } = counts;
            assert!(coalesced > 30 && refused > 10 && group_blocks > 100, "{scheduler} {counts:?}");
            total.merge(&counts);
        }
    }
    let Counts { spills, refills, resets, kept, .. } = total;
    assert!(spills > 1000 && refills > 1000 && resets > 10 && kept > 10, "{total:?}");
}

#[test]
fn priority_queues_and_their_twin_agree_on_device_kernels() {
    for scheduler in [
        "laperm/tb-pri(entries=2)",
        "laperm/smx-bind(entries=2,queue=shifting)",
        "laperm/adaptive-bind(levels=8)",
    ] {
        for smx in [1, 4, 13] {
            let counts = run(scheduler, LaunchMode::Cdp, smx, 7);
            assert!(counts.records > 50 && counts.ends > 50, "{counts:?}");
        }
    }
}

#[test]
fn without_launches_priority_queues_are_idle_and_the_engines_agree() {
    for scheduler in ["laperm/tb-pri", "laperm/adaptive-bind"] {
        let counts = run(scheduler, LaunchMode::Flat, 3, 5);
        assert!(counts.dispatches > 1000 && counts.group_blocks == 0, "{counts:?}");
        assert_eq!((counts.spills, counts.records), (0, 0));
    }
}

#[test]
fn claso_over_priority_queues_and_its_twin_agree() {
    for scheduler in [
        "laperm/tb-pri(entries=2)+claso(pa=1,pl=0)",
        "laperm/adaptive-bind(entries=2,levels=2)+claso(pa=1,pl=0)",
        "laperm/adaptive-bind(queue=shifting,cluster=2)+claso(pa=2,pl=1)",
    ] {
        for (launch, smx) in [(LaunchMode::Cdp, 3), (LaunchMode::Dtbl, 4), (LaunchMode::Dtbl, 13)] {
            let counts = run(scheduler, launch, smx, 3);
            assert!(counts.dispatches > 1000 && counts.ends > 50, "{scheduler} {counts:?}");
        }
    }
}
