//! Random legal traffic.

use super::super::super::super::tests::harness::{slots, Sampling, DYNCTA, MORE, PERIOD};
use super::super::super::{Binding, LapermConfig, QueueKind};
use super::machine::Machine;
use super::plan::*;
use crate::port::*;
use proptest::prelude::*;

fn extent(least: u32) -> impl Strategy<Value = Dim3> {
    (least..4, 1u32..3, 1u32..3).prop_map(|(x, y, z)| Dim3::new(x, y, z))
}

fn config() -> impl Strategy<Value = LapermConfig> {
    let binding = prop_oneof![Just(Binding::Shared), Just(Binding::Bound), Just(Binding::Adaptive)];
    let queue = prop_oneof![Just(QueueKind::Linked), Just(QueueKind::Shifting)];
    (binding, queue, 1u8..5, 0u32..3, 1u8..4).prop_map(|(binding, queue, levels, size, cluster)| {
        LapermConfig { binding, queue, levels, entries: 1 << size, cluster }
    })
}

/// Work for up to 6 SMXs; `least` is the least extent of a grid.
fn plan(launch: LaunchMode, least: u32) -> impl Strategy<Value = Plan> {
    let host = (0u64..300, 0u32..2, extent(least), 0u8..3)
        .prop_map(|(arrive, entry_pc, grid, queue)| HostKernel { arrive, entry_pc, grid, queue });
    let smx = 1usize..6;
    let when = prop_oneof![
        (0usize..90, 0u64..30).prop_map(|(block, after)| When::Dispatched(block, after)),
        (0u64..300, 0u8..6, 0u8..5)
            .prop_map(|(at, smx, level)| When::At(at, Parent { smx, level })),
    ];
    // Groups are never empty.
    let least = if launch == LaunchMode::Dtbl { least.max(1) } else { least };
    let call = (when, 0u32..3, 0u8..20, prop::collection::vec(extent(least), 1..6))
        .prop_map(|(when, entry_pc, wait, grids)| Call { when, entry_pc, wait, grids });
    let lists = (
        prop::collection::vec(host, 1..7),
        prop::collection::vec(call, 1..24),
        prop::collection::vec(1u64..60, 1..12),
        prop::collection::vec((0u64..300, extent(least)), 0..3),
    );
    let latencies = (1u64..30, 1u64..30, 0u64..4);
    (lists, latencies, config(), smx, 1u32..4).prop_map(
        move |(lists, latencies, config, smx, slot_count)| {
            let (mut hosts, mut calls, durations, mut suspended) = lists;
            hosts.sort_by_key(|host| host.arrive);
            suspended.sort_by_key(|(at, _)| *at);
            for call in &mut calls {
                if let When::At(_, parent) = &mut call.when {
                    parent.smx %= smx as u8;
                }
            }
            let (record_latency, refill_latency, late_groups) = latencies;
            let late_groups = if late_groups == 1 { 0 } else { late_groups };
            Plan {
                launch,
                config,
                gates: "",
                sampling: None,
                smx,
                limits: slots(slot_count),
                hosts,
                suspended,
                calls,
                durations,
                record_latency,
                refill_latency,
                late_groups,
            }
        },
    )
}

/// With gates or empty grids, which the machine knows less of.
fn lenient(launch: LaunchMode) -> impl Strategy<Value = Plan> {
    let gates = prop::sample::select(vec![
        "",
        "+claso(pa=1,pl=0)",
        "+claso(pa=1,pl=2)",
        "+claso(pa=3,pl=1)",
        DYNCTA,
        "+dyncta(period=10,idle=3,low=4,high=6)+claso(pa=2,pl=0)",
    ]);
    let sample = (0u16..=4, 0u16..=8);
    let rows = prop::collection::vec(prop::collection::vec(sample, 1..6), 1..20);
    (plan(launch, 0), gates, rows).prop_map(|(plan, gates, rows)| {
        let gates = if plan.binds() && gates.contains("claso") { DYNCTA } else { gates };
        let sampling = gates.contains("dyncta").then_some(Sampling { period: PERIOD, rows });
        Plan { gates, sampling, ..plan }
    })
}

