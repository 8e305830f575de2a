use super::*;
use crate::port::{
    Activity, BlockNeeds, Dim3, Inputs, KernelEntry, KernelLaunch, Outputs, Scheduler,
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
