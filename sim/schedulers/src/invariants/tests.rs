mod cancels;
mod clusters;
mod device;
mod domains;
mod ikra;
mod partitions;
mod priority;
mod triggers;
mod urgency;

use super::*;
use crate::port::{BlockNeeds, Dim3, KernelContext};

const LIMITS: SmxLimits =
    SmxLimits { threads: 128, registers: 1000, shared_memory: 500, thread_block_slots: 3 };

/// Two SMXs and a kernel of 6 blocks in entry 0.
#[derive(Clone)]
struct Bench {
    invariants: Invariants,
    free: u8,
}

impl Bench {
    fn with(order: BlockOrder, needs: BlockNeeds) -> Self {
        let rules = PolicyRules { order, ..PolicyRules::default() };
        let mut bench = Self { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
        bench.launch(needs);
        bench
    }

    fn new() -> Self {
        Self::with(BlockOrder::Any, BlockNeeds { threads: 32, registers: 1, shared_memory: 1 })
    }

    fn launch(&mut self, needs: BlockNeeds) {
        let grid = Dim3::new(3, 2, 1);
        let block = Dim3::new(needs.threads, 1, 1);
        let launch =
            KernelLaunch { entry_pc: 64, grid, block, blocks: 6, needs, ..Default::default() };
        self.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        self.free += 1;
    }

    fn cycle(&mut self, change: impl FnOnce(&mut Inputs, &mut Outputs)) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(2), Outputs::idle(2));
        outputs.launch_ready = Some(KernelEntry(self.free));
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    fn dispatch(&mut self, smx: usize, x: u32, y: u32) -> Result<(), String> {
        self.cycle(|_, outputs| outputs.dispatch[smx] = Some(block(x, y)))
    }

    fn finish(&mut self, smx: usize) -> Result<(), String> {
        self.cycle(|inputs, _| inputs.finished[smx] = Some(KernelEntry(0)))
    }
}

fn block(x: u32, y: u32) -> Dispatch {
    Dispatch { kernel: KernelEntry(0), block: Dim3::new(x, y, 0), ..Default::default() }
}

fn refused(result: Result<(), String>, words: &str) {
    let message = result.unwrap_err();
    assert!(message.contains(words), "{message}");
}

#[test]
fn a_block_outside_its_grid_is_refused() {
    let mut bench = Bench::new();
    bench.dispatch(0, 2, 1).unwrap();
    refused(bench.dispatch(0, 3, 0), "outside its grid");
    refused(Bench::new().dispatch(0, 0, 2), "outside its grid");
}

#[test]
fn a_block_runs_once() {
    let mut bench = Bench::new();
    bench.dispatch(0, 1, 0).unwrap();
    refused(bench.dispatch(1, 1, 0), "twice");
    let mut low = Bench::new();
    low.dispatch(0, 0, 0).unwrap();
    refused(low.dispatch(1, 0, 0), "twice");
}

#[test]
fn no_resource_is_over_committed_and_all_of_it_may_be_used() {
    let cases = [
        (BlockNeeds { threads: 64, registers: 1, shared_memory: 1 }, 2, "threads"),
        (BlockNeeds { threads: 32, registers: 500, shared_memory: 1 }, 2, "registers"),
        (BlockNeeds { threads: 32, registers: 1, shared_memory: 250 }, 2, "shared memory"),
        (BlockNeeds { threads: 32, registers: 1, shared_memory: 1 }, 3, "slots"),
    ];
    for (needs, fits, what) in cases {
        let mut bench = Bench::with(BlockOrder::Any, needs);
        for x in 0..fits {
            bench.dispatch(0, x % 3, x / 3).unwrap();
        }
        bench.dispatch(1, 2, 1).unwrap();
        refused(bench.dispatch(0, 1, 1), what);
    }
}

#[test]
fn what_a_block_held_is_free_in_the_cycle_in_which_it_ends() {
    let mut bench = Bench::new();
    for x in 0..3 {
        bench.dispatch(0, x, 0).unwrap();
    }
    let refill = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.finished[0] = Some(KernelEntry(0));
        outputs.dispatch[0] = Some(block(0, 1));
    };
    bench.cycle(refill).unwrap();
    refused(bench.dispatch(0, 1, 1), "over-committed");
}

