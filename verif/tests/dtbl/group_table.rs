//! Rationale: 1. each entry is free or holds a group of which 0 to all blocks run; random groups of a few
//! blocks fill the table until hashes collide. 2. Tables of 1, 2, 8, 1,024 and 2,048 entries; 1, 3, 13,
//! 33, 65 and 132 SMXs, several of which end a block of one group in one cycle.

use super::{chip, memory};
use crate::dispatch::kernel_table::block;
use crate::harness::{mask, random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dtbl::GroupTable;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Dim3, GroupReference};
use blockyard_sim::sched::{dtbl as twin, PerSmx, SmxMask};
use rand::RngExt;
use std::collections::BTreeMap;
use twin::{GroupTableInputs as Inputs, GroupTableOutputs as Outputs};

impl Twinned for GroupTable {
    type Twin = twin::GroupTable;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.hardware_thread.next = U::new(inputs.hardware_thread.into());
        self.allocate.next = inputs.allocate;
        self.grid.next = ports::block_id(inputs.grid);
        self.parameter_address.next = U::new(inputs.parameter_address.into());
        self.link.next = inputs.link;
        self.link_index.next = U::new(inputs.link_index.into());
        self.link_next.next = ports::reference(inputs.link_next);
        self.current.next = U::new(inputs.current.into());
        self.dispatched.next = inputs.dispatched;
        mask::drive(&mut self.finished, inputs.finished);
        for (smx, port) in self.finished_index.iter_mut().enumerate() {
            port.next = U::new(inputs.finished_index[smx].into());
        }
        self.lookup_index.next = U::new(inputs.lookup_index.into());
    }
    fn observe(&self) -> Outputs {
        Outputs {
            free: self.free.val(),
            index: self.index.val().raw() as u32,
            current_grid: block(self.current_grid.val()),
            current_next: GroupReference::from_word(self.current_next.val().raw() as u32),
            lookup_parameter: self.lookup_parameter.val().raw() as u32,
        }
    }
    twin_calls!();
}

/// A table whose entries all held a group of one block: what was never allocated is undefined.
fn table(smxs: usize, size: usize) -> Lockstep<GroupTable> {
    let mut table = Lockstep::new(GroupTable::new(smxs, size), twin::GroupTable::new(size as u32));
    for entry in 0..size as u16 {
        table.unobserved_cycle(&allocate(entry, 1));
        table.unobserved_cycle(&ends(&[entry.into()]));
    }
    table
}

/// A group of `blocks` blocks.
fn allocate(hardware_thread: u16, blocks: u32) -> Inputs {
    let grid = Dim3::new(blocks, 1, 1);
    Inputs { hardware_thread, allocate: true, grid, ..ask(hardware_thread) }
}

fn ask(hardware_thread: u16) -> Inputs {
    Inputs { hardware_thread, ..Inputs::default() }
}

/// Blocks of these entries end, on SMX 0 and so on.
fn ends(entries: &[u32]) -> Inputs {
    let mut inputs = Inputs { finished: mask::from_bits((1 << entries.len()) - 1), ..ask(0) };
    inputs.finished_index = entries.iter().copied().collect();
    inputs
}

#[test]
fn the_index_is_the_lowest_bits_of_the_hardware_thread() {
    for size in [1usize, 2, 512, 1024, 2048] {
        let mut table = table(1, size);
        for thread in [0, 1, 511, 512, 1023, 1024, 2047, 2048, u16::MAX] {
            let index = table.cycle(&ask(thread)).index;
            assert_eq!(index, u32::from(thread) & (size as u32 - 1));
        }
    }
}

#[test]
fn an_entry_is_taken_from_the_cycle_after_the_allocation() {
    let mut table = table(1, 8);
    assert!(table.cycle(&allocate(3, 2)).free);
    assert!(!table.cycle(&ask(3)).free);
    assert!(!table.cycle(&ask(11)).free, "a hash collision");
    table.cycle(&allocate(4, 2));
    assert!(!table.cycle(&ask(4)).free);
}

#[test]
fn an_entry_is_released_with_its_last_block_and_free_in_the_next_cycle() {
    let mut table = table(2, 1);
    table.cycle(&allocate(0, 3));
    for _ in 0..2 {
        table.cycle(&Inputs { dispatched: true, ..ask(0) });
    }
    table.cycle(&ask(0));
    assert!(!table.cycle(&ends(&[0, 0])).free, "two of three blocks end in one cycle");
    assert!(!table.cycle(&ends(&[0])).free);
    assert!(table.cycle(&ask(0)).free);
}

#[test]
fn blocks_that_end_before_the_group_is_distributed_do_not_release_it() {
    let mut table = table(1, 2);
    table.cycle(&allocate(0, 2));
    table.cycle(&Inputs { dispatched: true, ..ask(0) });
    table.cycle(&ends(&[0]));
    assert!(!table.cycle(&ask(0)).free, "one block is still to be distributed");
    table.cycle(&ends(&[0]));
    assert!(table.cycle(&ask(0)).free);
}

