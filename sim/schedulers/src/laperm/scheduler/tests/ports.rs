//! Rules of the page that are seen best on the ports of a few cycles.

use super::super::super::super::claso::{Gate, Levels};
use super::super::super::super::dyncta::{DynctaConfig, Throttle};
use super::super::super::super::tests::harness::{kernel, slots};
use super::super::super::super::AdmissionGate;
use super::super::super::{Binding, QueueKind};
use super::super::*;
use super::bench::*;
use crate::port::*;

#[test]
fn a_host_kernel_is_dispatched_one_cycle_after_it_was_accepted_to_the_smx_whose_turn_it_is() {
    let mut bench = Bench::new(3, 4, LapermConfig::new(Binding::Adaptive));
    (0..5).for_each(|_| assert_eq!(sent(&bench.idle()), None));
    let outputs = bench.step(|inputs| inputs.launch = Some(kernel(4)));
    assert_eq!((outputs.launch_ready, sent(&outputs)), (Some(KernelEntry(0)), None));
    for (block, smx) in [0, 1, 2, 0].into_iter().enumerate() {
        assert_eq!(sent(&bench.idle()), Some((smx, 0, block as u32, 0)), "block {block}");
    }
    (0..5).for_each(|_| assert_eq!(sent(&bench.idle()), None));
    bench
        .step(|inputs| (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), 1));
    assert_eq!(sent(&bench.idle()), Some((1, 1, 0, 0)), "the turn stood still");
}

#[test]
fn the_turn_moves_past_an_smx_without_room() {
    let mut bench = Bench::new(2, 1, LapermConfig::new(Binding::Shared));
    bench.step(|inputs| inputs.launch = Some(kernel(4)));
    assert_eq!([0, 1].map(|_| sent(&bench.idle()).map(|of| of.0)), [Some(0), Some(1)]);
    assert_eq!(sent(&bench.idle()), None, "SMX 0 is full");
    let outputs = bench.step(|inputs| finish(inputs, 1, 0));
    assert_eq!(sent(&outputs), Some((1, 0, 2, 0)), "refilled in the cycle of the end");
    let outputs = bench.step(|inputs| finish(inputs, 1, 0));
    assert_eq!(sent(&outputs), None, "it is the turn of SMX 0");
    assert_eq!(sent(&bench.idle()), Some((1, 0, 3, 0)));
}

#[test]
fn a_launch_goes_to_the_pool_of_its_parents_cluster_one_level_up_at_most_at_l() {
    let config = LapermConfig { cluster: 2, ..LapermConfig::new(Binding::Bound) };
    let mut bench = Bench::new(7, 1, config);
    for (smx, level, expected) in
        [(0, 0, place(0, 1)), (3, 2, place(1, 3)), (5, 3, place(2, 4)), (6, 4, place(3, 4))]
    {
        let outputs = bench.step(|inputs| {
            inputs.device.management.device_launch = true;
            inputs.device.parents.launch_parent = Parent { smx, level };
        });
        assert_eq!(outputs.device.parents.launch_place, expected);
    }
    assert_eq!(bench.idle().device.parents.launch_place, QueuePlace::default());
}

#[test]
fn a_pending_kernel_is_fetched_with_its_pool_one_cycle_and_one_a_level_after_its_launch() {
    for (level, cycles) in [(3, 1), (2, 2), (0, 4)] {
        let mut bench = Bench::new(3, 1, LapermConfig::new(Binding::Bound));
        let outputs = bench.step(|inputs| {
            inputs.device.management.device_launch = true;
            inputs.device.parents.launch_parent = Parent { smx: 2, level };
        });
        assert_eq!(outputs.device.management.fetch_record, None);
        for _ in 1..cycles {
            assert_eq!(bench.idle().device.management.fetch_record, None);
        }
        let device = bench.idle().device;
        let fetch = RecordFetch { suspended: false, index: 0 };
        assert_eq!(device.management.fetch_record, Some(fetch));
        assert_eq!(device.parents.fetch_place, place(2, level + 1));
    }
}