#[test]
fn only_a_resident_block_ends() {
    let mut bench = Bench::new();
    bench.dispatch(0, 0, 0).unwrap();
    refused(bench.finish(1), "has none");
    let mut bench = Bench::new();
    bench.dispatch(0, 0, 0).unwrap();
    bench.finish(0).unwrap();
    refused(bench.finish(0), "has none");
}

#[test]
fn a_kernel_is_finished_when_all_its_blocks_have_ended_and_not_before() {
    let mut bench = Bench::new();
    let report = |_: &mut Inputs, outputs: &mut Outputs| outputs.finished_kernels = 1;
    for id in 0..6 {
        bench.dispatch(id as usize % 2, id % 3, id / 3).unwrap();
    }
    for id in 0..5 {
        bench.finish(id % 2).unwrap();
    }
    refused(bench.cycle(report), "0 blocks not distributed and 1 in execution");
    bench.finish(1).unwrap();
    bench.cycle(report).unwrap();
    bench.free = 0;
    refused(bench.cycle(report), "it is free");
    refused(bench.dispatch(0, 0, 0), "which is free");
    refused(Bench::new().cycle(report), "6 blocks not distributed");
}

#[test]
fn a_kernel_is_finished_within_eight_cycles_of_its_last_block() {
    let over = || {
        let mut bench = Bench::new();
        for x in 0..3 {
            for y in 0..2 {
                bench.dispatch(0, x, y).unwrap();
                bench.finish(0).unwrap();
            }
        }
        bench
    };
    let waits = |bench: &mut Bench, cycles: u32| {
        // The cycle of the end counts as the first one.
        (1..cycles).try_for_each(|_| bench.cycle(|_, _| {}))
    };
    let mut in_time = over();
    waits(&mut in_time, 8).unwrap();
    assert!(in_time.invariants.turning().is_none(), "it is about to end");
    in_time.cycle(|_, outputs| outputs.finished_kernels = 1).unwrap();
    in_time.free = 0;
    in_time.cycle(|_, _| {}).unwrap();
    assert!(in_time.invariants.turning().is_some());
    refused(waits(&mut over(), 9), "all blocks of entry 0 ended 8 cycles ago");
}

#[test]
fn an_smx_with_room_is_used_where_that_is_promised() {
    let half = BlockNeeds { threads: 64, registers: 1, shared_memory: 1 };
    let bench = |rules: PolicyRules| {
        let order = BlockOrder::Increasing;
        let rules = PolicyRules { order, ..rules };
        let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
        bench.launch(half);
        bench
    };
    let issue = IssueRule::OneACycle;
    let promised = PolicyRules { issue, busy: true, ..PolicyRules::default() };
    let mut busy = bench(promised);
    for (smx, x, y) in [(0, 0, 0), (0, 1, 0), (1, 2, 0)] {
        busy.dispatch(smx, x, y).unwrap();
    }
    refused(busy.clone().cycle(|_, _| {}), "SMX 1 has room for a block of entry 0");
    busy.dispatch(1, 0, 1).unwrap();
    busy.cycle(|_, _| {}).unwrap();
    // A block that ends makes room in the same cycle.
    refused(busy.finish(0), "SMX 0 has room for a block of entry 0");
    for free in [PolicyRules { gated: true, ..promised }, PolicyRules { busy: false, ..promised }] {
        bench(free).cycle(|_, _| {}).unwrap();
    }
}

#[test]
fn an_occupied_entry_is_not_offered_again_and_the_lowest_free_one_is() {
    let mut bench = Bench::new();
    for wrong in [Some(0), Some(2), None] {
        let ready = wrong.map(KernelEntry);
        refused(bench.cycle(|_, outputs| outputs.launch_ready = ready), "lowest free entry");
    }
}

#[test]
fn in_a_ring_the_entry_after_the_one_taken_last_is_offered_and_never_one_in_use() {
    let rules = PolicyRules { entries: EntryRule::Ring, ..PolicyRules::default() };
    let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
    let launch = KernelLaunch { grid: Dim3::new(0, 1, 1), ..Default::default() };
    for entry in 0..40 {
        for wrong in [Some((entry + 1) % 32), Some((entry + 31) % 32), None] {
            let ready = wrong.map(KernelEntry);
            let result = bench.cycle(|_, outputs| outputs.launch_ready = ready);
            refused(result, "the next entry of the ring");
        }
        bench.free = entry % 32;
        bench.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        bench.free = (entry + 1) % 32;
        bench.cycle(|_, outputs| outputs.finished_kernels = 1 << (entry % 32)).unwrap();
    }
    for _ in 0..32 {
        bench.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        bench.free = (bench.free + 1) % 32;
    }
    refused(bench.cycle(|_, _| ()), "the next entry of the ring is None");
    bench.cycle(|_, outputs| outputs.launch_ready = None).unwrap();
}

