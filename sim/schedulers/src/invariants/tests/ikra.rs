//! Rules of IKRA: three SMXs with one slot each, and kernels one after the other.

use super::*;
use super::{refused, LIMITS};
use crate::composition::Composition;
use crate::port::*;

const SMXS: usize = 3;

struct Bench {
    invariants: Invariants,
    /// The entry of the next kernel.
    free: u8,
}

impl Bench {
    fn new(scheduler: &str) -> Self {
        let composition: Composition = scheduler.parse().unwrap();
        Self { invariants: Invariants::new(LIMITS, SMXS, (&composition).into()), free: 0 }
    }

    fn cycle(&mut self, change: impl FnOnce(&mut Inputs, &mut Outputs)) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(SMXS), Outputs::idle(SMXS));
        outputs.launch_ready = Some(KernelEntry(self.free));
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    /// A kernel of this grid arrives; its entry.
    fn launch(&mut self, grid: Dim3) -> KernelEntry {
        self.launch_related(grid, Relation::default())
    }

    fn launch_related(&mut self, grid: Dim3, relation: Relation) -> KernelEntry {
        let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
        let (block, blocks) = (Dim3::new(32, 1, 1), grid.volume() as u32);
        let launch = KernelLaunch { grid, block, blocks, needs, relation, ..Default::default() };
        self.cycle(|inputs, _| inputs.launch = Some(launch)).unwrap();
        let entry = KernelEntry(self.free);
        self.free += 1;
        entry
    }

    /// A block of a grid of one row is dispatched, and ends in the next cycle.
    fn block(&mut self, kernel: KernelEntry, smx: usize, x: u32) -> Result<(), String> {
        let block = Dim3::new(x, 0, 0);
        let dispatch = Dispatch { kernel, block, ..Default::default() };
        self.cycle(|_, outputs| outputs.dispatch[smx] = Some(dispatch))?;
        self.cycle(|inputs, _| inputs.finished[smx] = Some(kernel))
    }

    /// A kernel of `blocks` blocks of which these go to these SMXs; it ends if they are all.
    fn run(&mut self, blocks: u32, each: &[(usize, u32)]) -> Result<(), String> {
        self.run_related(Relation::default(), blocks, each)
    }

    fn run_related(
        &mut self,
        relation: Relation,
        blocks: u32,
        each: &[(usize, u32)],
    ) -> Result<(), String> {
        let kernel = self.launch_related(Dim3::new(blocks, 1, 1), relation);
        for &(smx, block) in each {
            self.block(kernel, smx, block)?;
        }
        if each.len() < blocks as usize {
            return Ok(());
        }
        self.cycle(|_, outputs| outputs.finished_kernels = 1 << kernel.0)
    }
}

/// Seven blocks on three SMXs, forward: three and twice two.
const FORWARD: [(usize, u32); 7] = [(0, 0), (1, 3), (2, 5), (0, 1), (0, 2), (1, 4), (2, 6)];
const BACKWARD: [(usize, u32); 7] = [(0, 2), (1, 4), (2, 6), (0, 1), (0, 0), (1, 3), (2, 5)];

#[test]
fn an_smx_at_its_limit_receives_one_stolen_block_that_it_may_have_asked_for_before_and_no_other() {
    let sample = |bench: &mut Bench, idle| {
        let samples = Some(vec![CoreSample { idle, memory: 4000 }; SMXS]);
        bench.cycle(|inputs, _| inputs.samples = samples).unwrap();
    };
    let receive = |bench: &mut Bench, kernel, smx: usize, x| {
        let block = Dim3::new(x, 0, 0);
        let dispatch = Dispatch { kernel, block, ..Default::default() };
        bench.cycle(|_, outputs| outputs.dispatch[smx] = Some(dispatch))
    };
    let mut bench = Bench::new("ikra/steal+dyncta");
    let kernel = bench.launch(Dim3::new(9, 1, 1));
    for block in 3..6 {
        bench.block(kernel, 1, block).unwrap();
    }
    // A limit of two; it asks for a second block, and the limit falls to one.
    sample(&mut bench, 4000);
    receive(&mut bench, kernel, 1, 2).unwrap();
    sample(&mut bench, 0);
    receive(&mut bench, kernel, 1, 1).unwrap();
    refused(receive(&mut bench, kernel, 1, 0), "its limit is 1");
    // Who does not steal asks for nothing that comes later.
    let mut bench = Bench::new("ikra/flip+dyncta");
    let kernel = bench.launch(Dim3::new(9, 1, 1));
    sample(&mut bench, 4000);
    receive(&mut bench, kernel, 0, 0).unwrap();
    sample(&mut bench, 0);
    refused(receive(&mut bench, kernel, 0, 1), "its limit is 1");
}

