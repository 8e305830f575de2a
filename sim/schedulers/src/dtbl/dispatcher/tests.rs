//! What a whole dispatcher without the Kernel Management Unit does; rules and latencies are tested with
//! it, in `dtbl/scheduler`.

use super::super::super::tests::harness::{kernel, slots};
use super::*;
use crate::port::{
    AggregatedGroup, AggregationCommand, Dim3, FetchedGroup, GroupReference, KernelEntry, RingPlace,
};

fn command(groups: u8) -> Option<AggregationCommand> {
    let block = Dim3::new(1, 1, 1);
    Some(AggregationCommand { entry_pc: 0, block, groups, wait: 0 })
}

fn group(hardware_thread: u16, pointer: u32, blocks: u32) -> Option<AggregatedGroup> {
    let grid = Dim3::new(blocks, 1, 1);
    Some(AggregatedGroup { hardware_thread, pointer, parameter_address: 700, grid, blocks })
}

struct Bench {
    dispatcher: Dispatcher,
    outputs: Outputs,
}

impl Bench {
    /// One SMX of 8 slots, and a table of one entry.
    fn new() -> Self {
        Self {
            dispatcher: Dispatcher::new(1, slots(8), 1.into(), Vec::new()),
            outputs: Outputs::default(),
        }
    }

    fn step(&mut self, change: impl FnOnce(&mut Inputs)) -> &Outputs {
        let mut inputs = Inputs::idle(1);
        change(&mut inputs);
        self.dispatcher.cycle(&inputs, &mut self.outputs);
        &self.outputs
    }

    /// A kernel of one block, and two groups: two blocks in the table, one in memory at `pointer`; all
    /// that is on chip has been dispatched.
    fn with_groups(pointer: u32) -> Self {
        let mut bench = Self::new();
        bench.step(|inputs| inputs.launch = Some(kernel(1)));
        bench.step(|inputs| inputs.device.groups.command = command(2));
        bench.step(|_| ());
        bench.step(|inputs| inputs.device.groups.group = group(4, 90, 2));
        bench.step(|inputs| inputs.device.groups.group = group(4, pointer, 1));
        bench.step(|_| ());
        bench
    }
}

#[test]
fn the_report_of_a_stuck_run_names_the_groups_that_wait_and_those_in_memory() {
    let bench = Bench::with_groups(0x5a);
    let place = RingPlace { kernel: KernelEntry(0), index: 0 };
    assert_eq!(bench.outputs.device.group_memory.fetch_group, Some(place));
    let explain = bench.dispatcher.explain();
    for line in [
        "the scheduler distributes the groups of entry 0",
        "1 groups in memory are asked for, 1 to come",
        "groups of entry 0: memory 0x5a",
        "1 groups are in the Aggregated Group Table",
        "the scheduler counts 3 blocks, 3 threads on SMX 0",
    ] {
        assert!(explain.lines().any(|of| of == line), "{line} in\n{explain}");
    }
    let empty = Bench::new().dispatcher.explain();
    assert!(empty.starts_with("the scheduler has no kernel to distribute\n0 groups"), "{empty}");
}

#[test]
fn a_list_is_named_from_its_first_group_to_its_last() {
    let mut dispatcher = Dispatcher::new(1, slots(1), 16.into(), Vec::new());
    let mut outputs = Outputs::default();
    let mut step = |dispatcher: &mut Dispatcher, launch, command, group| {
        let mut inputs = Inputs { launch, ..Inputs::idle(1) };
        (inputs.device.groups.command, inputs.device.groups.group) = (command, group);
        dispatcher.cycle(&inputs, &mut outputs);
    };
    step(&mut dispatcher, Some(kernel(9)), None, None);
    step(&mut dispatcher, None, command(12), None);
    step(&mut dispatcher, None, None, None);
    for thread in 0..3 {
        step(&mut dispatcher, None, None, group(thread, 0, 1));
    }
    let explain = |dispatcher: &Dispatcher| {
        let text = dispatcher.explain();
        text.lines().find(|line| line.starts_with("groups of")).unwrap().to_owned()
    };
    assert_eq!(explain(&dispatcher), "groups of entry 0: 0, 1, 2");
    for thread in 3..10 {
        step(&mut dispatcher, None, None, group(thread, 0, 1));
    }
    assert_eq!(explain(&dispatcher), "groups of entry 0: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    step(&mut dispatcher, None, None, group(0, 0xab, 1));
    step(&mut dispatcher, None, None, group(0, 0xac, 1));
    let all = "groups of entry 0: 0, 1, 2, 3, 4, 5, 6, 7 and 3 more, and on to memory 0xac";
    assert_eq!(explain(&dispatcher), all);
}

#[test]
fn the_context_of_a_block_has_the_parameters_of_its_group() {
    let mut bench = Bench::with_groups(90);
    let mut parameters = |group| {
        let outputs = bench.step(|inputs| {
            inputs.lookup = Some(KernelEntry(0));
            inputs.device.groups.lookup_group = group;
        });
        outputs.context.map(|context| context.parameter_address)
    };
    assert_eq!(parameters(None), Some(0), "the kernel's");
    assert_eq!(parameters(Some(GroupReference::on_chip(0))), Some(700));
    assert_eq!(parameters(Some(GroupReference::in_memory(90))), Some(90), "the pointer itself");
    let free = bench.step(|inputs| {
        inputs.lookup = Some(KernelEntry(1));
        inputs.device.groups.lookup_group = Some(GroupReference::on_chip(0));
    });
    assert_eq!(free.context, None);
}

#[test]
fn the_registers_say_which_kernel_and_group_ended_whatever_the_port_says() {
    let mut bench = Bench::with_groups(90);
    let finish = |slot: u8| {
        move |inputs: &mut Inputs| {
            (inputs.finished[0], inputs.finished_slots) = (Some(KernelEntry(31)), vec![slot]);
        }
    };
    bench.step(|_| ());
    bench.step(|inputs| {
        inputs.device.group_memory.fetched =
            Some(FetchedGroup { grid: Dim3::new(1, 1, 1), next: None });
    });
    let dispatch = bench.step(|_| ()).dispatch[0].unwrap();
    assert_eq!((dispatch.group, dispatch.slot), (Some(GroupReference::in_memory(90)), 3));
    for slot in [3, 0, 2] {
        bench.step(finish(slot));
        assert_eq!(bench.dispatcher.group_table.in_use(), 1);
    }
    bench.step(finish(1));
    assert_eq!(bench.dispatcher.group_table.in_use(), 0);
    assert_eq!(bench.step(|_| ()).finished_kernels, 1);
}

#[test]
fn a_reset_in_the_middle_leaves_nothing_behind() {
    let mut bench = Bench::with_groups(90);
    bench.step(|inputs| inputs.device.groups.command = command(3));
    let reset = Inputs { reset: true, launch: Some(kernel(2)), ..Inputs::idle(1) };
    assert_eq!(bench.dispatcher.cycle(&reset, &mut bench.outputs), Activity::Busy);
    assert_eq!(bench.dispatcher.cycle(&reset, &mut bench.outputs), Activity::Quiet);
    let new = Dispatcher::new(1, slots(8), 1.into(), Vec::new());
    assert_eq!(format!("{:?}", bench.dispatcher), format!("{new:?}"));
}