/// The machine checks every cycle, and that nothing is left in the end.
fn run(plan: &Plan) {
    let mut machine = Machine::new(plan.scheduler(), plan);
    machine.run(300_000);
    let dispatched =
        machine.events.iter().filter(|(_, event)| matches!(event, Event::Dispatch { .. })).count();
    assert_eq!(dispatched as u128, machine.blocks);
    // Every call at a given time was made, and everything of it came to the queues.
    let at = plan.calls.iter().filter(|call| matches!(call.when, When::At(..)));
    let least = plan.hosts.len() + plan.suspended.len() + at.map(|c| c.grids.len()).sum::<usize>();
    assert!(machine.launched >= least, "{} of at least {least}", machine.launched);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_block_that_the_page_names_goes_in_each_cycle_and_no_group_is_lost(
        plan in plan(LaunchMode::Dtbl, 1),
    ) {
        run(&plan);
    }

    #[test]
    fn the_block_that_the_page_names_goes_in_each_cycle_and_no_device_kernel_is_lost(
        plan in plan(LaunchMode::Cdp, 1),
    ) {
        run(&plan);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn with_gates_every_block_of_a_group_goes_once_in_order(
        plan in lenient(LaunchMode::Dtbl),
    ) {
        run(&plan);
    }

    #[test]
    fn with_gates_and_empty_grids_every_block_of_a_device_kernel_goes_once_in_order(
        plan in lenient(LaunchMode::Cdp),
    ) {
        run(&plan);
    }

    #[test]
    fn what_launches_nothing_is_the_same_under_every_launch_mode(
        plan in lenient(LaunchMode::Cdp),
    ) {
        let events = |launch| {
            let plan = Plan { launch, calls: Vec::new(), ..plan.clone() };
            let mut machine = Machine::new(plan.scheduler(), &plan);
            machine.run(300_000);
            machine.events
        };
        let flat = events(LaunchMode::Flat);
        prop_assert_eq!(&events(LaunchMode::Cdp), &flat);
        prop_assert_eq!(&events(LaunchMode::Dtbl), &flat);
    }

    #[test]
    fn a_limit_of_all_slots_changes_nothing(
        mut plan in plan(LaunchMode::Cdp, 0),
    ) {
        // Two samples raise the limit of one block to all slots before anything comes.
        plan.hosts.iter_mut().for_each(|host| host.arrive += 20);
        plan.suspended.iter_mut().for_each(|(at, _)| *at += 20);
        for call in &mut plan.calls {
            if let When::At(at, _) = &mut call.when {
                *at += 20;
            }
        }
        let sampling = Some(Sampling::new(PERIOD, &[&[MORE]]));
        let throttled = Plan { gates: DYNCTA, sampling, ..plan.clone() };
        let events = |plan: &Plan| {
            let mut machine = Machine::new(plan.scheduler(), plan);
            machine.run(300_000);
            machine.events
        };
        prop_assert_eq!(events(&throttled), events(&plan));
    }

    #[test]
    fn after_a_reset_in_any_cycle_the_scheduler_behaves_as_a_new_one(
        plan in lenient(LaunchMode::Dtbl), last in 0u64..400,
    ) {
        let mut fresh = Machine::new(plan.scheduler(), &plan);
        fresh.run(300_000);
        let mut left = Machine::new(plan.scheduler(), &plan);
        left.run_to(last);
        let mut scheduler = left.scheduler;
        let reset = Inputs { reset: true, ..Inputs::idle(plan.smx) };
        scheduler.cycle(&reset, &mut Outputs::default());
        let mut again = Machine::new(scheduler, &plan);
        again.run(300_000);
        prop_assert_eq!(again.events, fresh.events);
    }
}
