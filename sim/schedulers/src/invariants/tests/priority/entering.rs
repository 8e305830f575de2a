//! How units come into the queues: records, groups, insertions.

use super::*;

/// A block of this SMX and level launches a kernel, which goes to `to`.
fn launch(smx: u8, level: u8, to: QueuePlace) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |inputs, outputs| {
        inputs.device.management.device_launch = true;
        inputs.device.parents.launch_parent = Parent { smx, level };
        outputs.device.parents.launch_place = to;
    }
}

fn fetch(from: QueuePlace, index: u32) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |_, outputs| {
        outputs.device.management.fetch_record = Some(RecordFetch { suspended: false, index });
        outputs.device.parents.fetch_place = from;
    }
}

/// A record of `from` is at the port and takes this entry.
fn record(from: QueuePlace, entry: Option<u8>) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |inputs, outputs| {
        inputs.device.management.record = Some(kernel(1));
        inputs.device.parents.record_place = from;
        outputs.device.management.record_entry = entry.map(KernelEntry);
        if entry.is_some() {
            outputs.launch_ready = None;
        }
    }
}

/// The same, and the host's port says this.
fn record_beside_host(
    from: QueuePlace,
    entry: Option<u8>,
    host: Option<u8>,
) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |inputs, outputs| {
        record(from, entry)(inputs, outputs);
        outputs.launch_ready = host.map(KernelEntry);
    }
}

fn bench() -> Bench {
    Bench::new("laperm/smx-bind(levels=2)", 0)
}

#[test]
fn a_kernel_joins_the_pool_of_its_parent_s_smx_and_the_next_level() {
    for (smx, level, to) in [(0, 0, place(0, 1)), (2, 1, place(2, 2)), (2, 2, place(2, 2))] {
        bench().cycle(launch(smx, level, to)).unwrap();
        for wrong in [place(1, to.level), place(smx, to.level + 1), place(smx, 0)] {
            refused(bench().cycle(launch(smx, level, wrong)), "launch_place is");
        }
    }
    let mut none = bench();
    refused(none.cycle(|_, o| o.device.parents.launch_place = place(1, 1)), "launch_place is");
}

#[test]
fn the_search_looks_at_one_level_a_cycle_and_then_at_the_next_queue() {
    let mut searched = bench();
    searched.cycle(launch(1, 0, place(1, 1))).unwrap();
    searched.cycle(launch(2, 1, place(2, 2))).unwrap();
    searched.cycle(fetch(place(1, 1), 0)).unwrap();
    searched.cycle(fetch(place(2, 2), 0)).unwrap();
    let mut early = bench();
    early.cycle(launch(1, 0, place(1, 1))).unwrap();
    refused(early.cycle(fetch(place(1, 1), 0)), "fetch_record is");
    let mut late = bench();
    late.cycle(launch(1, 1, place(1, 2))).unwrap();
    refused(late.cycle(|_, _| ()), "fetch_record is None");
    let mut wrong = bench();
    wrong.cycle(launch(1, 1, place(1, 2))).unwrap();
    refused(wrong.cycle(fetch(place(1, 2), 1)), "fetch_record is");
    let mut elsewhere = bench();
    elsewhere.cycle(launch(1, 1, place(1, 2))).unwrap();
    refused(elsewhere.cycle(fetch(place(2, 2), 0)), "fetch_record is");
}

/// A record of queue 1, level 2, is on its way.
fn on_its_way() -> Bench {
    let mut bench = bench();
    bench.cycle(launch(1, 1, place(1, 2))).unwrap();
    bench.cycle(fetch(place(1, 2), 0)).unwrap();
    bench
}

#[test]
fn a_record_is_of_the_pool_that_it_was_fetched_from_and_enters_at_once() {
    let wrong = on_its_way().cycle(record(place(1, 1), Some(1)));
    refused(wrong, "comes that was not asked for");
    let refusal = on_its_way().cycle(record_beside_host(place(1, 2), None, None));
    refused(refusal, "a record takes entry None");
    let mut bench = on_its_way();
    bench.cycle(record(place(1, 2), Some(1))).unwrap();
    bench.quiet.launch_ready = Some(KernelEntry(2));
    refused(bench.cycle(record(place(1, 2), Some(2))), "comes that was not asked for");
    let mut bench = on_its_way();
    bench.cycle(record(place(1, 2), Some(1))).unwrap();
    bench.quiet.launch_ready = Some(KernelEntry(2));
    let next = Dispatch { kernel: KernelEntry(1), ..Default::default() };
    bench.refill(1, next, 2).unwrap();
}

#[test]
fn a_group_is_not_taken_beside_a_kernel_that_enters() {
    let both = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.launch = Some(kernel(1));
        inputs.device.management.work_queue = 1;
        outputs.launch_ready = Some(KernelEntry(1));
    };
    refused(bench().group((0, 0), (5, 1), both), "while a kernel enters");
}