#[test]
fn a_block_that_is_dispatched_as_another_one_ends_leaves_the_count_as_it_is() {
    let mut table = table(1, 1);
    table.cycle(&allocate(0, 3));
    table.cycle(&Inputs { dispatched: true, ..ask(0) });
    table.cycle(&Inputs { dispatched: true, ..ends(&[0]) });
    table.cycle(&ends(&[0]));
    assert!(!table.cycle(&ask(0)).free);
    table.cycle(&ends(&[0]));
    assert!(table.cycle(&ask(0)).free);
}

#[test]
fn a_link_is_read_in_the_next_cycle_and_a_new_group_has_none() {
    let mut table = table(1, 2);
    table.cycle(&allocate(1, 1));
    let at = |inputs: Inputs| Inputs { current: 1, lookup_index: 1, ..inputs };
    let link = Inputs { link: true, link_index: 1, link_next: memory(77), ..ask(1) };
    assert_eq!(table.cycle(&at(link)).current_next, None);
    assert_eq!(table.cycle(&at(ends(&[1]))).current_next, memory(77));
    table.cycle(&at(allocate(1, 1)));
    assert_eq!(table.cycle(&at(ask(1))).current_next, None);
}

#[test]
fn reset_frees_every_entry() {
    let mut table = table(1, 1024);
    for thread in 0..1024 {
        table.unobserved_cycle(&allocate(thread, 1));
    }
    assert!(!table.cycle(&ask(1023)).free);
    table.cycle(&Inputs { reset: true, ..ask(0) });
    for thread in 0..1024 {
        let inputs = Inputs { current: thread.into(), ..ask(thread) };
        table.unobserved_cycle(&inputs);
        table.unobserved_cycle(&allocate(thread, 1));
    }
    assert!(!table.cycle(&ask(7)).free);
}

/// A group as seen from outside.
#[derive(Clone, Copy)]
struct Live {
    left: u32,
    running: u32,
}

fn random_groups(smxs: usize, size: usize, seed: u64) {
    let (mut random, mut table) = (random(seed), table(smxs, size));
    let mut live: BTreeMap<u32, Live> = BTreeMap::new();
    let (mut full, mut released) = (0, 0);
    for _ in 0..4_000 {
        let thread = random.random_range(0..2 * size as u32) as u16;
        let index = u32::from(thread) & (size as u32 - 1);
        let mut inputs = if !live.contains_key(&index) && random.random_bool(0.6) {
            let blocks = random.random_range(1..=4);
            Inputs { parameter_address: random.random(), ..allocate(thread, blocks) }
        } else {
            full += u32::from(live.contains_key(&index));
            ask(thread)
        };
        let pick = |random: &mut rand_pcg::Pcg64| random.random_range(0..size as u32);
        inputs.current = pick(&mut random);
        inputs.lookup_index = pick(&mut random);
        inputs.link_index = pick(&mut random);
        inputs.link = live.contains_key(&inputs.link_index) && random.random_bool(0.3);
        inputs.link_next =
            if random.random() { chip(3) } else { memory(random.random_range(0..99)) };
        // The current group's next block goes; the count of the last one stays.
        let mut ended = PerSmx::<u32>::default();
        let mut finished = SmxMask::ZERO;
        let mut after = live.clone();
        for smx in 0..smxs {
            let entry = pick(&mut random);
            if let Some(group) = after.get_mut(&entry).filter(|group| group.running > 0) {
                if random.random_bool(0.5) {
                    group.running -= 1;
                    ended[smx] = entry;
                    finished.set(smx, true);
                }
            }
        }
        if let Some(group) = after.get_mut(&inputs.current).filter(|group| group.left > 0) {
            group.left -= 1;
            group.running += 1;
            inputs.dispatched = group.left > 0;
        }
        inputs.finished = finished;
        inputs.finished_index = ended;
        let outputs = table.cycle(&inputs);
        assert_eq!(outputs.free, !live.contains_key(&index));
        released += live.len();
        after.retain(|_, group| group.left + group.running > 0);
        released -= after.len();
        if inputs.allocate {
            let blocks = inputs.grid.x;
            after.insert(index, Live { left: blocks, running: 0 });
        }
        live = after;
    }
    assert!(full > 50 && released > 0, "{size} entries: {full} taken, {released} released");
}

#[test]
fn hardware_and_twin_agree_on_random_groups() {
    for seed in 0..8 {
        random_groups(1, 1, seed);
        random_groups(1, 2, seed);
        random_groups(3, 8, seed);
        random_groups(13, 8, seed);
    }
    random_groups(13, 1024, 9);
    random_groups(13, 2048, 9);
    random_groups(33, 8, 9);
    random_groups(65, 16, 9);
    random_groups(132, 64, 9);
}