#[test]
fn a_kernel_waits_for_the_end_of_the_one_before() {
    for scheduler in ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal"] {
        let mut bench = Bench::new(scheduler);
        let first = bench.launch(Dim3::new(2, 1, 1));
        let second = bench.launch(Dim3::new(2, 1, 1));
        bench.block(first, 0, 0).unwrap();
        refused(bench.block(second, 1, 1), "before entry 0, which is older");
        // All blocks of the first have ended, its end has not been reported.
        let mut bench = Bench::new(scheduler);
        let first = bench.launch(Dim3::new(1, 1, 1));
        let second = bench.launch(Dim3::new(1, 1, 1));
        bench.block(first, 0, 0).unwrap();
        refused(bench.block(second, 1, 0), "before entry 0, which is older");
    }
}

#[test]
fn each_smx_gets_its_chunk_in_order_and_nothing_else() {
    for scheduler in ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal"] {
        Bench::new(scheduler).run(7, &FORWARD).unwrap();
        refused(Bench::new(scheduler).run(7, &[(0, 1)]), "SMX 0 receives block 1, but 0 is");
        refused(Bench::new(scheduler).run(7, &[(1, 2)]), "SMX 1 receives block 2, but 3 is");
        // The remainder goes to the first: 3 belongs to SMX 1.
        let beyond = [(0, 0), (0, 1), (0, 2), (0, 3)];
        let result = Bench::new(scheduler).run(7, &beyond);
        let words = if scheduler == "ikra/steal" { "finds first" } else { "has been run" };
        refused(result, words);
    }
}

#[test]
fn only_chunk_moves_its_chunks_behind_the_last_finisher() {
    // SMX 1 finishes last.
    let first = [(0, 0), (2, 2), (1, 1)];
    let mut bench = Bench::new("ikra/chunk");
    bench.run(3, &first).unwrap();
    bench.run(3, &[(2, 0), (0, 1), (1, 2)]).unwrap();
    refused(bench.run(3, &[(0, 0)]), "SMX 0 receives block 0, but 1 is");
    for scheduler in ["ikra/reset", "ikra/flip", "ikra/steal"] {
        let mut bench = Bench::new(scheduler);
        bench.run(3, &first).unwrap();
        refused(bench.run(3, &[(2, 0)]), "SMX 2 receives block 0, but 2 is");
    }
}

#[test]
fn the_last_finisher_is_the_highest_of_those_that_finish_together() {
    let mut bench = Bench::new("ikra/chunk");
    let kernel = bench.launch(Dim3::new(2, 1, 1));
    let both = |outputs: &mut Outputs| {
        for smx in 0..2 {
            let block = Dim3::new(smx as u32, 0, 0);
            outputs.dispatch[smx] = Some(Dispatch { kernel, block, ..Default::default() });
        }
    };
    bench.cycle(|_, outputs| both(outputs)).unwrap();
    bench.cycle(|inputs, _| inputs.finished[..2].fill(Some(kernel))).unwrap();
    bench.cycle(|_, outputs| outputs.finished_kernels = 1).unwrap();
    refused(bench.run(2, &[(1, 0)]), "SMX 1 receives block 0");
}

#[test]
fn flip_turns_round_with_every_kernel_and_reset_never() {
    for (scheduler, second) in
        [("ikra/reset", FORWARD), ("ikra/flip", BACKWARD), ("ikra/steal", BACKWARD)]
    {
        let other = if second == FORWARD { BACKWARD } else { FORWARD };
        let mut bench = Bench::new(scheduler);
        bench.run(7, &FORWARD).unwrap();
        bench.run(7, &second).unwrap();
        bench.run(7, &FORWARD).unwrap();
        refused(bench.run(7, &other), "is the next one of what it owns");
    }
    // Also where chunks are assigned anew; a kernel without blocks changes nothing.
    let mut bench = Bench::new("ikra/flip");
    bench.run(7, &FORWARD).unwrap();
    bench.run(0, &[]).unwrap();
    bench.run(6, &[(0, 1), (0, 0), (1, 3), (1, 2), (2, 5), (2, 4)]).unwrap();
    refused(bench.run(7, &BACKWARD), "SMX 0 receives block 2, but 0 is");
}

