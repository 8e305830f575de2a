//! Rationale: 1. the state is a place in a group and what memory said of it; groups of one block and of
//! several dimensions, on chip and in memory, with a link before, during and after the fetch.
//! 2. There is no parameter.

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
        let fetched = inputs.fetched.unwrap_or_default();
        self.fetched.next = inputs.fetched.is_some();
        self.fetched_grid.next = ports::block_id(fetched.grid);
        self.fetched_next.next = ports::reference(fetched.next);
        self.linked.next = inputs.linked;
        self.link_next.next = ports::reference(inputs.link_next);
        self.step.next = inputs.step;
        self.done.next = inputs.done;
    }
    fn observe(&self) -> Outputs {
        let ready = self.ready.val();
        let fetch = self.fetch.val().then(|| self.fetch_pointer.val().raw() as u32);
        // The rest is meaningful with `ready`.
        let mut outputs = Outputs { ready, fetch, ..Outputs::default() };
        if ready {
            outputs.at = block(self.at.val());
            outputs.grid = block(self.grid.val());
            outputs.after = GroupReference::from_word(self.after.val().raw() as u32);
        }
        outputs
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        let outputs = twin.evaluate(inputs);
        let Outputs { ready, fetch, .. } = outputs;
        if ready {
            outputs
        } else {
            Outputs { ready, fetch, ..Outputs::default() }
        }
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

fn arrives(next: Option<GroupReference>) -> Inputs {
    Inputs { fetched: Some(FetchedGroup { grid: grid(), next }), ..in_memory() }
}

#[test]
fn the_blocks_of_a_group_on_chip_come_without_a_delay_in_order() {
    let mut sequence = sequence();
    for at in [[0, 0, 0], [1, 0, 0], [0, 0, 1]] {
        let outputs = sequence.cycle(&Inputs { step: true, ..on_chip() });
        assert!(outputs.ready && outputs.fetch.is_none());
        assert_eq!(outputs.at, Dim3::new(at[0], at[1], at[2]));
    }
    let last = sequence.cycle(&Inputs { step: true, done: true, ..on_chip() });
    assert_eq!((last.at, last.after), (Dim3::new(1, 0, 1), chip(9)));
    assert_eq!(sequence.cycle(&on_chip()).at, Dim3::new(0, 0, 0), "the next group begins");
}

#[test]
fn a_group_in_memory_is_asked_for_once_and_ready_in_the_cycle_after_it_arrives() {
    let mut sequence = sequence();
    assert_eq!(sequence.cycle(&in_memory()).fetch, Some(5));
    assert_eq!(sequence.cycle(&in_memory()).fetch, None);
    assert!(!sequence.cycle(&arrives(memory(8))).ready);
    let outputs = sequence.cycle(&in_memory());
    assert!(outputs.ready);
    assert_eq!((outputs.grid, outputs.after), (grid(), memory(8)));
}

#[test]
fn a_link_that_is_made_while_the_group_is_on_its_way_counts_more_than_what_memory_says() {
    for late in [false, true] {
        let mut sequence = sequence();
        let link = Inputs { linked: true, link_next: chip(1), ..in_memory() };
        let first = if late { in_memory() } else { link.clone() };
        sequence.cycle(&first);
        if late {
            sequence.cycle(&link);
        }
        sequence.cycle(&arrives(None));
        assert_eq!(sequence.cycle(&in_memory()).after, chip(1), "late: {late}");
    }
}

#[test]
fn a_link_that_is_made_as_the_group_arrives_or_later_is_kept() {
    let mut sequence = sequence();
    sequence.cycle(&in_memory());
    sequence.cycle(&Inputs { linked: true, link_next: chip(1), ..arrives(None) });
    assert_eq!(sequence.cycle(&in_memory()).after, chip(1));
    sequence.cycle(&Inputs { linked: true, link_next: memory(2), ..in_memory() });
    assert_eq!(sequence.cycle(&in_memory()).after, memory(2));
}

#[test]
fn the_next_group_in_memory_is_asked_for_anew() {
    let mut sequence = sequence();
    sequence.cycle(&in_memory());
    sequence.cycle(&arrives(memory(6)));
    for _ in 0..3 {
        sequence.cycle(&Inputs { step: true, ..in_memory() });
    }
    sequence.cycle(&Inputs { step: true, done: true, ..in_memory() });
    let next = Inputs { reference: memory(6), ..in_memory() };
    let outputs = sequence.cycle(&next);
    assert_eq!((outputs.ready, outputs.fetch), (false, Some(6)));
}

#[test]
fn reset_forgets_the_group() {
    let mut sequence = sequence();
    sequence.cycle(&Inputs { step: true, ..on_chip() });
    sequence.cycle(&Inputs { reset: true, ..on_chip() });
    assert_eq!(sequence.cycle(&on_chip()).at, Dim3::new(0, 0, 0));
    sequence.cycle(&in_memory());
    sequence.cycle(&Inputs { reset: true, ..in_memory() });
    assert_eq!(sequence.cycle(&in_memory()).fetch, Some(5));
}

#[test]
fn hardware_and_twin_agree_on_random_groups() {
    for seed in 0..20 {
        let (mut random, mut sequence) = (random(seed), sequence());
        let (mut fetches, mut groups) = (0, 0);
        for _ in 0..200 {
            let mut side = |most: u32| random.random_range(1..=most);
            let grid = Dim3::new(side(3), side(2), side(2));
            let chip_side = random.random();
            let reference =
                if chip_side { chip(side_of(&mut random)) } else { memory(side_of(&mut random)) };
            let mut left = grid.volume();
            let mut on_the_way = false;
            while left > 0 {
                let mut inputs = Inputs {
                    distributing: random.random_bool(0.9),
                    reference,
                    on_chip_grid: grid,
                    on_chip_next: chip(1),
                    ..Inputs::default()
                };
                inputs.linked = inputs.distributing && random.random_bool(0.1);
                inputs.link_next = chip(side_of(&mut random));
                if on_the_way && random.random_bool(0.3) {
                    inputs.fetched = Some(FetchedGroup { grid, next: memory(4) });
                    on_the_way = false;
                }
                let seen = sequence.peek(&inputs);
                inputs.step = seen.ready && random.random_bool(0.6);
                inputs.done = inputs.step && left == 1;
                let outputs = sequence.cycle(&inputs);
                on_the_way |= outputs.fetch.is_some();
                fetches += u32::from(outputs.fetch.is_some());
                left -= u128::from(inputs.step);
            }
            groups += 1;
        }
        assert!(groups == 200 && fetches > 50, "seed {seed}: {fetches} fetches");
    }
}

fn side_of(random: &mut rand_pcg::Pcg64) -> u32 {
    random.random_range(0..2048)
}
