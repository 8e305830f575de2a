//! What a whole dispatcher without the Kernel Management Unit does; rules and latencies are tested
//! with it, in `dtbl/scheduler`.

use super::super::super::tests::harness::{kernel, slots};
use super::*;
use crate::port::{
    AggregatedGroup, AggregationCommand, Dim3, FetchedGroup, GroupReference, KernelEntry,
    KernelLaunch, RingPlace,
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

    /// A kernel of one block, and two groups: two blocks in the table, one in memory at `pointer`;
    /// all that is on chip has been dispatched.
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

/// Three SMXs of two slots that hold the six blocks of a group on chip; SMX 1 is the next in turn.
/// Its kernel takes one group more.
struct Full {
    dispatcher: Dispatcher,
    outputs: Outputs,
    /// A kernel that is offered in the next cycle.
    launch: Option<KernelLaunch>,
}

impl Full {
    fn new() -> Self {
        let dispatcher = Dispatcher::new(3, slots(2), 2.into(), Vec::new());
        let mut full = Self { dispatcher, outputs: Outputs::default(), launch: Some(kernel(1)) };
        assert_eq!(full.step(None, None), None);
        let inputs = Inputs { finished_slots: vec![0; 3], ..full.inputs() };
        let mut asks = inputs.clone();
        asks.device.groups.command = command(2);
        full.dispatcher.cycle(&asks, &mut full.outputs);
        assert!(full.outputs.dispatch[0].is_some(), "the native block");
        let mut ends = inputs;
        ends.finished[0] = Some(KernelEntry(0));
        full.dispatcher.cycle(&ends, &mut full.outputs);
        full.step(None, group(0, 0, 6));
        let smxs: Vec<_> = (0..6).map(|_| full.step(None, None)).collect();
        assert_eq!(smxs, [1, 2, 0, 1, 2, 0].map(Some));
        assert_eq!(full.step(None, None), None);
        full
    }

    /// Those of a cycle in which nothing but what `launch` says happens.
    fn inputs(&mut self) -> Inputs {
        let mut inputs = Inputs { launch: self.launch.take(), ..Inputs::idle(3) };
        inputs.device.groups.keep = 1;
        inputs
    }

    /// A cycle in which the block in this slot of every SMX ends; returns the SMX that gets a
    /// block.
    fn step(&mut self, ends: Option<u8>, group: Option<AggregatedGroup>) -> Option<usize> {
        let mut inputs = self.inputs();
        inputs.finished = vec![ends.map(|_| KernelEntry(0)); 3];
        inputs.finished_slots = vec![ends.unwrap_or(0); 3];
        inputs.device.groups.group = group;
        self.dispatcher.cycle(&inputs, &mut self.outputs);
        self.outputs.dispatch.iter().position(Option::is_some)
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
    for slot in [3, 0, 2, 1] {
        bench.step(finish(slot));
        assert_eq!(bench.dispatcher.group_table.in_use(), 1);
    }
    assert_eq!(bench.step(|_| ()).finished_kernels, 1);
    assert_eq!(bench.dispatcher.group_table.in_use(), 1, "the last one is counted a cycle later");
    bench.step(|_| ());
    assert_eq!(bench.dispatcher.group_table.in_use(), 0);
}

#[test]
fn an_smx_with_as_many_blocks_to_count_as_slots_gets_none_and_one_with_one_less_does() {
    let mut full = Full::new();
    full.step(Some(0), None);
    full.step(Some(1), group(1, 0, 4));
    // SMX 0 was served once: its queue holds one block, those of SMX 1 and 2 two, as many as slots.
    assert_eq!(full.step(None, None), Some(0), "SMX 1 would be the next");
    // SMX 1 was served.
    assert_eq!(full.step(None, None), Some(1));
    assert_eq!(full.step(None, None), Some(2));
    assert_eq!(full.step(None, None), Some(0));
}

#[test]
fn a_crowded_smx_gets_no_native_block_either() {
    let mut full = Full::new();
    full.step(Some(0), None);
    full.launch = Some(kernel(4));
    full.step(Some(1), None);
    let smxs: Vec<_> = (0..4).map(|_| full.step(None, None)).collect();
    assert_eq!(smxs, [Some(0), Some(1), Some(2), Some(0)]);
}

#[test]
fn an_smx_of_one_slot_waits_for_the_count_of_a_block_of_a_group_on_chip_and_for_no_other() {
    // A block ends in every cycle in which there is one.
    let cycles = |bench: &mut Bench, last: u32| {
        let mut dispatched = Vec::new();
        let mut resident = false;
        for cycle in 0..last {
            let outputs = bench.step(|inputs| {
                inputs.device.groups.keep = 1;
                inputs.finished[0] = resident.then_some(KernelEntry(0));
                inputs.finished_slots = vec![0];
                let grid = Dim3::new(3, 1, 1);
                let fetched = Some(FetchedGroup { grid, next: None });
                inputs.device.group_memory.fetched = fetched.filter(|_| cycle == 1);
            });
            resident = outputs.dispatch[0].is_some();
            dispatched.extend(resident.then_some(cycle));
        }
        dispatched
    };
    let with_command = |native: u32, groups: u8| {
        let dispatcher = Dispatcher::new(1, slots(1), 1.into(), Vec::new());
        let mut bench = Bench { dispatcher, outputs: Outputs::default() };
        bench.step(|inputs| inputs.launch = Some(kernel(native)));
        if groups > 0 {
            bench.step(|inputs| {
                (inputs.device.groups.command, inputs.device.groups.keep) = (command(groups), 1);
            });
            bench.step(|inputs| inputs.device.groups.keep = 1);
        }
        bench
    };
    assert_eq!(cycles(&mut with_command(3, 0), 9), [0, 1, 2], "native blocks");
    let mut on_chip = with_command(0, 1);
    on_chip.step(|inputs| inputs.device.groups.group = group(0, 90, 4));
    // The block of 0 ends in 1, as the one of 1 goes, and is served in 2; that of 1 ends in 2, ...
    assert_eq!(cycles(&mut on_chip, 12), [0, 1, 4, 5]);
    let mut in_memory = with_command(0, 2);
    in_memory.step(|inputs| inputs.device.groups.group = group(0, 90, 1));
    in_memory.step(|inputs| inputs.device.groups.group = group(0, 90, 3));
    in_memory.step(|inputs| {
        (inputs.finished[0], inputs.finished_slots) = (Some(KernelEntry(0)), vec![0]);
    });
    in_memory.step(|_| ());
    assert_eq!(cycles(&mut in_memory, 12), [2, 3, 4], "a group in memory");
}

#[test]
fn a_cycle_is_busy_until_the_last_block_was_counted() {
    let mut full = Full::new();
    let idle = |full: &mut Full| {
        let inputs = full.inputs();
        full.dispatcher.cycle(&inputs, &mut full.outputs)
    };
    assert_eq!(idle(&mut full), Activity::Quiet, "six blocks run");
    full.step(Some(1), None);
    // Three are served one after the other, and counted a cycle later.
    let activities = [(); 5].map(|()| idle(&mut full));
    assert_eq!(activities[..4], [Activity::Busy; 4]);
    assert_eq!(activities[4], Activity::Quiet);
}

#[test]
fn a_reset_in_the_middle_leaves_nothing_behind() {
    let mut bench = Bench::with_groups(90);
    bench.step(|inputs| {
        (inputs.finished[0], inputs.finished_slots) = (Some(KernelEntry(0)), vec![1]);
    });
    bench.step(|inputs| {
        (inputs.finished[0], inputs.finished_slots) = (Some(KernelEntry(0)), vec![2]);
    });
    bench.step(|inputs| inputs.device.groups.command = command(3));
    let reset = Inputs { reset: true, launch: Some(kernel(2)), ..Inputs::idle(1) };
    assert_eq!(bench.dispatcher.cycle(&reset, &mut bench.outputs), Activity::Busy);
    assert_eq!(bench.dispatcher.cycle(&reset, &mut bench.outputs), Activity::Quiet);
    let new = Dispatcher::new(1, slots(8), 1.into(), Vec::new());
    assert_eq!(format!("{:?}", bench.dispatcher), format!("{new:?}"));
}