#[test]
fn chunks_follow_the_linear_id_of_grids_of_three_dimensions() {
    let mut bench = Bench::new("ikra/reset");
    let kernel = bench.launch(Dim3::new(2, 3, 1));
    let mut at = |x, y| {
        let block = Dim3::new(x, y, 0);
        let dispatch = Dispatch { kernel, block, ..Default::default() };
        bench.cycle(|_, outputs| outputs.dispatch[1] = Some(dispatch))
    };
    at(0, 1).unwrap();
    refused(at(0, 2), "SMX 1 receives block 4, but 3 is");
}

/// SMX 0 has run its three blocks of nine.
const IDLE: [(usize, u32); 3] = [(0, 0), (0, 1), (0, 2)];

/// Nine blocks, of which SMX 0 steals 5 and 4 from SMX 1.
const STOLEN: [(usize, u32); 9] =
    [(0, 0), (0, 1), (0, 2), (1, 3), (0, 5), (0, 4), (2, 6), (2, 7), (2, 8)];

#[test]
fn an_smx_steals_only_when_it_has_nothing_left_of_its_own() {
    let early = [(0, 0), (0, 1), (0, 5)];
    refused(Bench::new("ikra/steal").run(9, &early), "block 5, but 2 is the next one");
    Bench::new("ikra/steal").run(9, &[&IDLE[..], &[(0, 5)]].concat()).unwrap();
    // What others stole is not left.
    Bench::new("ikra/steal").run(9, &[&STOLEN[..6], &[(1, 8)]].concat()).unwrap();
    let left = [&STOLEN[..5], &[(1, 8)]].concat();
    refused(Bench::new("ikra/steal").run(9, &left), "block 8, but 4 is the next one");
}

#[test]
fn a_thief_gets_the_far_block_of_the_first_victim_that_has_one() {
    for wrong in [3, 4, 6, 8] {
        let result = Bench::new("ikra/steal").run(9, &[&IDLE[..], &[(0, wrong)]].concat());
        refused(
            result,
            &format!("steals block {wrong}, but what it finds first is block 5 of SMX 1"),
        );
    }
    // The left neighbour before the right one, and those before the others.
    let idle = [(1, 3), (1, 4), (1, 5)];
    Bench::new("ikra/steal").run(9, &[&idle[..], &[(1, 2)]].concat()).unwrap();
    refused(Bench::new("ikra/steal").run(9, &[&idle[..], &[(1, 8)]].concat()), "block 2 of SMX 0");
    let idle = [(2, 6), (2, 7), (2, 8)];
    refused(Bench::new("ikra/steal").run(9, &[&idle[..], &[(2, 2)]].concat()), "block 5 of SMX 1");
    // Backward the far end is the start.
    let mut bench = Bench::new("ikra/steal");
    bench.run(7, &FORWARD).unwrap();
    let backward = [(0, 2), (0, 1), (0, 0)];
    bench.run(7, &[&backward[..], &[(0, 3)]].concat()).unwrap();
}

#[test]
fn what_was_stolen_stays_with_the_thief_and_runs_first_in_the_next_kernel() {
    let next = [(0, 4), (0, 5), (0, 2), (0, 1), (0, 0), (1, 3), (2, 8), (2, 7), (2, 6)];
    let mut bench = Bench::new("ikra/steal");
    bench.run(9, &STOLEN).unwrap();
    bench.run(9, &next).unwrap();
    // Forward again: the chunk first.
    let third = [(0, 0), (0, 1), (0, 2), (0, 5), (0, 4), (1, 3), (2, 6), (2, 7), (2, 8)];
    bench.run(9, &third).unwrap();
    refused(bench.run(9, &[(1, 5)]), "SMX 1 receives block 5, but 3 is");

    let mut bench = Bench::new("ikra/steal");
    bench.run(9, &STOLEN).unwrap();
    // What it stole may be on its way to other thieves; then it does not come to SMX 0.
    refused(bench.run(9, &[(0, 2), (0, 4)]), "SMX 0 receives block 4, but 1 is");
}

#[test]
fn queues_are_stolen_from_before_chunks() {
    let mut bench = Bench::new("ikra/steal");
    bench.run(9, &STOLEN).unwrap();
    bench.run(9, &[(1, 3), (1, 5)]).unwrap();
    let mut bench = Bench::new("ikra/steal");
    bench.run(9, &STOLEN).unwrap();
    // SMX 2 finds the queue of SMX 0, though that is no neighbour, before the chunk of SMX 1.
    refused(bench.run(9, &[(2, 8), (2, 7), (2, 6), (2, 3)]), "first is block 5 of SMX 0");
}

