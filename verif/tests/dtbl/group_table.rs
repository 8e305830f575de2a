//! Rationale: 1. each entry is free or holds a group of which 0 to all blocks were dispatched and
//! counted; random groups of a few blocks fill the table until hashes collide. 2. Tables of 1, 2,
//! 8, 1,024 and 2,048 entries: in register files and in SRAMs.

use super::{chip, memory};
use crate::dispatch::kernel_table::block;
use crate::harness::{random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::{GroupTable, Served};
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, Dim3, GroupReference};
use blockyard_sim::sched::dtbl as twin;
use rand::RngExt;
use std::collections::{BTreeMap, VecDeque};
use twin::GroupTableInputs as Inputs;

/// The outputs. What follows a group is defined once a group is linked to it.
#[derive(Clone, Debug)]
pub struct Seen {
    outputs: twin::GroupTableOutputs,
    next_is_known: bool,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        let known = self.next_is_known & other.next_is_known;
        let shown = |seen: &Self| twin::GroupTableOutputs {
            current_next: seen.outputs.current_next.filter(|_| known),
            ..seen.outputs.clone()
        };
        shown(self) == shown(other)
    }
}

impl Twinned for GroupTable {
    type Twin = twin::GroupTable;
    type Inputs = Inputs;
    type Outputs = Seen;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.hardware_thread.next = U::new(inputs.hardware_thread.into());
        self.allocate.next = inputs.allocate;
        self.grid.next = ports::block_id(inputs.grid);
        self.parameter_address.next = U::new(inputs.parameter_address.into());
        self.link.next = inputs.link;
        self.link_index.next = U::new(inputs.link_index.into());
        self.link_next.next = ports::reference(inputs.link_next);
        self.next_current.next = U::new(inputs.next_current.into());
        self.dispatched.next = inputs.dispatched;
        self.last.next = inputs.last;
        let (valid, index) = (inputs.served.is_some(), inputs.served.unwrap_or(5));
        self.served.next = Served { valid, index: U::new(index.into()) };
        self.lookup_index.next = U::new(inputs.lookup_index.into());
    }
    fn observe(&self) -> Seen {
        let outputs = twin::GroupTableOutputs {
            free: self.free.val(),
            index: self.index.val().raw() as u32,
            current_grid: block(self.current_grid.val()),
            current_next: GroupReference::from_word(self.current_next.val().raw() as u32),
            lookup_parameter: self.lookup_parameter.val().raw() as u32,
        };
        Seen { outputs, next_is_known: true }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Seen {
        let outputs = twin.evaluate(inputs);
        let next_is_known = outputs.current_next.is_some();
        Seen { outputs, next_is_known }
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        // A total and a link may be those of the group before: then the hardware stores nothing.
        let rewrites = inputs.link || inputs.dispatched && inputs.last;
        match twin.clock(inputs) {
            Activity::Busy if !rewrites => Activity::Busy,
            _ => Activity::Quiet,
        }
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

/// A table whose entries all held a group of one block: what was never allocated is undefined.
fn table(size: usize) -> Lockstep<GroupTable> {
    let mut table = Lockstep::new(GroupTable::new(size), twin::GroupTable::new(size as u32));
    for entry in 0..size as u16 {
        table.unobserved_cycle(&allocate(entry, 1));
        table.unobserved_cycle(&dispatch(entry.into(), true));
        table.unobserved_cycle(&serve(entry.into()));
    }
    table.unobserved_cycle(&ask(0));
    table
}

/// A group of `blocks` blocks, which is current in the next cycle.
fn allocate(hardware_thread: u16, blocks: u32) -> Inputs {
    let grid = Dim3::new(blocks, 1, 1);
    Inputs { hardware_thread, allocate: true, grid, ..ask(hardware_thread) }
}

/// Looks at an entry, which is current in the next cycle.
fn ask(hardware_thread: u16) -> Inputs {
    let at = u32::from(hardware_thread) & 2047;
    Inputs { hardware_thread, next_current: at, lookup_index: at, ..Inputs::default() }
}

/// A block of the current group, which stays so.
fn dispatch(current: u32, last: bool) -> Inputs {
    Inputs { dispatched: true, last, ..ask(current as u16) }
}

/// A block of that group is counted in the next cycle.
fn serve(entry: u32) -> Inputs {
    Inputs { served: Some(entry), ..ask(entry as u16) }
}

fn free(table: &mut Lockstep<GroupTable>, entry: u16) -> bool {
    table.cycle(&ask(entry)).outputs.free
}

#[test]
fn the_index_is_the_lowest_bits_of_the_hardware_thread() {
    for size in [1usize, 2, 512, 1024, 2048] {
        let mut table = table(size);
        for thread in [0, 1, 511, 512, 1023, 1024, 2047, 2048, u16::MAX] {
            let index = table.cycle(&ask(thread)).outputs.index;
            assert_eq!(index, u32::from(thread) & (size as u32 - 1));
        }
    }
}

#[test]
fn an_entry_is_taken_from_the_cycle_after_the_allocation() {
    let mut table = table(8);
    assert!(table.cycle(&allocate(3, 2)).outputs.free);
    assert!(!free(&mut table, 3));
    assert!(!free(&mut table, 11), "a hash collision");
    table.cycle(&allocate(4, 2));
    assert!(!free(&mut table, 4));
}

#[test]
fn an_entry_is_free_two_cycles_after_its_last_block_is_served() {
    for size in [1, 1024] {
        let mut table = table(size);
        table.cycle(&allocate(0, 3));
        for last in [false, false, true] {
            table.cycle(&dispatch(0, last));
        }
        for _ in 0..3 {
            assert!(!table.cycle(&serve(0)).outputs.free);
        }
        assert!(!free(&mut table, 0), "the last one is counted in this cycle");
        assert!(free(&mut table, 0));
    }
}

#[test]
fn blocks_that_are_counted_before_the_group_is_distributed_do_not_release_it() {
    let mut table = table(2);
    // The entry held a group of one block: there is an old total.
    table.cycle(&allocate(0, 2));
    table.cycle(&dispatch(0, false));
    table.cycle(&serve(0));
    table.cycle(&ask(0));
    assert!(!free(&mut table, 0), "one block is still to be distributed");
    table.cycle(&dispatch(0, true));
    table.cycle(&serve(0));
    assert!(!free(&mut table, 0));
    assert!(free(&mut table, 0));
}

#[test]
fn a_block_that_is_counted_as_the_last_one_is_dispatched_does_not_release_the_entry() {
    let mut table = table(2);
    table.cycle(&allocate(0, 2));
    table.cycle(&dispatch(0, false));
    table.cycle(&serve(0));
    table.cycle(&dispatch(0, true));
    assert!(!free(&mut table, 0));
    table.cycle(&serve(0));
    assert!(!free(&mut table, 0));
    assert!(free(&mut table, 0));
}

#[test]
fn a_link_is_read_in_the_next_cycle() {
    for size in [2, 1024] {
        let mut table = table(size);
        table.cycle(&allocate(1, 1));
        let link = Inputs { link: true, link_index: 1, link_next: memory(77), ..ask(1) };
        table.cycle(&link);
        assert_eq!(table.cycle(&ask(1)).outputs.current_next, memory(77));
        let link = Inputs { link_next: chip(1), ..link };
        assert_eq!(table.cycle(&link).outputs.current_next, memory(77));
        assert_eq!(table.cycle(&ask(1)).outputs.current_next, chip(1));
    }
}

#[test]
fn reset_frees_every_entry_and_forgets_what_is_counted() {
    let mut table = table(1024);
    for thread in 0..1024 {
        table.unobserved_cycle(&allocate(thread, 1));
    }
    assert!(!free(&mut table, 1023));
    table.cycle(&dispatch(1023, false));
    table.cycle(&Inputs { reset: true, ..serve(1023) });
    for thread in 0..1024 {
        assert!(table.cycle(&allocate(thread, 2)).outputs.free);
    }
    // A block of the group that is there now, not the one of before.
    table.cycle(&ask(1023));
    table.cycle(&dispatch(1023, false));
    table.cycle(&serve(1023));
    table.cycle(&dispatch(1023, true));
    assert!(!free(&mut table, 1023));
    table.cycle(&serve(1023));
    table.cycle(&ask(1023));
    assert!(free(&mut table, 1023));
}

/// Groups are distributed one after another, in the order of their allocation; their blocks end in
/// any order.
fn random_groups(size: usize, seed: u64) {
    let (mut random, mut table) = (random(seed), table(size));
    // Entry and blocks to dispatch; the first one is current.
    let mut waiting = VecDeque::<(u32, u32)>::new();
    let mut current = None;
    let mut running = Vec::<u32>::new();
    // Blocks that were not counted.
    let mut live = BTreeMap::<u32, u32>::new();
    let mut counting = None;
    let (mut full, mut released) = (0, 0);
    for _ in 0..6_000 {
        let thread = random.random_range(0..2 * size as u32) as u16;
        let index = u32::from(thread) & (size as u32 - 1);
        let mut inputs = ask(thread);
        let taken = live.contains_key(&index);
        full += u32::from(taken);
        if !taken && waiting.len() < 6 && random.random_bool(0.6) {
            let blocks = random.random_range(1..=4);
            inputs = Inputs { parameter_address: random.random(), ..allocate(thread, blocks) };
        }
        inputs.lookup_index = random.random_range(0..size as u32);
        if let Some((linked, _)) = waiting.back().filter(|_| random.random()) {
            inputs.link = true;
            inputs.link_index = *linked;
            inputs.link_next = if random.random() { chip(3) } else { memory(9) };
        }
        // A block that ran before this cycle is served.
        if !running.is_empty() && random.random_bool(0.6) {
            let at = random.random_range(0..running.len());
            inputs.served = Some(running.swap_remove(at));
        }
        if current.is_some() && current == waiting.front().map(|group| group.0) {
            if let Some(group) = waiting.front_mut().filter(|_| random.random_bool(0.7)) {
                group.1 -= 1;
                inputs.dispatched = true;
                inputs.last = group.1 == 0;
                running.push(group.0);
                if inputs.last {
                    waiting.pop_front();
                }
            }
        }
        let outputs = table.cycle(&Inputs {
            next_current: waiting.front().map_or(0, |group| group.0),
            ..inputs.clone()
        });
        assert_eq!(outputs.outputs.free, !taken);
        current = waiting.front().map(|group| group.0);
        if let Some(entry) = counting.take() {
            let left = live.get_mut(&entry).expect("a block of it was not counted");
            *left -= 1;
            if *left == 0 {
                live.remove(&entry);
                released += 1;
            }
        }
        counting = inputs.served;
        if inputs.allocate {
            waiting.push_back((index, inputs.grid.x));
            live.insert(index, inputs.grid.x);
        }
    }
    assert!(full > 10 && released > 50, "{size} entries: {full} taken, {released} released");
}

#[test]
fn hardware_and_twin_agree_on_random_groups() {
    for seed in 0..8 {
        random_groups(1, seed);
        random_groups(2, seed);
        random_groups(8, seed);
        random_groups(64, seed);
    }
    random_groups(1024, 9);
    random_groups(2048, 9);
}
