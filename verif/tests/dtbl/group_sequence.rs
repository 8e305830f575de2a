//! Rationale: 1. the state is a place in a group; groups of one block and of several dimensions, on
//! chip and in memory, known at once and later. 2. There is no parameter.

use super::{chip, memory};
use crate::dispatch::kernel_table::block;
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::GroupSequence;
use blockyard_rtl::module::Module;
use blockyard_sim::port::{Dim3, FetchedGroup, GroupReference};
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use twin::{GroupSequenceInputs as Inputs, GroupSequenceOutputs as Outputs};

impl Twinned for GroupSequence {
    type Twin = twin::GroupSequence;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.distributing.next = inputs.distributing;
        self.group_reference.next = ports::reference(inputs.reference);
        self.on_chip_grid.next = ports::block_id(inputs.on_chip_grid);
        self.on_chip_next.next = ports::reference(inputs.on_chip_next);
        let in_memory = inputs.in_memory.unwrap_or_default();
        self.known.next = inputs.in_memory.is_some();
        self.memory_grid.next = ports::block_id(in_memory.grid);
        self.memory_next.next = ports::reference(in_memory.next);
        self.step.next = inputs.step;
        self.done.next = inputs.done;
    }
    fn observe(&self) -> Outputs {
        // The rest is meaningful with `ready`.
        if !self.ready.val() {
            return Outputs::default();
        }
        Outputs {
            ready: true,
            at: block(self.at.val()),
            grid: block(self.grid.val()),
            after: GroupReference::from_word(self.after.val().raw() as u32),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        Some(twin.evaluate(inputs)).filter(|outputs| outputs.ready).unwrap_or_default()
    }
    twin_calls!(edge);
}

fn sequence() -> Lockstep<GroupSequence> {
    Lockstep::new(GroupSequence::new(), twin::GroupSequence::new())
}

fn grid() -> Dim3 {
    Dim3::new(2, 1, 2)
}

fn on_chip() -> Inputs {
    Inputs {
        distributing: true,
        reference: chip(5),
        on_chip_grid: grid(),
        on_chip_next: chip(9),
        ..Inputs::default()
    }
}

fn in_memory() -> Inputs {
    Inputs { distributing: true, reference: memory(5), ..Inputs::default() }
}

fn known(next: Option<GroupReference>) -> Inputs {
    Inputs { in_memory: Some(FetchedGroup { grid: grid(), next }), ..in_memory() }
}

#[test]
fn the_blocks_of_a_group_on_chip_come_without_a_delay_in_order() {
    let mut sequence = sequence();
    for at in [[0, 0, 0], [1, 0, 0], [0, 0, 1]] {
        let outputs = sequence.cycle(&Inputs { step: true, ..on_chip() });
        assert!(outputs.ready);
        assert_eq!(outputs.at, Dim3::new(at[0], at[1], at[2]));
    }
    let last = sequence.cycle(&Inputs { step: true, done: true, ..on_chip() });
    assert_eq!((last.at, last.after), (Dim3::new(1, 0, 1), chip(9)));
    assert_eq!(sequence.cycle(&on_chip()).at, Dim3::new(0, 0, 0), "the next group begins");
}

#[test]
fn a_group_in_memory_is_ready_in_the_cycle_in_which_it_is_known() {
    let mut sequence = sequence();
    assert!(!sequence.cycle(&in_memory()).ready);
    let outputs = sequence.cycle(&Inputs { step: true, ..known(memory(8)) });
    assert!(outputs.ready);
    assert_eq!((outputs.grid, outputs.after), (grid(), memory(8)));
    assert_eq!(sequence.cycle(&known(memory(8))).at, Dim3::new(1, 0, 0));
}

#[test]
fn what_is_known_of_a_group_in_memory_is_not_taken_for_one_on_chip() {
    let mut sequence = sequence();
    let other = FetchedGroup { grid: Dim3::new(9, 1, 1), next: memory(8) };
    let outputs = sequence.cycle(&Inputs { in_memory: Some(other), ..on_chip() });
    assert_eq!((outputs.grid, outputs.after), (grid(), chip(9)));
    let waits = sequence.cycle(&Inputs { distributing: false, ..known(None) });
    assert!(!waits.ready, "native blocks are distributed");
}

#[test]
fn reset_begins_a_group_anew() {
    let mut sequence = sequence();
    sequence.cycle(&Inputs { step: true, ..on_chip() });
    sequence.cycle(&Inputs { reset: true, ..on_chip() });
    assert_eq!(sequence.cycle(&on_chip()).at, Dim3::new(0, 0, 0));
}

#[test]
fn hardware_and_twin_agree_on_random_groups() {
    for seed in 0..20 {
        let (mut random, mut sequence) = (random(seed), sequence());
        let mut waits = 0;
        for _ in 0..200 {
            let mut side = |most: u32| random.random_range(1..=most);
            let grid = Dim3::new(side(3), side(2), side(2));
            let on_chip = random.random();
            let place = random.random_range(0..2048);
            let reference = if on_chip { chip(place) } else { memory(place) };
            let mut left = grid.volume();
            let mut come = false;
            while left > 0 {
                come |= random.random_bool(0.4);
                let mut inputs = Inputs {
                    distributing: random.random_bool(0.9),
                    reference,
                    on_chip_grid: grid,
                    on_chip_next: chip(1),
                    in_memory: come.then_some(FetchedGroup { grid, next: memory(4) }),
                    ..Inputs::default()
                };
                let seen = sequence.peek(&inputs);
                waits += u32::from(inputs.distributing && !seen.ready);
                inputs.step = seen.ready && random.random_bool(0.6);
                inputs.done = inputs.step && left == 1;
                sequence.cycle(&inputs);
                left -= u128::from(inputs.step);
            }
        }
        assert!(waits > 50, "seed {seed}: {waits} waits");
    }
}