#[test]
fn a_full_queue_leads_to_new_chunks_or_to_no_theft() {
    let mut bench = Bench::new("ikra/steal(queue=2)");
    bench.run(9, &STOLEN).unwrap();
    refused(bench.run(9, &[(0, 4)]), "SMX 0 receives block 4, but 2 is");
    let mut bench = Bench::new("ikra/steal(queue=2)");
    bench.run(9, &STOLEN).unwrap();
    bench
        .run(9, &[(0, 2), (1, 5), (2, 8), (0, 1), (0, 0), (1, 4), (1, 3), (2, 7), (2, 6)])
        .unwrap();
    // Once: the next kernel keeps what it has.
    bench.run(9, &[&IDLE[..], &[(0, 5)]].concat()).unwrap();

    let third = [&STOLEN[..6], &[(0, 8)]].concat();
    let mut bench = Bench::new("ikra/steal(queue=2,full=stop)");
    refused(bench.run(9, &third), "its steal queue is full");
    Bench::new("ikra/steal(queue=2)").run(9, &third).unwrap();
    let mut bench = Bench::new("ikra/steal(queue=2,full=stop)");
    bench.run(9, &STOLEN).unwrap();
    bench.run(9, &[(0, 4), (0, 5), (0, 2)]).unwrap();
}

const RELATED: &str = "ikra/steal(queue=2,relations=on)";

/// Every block depends on the one of the same id, so many kernels back.
fn back(back: u8) -> Relation {
    Relation { back, ..Relation::default() }
}

/// On the one two behind it, in the kernel before.
const SHIFTED: Relation = Relation { back: 1, ratio: 1, offset: 2 };

#[test]
fn only_with_relations_an_older_kernel_decides_who_gets_what() {
    let six = [(0, 0), (0, 1), (1, 2), (1, 3), (2, 4), (2, 5)];
    let again = [(0, 2), (0, 1), (0, 0), (1, 4), (1, 3), (2, 6), (2, 5)];
    let mut bench = Bench::new(RELATED);
    bench.run(7, &FORWARD).unwrap();
    bench.run_related(back(2), 6, &six).unwrap();
    bench.run_related(back(2), 7, &again).unwrap();
    bench.run_related(back(2), 6, &[(0, 1), (0, 0)]).unwrap();
    let mut bench = Bench::new("ikra/steal");
    bench.run(7, &FORWARD).unwrap();
    refused(bench.run_related(back(2), 6, &six), "SMX 0 receives block 0, but 1 is");
}

#[test]
fn blocks_go_where_those_are_that_they_depend_on() {
    // Chunks of the source begin at 0, 3 and 5; two less: the last SMX has what depends on nothing
    // as well.
    let shifted = [(0, 0), (1, 2), (1, 1), (2, 6), (2, 5), (2, 4), (2, 3)];
    let mut bench = Bench::new(RELATED);
    bench.run(7, &FORWARD).unwrap();
    bench.run_related(SHIFTED, 7, &shifted).unwrap();
    let mut bench = Bench::new(RELATED);
    bench.run(7, &FORWARD).unwrap();
    refused(bench.run_related(SHIFTED, 7, &[(0, 2)]), "SMX 0 receives block 2, but 0 is");
    let mut bench = Bench::new("ikra/steal");
    bench.run(7, &FORWARD).unwrap();
    refused(bench.run_related(SHIFTED, 7, &[(0, 0)]), "SMX 0 receives block 0, but 2 is");
    let (ratio, offset) = (2, -1);
    let mut bench = Bench::new(RELATED);
    bench.run(7, &FORWARD).unwrap();
    bench
        .run_related(Relation { back: 1, ratio, offset }, 4, &[(0, 1), (0, 0), (1, 2), (2, 3)])
        .unwrap();
}

#[test]
fn a_full_queue_is_about_the_chunks_of_its_kernel() {
    let mut bench = Bench::new(RELATED);
    bench.run(7, &FORWARD).unwrap();
    bench
        .run(9, &[(0, 2), (1, 5), (2, 8), (0, 1), (0, 0), (1, 4), (1, 3), (2, 7), (2, 6)])
        .unwrap();
    // Forward: SMX 0 steals two, and its queue is full.
    bench.run(9, &STOLEN).unwrap();
    // The kernel before the last two is not concerned.
    bench.run_related(back(3), 7, &BACKWARD).unwrap();
    // Assigned anew, and in the other direction.
    refused(bench.run_related(back(2), 9, &[(0, 4)]), "SMX 0 receives block 4, but 2 is");
}
