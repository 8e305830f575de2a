use super::*;
use crate::build_for;
use crate::port::{
    Activity, AggregatedGroup, AggregationCommand, BlockNeeds, Dim3, Inputs, KernelEntry,
    KernelLaunch, LaunchMode, Outputs, Scheduler,
};

const KB: u32 = 1 << 10;
const LIMITS: SmxLimits =
    SmxLimits { threads: 1024, registers: 4096, shared_memory: 96 * KB, thread_block_slots: 8 };

fn needs(threads: u32, shared_memory: u32) -> BlockNeeds {
    BlockNeeds { threads, shared_memory, registers: 0 }
}

/// A scheduler, and the place of the blocks that it dispatched.
struct Bench {
    scheduler: Dispatcher,
    smx: usize,
    served: Vec<usize>,
}

impl Bench {
    fn new(smx: usize) -> Self {
        Self { scheduler: scheduler(smx, LIMITS, Vec::new()), smx, served: Vec::new() }
    }

    fn cycle(&mut self, inputs: &Inputs) -> Activity {
        let mut outputs = Outputs::idle(self.smx);
        let edge = self.scheduler.cycle(inputs, &mut outputs);
        self.served.extend((0..self.smx).filter(|&smx| outputs.dispatch[smx].is_some()));
        edge
    }

    /// Offers a kernel, and lets cycles pass until all of it should be distributed.
    fn run(&mut self, blocks: u32, needs: BlockNeeds) -> Vec<usize> {
        let grid = Dim3::new(blocks, 1, 1);
        let launch = KernelLaunch { grid, blocks, needs, ..KernelLaunch::default() };
        self.cycle(&Inputs { launch: Some(launch), ..Inputs::idle(self.smx) });
        for _ in 0..blocks {
            self.cycle(&Inputs::idle(self.smx));
        }
        std::mem::take(&mut self.served)
    }
}

#[test]
fn two_blocks_of_20_kb_go_where_96_kb_are_left_and_not_where_48_are() {
    // The example of the page: one block of 48 KB on SMX 0 of three, and the pointer back at 0.
    let mut bench = Bench::new(3);
    assert_eq!(bench.run(1, needs(32, 48 * KB)), [0]);
    assert_eq!(bench.run(2, needs(1024, 0)), [1, 2]);
    let mut ended = Inputs::idle(3);
    ended.finished[1..].fill(Some(KernelEntry(1)));
    bench.cycle(&ended);
    assert_eq!(bench.run(2, needs(32, 20 * KB)), [1, 2]);
}

#[test]
fn blocks_fill_the_emptiest_first_and_take_turns_among_equals() {
    let mut bench = Bench::new(3);
    assert_eq!(bench.run(2, needs(512, 0)), [0, 1]);
    assert_eq!(bench.run(6, needs(128, 0)), [2, 2, 2, 2, 0, 1], "8, then 4 each");
    assert_eq!(bench.run(4, needs(128, 0)), [2, 0, 1, 2]);
}

#[test]
fn what_ends_in_a_cycle_is_room_in_that_very_cycle() {
    let mut bench = Bench::new(2);
    assert_eq!(bench.run(2, needs(1024, 0)), [0, 1]);
    let grid = Dim3::new(1, 1, 1);
    let launch = KernelLaunch { grid, blocks: 1, needs: needs(32, 0), ..Default::default() };
    bench.cycle(&Inputs { launch: Some(launch), ..Inputs::idle(2) });
    let mut ended = Inputs::idle(2);
    ended.finished[1] = Some(KernelEntry(0));
    bench.cycle(&ended);
    assert_eq!(bench.served, [1]);
}

#[test]
fn one_smx_receives_everything_and_an_empty_grid_nothing() {
    let mut bench = Bench::new(1);
    assert_eq!(bench.run(9, needs(32, 0)), [0; 8], "as many as there are slots");
    let mut bench = Bench::new(1);
    assert_eq!(bench.run(0, needs(32, 0)), [0; 0]);
    assert_eq!(bench.run(1, needs(32, 0)), [0]);
}

#[test]
fn reset_returns_to_the_state_after_reset() {
    let mut bench = Bench::new(3);
    bench.run(2, needs(512, 0));
    assert_eq!(bench.cycle(&Inputs { reset: true, ..Inputs::idle(3) }), Activity::Busy);
    assert_eq!(bench.scheduler, Bench::new(3).scheduler);
    assert_eq!(bench.cycle(&Inputs { reset: true, ..Inputs::idle(3) }), Activity::Quiet);
}

/// Whom blocks go to that the host launches and, under `dtbl`, those of a group behind them: a
/// block holds 48 KB of SMX 0 of three.
fn served_under(mode: LaunchMode) -> Vec<usize> {
    let composition = "most-room".parse().unwrap();
    let mut scheduler = build_for(&composition, mode, 8, 3, LIMITS).unwrap();
    let mut served = Vec::new();
    let mut cycle = |change: &dyn Fn(&mut Inputs)| {
        let (mut inputs, mut outputs) = (Inputs::idle(3), Outputs::idle(3));
        if mode == LaunchMode::Dtbl {
            inputs.finished_slots = vec![0; 3];
        }
        change(&mut inputs);
        scheduler.cycle(&inputs, &mut outputs);
        served.extend((0..3).filter(|&smx| outputs.dispatch[smx].is_some()));
    };
    let shape = Dim3::new(32, 1, 1);
    for (queue, blocks, shared_memory) in [(0, 1, 48 * KB), (1, 3, 20 * KB)] {
        cycle(&|inputs| {
            let grid = Dim3::new(blocks, 1, 1);
            let needs = needs(32, shared_memory);
            let entry_pc = 64 * u32::from(queue);
            let launch =
                KernelLaunch { grid, blocks, needs, entry_pc, block: shape, ..Default::default() };
            inputs.launch = Some(launch);
            inputs.device.management.work_queue = queue;
        });
        (0..blocks).for_each(|_| cycle(&|_| ()));
    }
    if mode == LaunchMode::Dtbl {
        let command = AggregationCommand { entry_pc: 64, block: shape, groups: 1, wait: 0 };
        cycle(&|inputs| inputs.device.groups.command = Some(command));
        // Until the search has come to entry 1, the group is offered.
        let grid = Dim3::new(3, 1, 1);
        let group = AggregatedGroup {
            hardware_thread: 0,
            pointer: 1,
            parameter_address: 0,
            grid,
            blocks: 3,
        };
        (0..3).for_each(|_| cycle(&|inputs| inputs.device.groups.group = Some(group)));
        (0..3).for_each(|_| cycle(&|_| ()));
    }
    served
}

#[test]
fn under_every_launch_mode_native_blocks_and_those_of_groups_go_where_most_room_is() {
    // 96, 96 and 48 KB: 4, 4 and 2 blocks fit; the pointer is at SMX 1.
    for mode in [LaunchMode::Flat, LaunchMode::Cdp] {
        assert_eq!(served_under(mode), [0, 1, 2, 1], "{mode:?}");
    }
    // SMX 1 has room for 2 more then, SMX 2 for 3, SMX 0 for 2.
    assert_eq!(served_under(LaunchMode::Dtbl), [0, 1, 2, 1, 2, 0, 1]);
}
