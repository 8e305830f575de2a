//! Overflow queues: nothing is lost, comes twice, or overtakes.

use super::*;

/// Queues of one entry. Group 5 is on chip in queue 0; 6 and 7 are behind it in memory.
fn bench() -> Bench {
    let mut bench = Bench::new("laperm/smx-bind(entries=1)", 0);
    bench.add((0, 0), 5);
    bench.spill(6, 0).unwrap();
    bench.spill(7, 1).unwrap();
    bench
}

fn asks(queue: u8, index: u32) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |_, outputs| {
        outputs.device.queues.fetch_entry = Some(EntryFetch { place: place(queue, 1), index });
    }
}

fn comes(pointer: u32, taken: bool) -> impl Fn(&mut Inputs, &mut Outputs) {
    move |inputs, outputs| {
        let refill = Refill { place: place(0, 1), entry: entry(pointer) };
        inputs.device.queues.refill = Some(refill);
        outputs.device.queues.refill_taken = taken;
    }
}

#[test]
fn what_finds_its_queue_full_goes_to_memory_with_the_next_number() {
    let mut lost = bench();
    refused(lost.group((0, 0), (8, 1), |_, _| ()), "spill is None, not Some");
    refused(bench().spill(8, 1), "index: 1");
    refused(bench().spill(8, 3), "index: 3");
    bench().spill(8, 2).unwrap();
    // The other queue has room.
    let mut other = bench();
    let spill = Spill { place: place(1, 1), index: 0, entry: entry(8) };
    let wrong = other.group((1, 0), (8, 1), |_, o| o.device.queues.spill = Some(spill));
    refused(wrong, "not None");
    // What is spilled is what was launched.
    let mut changed = bench();
    let spill = Spill { place: place(0, 1), index: 2, entry: entry(9) };
    let wrong = changed.group((0, 0), (8, 1), |_, o| o.device.queues.spill = Some(spill));
    refused(wrong, "spill is");
}

/// The unit on chip has gone: the queue has room from now on.
fn with_room() -> Bench {
    let mut bench = bench();
    bench.refill(0, child(5), 1).unwrap();
    bench
}

#[test]
fn the_oldest_unit_is_asked_for_when_there_is_room_and_once() {
    refused(bench().cycle(asks(0, 0)), "fetch_entry is Some");
    refused(with_room().cycle(|_, _| ()), "fetch_entry is None");
    refused(with_room().cycle(asks(0, 1)), "index: 1");
    refused(with_room().cycle(asks(1, 0)), "queue: 1");
    let mut bench = with_room();
    bench.cycle(asks(0, 0)).unwrap();
    // The entry is promised.
    refused(bench.cycle(asks(0, 1)), "fetch_entry is Some");
}

#[test]
fn what_comes_is_what_was_asked_for_and_it_is_taken_once() {
    let asked = || {
        let mut bench = with_room();
        bench.cycle(asks(0, 0)).unwrap();
        bench
    };
    refused(asked().cycle(comes(7, true)), "comes from memory, the oldest request is Some");
    refused(asked().cycle(comes(6, false)), "refill_taken is false, not true");
    let idle = asked().cycle(|_, outputs| outputs.device.queues.refill_taken = true);
    refused(idle, "refill_taken is true, not false");
    let mut twice = asked();
    twice.cycle(comes(6, true)).unwrap();
    refused(twice.cycle(comes(6, true)), "the oldest request is None");
}

#[test]
fn the_order_of_a_level_goes_through_memory_and_back() {
    let mut bench = with_room();
    bench.cycle(asks(0, 0)).unwrap();
    // There is room on chip in the sense that nothing is there, but group 7 is older.
    let wrong = bench.group((0, 0), (8, 1), |_, _| ());
    refused(wrong, "spill is None, not Some");
    let mut bench = with_room();
    bench.cycle(asks(0, 0)).unwrap();
    bench.cycle(comes(6, true)).unwrap();
    refused(bench.refill(0, child(7), 1), "of which no queue has anything");
    let mut bench = with_room();
    bench.cycle(asks(0, 0)).unwrap();
    bench.cycle(comes(6, true)).unwrap();
    bench.refill(0, child(6), 1).unwrap();
    bench.cycle(asks(0, 1)).unwrap();
    bench.cycle(comes(7, true)).unwrap();
    bench.refill(0, child(7), 1).unwrap();
}

#[test]
fn a_level_with_units_in_memory_lets_none_past_although_there_is_room() {
    // Two entries, and a unit of level 2 in memory: level 1 finds room again, level 2 does not.
    let bench = || {
        let mut bench = Bench::new("laperm/smx-bind(entries=2)", 0);
        bench.add((0, 0), 5);
        bench.add((0, 0), 6);
        let spill = Spill { place: place(0, 2), index: 0, entry: entry(7) };
        let high = bench.group((0, 1), (7, 1), |_, o| o.device.queues.spill = Some(spill));
        high.unwrap();
        bench.refill(0, child(5), 1).unwrap();
        let ask = EntryFetch { place: place(0, 2), index: 0 };
        bench.cycle(|_, o| o.device.queues.fetch_entry = Some(ask)).unwrap();
        bench.refill(0, child(6), 1).unwrap();
        bench
    };
    refused(bench().group((0, 1), (8, 1), |_, _| ()), "spill is None, not Some");
    bench().group((0, 0), (8, 1), |_, _| ()).unwrap();
}

#[test]
fn a_unit_that_waits_to_come_back_lets_nothing_else_in() {
    let mut bench = with_room();
    bench.cycle(asks(0, 0)).unwrap();
    let beside = bench.group((1, 0), (8, 1), comes(6, true));
    refused(beside, "a group is taken while a unit from memory is at the port");
}
