//! Twin and hardware agree on every output of every cycle of random traffic with launches from the
//! device.
//!
//! Rationale. 1. The state is that of 32 kernels, their lists, the table and the coalescer; phases of
//! traffic fill and drain each of them. 2. Tables of 1, 2, 8 and 1,024 entries; 1, 2, 3, 13 and 32 SMXs.
//! 3. The counts show that what shall be tested happened.

use blockyard::random_lockstep::{Counts, RandomLockstep};
use blockyard::traffic::Intensity;
use blockyard_sim::port::{LaunchMode, SmxLimits};

const K20C: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

fn run(scheduler: &str, launch: LaunchMode, table: u32, smx: usize, seed: u64) -> Counts {
    let mut total = Counts::default();
    for intensity in [Intensity::DENSE, Intensity::MIXED, Intensity::SPARSE] {
        let case = RandomLockstep {
            composition: scheduler.parse().expect("a known scheduler"),
            smx,
            limits: K20C,
            launch,
            table,
            intensity,
            seed,
            cycles: 10_000,
        };
        let counts = case.run().unwrap_or_else(|failure| {
            panic!("{scheduler} {launch:?}, table {table}, {smx} SMXs, {intensity:?}: {failure}")
        });
        total.merge(&counts);
    }
    total
}

#[test]
fn the_management_unit_and_its_twin_agree() {
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for smx in [1, 3, 13] {
            let counts = run(scheduler, LaunchMode::Cdp, 1, smx, 7);
            assert!(counts.records > 100 && counts.ends > 100, "{counts:?}");
            assert!(counts.resets > 0, "{counts:?}");
        }
    }
}

#[test]
fn aggregated_groups_and_their_twin_agree() {
    for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
        for (table, smx) in [(1, 1), (2, 3), (8, 2), (1024, 13), (8, 32)] {
            let counts = run(scheduler, LaunchMode::Dtbl, table, smx, 11);
            let Counts { coalesced, overflowed, refused, links, group_blocks, .. } = counts;
            assert!(coalesced > 100 && refused > 10 && group_blocks > 100, "{counts:?}");
            assert!(overflowed < coalesced, "{counts:?}");
            if table < 1024 {
                assert!(overflowed > 10 && links > 0, "{counts:?}");
            }
        }
    }
}