#[test]
fn alone_a_kernel_dispatches_when_all_older_ones_have_finished() {
    let rules = PolicyRules { issue: IssueRule::OldestAlone, ..PolicyRules::default() };
    let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
    let with_two = || {
        let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
        bench.launch(needs);
        bench.launch(needs);
        bench
    };
    let second = Dispatch { kernel: KernelEntry(1), ..block(0, 0) };
    let mut bench = with_two();
    let both = |_: &mut Inputs, outputs: &mut Outputs| {
        outputs.dispatch = vec![Some(block(2, 0)), Some(block(0, 0))];
    };
    bench.cycle(both).unwrap();
    let other = |_: &mut Inputs, outputs: &mut Outputs| outputs.dispatch[0] = Some(second);
    refused(bench.cycle(other), "before entry 0, which is older");
    let mut bench = with_two();
    for (x, y) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
        bench.dispatch(0, x, y).unwrap();
        bench.finish(0).unwrap();
    }
    bench.cycle(|_, outputs| outputs.finished_kernels = 1).unwrap();
    bench.free = 0;
    bench.cycle(other).unwrap();
}

#[test]
fn blocks_come_in_order_where_that_is_promised() {
    let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
    let mut bench = Bench::with(BlockOrder::Increasing, needs);
    bench.dispatch(0, 0, 0).unwrap();
    refused(bench.dispatch(0, 2, 0), "out of order: 1 was to come first");
    // Blocks of one cycle count together, on whichever SMXs.
    let mut bench = Bench::with(BlockOrder::Increasing, needs);
    let both = |_: &mut Inputs, outputs: &mut Outputs| {
        outputs.dispatch = vec![Some(block(1, 0)), Some(block(0, 0))];
    };
    bench.cycle(both).unwrap();
    Bench::new().dispatch(0, 2, 0).unwrap();
}

#[test]
fn a_block_goes_where_most_of_its_kind_fit_where_that_is_promised() {
    let rules = PolicyRules { most_room: true, ..PolicyRules::default() };
    let bench = |rules| {
        let mut bench = Bench { invariants: Invariants::new(LIMITS, 2, rules), free: 0 };
        // Four fit by threads and three by slots, of which shared memory leaves two.
        bench.launch(BlockNeeds { threads: 32, registers: 1, shared_memory: 200 });
        bench.dispatch(0, 0, 0).unwrap();
        bench
    };
    refused(bench(rules).dispatch(0, 1, 0), "a block of which 1 fit, but 2 fit SMX 1");
    let mut equal = bench(rules);
    equal.dispatch(1, 1, 0).unwrap();
    equal.dispatch(0, 2, 0).unwrap();
    // What ends in a cycle is room in it.
    let mut ended = bench(rules);
    let refill = |inputs: &mut Inputs, outputs: &mut Outputs| {
        inputs.finished[0] = Some(KernelEntry(0));
        outputs.dispatch[0] = Some(block(1, 0));
    };
    ended.cycle(refill).unwrap();
    bench(PolicyRules { gated: true, ..rules }).dispatch(0, 1, 0).unwrap();
    bench(PolicyRules::default()).dispatch(0, 1, 0).unwrap();
}

#[test]
fn the_context_is_that_of_the_launch() {
    let mut bench = Bench::new();
    let context = KernelContext { entry_pc: 64, parameter_address: 0, block: Dim3::new(32, 1, 1) };
    let mut look = |entry, context| {
        bench.cycle(|inputs, outputs| {
            inputs.lookup = Some(KernelEntry(entry));
            outputs.context = context;
        })
    };
    look(0, Some(context)).unwrap();
    look(1, None).unwrap();
    refused(look(0, None), "context of entry 0");
    refused(look(0, Some(KernelContext { entry_pc: 65, ..context })), "context of entry 0");
    refused(look(1, Some(context)), "context of entry 1");
}

#[test]
fn there_is_one_dispatch_port_an_smx() {
    refused(Bench::new().cycle(|_, outputs| outputs.dispatch.push(None)), "3 dispatch ports");
}
