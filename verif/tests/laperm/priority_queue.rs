//! Rationale: 1. the state is the units with their levels, how far the first of each level is, and
//! an insertion; queues of 1, 4 and 128 entries fill, drain and wrap. 2. Both queues, L of 1, 3
//! and 8.

use super::{defined, entry, head, random_unit};
use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::laperm::{LinkedQueue, ShiftingQueue};
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Dim3, QueueEntry};
use blockyard_sim::sched::laperm::{
    PriorityQueue, PriorityQueueInputs as Inputs, PriorityQueueOutputs as Outputs, QueueKind,
};
use rand::RngExt;

macro_rules! twinned {
    ($queue:ident) => {
        impl Twinned for $queue {
            type Twin = PriorityQueue;
            type Inputs = Inputs;
            type Outputs = Outputs;

            fn apply(&mut self, inputs: &Inputs) {
                self.drive_reset(inputs.reset);
                let (level, unit) = inputs.insert.unwrap_or((1, QueueEntry::default()));
                self.insert.next = inputs.insert.is_some();
                self.insert_level.next = U::new(level.into());
                self.insert_entry.next = entry(&unit);
                self.step.next = inputs.step;
                self.remove.next = inputs.remove;
            }
            fn observe(&self) -> Outputs {
                Outputs {
                    ready: self.ready.val(),
                    head: self.head_valid.val().then(|| defined(head(self.head.val()))),
                    count: self.count.val().raw() as usize,
                }
            }
            fn evaluate(twin: &PriorityQueue, inputs: &Inputs) -> Outputs {
                let outputs = twin.evaluate(inputs);
                // The hardware is not ready either when all entries are taken.
                let ready = outputs.ready && outputs.count < twin.entries();
                Outputs { ready, head: outputs.head.map(defined), ..outputs }
            }
            twin_calls!(edge);
        }
    };
}
twinned!(LinkedQueue);
twinned!(ShiftingQueue);

fn linked(entries: usize, levels: usize) -> Lockstep<LinkedQueue> {
    let twin = PriorityQueue::new(QueueKind::Linked, entries);
    Lockstep::new(LinkedQueue::new(entries, levels), twin)
}

pub(super) fn shifting(entries: usize, levels: usize) -> Lockstep<ShiftingQueue> {
    let twin = PriorityQueue::new(QueueKind::Shifting, entries);
    Lockstep::new(ShiftingQueue::new(entries, levels), twin)
}

fn numbered(number: u8) -> QueueEntry {
    QueueEntry {
        kernel: blockyard_sim::port::KernelEntry(number),
        grid: Dim3::new(1, 1, 1),
        ..QueueEntry::default()
    }
}

pub(super) fn insert(level: u8, number: u8) -> Inputs {
    Inputs { insert: Some((level, numbered(number))), ..Inputs::default() }
}

pub(super) const LEAVES: Inputs = Inputs { reset: false, insert: None, step: true, remove: true };

fn random_units<M>(mut queue: Lockstep<M>, entries: usize, levels: u8, seed: u64)
where
    M: Twinned<Inputs = Inputs, Outputs = Outputs>,
{
    let mut random = random(seed);
    let (mut inserted, mut full, mut resumed) = (0, 0, 0);
    let mut begun: Option<Dim3> = None;
    for cycle in 0..6_000 {
        let mut inputs = Inputs { reset: random.random_ratio(1, 1500), ..Inputs::default() };
        let seen = queue.peek(&inputs);
        let fill = [0.8, 0.1, 0.4][cycle / 400 % 3];
        if seen.ready && random.random_bool(fill) {
            let level = random.random_range(1..=levels);
            inputs.insert = Some((level, random_unit(&mut random)));
        }
        if let Some(head) = seen.head {
            inputs.step = random.random_bool(0.7);
            inputs.remove = inputs.step && head.ends;
            resumed += u32::from(head.at != Dim3::default() && begun != Some(head.at));
            begun = Some(head.at);
        }
        inserted += u32::from(inputs.insert.is_some());
        full += u32::from(seen.count == entries);
        queue.cycle(&inputs);
    }
    assert!(inserted > 200 && resumed > 10, "{inserted} inserted, {resumed} resumed");
    assert!(full > 10 || entries > 64, "{full} cycles full");
}