#[test]
fn a_record_is_dispatched_one_cycle_after_it_was_accepted_on_the_smx_of_its_queue() {
    let mut bench = Bench::new(2, 4, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| inputs.launch = Some(kernel(9)));
    assert_eq!(sent(&bench.idle()), Some((0, 0, 0, 0)));
    let outputs = bench.step(|inputs| record(inputs, 2, place(1, 3)));
    assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(1)));
    assert_eq!(sent(&outputs), Some((1, 0, 1, 0)), "it is not yet there");
    assert_eq!(sent(&bench.idle()), Some((0, 0, 2, 0)));
    for expected in [(1, 1, 0, 3), (0, 0, 3, 0), (1, 1, 1, 3), (0, 0, 4, 0), (1, 0, 5, 0)] {
        assert_eq!(sent(&bench.idle()), Some(expected));
    }
}

#[test]
fn a_suspended_kernel_comes_back_to_queue_0_whatever_its_priority_queue_does() {
    let mut bench = Bench::new(1, 9, bound(QueueKind::Shifting, 128));
    bench.step(|inputs| inputs.device.management.suspend = true);
    bench.step(|inputs| inputs.launch = Some(kernel(2)));
    bench.step(|inputs| record(inputs, 2, place(0, 1)));
    bench.step(|inputs| record(inputs, 1, place(0, 2)));
    // The priority queue inserts.
    let outputs = bench.step(|inputs| record(inputs, 1, QueuePlace::default()));
    assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(3)));
    let rest: Vec<_> = (0..6).filter_map(|_| sent(&bench.idle())).collect();
    assert_eq!(rest, [(0, 2, 0, 2), (0, 0, 1, 0), (0, 3, 0, 0)]);
}

#[test]
fn a_record_waits_for_its_queue_and_a_host_kernel_enters_meanwhile() {
    let mut bench = Bench::new(1, 1, bound(QueueKind::Shifting, 128));
    bench.step(|inputs| inputs.launch = Some(kernel(1)));
    bench.idle();
    for level in [1, 1, 2] {
        bench.step(|inputs| record(inputs, 1, place(0, level)));
    }
    // Two units are behind the one of level 2: its insertion takes two cycles more.
    for queue in 1..3 {
        let outputs = bench.step(|inputs| {
            record(inputs, 1, place(0, 1));
            (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), queue);
        });
        assert_eq!(outputs.device.management.record_entry, None);
        assert_eq!(outputs.launch_ready, Some(KernelEntry(3 + queue)));
    }
    let outputs = bench.step(|inputs| {
        record(inputs, 1, place(0, 1));
        (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), 3);
    });
    assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(6)));
    assert_eq!(outputs.launch_ready, None, "the host's kernel waits");
}

#[test]
fn a_group_is_dispatched_one_cycle_after_it_was_taken_before_the_rest_of_its_kernel() {
    let mut bench = Bench::new(1, 9, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| inputs.launch = Some(kernel(7)));
    bench.command(0, 1, 0);
    let outputs = bench.step(|inputs| group(inputs, 77, 2, Parent { smx: 0, level: 1 }));
    let reference = GroupReference::in_memory(77);
    let coalesced = GroupOutcome::Coalesced { kernel: KernelEntry(0), reference };
    assert_eq!(outputs.device.groups.group_taken, Some(coalesced));
    assert_eq!(sent(&outputs), Some((0, 0, 2, 0)));
    for block in 0..2 {
        let outputs = bench.idle();
        assert_eq!(sent(&outputs), Some((0, 0, block, 2)));
        assert_eq!(outputs.dispatch[0].unwrap().group, Some(reference));
        assert_eq!(outputs.dispatch[0].unwrap().slot, 3 + block as u8);
    }
    assert_eq!(sent(&bench.idle()), Some((0, 0, 3, 0)));
    let of_group = bench.step(|inputs| {
        (inputs.lookup, inputs.device.groups.lookup_group) =
            (Some(KernelEntry(0)), Some(reference));
    });
    assert_eq!(of_group.context.unwrap().parameter_address, 77);
    let native = bench.step(|inputs| inputs.lookup = Some(KernelEntry(0)));
    assert_eq!(native.context.unwrap().parameter_address, 0);
}

