//! Units that priority queues have no room for, on the ports of the whole scheduler.

use super::super::super::super::tests::harness::{kernel, slots};
use super::super::super::QueueKind;
use super::super::*;
use super::bench::*;
use crate::port::*;

/// One SMX of `slot_count` slots; kernel 0 of many blocks, and three units of level 1 in queue 0 of
/// which it has room for one: two are in memory.
fn spilled(slot_count: u32, queue: QueueKind) -> Bench {
    let mut bench = Bench::new(1, slot_count, bound(queue, 1));
    bench.step(|inputs| inputs.launch = Some(kernel(99)));
    (0..slot_count).for_each(|_| assert!(sent(&bench.idle()).is_some()));
    for index in 0..3 {
        let outputs = bench.step(|inputs| record(inputs, 1, place(0, 1)));
        assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(1 + index)));
        let spill = outputs.device.queues.spill;
        assert_eq!(
            spill.map(|spill| (spill.place, spill.index)),
            index.checked_sub(1).map(|index| (place(0, 1), index.into()))
        );
    }
    bench
}

fn refill(inputs: &mut Inputs, kernel: u8) {
    let entry = QueueEntry { kernel: KernelEntry(kernel), group: None, grid: Dim3::new(1, 1, 1) };
    inputs.device.queues.refill = Some(Refill { place: place(0, 1), entry });
}

#[test]
fn units_in_memory_are_asked_for_when_there_is_room_and_dispatched_as_they_come() {
    let mut bench = spilled(1, QueueKind::Linked);
    let outputs = bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!((sent(&outputs), outputs.device.queues.fetch_entry), (Some((0, 1, 0, 1)), None));
    let fetch = bench.idle().device.queues.fetch_entry;
    assert_eq!(fetch, Some(EntryFetch { place: place(0, 1), index: 0 }));
    let outputs = bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!(sent(&outputs), Some((0, 0, 1, 0)), "nothing else is on chip");
    assert_eq!(outputs.device.queues.fetch_entry, None, "there is room for one");
    let outputs = bench.step(|inputs| refill(inputs, 2));
    assert!(outputs.device.queues.refill_taken);
    assert_eq!(sent(&outputs), None);
    let outputs = bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!(sent(&outputs), Some((0, 2, 0, 1)));
}

#[test]
fn a_kernel_stays_while_its_units_are_in_memory_or_on_their_way() {
    let mut bench = spilled(2, QueueKind::Linked);
    bench.step(|inputs| finish(inputs, 0, 0));
    assert!(bench.idle().device.queues.fetch_entry.is_some());
    for _ in 0..3 {
        assert_eq!(bench.idle().finished_kernels, 0, "kernel 2 is on its way, 3 in memory");
    }
    bench.step(|inputs| refill(inputs, 2));
    assert_eq!(bench.idle().finished_kernels, 0, "it is on chip");
    let outputs = bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!(sent(&outputs), Some((0, 2, 0, 1)), "instead of kernel 1's block");
    assert_eq!(bench.idle().finished_kernels, 1 << 1);
    bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!(bench.idle().finished_kernels, 1 << 2, "a cycle after its last block ended");
}

#[test]
fn a_refill_lets_neither_records_nor_groups_in_and_the_hosts_kernels_pass() {
    for host in [false, true] {
        let mut bench = spilled(1, QueueKind::Linked);
        bench.command(0, 1, 0);
        bench.step(|inputs| finish(inputs, 0, 0));
        assert!(bench.idle().device.queues.fetch_entry.is_some());
        let outputs = bench.step(|inputs| {
            refill(inputs, 2);
            record(inputs, 1, QueuePlace::default());
            group(inputs, 9, 1, Parent::default());
            (inputs.launch, inputs.device.management.work_queue) = (host.then(|| kernel(1)), 1);
        });
        assert!(outputs.device.queues.refill_taken);
        assert_eq!(
            (outputs.device.management.record_entry, outputs.device.groups.group_taken),
            (None, None)
        );
        assert_eq!(outputs.launch_ready, Some(KernelEntry(4)));
        let outputs = bench.step(|inputs| group(inputs, 9, 1, Parent::default()));
        assert!(outputs.device.groups.group_taken.is_some(), "a cycle later");
    }
}

#[test]
fn a_refill_waits_for_its_queue_and_lets_only_host_kernels_in_meanwhile() {
    let mut bench = Bench::new(1, 1, bound(QueueKind::Shifting, 4));
    bench.step(|inputs| inputs.launch = Some(kernel(9)));
    bench.idle();
    for _ in 0..5 {
        bench.step(|inputs| record(inputs, 1, place(0, 1)));
    }
    for _ in 0..2 {
        bench.step(|inputs| finish(inputs, 0, 0));
    }
    // Two units, one on its way; one of level 2 takes two cycles more.
    bench.step(|inputs| record(inputs, 1, place(0, 2)));
    for queue in 1..3 {
        let outputs = bench.step(|inputs| {
            refill(inputs, 5);
            record(inputs, 1, QueuePlace::default());
            (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), queue);
        });
        assert!(!outputs.device.queues.refill_taken);
        assert_eq!(outputs.device.management.record_entry, None, "of level 0, too");
        assert!(outputs.launch_ready.is_some());
    }
    assert!(bench.step(|inputs| refill(inputs, 5)).device.queues.refill_taken);
}

#[test]
fn reset_in_the_middle_forgets_everything() {
    let mut bench = spilled(1, QueueKind::Shifting);
    bench.step(|inputs| inputs.device.management.device_launch = true);
    bench.command(0, 1, 0);
    bench.step(|inputs| (inputs.reset, inputs.device.management.device_launch) = (true, true));
    let new = LapermScheduler::new(1, slots(1), bound(QueueKind::Shifting, 1), true, Vec::new());
    assert_eq!(format!("{:?}", bench.scheduler.dispatcher), format!("{:?}", new.dispatcher));
    assert_eq!(bench.scheduler.unit, new.unit);
}
