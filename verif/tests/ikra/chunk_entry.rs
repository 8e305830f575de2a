//! Rationale: 1. the state is two bounds, the current block, a direction and two flags; random
//! kernels on small grids of one to three dimensions, taken and stolen to the last block, meet
//! every case of both ends, both directions and both at once. 2. With and without alternating
//! directions.

use super::{block, GIANTS};
use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::ChunkEntry;
use blockyard_rtl::module::Module;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{ChunkEntryInputs as Inputs, ChunkEntryOutputs as Outputs};

impl Twinned for ChunkEntry {
    type Twin = twin::ChunkEntry;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        self.former.next = inputs.former;
        self.load.next = inputs.load;
        self.load_start.next = ports::block_id(inputs.load_start);
        self.load_last.next = ports::block_id(inputs.load_last);
        self.load_vacant.next = inputs.load_vacant;
        self.grid.next = ports::block_id(inputs.grid);
        self.take.next = inputs.take;
        self.steal.next = inputs.steal;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            forward: self.forward.val(),
            available: self.available.val(),
            next_block: kernel_table::block(self.next_block.val()),
            far_block: kernel_table::block(self.far_block.val()),
            last: self.last.val(),
        }
    }
    twin_calls!();
}

fn entry(flips: bool) -> Lockstep<ChunkEntry> {
    Lockstep::new(ChunkEntry::new(flips), twin::ChunkEntry::new(flips))
}

/// A kernel with a new chunk from linear id `from` to `to`.
fn load(grid: Dim3, from: u64, to: u64) -> Inputs {
    Inputs {
        begins: true,
        load: true,
        load_start: block(from, grid),
        load_last: block(to, grid),
        grid,
        ..Inputs::default()
    }
}

fn again(grid: Dim3) -> Inputs {
    Inputs { begins: true, grid, ..Inputs::default() }
}

fn act(grid: Dim3, take: bool, steal: bool) -> Inputs {
    Inputs { take, steal, grid, ..Inputs::default() }
}

/// A kernel begins whose direction follows that of the one before.
fn begin(entry: &mut Lockstep<ChunkEntry>, kernel: Inputs) {
    let before = entry.peek(&kernel).forward;
    entry.cycle(&Inputs { former: before, ..kernel });
}

/// Takes block after block; their linear ids.
fn run(entry: &mut Lockstep<ChunkEntry>, grid: Dim3) -> Vec<u64> {
    let mut ids = Vec::new();
    while entry.cycle(&act(grid, false, false)).available {
        ids.push(entry.cycle(&act(grid, true, false)).next_block.linear(grid));
    }
    ids
}

const GRID: Dim3 = Dim3::new(6, 4, 1);

#[test]
fn the_same_chunk_runs_forward_and_backward_in_turn() {
    let mut chunk = entry(true);
    begin(&mut chunk, load(GRID, 6, 11));
    assert_eq!(run(&mut chunk, GRID), [6, 7, 8, 9, 10, 11]);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [11, 10, 9, 8, 7, 6]);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [6, 7, 8, 9, 10, 11]);
    let mut chunk = entry(false);
    begin(&mut chunk, load(GRID, 6, 11));
    assert_eq!(run(&mut chunk, GRID), [6, 7, 8, 9, 10, 11]);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [6, 7, 8, 9, 10, 11]);
}

#[test]
fn the_direction_is_the_other_one_than_that_before_whatever_it_was_here() {
    let mut chunk = entry(true);
    for (before, expected) in [(true, [8, 7, 6]), (true, [8, 7, 6]), (false, [6, 7, 8])] {
        chunk.cycle(&Inputs { former: before, ..load(GRID, 6, 8) });
        assert_eq!(run(&mut chunk, GRID), expected, "before: forward is {before}");
    }
    let mut chunk = entry(false);
    chunk.cycle(&Inputs { former: true, ..load(GRID, 6, 8) });
    assert_eq!(run(&mut chunk, GRID), [6, 7, 8], "it never alternates");
}

#[test]
fn what_is_stolen_from_the_far_end_stays_away() {
    let mut chunk = entry(true);
    begin(&mut chunk, load(GRID, 0, 5));
    assert_eq!(chunk.cycle(&act(GRID, false, true)).far_block, Dim3::new(5, 0, 0));
    assert_eq!(run(&mut chunk, GRID), [0, 1, 2, 3, 4]);
    begin(&mut chunk, again(GRID));
    assert_eq!(
        chunk.cycle(&act(GRID, false, true)).far_block,
        Dim3::new(0, 0, 0),
        "backward: the start"
    );
    assert_eq!(run(&mut chunk, GRID), [4, 3, 2, 1]);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [1, 2, 3, 4]);
}