#[test]
fn a_kernel_stays_while_a_group_of_it_waits_for_its_smx() {
    let mut bench = Bench::new(2, 1, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| inputs.launch = Some(kernel(1)));
    bench
        .step(|inputs| (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(9)), 1));
    assert_eq!(sent(&bench.idle()), Some((1, 1, 0, 0)));
    bench.command(0, 1, 0);
    bench.step(|inputs| group(inputs, 7, 1, Parent { smx: 1, level: 0 }));
    bench.step(|inputs| finish(inputs, 0, 0));
    (0..4).for_each(|_| assert_eq!(bench.idle().finished_kernels, 0, "SMX 1 is full"));
    let ended = bench.step(|inputs| finish(inputs, 1, 0));
    let of_group = sent(&ended).or_else(|| sent(&bench.idle()));
    assert_eq!(of_group, Some((1, 0, 0, 1)));
    bench.step(|inputs| finish(inputs, 1, 0));
    assert_eq!(bench.idle().finished_kernels, 1);
}

#[test]
fn a_group_waits_for_its_queue_whether_or_not_a_kernel_is_eligible() {
    for (entry_pc, searched) in [(0, 0), (5, 31)] {
        let mut bench = Bench::new(2, 1, bound(QueueKind::Shifting, 128));
        bench.step(|inputs| inputs.launch = Some(kernel(9)));
        bench.command(entry_pc, 2, searched);
        for level in [1, 2] {
            bench.step(|inputs| record(inputs, 1, place(0, level)));
        }
        let of = |smx| Parent { smx, level: 0 };
        let outputs = bench.step(|inputs| group(inputs, 7, 1, of(0)));
        assert_eq!(outputs.device.groups.group_taken, None, "its queue inserts");
        let outputs = bench.step(|inputs| group(inputs, 7, 1, of(0)));
        assert!(outputs.device.groups.group_taken.is_some());
        // Another queue is ready while this one inserts.
        bench.step(|inputs| record(inputs, 1, place(0, 3)));
        let outputs = bench.step(|inputs| group(inputs, 8, 1, of(1)));
        assert!(outputs.device.groups.group_taken.is_some());
    }
}

#[test]
fn no_group_is_taken_in_a_cycle_in_which_a_kernel_enters() {
    let mut bench = Bench::new(1, 1, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| inputs.launch = Some(kernel(9)));
    bench.command(0, 1, 0);
    let of = Parent { smx: 0, level: 0 };
    let outputs = bench.step(|inputs| {
        group(inputs, 7, 1, of);
        (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(1)), 1);
    });
    assert_eq!(
        (outputs.launch_ready, outputs.device.groups.group_taken),
        (Some(KernelEntry(1)), None)
    );
    let outputs = bench.step(|inputs| {
        group(inputs, 7, 1, of);
        record(inputs, 1, place(0, 1));
    });
    assert_eq!(outputs.device.management.record_entry, Some(KernelEntry(2)));
    assert_eq!(outputs.device.groups.group_taken, None);
    let outputs = bench.step(|inputs| group(inputs, 7, 1, of));
    assert!(outputs.device.groups.group_taken.is_some());
}

#[test]
fn a_kernel_with_an_empty_grid_leaves_in_its_visit_although_the_smx_is_full() {
    let mut bench = Bench::new(1, 1, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| inputs.launch = Some(kernel(3)));
    assert!(sent(&bench.idle()).is_some());
    bench.step(|inputs| record(inputs, 0, place(0, 1)));
    bench.step(|inputs| record(inputs, 0, place(0, 4)));
    // Kernel 1 left in the cycle above, kernel 2 does so now.
    assert_eq!(bench.idle().finished_kernels, 1 << 1);
    assert_eq!(bench.idle().finished_kernels, 1 << 2);
    let mut bench = Bench::new(2, 1, LapermConfig::new(Binding::Bound));
    bench.step(|inputs| record(inputs, 0, place(1, 1)));
    bench.idle();
    bench.idle();
    assert_eq!(bench.idle().finished_kernels, 1, "it was the turn of SMX 0 at first");
}

#[test]
fn a_head_that_does_not_fit_keeps_queue_0_and_lower_levels_waiting() {
    let mut bench = Bench::new(1, 9, LapermConfig::new(Binding::Adaptive));
    let mut large = kernel(2);
    large.needs.threads = 2048;
    bench.step(|inputs| inputs.launch = Some(kernel(5)));
    assert_eq!(sent(&bench.idle()), Some((0, 0, 0, 0)));
    bench.step(|inputs| record(inputs, 1, place(0, 1)));
    let outputs = bench.step(|inputs| {
        record(inputs, 0, place(0, 2));
        inputs.device.management.record = Some(large);
    });
    assert_eq!(sent(&outputs), Some((0, 1, 0, 1)));
    (0..4).for_each(|_| assert_eq!(sent(&bench.idle()), None));
    for slot in [0, 1] {
        assert_eq!(sent(&bench.step(|inputs| finish(inputs, 0, slot))), None);
    }
    let outputs = bench.step(|inputs| finish(inputs, 0, 2));
    assert_eq!(sent(&outputs), Some((0, 2, 0, 2)));
}

