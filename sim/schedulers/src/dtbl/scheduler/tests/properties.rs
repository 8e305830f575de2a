//! Random legal traffic.

use super::super::super::super::tests::harness::slots;
use super::super::super::super::{build_for, Composition};
use super::machine::Machine;
use super::plan::*;
use crate::port::*;
use proptest::prelude::*;

fn extent(least: u32) -> impl Strategy<Value = Dim3> {
    (least..5, 1u32..3, 1u32..3).prop_map(|(x, y, z)| Dim3::new(x, y, z))
}

fn plan() -> impl Strategy<Value = Plan> {
    // Few entry PCs, so that most groups find a kernel; one kernel is there early.
    let host = (0u64..400, 0u32..3, extent(0), 0u8..4)
        .prop_map(|(arrive, entry_pc, grid, queue)| HostKernel { arrive, entry_pc, grid, queue });
    let group = (0u16..12, extent(1));
    let command = (0u64..400, 0u32..4, 0u8..40, prop::collection::vec(group, 1..6))
        .prop_map(|(arrive, entry_pc, wait, groups)| Command { arrive, entry_pc, wait, groups });
    let latencies = (1u64..40, 1u64..40, 0u64..40, 0u64..4);
    let lists = (
        prop::collection::vec(host, 1..10),
        prop::collection::vec(command, 1..24),
        prop::collection::vec(1u64..80, 1..12),
    );
    let ahead = prop_oneof![1u32..5, 1..=GroupStorage::MOST_AHEAD];
    let kept = prop::collection::vec((0u8..5, 0u64..600), 0..3);
    (lists, latencies, (0u32..5, ahead), kept).prop_map(
        |(lists, latencies, (size, ahead), kept)| {
            let (mut hosts, mut commands, durations) = lists;
            hosts.sort_by_key(|host| host.arrive);
            commands.sort_by_key(|command| command.arrive);
            let (record_latency, fetch, read, late_groups) = latencies;
            let late_groups = if late_groups == 1 { 0 } else { late_groups };
            let (fetch_latency, storage) =
                ((fetch, read), GroupStorage { table: 1 << size, ahead });
            let launch = LaunchMode::Dtbl;
            Plan {
                launch,
                hosts,
                commands,
                durations,
                record_latency,
                fetch_latency,
                late_groups,
                storage,
                kept,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_block_goes_once_in_order_and_no_group_is_lost(
        plan in plan(), smx in 1usize..6, slot_count in 1u32..5, gate in 0usize..5,
    ) {
        let levels = ["pa=1,pl=0", "pa=1,pl=2", "pa=2,pl=0", "pa=3,pl=1"];
        let name = match gate.checked_sub(1) {
            None => "rr".to_owned(),
            Some(gate) => format!("rr+claso({})", levels[gate]),
        };
        let composition: Composition = name.parse().unwrap();
        let limits = slots(slot_count);
        let scheduler =
            build_for(&composition, LaunchMode::Dtbl, plan.storage, smx, limits).unwrap();
        // The machine checks every cycle, and that nothing is left in the end.
        let events = Machine::new(scheduler, &plan, limits).run(200_000);
        let taken = events.iter().filter(|(_, event)| matches!(event, Event::Taken(_))).count();
        let launched: usize = plan.commands.iter().map(|command| command.groups.len()).sum();
        prop_assert_eq!(taken, launched);
        let of_groups = plan.commands.iter().flat_map(|command| &command.groups);
        let blocks = of_groups.map(|(_, grid)| grid.volume()).sum::<u128>()
            + plan.hosts.iter().map(|host| host.grid.volume()).sum::<u128>();
        let dispatched = events.iter().filter(|(_, e)| matches!(e, Event::Dispatch { .. })).count();
        prop_assert_eq!(dispatched as u128, blocks);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn under_cdp_every_kernel_of_a_block_runs_once(
        plan in plan(), smx in 1usize..6, slot_count in 1u32..5, gate in 0usize..3,
    ) {
        let plan = Plan { launch: LaunchMode::Cdp, ..plan };
        let name = ["rr", "rr+claso(pa=2,pl=1)", "rr+dyncta"][gate];
        let limits = slots(slot_count);
        let scheduler =
            build_for(&name.parse().unwrap(), plan.launch, 0, smx, limits).unwrap();
        let events = Machine::new(scheduler, &plan, limits).run(200_000);
        let ended = events.iter().filter(|(_, event)| matches!(event, Event::Ended { .. })).count();
        let launched: usize = plan.commands.iter().map(|command| command.groups.len()).sum();
        prop_assert_eq!(ended, plan.hosts.len() + launched);
    }

    #[test]
    fn after_a_reset_in_any_cycle_the_scheduler_behaves_as_a_new_one(
        plan in plan(), last in 0u64..500, smx in 1usize..4,
    ) {
        let composition: Composition = "rr+claso".parse().unwrap();
        let limits = slots(2);
        let new = || build_for(&composition, plan.launch, plan.storage, smx, limits).unwrap();
        let fresh = Machine::new(new(), &plan, limits).run(200_000);
        let mut left = Machine::new(new(), &plan, limits).leave_in(last);
        let reset = Inputs { reset: true, ..Inputs::idle(smx) };
        left.cycle(&reset, &mut Outputs::default());
        let again = Machine::new(left, &plan, limits).run(200_000);
        prop_assert_eq!(again, fresh);
    }
}
