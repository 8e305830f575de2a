//! Twin and hardware agree on every output of every cycle of random traffic with launches from the
//! device.
//!
//! Rationale. 1. The state is that of 32 kernels, their lists, the table and the coalescer; phases
//! of traffic fill and drain each of them. 2. Tables of 1, 2, 8 and 1,024 entries; 1, 2, 5 and 32
//! groups in memory that are asked for ahead; 1, 2, 3, 5, 13, 32 and 33 SMXs.
//! 3. The counts show that what shall be tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, GroupStorage, LaunchMode, SmxLimits};

const K20C: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

fn run(
    scheduler: &str,
    launch: LaunchMode,
    storage: GroupStorage,
    smx: usize,
    seed: u64,
) -> Counts {
    let mut total = Counts::default();
    for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
        let case = RandomLockstep {
            composition: scheduler.parse().expect("a known scheduler"),
            plan: FloorPlan::uneven(smx),
            limits: K20C,
            launch,
            storage,
            intensity,
            seed,
            cycles: 10_000,
        };
        let counts = case.run().unwrap_or_else(|failure| {
            panic!("{scheduler} {launch:?}, {storage:?}, {smx} SMXs, {intensity:?}: {failure}")
        });
        total.merge(&counts);
    }
    total
}

#[test]
fn the_management_unit_and_its_twin_agree() {
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for smx in [1, 3, 13] {
            let counts = run(scheduler, LaunchMode::Cdp, 1.into(), smx, 7);
            assert!(counts.records > 100 && counts.ends > 100, "{counts:?}");
            assert!(counts.resets > 0, "{counts:?}");
        }
    }
}

#[test]
fn aggregated_groups_and_their_twin_agree() {
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for (table, ahead, smx) in [(1, 1, 1), (2, 2, 3), (8, 32, 2), (1024, 32, 13), (8, 5, 32)] {
            let storage = GroupStorage { table, ahead };
            let counts = run(scheduler, LaunchMode::Dtbl, storage, smx, 11);
            let Counts { coalesced, overflowed, refused, links, group_blocks, .. } = counts;
            assert!(coalesced > 100 && refused > 10 && group_blocks > 100, "{counts:?}");
            assert!(overflowed < coalesced, "{counts:?}");
            if table < 1024 {
                assert!(overflowed > 10 && links > 0, "{counts:?}");
            }
        }
    }
}

#[test]
fn groups_in_memory_are_on_their_way_together_and_kernels_are_kept_for_them() {
    let mut kept = 0;
    for (ahead, smx) in [(1, 5), (2, 33), (32, 1), (64, 13)] {
        let storage = GroupStorage { table: 1, ahead };
        let counts = run("rr", LaunchMode::Dtbl, storage, smx, 5);
        let Counts { fetches, overlapping, .. } = counts;
        assert!(fetches > 100, "{ahead} ahead: {counts:?}");
        assert_eq!(overlapping > 0, ahead > 1, "{ahead} ahead: {counts:?}");
        kept += counts.kept;
    }
    assert!(kept > 10, "{kept} kernels ended when they were not kept any more");
}
