//! The latencies and rules of the page, seen on the ports of the whole scheduler.

use super::super::super::super::tests::harness::slots;
use super::super::super::super::{build_for, Composition};
use super::machine::Machine;
use super::plan::*;
use crate::port::*;

const A: u32 = 64;
const B: u32 = 128;

fn host(arrive: u64, entry_pc: u32, blocks: u32) -> HostKernel {
    HostKernel { arrive, entry_pc, grid: Dim3::new(blocks, 1, 1), queue: 0 }
}

/// Groups with these hardware threads and numbers of blocks.
fn command(arrive: u64, entry_pc: u32, groups: &[(u16, u32)]) -> Command {
    let groups = groups.iter().map(|&(thread, blocks)| (thread, Dim3::new(blocks, 1, 1)));
    Command { arrive, entry_pc, wait: 0, groups: groups.collect() }
}

/// Work for a machine with an Aggregated Group Table of 8 entries and a slow memory.
fn plan(hosts: &[HostKernel], commands: &[Command], durations: &[u64]) -> Plan {
    let mut hosts = hosts.to_vec();
    hosts.iter_mut().enumerate().for_each(|(queue, host)| host.queue = queue as u8);
    Plan {
        launch: LaunchMode::Dtbl,
        hosts,
        commands: commands.to_vec(),
        durations: durations.to_vec(),
        record_latency: 283,
        fetch_latency: (30, 0),
        late_groups: 0,
        storage: 8.into(),
        kept: Vec::new(),
    }
}

fn run(plan: &Plan, smx: usize, slot_count: u32) -> Vec<(u64, Event)> {
    let composition: Composition = "rr".parse().unwrap();
    let limits = slots(slot_count);
    let scheduler = build_for(&composition, LaunchMode::Dtbl, plan.storage, smx, limits).unwrap();
    Machine::new(scheduler, plan, limits).run(100_000)
}