#[test]
fn a_group_is_named_by_its_pointer_and_needs_no_link() {
    let on_chip = |_: &mut Inputs, outputs: &mut Outputs| {
        let (kernel, reference) = (KernelEntry(0), GroupReference::on_chip(0));
        outputs.device.groups.group_taken = Some(GroupOutcome::Coalesced { kernel, reference });
    };
    refused(bench().group((0, 0), (5, 1), on_chip), "a group is kept as");
    let mut linked = bench();
    linked.add((0, 0), 5);
    let link = |_: &mut Inputs, outputs: &mut Outputs| {
        let next = GroupReference::in_memory(6);
        outputs.device.group_memory.link_write = Some(LinkWrite { pointer: 5, next });
    };
    refused(linked.group((0, 0), (6, 1), link), "link_write is");
    let mut fetched = bench();
    fetched.add((0, 0), 5);
    refused(
        fetched.cycle(|_, o| o.device.group_memory.fetch_group = Some(RingPlace::default())),
        "is asked for beside 0",
    );
}

/// Two units of level 1, and one of level 2 that was inserted in the last cycle and shifts them.
fn shifting() -> Bench {
    let mut bench = Bench::new("laperm/smx-bind(queue=shifting)", 0);
    bench.add((0, 0), 5);
    bench.add((0, 0), 6);
    bench.wait_for(1);
    // The turn is at SMX 0 in the second cycle after the acceptance.
    bench.group((0, 1), (7, 1), |_, _| ()).unwrap();
    bench
}

#[test]
fn an_insertion_that_shifts_takes_a_cycle_for_each_unit_behind_it() {
    // Accepted in c, in its place from c + 3 on; the turn is SMX 0's in c + 1 and c + 4.
    refused(shifting().refill(0, child(7), 2), "of which no queue has anything");
    let mut bench = shifting();
    bench.refill(0, child(5), 1).unwrap();
    refused(bench.refill(0, child(6), 1), "level 1, passes over entry 0, level 2");
    let mut bench = shifting();
    bench.refill(0, child(5), 1).unwrap();
    bench.refill(0, child(7), 2).unwrap();
    bench.refill(0, child(6), 1).unwrap();
}

#[test]
fn nothing_enters_a_queue_during_an_insertion() {
    let mut same = shifting();
    refused(same.group((0, 0), (8, 1), |_, _| ()), "which takes none");
    let mut other = shifting();
    other.group((1, 0), (8, 1), |_, _| ()).unwrap();
    let mut after = shifting();
    after.quiet();
    after.group((0, 0), (8, 1), |_, _| ()).unwrap();
}

#[test]
fn a_record_waits_for_the_end_of_an_insertion_and_the_host_goes_first() {
    let waiting = || {
        let mut bench = shifting();
        bench.cycle(launch(0, 0, place(0, 1))).unwrap();
        // Levels 4, 3, 2, 1.
        bench.quiet();
        bench.quiet();
        bench.quiet();
        bench.cycle(fetch(place(0, 1), 0)).unwrap();
        bench.add((1, 0), 8);
        // Two units of level 1 and one of level 2 are in queue 0: level 4 shifts three.
        bench.group((0, 3), (9, 1), |_, _| ()).unwrap();
        bench
    };
    let early = waiting().cycle(record_beside_host(place(0, 1), Some(1), Some(1)));
    refused(early, "but none may enter");
    let mut bench = waiting();
    let host = |inputs: &mut Inputs, outputs: &mut Outputs| {
        record(place(0, 1), None)(inputs, outputs);
        inputs.launch = Some(kernel(1));
        inputs.device.management.work_queue = 1;
    };
    bench.cycle(host).unwrap();
    bench.quiet.launch_ready = Some(KernelEntry(2));
    bench.quiet.device.management.inspect = !3;
    for _ in 0..2 {
        bench.cycle(record(place(0, 1), None)).unwrap();
    }
    let late = bench.cycle(record_beside_host(place(0, 1), None, None));
    refused(late, "a record takes entry None");
    let mut bench = waiting();
    for _ in 0..3 {
        bench.cycle(record(place(0, 1), None)).unwrap();
    }
    bench.cycle(record(place(0, 1), Some(1))).unwrap();
}

#[test]
fn a_scheduler_without_priority_queues_says_nothing_of_them() {
    let mut bench = Bench::new("rr", 0);
    bench.quiet();
    let spill = Spill { place: place(0, 1), index: 0, entry: entry(5) };
    let wrong = bench.cycle(|_, outputs| outputs.device.queues.spill = Some(spill));
    refused(wrong, "priority queues in their absence");
}
