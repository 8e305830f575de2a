//! Rules of groups that are left in memory.

use super::*;

#[test]
fn a_link_behind_a_group_in_memory_is_written_and_no_other() {
    let memory = GroupReference::in_memory(5);
    let bench = || {
        let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
        bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
        bench.coalesce(64, group(1, 5), memory, None).unwrap();
        bench
    };
    let link = |pointer| Some(LinkWrite { pointer, next: on_chip(0) });
    bench().coalesce(64, group(0, 6), on_chip(0), link(5)).unwrap();
    refused(bench().coalesce(64, group(0, 6), on_chip(0), None), "link_write is None");
    refused(bench().coalesce(64, group(0, 6), on_chip(0), link(6)), "link_write");
    let mut first = Bench::with_kernel(LaunchMode::Dtbl);
    refused(first.coalesce(64, group(0, 6), on_chip(0), link(6)), "link_write");
}

#[test]
fn groups_in_memory_are_asked_for_one_by_one_in_order_from_the_next_cycle_on() {
    let bench = || {
        let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
        bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
        bench.coalesce(64, group(1, 5), memory(5), None).unwrap();
        bench
    };
    let ask = |place| {
        move |_: &mut Inputs, outputs: &mut Outputs| {
            outputs.device.group_memory.fetch_group = place;
        }
    };
    refused(bench().cycle(ask(None)), "fetch_group is None, not Some");
    refused(bench().cycle(ask(place(1))), "index: 0");
    let other = Some(RingPlace { kernel: KernelEntry(1), index: 0 });
    refused(bench().cycle(ask(other)), "KernelEntry(0)");
    let mut bench = bench();
    bench.cycle(|_, _| ()).unwrap();
    refused(bench.cycle(ask(place(1))), "not None, with 1 groups held");
}

#[test]
fn a_group_in_memory_has_to_wait_until_one_of_those_that_are_held_is_distributed() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
    bench.coalesce(64, group(1, 5), memory(5), None).unwrap();
    bench.coalesce(64, group(1, 6), memory(6), link(5, memory(6))).unwrap();
    bench.coalesce(64, group(1, 7), memory(7), link(6, memory(7))).unwrap();
    let late = bench.quiet.device.group_memory.fetch_group.take();
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    bench.cycle(arrive).unwrap();
    bench.end(0).unwrap();
    bench.end(1).unwrap();
    bench.dispatch(0, 0, Some(on_chip(1))).unwrap();
    bench.dispatch(0, 1, Some(memory(5))).unwrap();
    let mut early = Bench { invariants: bench.invariants.clone(), ..Bench::new(LaunchMode::Dtbl) };
    early.quiet = bench.quiet.clone();
    refused(early.cycle(|_, _| ()), "not Some(RingPlace { kernel: KernelEntry(0), index: 2 })");
    bench.quiet.device.group_memory.fetch_group = late;
    bench.cycle(|_, _| ()).unwrap();
}

#[test]
fn a_group_in_memory_runs_from_the_cycle_after_its_answer_on() {
    let next = || {
        let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
        bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
        bench.coalesce(64, group(1, 5), memory(5), None).unwrap();
        bench.dispatch(0, 0, None).unwrap();
        bench.dispatch(1, 1, None).unwrap();
        bench.dispatch(0, 2, Some(on_chip(1))).unwrap();
        bench.end(0).unwrap();
        bench
    };
    refused(next().dispatch(0, 0, Some(memory(5))), "whose information is not there");
    let block = Dim3::default();
    let dispatch = Dispatch { kernel: KernelEntry(0), block, group: Some(memory(5)), slot: 0 };
    let at_once = |inputs: &mut Inputs, outputs: &mut Outputs| {
        arrive(inputs, outputs);
        outputs.dispatch[0] = Some(dispatch);
    };
    refused(next().cycle(at_once), "whose information is not there");
    let mut bench = next();
    bench.cycle(arrive).unwrap();
    refused(bench.cycle(arrive), "not asked for");
    bench.dispatch(0, 0, Some(memory(5))).unwrap();
}