#[test]
fn linked_queues_and_their_twin_agree_on_random_units() {
    for (entries, levels) in [(1, 1), (2, 2), (4, 3), (8, 8), (128, 4)] {
        for seed in 0..4 {
            random_units(linked(entries, levels), entries, levels as u8, seed);
        }
    }
}

#[test]
fn shifting_queues_and_their_twin_agree_on_random_units() {
    for (entries, levels) in [(1, 1), (2, 2), (4, 3), (8, 8), (128, 4)] {
        for seed in 0..4 {
            random_units(shifting(entries, levels), entries, levels as u8, seed);
        }
    }
}

/// In which cycle after its insertion the unit is the head of a queue that holds `behind` units of
/// a lower level, of which `leaves` leave meanwhile.
fn cycles_to_the_head<M>(mut queue: Lockstep<M>, behind: u8, leaves: u32) -> u32
where
    M: Twinned<Inputs = Inputs, Outputs = Outputs>,
{
    for number in 0..behind {
        queue.cycle(&insert(1, number));
    }
    queue.cycle(&insert(2, 31));
    let mut cycles = 1;
    while queue.peek(&Inputs::default()).head.is_none_or(|head| head.level == 1) {
        let leaves = cycles <= leaves && queue.peek(&Inputs::default()).head.is_some();
        queue.cycle(&if leaves { LEAVES } else { Inputs::default() });
        cycles += 1;
    }
    cycles
}

#[test]
fn a_linked_unit_is_in_its_place_in_the_next_cycle_and_a_shifted_one_after_as_many_as_it_moves() {
    for behind in [0, 1, 2, 7, 31] {
        assert_eq!(cycles_to_the_head(linked(128, 2), behind, 0), 1);
        for leaves in [0, 1, 40] {
            let taken = cycles_to_the_head(shifting(128, 2), behind, leaves);
            assert_eq!(taken, 1 + u32::from(behind), "{behind} behind, {leaves} leave");
        }
    }
}

#[test]
fn the_worst_insertion_of_128_entries_takes_128_cycles_section_iv_e() {
    let mut queue = shifting(128, 2);
    for number in 0..127 {
        queue.cycle(&insert(1, number % 32));
    }
    queue.cycle(&insert(2, 31));
    for _ in 0..127 {
        assert!(!queue.cycle(&Inputs::default()).ready);
    }
    let done = queue.cycle(&Inputs::default());
    assert_eq!((done.head.map(|head| head.level), done.count), (Some(2), 128));
}

#[test]
fn a_unit_that_has_begun_goes_on_where_it_stopped_after_one_of_a_higher_level() {
    let mut queue = linked(4, 3);
    let long = QueueEntry { grid: Dim3::new(3, 1, 1), ..QueueEntry::default() };
    queue.cycle(&Inputs { insert: Some((1, long)), ..Inputs::default() });
    queue.cycle(&Inputs { step: true, ..insert(3, 9) });
    let urgent = queue.cycle(&LEAVES).head.expect("the new unit");
    assert_eq!((urgent.level, urgent.at), (3, Dim3::default()));
    let resumed = queue.cycle(&Inputs::default()).head.expect("the one before");
    assert_eq!((resumed.level, resumed.at), (1, Dim3::new(1, 0, 0)));
}

#[test]
fn a_reset_in_the_middle_of_an_insertion_forgets_it() {
    let mut queue = shifting(8, 2);
    for number in 0..4 {
        queue.cycle(&insert(1, number));
    }
    queue.cycle(&insert(2, 9));
    queue.cycle(&Inputs { reset: true, ..Inputs::default() });
    let seen = queue.cycle(&insert(1, 5));
    assert_eq!((seen.ready, seen.head, seen.count), (true, None, 0));
    assert_eq!(queue.cycle(&Inputs::default()).head.map(|head| head.entry), Some(numbered(5)));
}