#[test]
fn what_a_gate_refuses_lets_queue_0_go_in_the_next_visit_of_that_smx() {
    let gate: Box<dyn AdmissionGate> = Box::new(Gate::new(2, Levels::default()));
    let config = LapermConfig::new(Binding::Shared);
    let scheduler = LapermScheduler::new(2, slots(5), config, true, vec![gate]);
    let mut bench = Bench { scheduler };
    // Both SMXs fill with the blocks of kernel 0, and kernel 1 of the host waits.
    bench.step(|inputs| inputs.launch = Some(kernel(10)));
    (0..10).for_each(|_| assert!(sent(&bench.idle()).is_some()));
    bench
        .step(|inputs| (inputs.launch, inputs.device.management.work_queue) = (Some(kernel(9)), 1));
    bench.step(|inputs| record(inputs, 5, place(0, 1)));
    // SMX 0 empties. Kernel 2 has three credits there, of which the last one needs the global
    // credit.
    let mut seen = Vec::new();
    for cycle in 0..12 {
        let outputs = bench.step(|inputs| {
            if cycle < 5 {
                finish(inputs, 0, cycle);
            }
        });
        seen.extend(sent(&outputs).map(|(smx, kernel, block, level)| {
            assert_eq!(smx, 0, "SMX 1 is full");
            (cycle, kernel, block, level)
        }));
    }
    let cycles: Vec<u8> = seen.iter().map(|of| of.0).collect();
    let sent: Vec<_> = seen.iter().map(|of| (of.1, of.2, of.3)).collect();
    assert_eq!(sent[..3], [(2, 0, 1), (2, 1, 1), (2, 2, 1)]);
    assert_eq!(sent[3..], [(1, 0, 0)], "then the SMX is full but for one slot that is refused");
    assert_eq!(cycles[3] - cycles[2], 4, "a visit that is refused, and the next one");
}

#[test]
fn a_bound_unit_waits_at_the_limit_of_its_smx_and_goes_on_below_it() {
    let config = DynctaConfig { period: 10, idle: 3, low: 4, high: 6, pause: false };
    let gate: Box<dyn AdmissionGate> = Box::new(Throttle::new(2, 4, config));
    let binding = LapermConfig::new(Binding::Bound);
    let scheduler = LapermScheduler::new(2, slots(4), binding, true, vec![gate]);
    let mut bench = Bench { scheduler };
    // Half of the four slots. It is SMX 0's turn in every second cycle.
    bench.step(|inputs| record(inputs, 9, place(0, 1)));
    let blocks = |bench: &mut Bench, cycles: usize| {
        let sent = (0..cycles).filter_map(|_| sent(&bench.idle()));
        sent.map(|(smx, _, block, _)| (smx, block)).collect::<Vec<_>>()
    };
    assert_eq!(blocks(&mut bench, 8), [(0, 0), (0, 1)]);
    let outputs = bench.step(|inputs| finish(inputs, 0, 0));
    assert_eq!(sent(&outputs).map(|of| of.2), Some(2), "in the cycle in which one ends");
    assert_eq!(blocks(&mut bench, 8), []);
    bench.step(|inputs| inputs.samples = Some(vec![CoreSample { idle: 3, memory: 9 }; 2]));
    assert_eq!(blocks(&mut bench, 8), [(0, 3)], "the limit is three");
}

#[test]
fn a_cycle_in_which_nothing_happens_is_quiet_and_a_search_is_not() {
    let config = LapermConfig::new(Binding::Adaptive);
    let mut scheduler = LapermScheduler::new(2, slots(1), config, true, Vec::new());
    let mut cycle = |launch| {
        let mut inputs = Inputs::idle(2);
        inputs.device.management.device_launch = launch;
        scheduler.cycle(&inputs, &mut Outputs::idle(2))
    };
    assert_eq!(cycle(false), Activity::Quiet);
    // Its record is of level 1 of 4.
    for launch in [true, false, false, false, false] {
        assert_eq!(cycle(launch), Activity::Busy);
    }
    assert_eq!(cycle(false), Activity::Quiet);
}
