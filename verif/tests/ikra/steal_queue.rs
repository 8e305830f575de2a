//! Rationale: 1. the state is a ring with a bottom, blocks held and blocks that have run; random
//! kernels in alternating directions fill and drain it at both ends and let it wrap. 2. 2, 4 and 32
//! entries.

use crate::dispatch::kernel_table;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::StealQueue;
use blockyard_rtl::module::Module;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{StealQueueInputs as Inputs, StealQueueOutputs as Outputs};

impl Twinned for StealQueue {
    type Twin = twin::StealQueue;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.begins.next = inputs.begins;
        self.clear.next = inputs.clear;
        self.forward.next = inputs.forward;
        self.take.next = inputs.take;
        self.steal.next = inputs.steal;
        self.insert.next = inputs.insert.is_some();
        self.insert_block.next = ports::block_id(inputs.insert.unwrap_or_default());
    }
    fn observe(&self) -> Outputs {
        Outputs {
            available: self.available.val(),
            next_block: kernel_table::block(self.next_block.val()),
            far_block: kernel_table::block(self.far_block.val()),
            last: self.last.val(),
            full: self.full.val(),
            filled: self.filled.val(),
        }
    }
    twin_calls!();
}

/// A queue and the direction of its SMX.
struct Bench {
    queue: Lockstep<StealQueue>,
    forward: bool,
}

impl Bench {
    fn new(entries: usize) -> Self {
        let queue = Lockstep::new(StealQueue::new(entries), twin::StealQueue::new(entries));
        Self { queue, forward: false }
    }

    fn idle(&self) -> Inputs {
        Inputs { forward: self.forward, ..Inputs::default() }
    }

    #[track_caller]
    fn begin(&mut self, clear: bool) {
        self.queue.cycle(&Inputs { begins: true, clear, ..self.idle() });
        self.forward = !self.forward;
    }

    #[track_caller]
    fn insert(&mut self, id: u32) -> Outputs {
        self.queue.cycle(&Inputs { insert: Some(Dim3::new(id, 0, 0)), ..self.idle() })
    }

    #[track_caller]
    fn state(&mut self) -> Outputs {
        self.queue.cycle(&self.idle())
    }

    #[track_caller]
    fn steal(&mut self) -> u32 {
        self.queue.cycle(&Inputs { steal: true, ..self.idle() }).far_block.x
    }

    /// Takes all that is left.
    fn run(&mut self) -> Vec<u32> {
        let mut ids = Vec::new();
        while self.state().available {
            ids.push(self.queue.cycle(&Inputs { take: true, ..self.idle() }).next_block.x);
        }
        ids
    }
}

#[test]
fn the_youngest_runs_first_and_the_order_alternates_from_kernel_to_kernel() {
    let mut bench = Bench::new(4);
    bench.begin(true);
    (1..=3).for_each(|id| {
        bench.insert(id);
    });
    assert!(!bench.state().available, "what is inserted has run");
    bench.begin(false);
    assert_eq!(bench.run(), [3, 2, 1]);
    bench.begin(false);
    assert_eq!(bench.run(), [1, 2, 3]);
}

#[test]
fn what_is_stolen_while_the_order_is_backward_comes_first_in_the_next_kernel() {
    let mut bench = Bench::new(4);
    bench.begin(true);
    bench.insert(1);
    bench.insert(2);
    bench.begin(false);
    assert_eq!(bench.run(), [2, 1]);
    bench.insert(3);
    bench.begin(false);
    assert_eq!(bench.run(), [3, 1, 2]);
}

#[test]
fn thieves_take_what_would_run_last_and_it_does_not_come_back() {
    let mut bench = Bench::new(8);
    bench.begin(true);
    (1..=5).for_each(|id| {
        bench.insert(id);
    });
    bench.begin(false);
    assert_eq!(bench.steal(), 1);
    assert_eq!(bench.run(), [5, 4, 3, 2]);
    bench.begin(false);
    assert_eq!(bench.steal(), 5);
    assert_eq!(bench.run(), [2, 3, 4]);
}

#[test]
fn it_is_full_with_its_last_entry_and_what_comes_then_is_not_kept() {
    for entries in [2u32, 32] {
        let mut bench = Bench::new(entries as usize);
        bench.begin(true);
        for id in 1..entries {
            let outputs = bench.insert(id);
            assert!(!outputs.filled && !outputs.full, "entry {id} of {entries}");
        }
        let last = bench.insert(entries);
        assert!(last.filled && !last.full);
        let beyond = bench.insert(99);
        assert!(!beyond.filled && beyond.full);
        bench.begin(false);
        assert_eq!(bench.run(), (1..=entries).rev().collect::<Vec<_>>());
        bench.begin(true);
        assert!(!bench.state().available && !bench.state().full, "cleared");
    }
}

#[test]
fn reset_in_the_middle_empties_it() {
    let mut bench = Bench::new(2);
    bench.begin(true);
    bench.insert(1);
    bench.queue.cycle(&Inputs { reset: true, ..bench.idle() });
    assert_eq!(bench.state(), Outputs::default());
}

#[test]
fn hardware_and_twin_agree_on_random_kernels_that_insert_take_and_lose() {
    for entries in [2, 4, 32] {
        let (mut bench, mut random) = (Bench::new(entries), random(entries as u64));
        bench.begin(true);
        for id in 0..40_000 {
            if random.random_bool(0.05) {
                bench.begin(random.random_bool(0.05));
                continue;
            }
            let mut inputs = bench.idle();
            inputs.reset = random.random_range(0..5_000) == 0;
            let state = bench.queue.peek(&inputs);
            if state.available {
                inputs.take = random.random_bool(0.5);
                inputs.steal = !(inputs.take && state.last) && random.random_bool(0.2);
            } else if random.random_bool(0.3) {
                inputs.insert = Some(Dim3::new(id, id % 65_536, id % 7));
            }
            bench.queue.cycle(&inputs);
        }
    }
}