/// Dispatched blocks: cycle, entry, group, linear id.
fn blocks(events: &[(u64, Event)]) -> Vec<(u64, u8, Option<GroupReference>, u64)> {
    let of = |&(cycle, event): &(u64, Event)| match event {
        Event::Dispatch { entry, group, block } => Some((cycle, entry, group, block)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

/// Cycle and outcome of the groups; `None` without an eligible kernel.
fn taken(events: &[(u64, Event)]) -> Vec<(u64, Option<(u8, GroupReference)>)> {
    let of = |&(cycle, event): &(u64, Event)| match event {
        Event::Taken(GroupOutcome::Coalesced { kernel, reference }) => {
            Some((cycle, Some((kernel.0, reference))))
        }
        Event::Taken(GroupOutcome::NoEligibleKernel) => Some((cycle, None)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn at(events: &[(u64, Event)], which: impl Fn(&Event) -> bool) -> Vec<u64> {
    events.iter().filter(|(_, event)| which(event)).map(|(cycle, _)| *cycle).collect()
}

/// Requests to memory: cycle, entry, place.
fn fetches(events: &[(u64, Event)]) -> Vec<(u64, u8, u32)> {
    let of = |&(cycle, event): &(u64, Event)| match event {
        Event::FetchGroup(place) => Some((cycle, place.kernel.0, place.index)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn chip(index: u32) -> Option<GroupReference> {
    Some(GroupReference::on_chip(index))
}

#[test]
fn a_group_is_coalesced_e_plus_2_cycles_after_its_command_was_accepted() {
    for e in [0, 1, 5] {
        let mut hosts: Vec<_> = (0..e).map(|k| host(k, B + k as u32, 1)).collect();
        hosts.push(host(e, A, 1));
        let events = run(&plan(&hosts, &[command(20, A, &[(3, 1)])], &[200]), 4, 8);
        let expected = Some((e as u8, GroupReference::on_chip(3)));
        assert_eq!(taken(&events), [(20 + e + 2, expected)]);
    }
}

#[test]
fn a_group_without_an_eligible_kernel_comes_back_after_33_cycles_and_enters_as_a_kernel() {
    let events = run(&plan(&[host(0, A, 1)], &[command(10, B, &[(3, 2)])], &[900]), 4, 8);
    assert_eq!(taken(&events), [(43, None)]);
    // Its launch follows in cycle 44, its record is fetched in that cycle.
    let record = at(&events, |event| matches!(event, Event::Record { entry: 1 }));
    assert_eq!(record, [44 + 283]);
    let first = blocks(&events)[1];
    assert_eq!(first, (44 + 283 + 1, 1, None, 0), "a native block of a kernel of its own");
}

#[test]
fn scenario_one_an_unmarked_kernel_is_marked_again_and_its_group_goes_a_cycle_later() {
    let events = run(&plan(&[host(0, A, 1)], &[command(10, A, &[(3, 2)])], &[100, 1, 1]), 4, 8);
    let expected = [(1, 0, None, 0), (13, 0, chip(3), 0), (14, 0, chip(3), 1)];
    assert_eq!(blocks(&events), expected, "coalesced in cycle 12");
    assert_eq!(at(&events, |event| *event == Event::Ended { entry: 0 }), [102]);
}

#[test]
fn scenario_two_groups_follow_the_native_blocks_and_one_another_without_a_bubble() {
    let commands = [command(2, A, &[(1, 2), (2, 1), (7, 2)])];
    let events = run(&plan(&[host(0, A, 8)], &commands, &[500]), 2, 16);
    assert_eq!(taken(&events).iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>(), [4, 5, 6]);
    let groups = [None; 8].into_iter().chain([chip(1), chip(1), chip(2), chip(7), chip(7)]);
    let expected: Vec<_> = groups.zip(1..).map(|(group, cycle)| (cycle, group)).collect();
    let dispatched = blocks(&events);
    let dispatched: Vec<_> =
        dispatched.iter().map(|&(cycle, _, group, _)| (cycle, group)).collect();
    assert_eq!(dispatched, expected);
}

#[test]
fn a_group_coalesced_in_the_cycle_of_the_last_block_keeps_the_kernel_at_the_head() {
    // Accepted in 0, first block in 1; the command of cycle 1 is coalesced in 3, with block 2 of 3.
    for (native, next) in [(3, 4), (2, 4), (4, 5)] {
        let hosts = [host(0, A, native), host(1, B, 1)];
        let events = run(&plan(&hosts, &[command(1, A, &[(5, 1)])], &[500]), 2, 16);
        assert_eq!(taken(&events), [(3, Some((0, GroupReference::on_chip(5))))]);
        let dispatched = blocks(&events);
        let group = dispatched.iter().find(|(_, _, group, _)| group.is_some()).unwrap();
        let other = dispatched.iter().find(|(_, entry, _, _)| *entry == 1).unwrap();
        if native == 2 {
            assert_eq!((other.0, group.0), (3, 4), "unmarked in 2: it goes behind the other one");
        } else {
            assert_eq!((group.0, other.0), (next, next + 1), "{native} native blocks");
        }
    }
}

#[test]
fn an_empty_grid_that_gets_a_group_in_the_cycle_it_is_seen_stays_the_head() {
    // In entry 0 from cycle 1 on, and seen in the first cycle in which it is the head.
    let before = [host(0, B, 2), host(1, A, 0), host(2, B + 1, 1)];
    // B is head in 1 and 2, so that A is seen in 3; accepted in 0, entry 1 matches at the end of 2.
    let events = run(&plan(&before, &[command(0, A, &[(0, 1)])], &[300]), 2, 16);
    assert_eq!(taken(&events), [(3, Some((1, GroupReference::on_chip(0))))]);
    let dispatched = blocks(&events);
    let order: Vec<_> = dispatched.iter().map(|&(cycle, entry, ..)| (cycle, entry)).collect();
    assert_eq!(order, [(1, 0), (2, 0), (4, 1), (5, 2)]);
}

#[test]
fn an_empty_grid_without_a_group_costs_one_cycle_as_head_as_in_the_baseline() {
    let hosts = [host(0, A, 2), host(0, A, 0), host(0, A, 1)];
    let events = run(&plan(&hosts, &[], &[9]), 4, 4);
    let order: Vec<_> = blocks(&events).iter().map(|&(cycle, entry, ..)| (cycle, entry)).collect();
    assert_eq!(order, [(1, 0), (2, 0), (4, 2)]);
}

#[test]
fn a_group_in_memory_is_asked_for_a_cycle_after_it_was_coalesced_and_goes_a_cycle_after_it_came() {
    // Both threads name entry 3 of the table.
    let commands = [command(10, A, &[(3, 2), (11, 2)])];
    let events = run(&plan(&[host(0, A, 1)], &commands, &[500]), 4, 8);
    let reference = GroupReference::in_memory(1001);
    assert_eq!(taken(&events)[1], (13, Some((0, reference))));
    let memory = Some(reference);
    assert_eq!(fetches(&events), [(14, 0, 0)]);
    let expected =
        [(13, 0, chip(3), 0), (14, 0, chip(3), 1), (45, 0, memory, 0), (46, 0, memory, 1)];
    assert_eq!(blocks(&events)[1..], expected);
}

#[test]
fn groups_in_memory_are_asked_for_while_native_blocks_are_distributed() {
    // 40 native blocks, from 1 on; groups are taken in 4 and 5, the second one is left in memory.
    let commands = [command(2, A, &[(3, 1), (11, 2)])];
    let events = run(&plan(&[host(0, A, 40)], &commands, &[900]), 4, 16);
    assert_eq!(fetches(&events), [(6, 0, 0)]);
    let groups: Vec<_> = blocks(&events)[40..].iter().map(|block| block.0).collect();
    assert_eq!(groups, [41, 42, 43], "no bubble from group to group");
}

#[test]
fn as_many_groups_are_on_their_way_as_the_scheduler_holds() {
    // One group is on chip, seven in memory, each of one block.
    let threads: Vec<_> = (0..8).map(|_| (3, 1)).collect();
    for (ahead, asked, first) in [
        (1, [14, 46, 78, 110, 142, 174, 206], [45, 77, 109, 141, 173, 205, 237]),
        (2, [14, 15, 46, 47, 78, 79, 110], [45, 46, 77, 78, 109, 110, 141]),
        (7, [14, 15, 16, 17, 18, 19, 20], [45, 46, 47, 48, 49, 50, 51]),
        (64, [14, 15, 16, 17, 18, 19, 20], [45, 46, 47, 48, 49, 50, 51]),
    ] {
        let mut plan = plan(&[host(0, A, 1)], &[command(10, A, &threads)], &[900]);
        plan.storage.ahead = ahead;
        let events = run(&plan, 4, 8);
        let cycles: Vec<_> = fetches(&events).iter().map(|fetch| fetch.0).collect();
        assert_eq!(cycles, asked, "{ahead} ahead");
        let cycles: Vec<_> = blocks(&events)[2..].iter().map(|block| block.0).collect();
        assert_eq!(cycles, first, "{ahead} ahead");
    }
}

#[test]
fn the_places_of_an_entry_go_on_from_kernel_to_kernel() {
    let hosts = [host(0, A, 1), host(200, B, 1)];
    let commands = [command(10, A, &[(3, 1), (3, 1)]), command(210, B, &[(3, 1), (3, 1)])];
    let events = run(&plan(&hosts, &commands, &[50]), 4, 8);
    assert_eq!(fetches(&events), [(14, 0, 0), (214, 0, 1)]);
}

#[test]
fn a_kept_kernel_ends_in_the_first_cycle_in_which_it_is_not() {
    // Its only block is reported in 6.
    for (kept, end) in [(0, 7), (6, 7), (7, 8), (40, 41)] {
        let mut plan = plan(&[host(0, A, 1)], &[], &[5]);
        plan.kept = vec![(0, kept)];
        let events = run(&plan, 1, 1);
        assert_eq!(at(&events, |event| *event == Event::Ended { entry: 0 }), [end], "to {kept}");
    }
}

#[test]
fn an_empty_kernel_that_is_kept_takes_groups_and_is_marked_again() {
    let mut plan = plan(&[host(0, A, 0)], &[command(90, A, &[(3, 2)])], &[5]);
    plan.kept = vec![(0, 120)];
    let events = run(&plan, 1, 4);
    assert_eq!(taken(&events), [(92, Some((0, GroupReference::on_chip(3))))]);
    assert_eq!(blocks(&events), [(93, 0, chip(3), 0), (94, 0, chip(3), 1)]);
    assert_eq!(at(&events, |event| *event == Event::Ended { entry: 0 }), [121]);
}

#[test]
fn a_link_behind_a_group_in_memory_holds_before_during_and_after_its_fetch() {
    // The group in memory is fetched from 14 to 44 and has four blocks, in 45 to 48.
    for arrive in 11..=48 {
        for read in [0, 29] {
            let commands =
                [command(10, A, &[(3, 2), (11, 4)]), command(arrive, A, &[(19, 1), (4, 1)])];
            let mut plan = plan(&[host(0, A, 1)], &commands, &[500]);
            plan.fetch_latency = (30, read);
            let events = run(&plan, 4, 8);
            assert_eq!(taken(&events).len(), 4);
            let last = *blocks(&events).last().unwrap();
            assert_eq!(last.2, chip(4), "command of cycle {arrive}, read after {read}");
        }
    }
}

#[test]
fn a_released_entry_takes_another_kernels_group_while_the_first_kernels_last_group_names_it() {
    // Entry 3 is LAGEI of A, released, and used by B; a new group of A starts a list of its own.
    let hosts = [host(0, A, 1), host(0, B, 1)];
    let commands =
        [command(10, A, &[(3, 1)]), command(30, B, &[(3, 2)]), command(40, A, &[(5, 1), (6, 1)])];
    let events = run(&plan(&hosts, &commands, &[900, 900, 5, 400]), 4, 8);
    let references: Vec<_> = taken(&events).iter().map(|(_, to)| to.unwrap()).collect();
    let on = GroupReference::on_chip;
    assert_eq!(references, [(0, on(3)), (1, on(3)), (0, on(5)), (0, on(6))]);
    let order: Vec<_> =
        blocks(&events)[2..].iter().map(|&(_, entry, group, _)| (entry, group)).collect();
    let expected = [(0, chip(3)), (1, chip(3)), (1, chip(3)), (0, chip(5)), (0, chip(6))];
    assert_eq!(order, expected);
}

#[test]
fn an_entry_of_the_table_is_free_three_cycles_after_its_groups_last_block_was_reported() {
    // The group's only block goes in 13 and is reported in 18.
    for (arrive, free) in [(18, false), (19, true)] {
        let commands = [command(10, A, &[(3, 1)]), command(arrive, A, &[(3, 1)])];
        let events = run(&plan(&[host(0, A, 1)], &commands, &[900, 5]), 4, 8);
        let (cycle, to) = taken(&events)[1];
        assert_eq!(cycle, arrive + 2);
        assert_eq!(to.unwrap().1.index().is_some(), free, "coalesced in {cycle}");
    }
}

#[test]
fn an_entry_is_free_later_for_every_block_that_is_counted_before_its_groups_last_one() {
    // Two groups of four blocks go to SMXs 1, 2, 3, 0 in 13 to 16 and in 17 to 20. All blocks of
    // the first are reported in 30, those of the second in 31: eight are served in 31 to 38, in the
    // order of SMXs.
    let groups = [(3, 4), (4, 4)];
    let durations = [900, 17, 16, 15, 14, 14, 13, 12, 11, 900];
    for (thread, arrive, free) in [(3, 33, false), (3, 34, true), (4, 37, false), (4, 38, true)] {
        let commands = [command(10, A, &groups), command(arrive, A, &[(thread, 1)])];
        let events = run(&plan(&[host(0, A, 1)], &commands, &durations), 4, 8);
        let smx_order: Vec<_> = blocks(&events)[1..9].iter().map(|block| block.0).collect();
        assert_eq!(smx_order, (13..21).collect::<Vec<_>>());
        let (cycle, to) = taken(&events)[2];
        assert_eq!(cycle, arrive + 2);
        assert_eq!(to.unwrap().1.index().is_some(), free, "thread {thread} in {cycle}");
    }
}

#[test]
fn a_table_of_one_entry_leaves_every_other_group_in_memory() {
    let commands = [command(3, A, &[(0, 1), (1, 1), (9, 1)])];
    let mut plan = plan(&[host(0, A, 1)], &commands, &[900]);
    plan.storage.table = 1;
    let events = run(&plan, 4, 8);
    let on_chip: Vec<_> = taken(&events).iter().map(|(_, to)| to.unwrap().1.index()).collect();
    assert_eq!(on_chip, [Some(0), None, None]);
    assert_eq!(blocks(&events).len(), 4);
}

#[test]
fn a_kernel_that_was_matched_is_held_until_the_last_group_was_taken() {
    // Matched at the end of 11; the kernel's only block is reported in 15.
    let mut matched = command(10, A, &[(0, 1), (1, 1)]);
    matched.wait = 30;
    let events = run(&plan(&[host(0, A, 1)], &[matched], &[14, 2, 2]), 4, 8);
    let cycles: Vec<_> = taken(&events).iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(cycles, [40, 41], "the wait counts from the acceptance");
    let cycles: Vec<_> = blocks(&events)[1..].iter().map(|block| block.0).collect();
    assert_eq!(cycles, [41, 42]);
    assert_eq!(at(&events, |event| *event == Event::Ended { entry: 0 }), [45]);
}

#[test]
fn a_kernel_that_ends_in_the_cycle_of_its_comparison_is_not_eligible() {
    // Reported in 15, `finished_kernels` in 16; a command of cycle c is compared with entry 0 in
    // c + 1.
    for (arrive, eligible) in [(14, true), (15, false), (16, false)] {
        let events = run(&plan(&[host(0, A, 1)], &[command(arrive, A, &[(0, 1)])], &[14]), 1, 1);
        assert_eq!(taken(&events)[0].1.is_some(), eligible, "command of cycle {arrive}");
    }
}

#[test]
fn the_next_command_is_searched_for_while_groups_are_taken_and_follows_without_a_bubble() {
    let first: Vec<_> = (0..8).map(|thread| (thread, 1)).collect();
    let commands = [command(10, A, &first), command(10, A, &[(7, 1), (6, 1)])];
    let events = run(&plan(&[host(0, A, 1)], &commands, &[900]), 4, 8);
    assert_eq!(at(&events, |event| *event == Event::Command), [10, 12]);
    let cycles: Vec<_> = taken(&events).iter().map(|(cycle, _)| *cycle).collect();
    assert_eq!(cycles, (12..22).collect::<Vec<_>>());
}

#[test]
fn no_group_is_taken_in_a_cycle_in_which_a_kernel_enters() {
    let hosts = [host(0, A, 1), host(12, B, 1), host(13, B, 1)];
    let events = run(&plan(&hosts, &[command(10, A, &[(0, 1)])], &[900]), 4, 8);
    assert_eq!(taken(&events)[0].0, 14);
}

#[test]
fn thirty_two_kernels_fill_the_distributor_and_the_last_entry_is_found_after_33_cycles() {
    let mut hosts: Vec<_> = (0..31).map(|k| host(0, B + k, 1)).collect();
    hosts.push(host(0, A, 1));
    let commands = [command(100, A, &[(2, 3)]), command(100, A + 1, &[(3, 1)])];
    let events = run(&plan(&hosts, &commands, &[2000]), 8, 8);
    let expected = [(133, Some((31, GroupReference::on_chip(2)))), (166, None)];
    assert_eq!(taken(&events), expected);
    // The group that came back waits for an entry: the first kernel ends in 2002.
    let record = at(&events, |event| matches!(event, Event::Record { .. }));
    assert_eq!(record, [2003 + 283]);
}

#[test]
fn two_heads_of_one_work_queue_run_one_after_the_other_and_those_of_two_together() {
    for (queues, second) in [([0, 0], 1 + 50 + 1 + 1), ([0, 1], 1)] {
        let mut plan = plan(&[host(0, A, 1), host(0, B, 1)], &[], &[50]);
        for (host, queue) in plan.hosts.iter_mut().zip(queues) {
            host.queue = queue;
        }
        let accepted = at(&run(&plan, 2, 2), |event| matches!(event, Event::Accepted { .. }));
        assert_eq!(accepted, [0, second]);
    }
}
