//! Rules of launches from the device.

mod bench;
mod in_memory;

use super::*;
use crate::port::*;
use bench::{arrive, group, kernel, link, memory, on_chip, place, Bench, LIMITS};

#[test]
fn nothing_of_launches_is_said_where_there_are_none() {
    let mut bench = Bench::new(LaunchMode::Flat);
    refused(bench.cycle(|_, _| ()), "in their absence");
    bench.quiet.device.management.inspect = 0;
    bench.cycle(|_, _| ()).unwrap();
}

#[test]
fn a_queue_whose_kernel_runs_is_not_inspected_until_its_end() {
    let mut bench = Bench::with_kernel(LaunchMode::Cdp);
    bench.cycle(|_, _| ()).unwrap();
    refused(bench.cycle(|_, outputs| outputs.device.management.inspect = u32::MAX), "inspect");
    refused(bench.cycle(|_, outputs| outputs.device.management.inspect = !(3 << 3)), "inspect");
    let offer = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.launch = Some(kernel(64, 2));
        inputs.device.management.work_queue = 3;
        outputs.launch_ready = None;
    };
    refused(bench.cycle(offer), "whose kernel runs");
}

#[test]
fn a_record_takes_the_lowest_free_entry_before_the_host() {
    let record = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.device.management.record = Some(kernel(64, 1));
        outputs.launch_ready = None;
        outputs.device.management.record_entry = Some(KernelEntry(1));
    };
    Bench::with_kernel(LaunchMode::Cdp).cycle(record).unwrap();
    let mut bench = Bench::with_kernel(LaunchMode::Cdp);
    refused(
        bench.cycle(|inputs, outputs| {
            record(inputs, outputs);
            outputs.launch_ready = Some(KernelEntry(1));
        }),
        "no kernel of the host may enter",
    );
    for entry in [None, Some(0), Some(2)] {
        let mut bench = Bench::with_kernel(LaunchMode::Cdp);
        let wrong = |inputs: &mut Inputs, outputs: &mut Outputs| {
            record(inputs, outputs);
            outputs.device.management.record_entry = entry.map(KernelEntry);
        };
        refused(bench.cycle(wrong), "the lowest free one is Some(1)");
    }
}

#[test]
fn records_are_asked_for_in_order_as_soon_as_there_is_room() {
    let fetch = |index| Some(RecordFetch { suspended: false, index });
    let launch =
        |inputs: &mut Inputs, _: &mut Outputs| inputs.device.management.device_launch = true;
    refused(Bench::new(LaunchMode::Cdp).cycle(launch), "fetch_record is None");
    let mut bench = Bench::new(LaunchMode::Cdp);
    for index in 0..32 {
        bench
            .cycle(|inputs, outputs| {
                inputs.device.management.device_launch = true;
                outputs.device.management.fetch_record = fetch(index);
            })
            .unwrap();
    }
    // All entries are promised.
    bench.quiet.launch_ready = None;
    bench.cycle(launch).unwrap();
    refused(
        bench.cycle(|_, o| o.device.management.fetch_record = fetch(32)),
        "with 32 entries promised",
    );
    let mut bench = Bench::new(LaunchMode::Cdp);
    let wrong = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.device.management.device_launch = true;
        outputs.device.management.fetch_record = fetch(1);
    };
    refused(bench.cycle(wrong), "fetch_record");
}

#[test]
fn a_suspended_kernel_is_fetched_before_one_of_a_block() {
    let mut bench = Bench::new(LaunchMode::Cdp);
    let both = |suspended| {
        move |inputs: &mut Inputs, outputs: &mut Outputs| {
            inputs.device.management.device_launch = true;
            inputs.device.management.suspend = true;
            outputs.device.management.fetch_record = Some(RecordFetch { suspended, index: 0 });
        }
    };
    refused(bench.cycle(both(false)), "fetch_record");
    Bench::new(LaunchMode::Cdp).cycle(both(true)).unwrap();
}

#[test]
fn a_block_takes_the_lowest_free_slot_and_ends_where_it_is() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    refused(bench.dispatch(0, 1, None), "the lowest free one is Some(0)");
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    bench.end(0).unwrap();
    refused(bench.end(0), "which holds None");
    refused(Bench::with_kernel(LaunchMode::Cdp).dispatch(0, 1, None), "in slot 1");
}

#[test]
fn a_group_follows_the_native_blocks_and_the_groups_before_it() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(0, 5), on_chip(0), None).unwrap();
    bench.coalesce(64, group(1, 6), on_chip(1), None).unwrap();
    bench.dispatch(0, 0, None).unwrap();
    refused(bench.dispatch(0, 1, Some(on_chip(0))), "has to distribute next");
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(0, 5), on_chip(0), None).unwrap();
    bench.coalesce(64, group(1, 6), on_chip(1), None).unwrap();
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    refused(bench.dispatch(0, 2, Some(on_chip(1))), "has to distribute next");
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(0, 5), on_chip(0), None).unwrap();
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    refused(bench.dispatch(1, 2, Some(on_chip(0))), "outside its grid");
}

#[test]
fn a_kernel_with_a_group_left_is_not_finished() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    bench.end(0).unwrap();
    bench.coalesce(64, group(0, 5), on_chip(0), None).unwrap();
    bench.end(1).unwrap();
    let finished = |_: &mut Inputs, outputs: &mut Outputs| outputs.finished_kernels = 1;
    refused(bench.cycle(finished), "1 blocks not distributed and 0 in execution");
}