#[test]
fn of_two_blocks_one_is_taken_and_the_other_stolen_in_one_cycle() {
    let mut chunk = entry(true);
    begin(&mut chunk, load(GRID, 5, 6));
    let both = chunk.cycle(&act(GRID, true, true));
    assert_eq!((both.next_block, both.far_block), (Dim3::new(5, 0, 0), Dim3::new(0, 1, 0)));
    assert!(!chunk.cycle(&act(GRID, false, false)).available);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [5]);
}

#[test]
fn a_chunk_whose_only_block_is_stolen_is_empty_until_chunks_are_assigned() {
    let mut chunk = entry(true);
    begin(&mut chunk, load(GRID, 0, 0));
    assert!(chunk.cycle(&act(GRID, false, true)).last);
    for _ in 0..3 {
        begin(&mut chunk, again(GRID));
        assert!(!chunk.cycle(&act(GRID, false, false)).available);
    }
    begin(&mut chunk, load(GRID, 0, 0));
    assert!(chunk.cycle(&act(GRID, false, false)).available);
}

#[test]
fn the_last_block_left_may_be_stolen_from_a_chunk_that_has_run() {
    let mut chunk = entry(true);
    begin(&mut chunk, load(GRID, 0, 2));
    chunk.cycle(&act(GRID, true, false));
    chunk.cycle(&act(GRID, true, false));
    assert!(chunk.cycle(&act(GRID, false, true)).last);
    assert!(!chunk.cycle(&act(GRID, false, false)).available);
    begin(&mut chunk, again(GRID));
    assert_eq!(run(&mut chunk, GRID), [1, 0]);
}

#[test]
fn an_empty_chunk_has_nothing_in_any_kernel() {
    let mut chunk = entry(true);
    begin(&mut chunk, Inputs { load_vacant: true, ..load(GRID, 23, 23) });
    assert!(!chunk.cycle(&act(GRID, false, false)).available);
    begin(&mut chunk, again(GRID));
    assert!(!chunk.cycle(&act(GRID, false, false)).available);
}

#[test]
fn grids_at_the_limits_are_stepped_through_in_both_directions_to_the_last_id() {
    for grid in GIANTS {
        let last = grid.volume() as u64 - 1;
        for (from, to) in [(0, 3), (last - 3, last), (last / 2, last / 2 + 3)] {
            let mut chunk = entry(true);
            begin(&mut chunk, load(grid, from, to));
            let forward: Vec<_> = (from..=to).collect();
            assert_eq!(run(&mut chunk, grid), forward, "{grid}");
            begin(&mut chunk, again(grid));
            let backward: Vec<_> = (from..=to).rev().collect();
            assert_eq!(run(&mut chunk, grid), backward, "{grid}");
        }
    }
}

#[test]
fn hardware_and_twin_agree_on_random_kernels_that_are_taken_and_stolen() {
    for flips in [false, true] {
        let (mut chunk, mut random) = (entry(flips), random(u64::from(flips)));
        let (mut grid, mut loaded) = (Dim3::new(1, 1, 1), false);
        for _ in 0..40_000 {
            let mut inputs = act(grid, false, false);
            if random.random_bool(0.08) {
                inputs = again(grid);
                // The first kernel after reset has a new chunk.
                if !loaded || random.random_bool(0.3) {
                    let mut side = || random.random_range(1..=3);
                    grid = Dim3::new(side(), side(), side());
                    let blocks = grid.volume() as u64;
                    let from = random.random_range(0..blocks);
                    inputs = load(grid, from, random.random_range(from..blocks));
                    inputs.load_vacant = random.random_bool(0.1);
                }
                inputs.former = random.random_bool(0.5);
                inputs.reset = random.random_range(0..100) == 0;
                loaded = !inputs.reset;
            } else {
                let state = chunk.peek(&inputs);
                inputs.take = state.available && random.random_bool(0.4);
                inputs.steal =
                    state.available && !(inputs.take && state.last) && random.random_bool(0.3);
            }
            chunk.cycle(&inputs);
        }
    }
}