#[test]
fn a_group_is_coalesced_to_a_kernel_of_its_code() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    refused(bench.coalesce(65, group(0, 5), on_chip(0), None), "whose kernel is another one");
    let mut bench = Bench::new(LaunchMode::Dtbl);
    refused(bench.coalesce(64, group(0, 5), on_chip(0), None), "which is free");
}

#[test]
fn the_entry_of_the_table_is_that_of_the_thread_unless_it_is_taken() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    refused(bench.coalesce(64, group(1, 5), on_chip(0), None), "a group is kept as");
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    let memory = GroupReference::in_memory(5);
    refused(bench.coalesce(64, group(1, 5), memory, None), "a group is kept as");
    // Thread 3 meets thread 1 in a table of two.
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
    bench.coalesce(64, group(3, 5), memory, None).unwrap();
    // And finds the entry free again three cycles after that group's last block has ended.
    let ended = || {
        let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
        bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
        bench.dispatch(0, 0, None).unwrap();
        bench.dispatch(1, 1, None).unwrap();
        bench.dispatch(0, 2, Some(on_chip(1))).unwrap();
        bench.end(2).unwrap();
        bench
    };
    let mut early = ended();
    early.coalesce(64, group(3, 5), memory, None).unwrap();
    refused(ended().coalesce(64, group(3, 5), on_chip(1), None), "a group is kept as");
    let mut late = ended();
    late.cycle(|_, _| ()).unwrap();
    late.coalesce(64, group(3, 5), on_chip(1), None).unwrap();
}

#[test]
fn an_smx_with_as_many_blocks_to_count_as_slots_gets_no_block() {
    // One slot: a block of a group on chip that ended is one too many, a native one is not.
    let ended = || {
        let limits = SmxLimits { thread_block_slots: 1, ..LIMITS };
        let mut bench = Bench::with_limits(LaunchMode::Dtbl, limits).and_kernel();
        bench.coalesce(64, group(0, 4), on_chip(0), None).unwrap();
        bench.coalesce(64, group(1, 5), on_chip(1), None).unwrap();
        for native in 0..2 {
            bench.dispatch(native, 0, None).unwrap();
            bench.end(0).unwrap();
        }
        bench.dispatch(0, 0, Some(on_chip(0))).unwrap();
        bench.end(0).unwrap();
        bench
    };
    refused(ended().dispatch(0, 0, Some(on_chip(1))), "receives a block while 1 are to be counted");
    let mut late = ended();
    late.cycle(|_, _| ()).unwrap();
    late.dispatch(0, 0, Some(on_chip(1))).unwrap();
}

#[test]
fn a_kernel_that_is_kept_does_not_finish() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    bench.end(0).unwrap();
    bench.end(1).unwrap();
    let finish = |keep| {
        move |inputs: &mut Inputs, outputs: &mut Outputs| {
            inputs.device.groups.keep = keep;
            outputs.finished_kernels = 1;
        }
    };
    refused(bench.cycle(finish(1)), "entry 0 reported as finished while it is kept");
    bench.cycle(finish(2)).unwrap();
}

#[test]
fn the_context_of_a_group_has_its_parameters_or_the_place_where_they_are() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.coalesce(64, group(1, 4), on_chip(1), None).unwrap();
    bench.coalesce(64, group(1, 5), GroupReference::in_memory(5), None).unwrap();
    let mut look = |group, parameter_address| {
        bench.cycle(|inputs, outputs| {
            inputs.lookup = Some(KernelEntry(0));
            inputs.device.groups.lookup_group = group;
            let block = Dim3::new(32, 1, 1);
            outputs.context = Some(KernelContext { entry_pc: 64, parameter_address, block });
        })
    };
    look(None, 0).unwrap();
    look(Some(on_chip(1)), 1004).unwrap();
    look(Some(GroupReference::in_memory(5)), 5).unwrap();
    refused(look(Some(on_chip(1)), 0), "context of entry 0");
}

#[test]
fn a_kernel_that_is_marked_again_comes_after_those_that_are_marked() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    bench.dispatch(0, 0, None).unwrap();
    bench.dispatch(1, 1, None).unwrap();
    let other = |inputs: &mut Inputs, _: &mut Outputs| {
        inputs.launch = Some(kernel(96, 1));
        inputs.device.management.work_queue = 4;
    };
    bench.cycle(other).unwrap();
    bench.quiet.launch_ready = Some(KernelEntry(2));
    bench.quiet.device.management.inspect &= !(1 << 4);
    bench.coalesce(64, group(0, 5), on_chip(0), None).unwrap();
    refused(bench.dispatch(0, 2, Some(on_chip(0))), "before entry 1, which is older");
}

#[test]
fn no_group_is_taken_while_a_kernel_enters() {
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    let block = Dim3::new(32, 1, 1);
    let command = AggregationCommand { entry_pc: 64, block, groups: 1, wait: 0 };
    let accept = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.device.groups.command = Some(command);
        outputs.device.groups.command_ready = true;
    };
    bench.cycle(accept).unwrap();
    let both = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.launch = Some(kernel(96, 1));
        inputs.device.groups.group = Some(group(0, 5));
        outputs.device.groups.group_taken = Some(GroupOutcome::NoEligibleKernel);
    };
    refused(bench.cycle(both), "while a kernel enters");
    let mut bench = Bench::with_kernel(LaunchMode::Dtbl);
    let taken = |_: &mut Inputs, outputs: &mut Outputs| {
        outputs.device.groups.group_taken = Some(GroupOutcome::NoEligibleKernel);
    };
    refused(bench.cycle(taken), "of no command");
}
