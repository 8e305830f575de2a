//! Rationale: 1. what a shift meets: removals in any cycles of it, the next insertion, a reset, one
//! entry or none beside it. 2. Queues of 2 to 8 entries with each set of cycles in which the head
//! leaves, 16 and 32 whose words are a register file and SRAMs, the paper's 128 at the ends.

use super::priority_queue::{insert, shifting, LEAVES};
use crate::harness::{random, Lockstep};
use blockyard_rtl::laperm::ShiftingQueue;
use blockyard_sim::port::{Dim3, GroupReference, QueueEntry};
use blockyard_sim::sched::laperm::PriorityQueueInputs as Inputs;
use rand::RngExt;

type Queue = Lockstep<ShiftingQueue>;

const IDLE: Inputs = Inputs { reset: false, insert: None, step: false, remove: false };
const RESET: Inputs = Inputs { reset: true, ..IDLE };

/// A unit of one block that differs from all others.
fn unit(number: usize) -> QueueEntry {
    let group = Some(GroupReference::in_memory(number as u32));
    QueueEntry { group, grid: Dim3::new(1, 1, 1), ..QueueEntry::default() }
}

/// A cycle in which the head leaves if it should and there is one.
fn cycle(queue: &mut Queue, inputs: Inputs, leaves: bool) {
    let leaves = leaves && queue.peek(&IDLE).head.is_some();
    queue.cycle(&Inputs { step: leaves, remove: leaves, ..inputs });
}

/// Units of level 3, then of level 1, whose first place in the ring is `turned`.
fn filled(queue: &mut Queue, turned: usize, ahead: usize, behind: usize) {
    queue.cycle(&RESET);
    for number in 0..turned {
        queue.cycle(&insert(1, number as u8 % 32));
        queue.cycle(&LEAVES);
    }
    for number in 0..ahead + behind {
        let level = if number < ahead { 3 } else { 1 };
        queue.cycle(&Inputs { insert: Some((level, unit(number))), ..IDLE });
    }
}

/// A unit of level 2 shifts those of level 1, the head leaves in the cycles that `leaves` names,
/// another unit comes as soon as it can, and all leave.
fn shift(queue: &mut Queue, behind: usize, leaves: impl Fn(usize) -> bool) {
    cycle(queue, Inputs { insert: Some((2, unit(1000))), ..IDLE }, leaves(0));
    for after in 1..=behind {
        assert!(!queue.peek(&IDLE).ready);
        cycle(queue, IDLE, leaves(after));
    }
    let next = queue.peek(&IDLE).ready.then(|| (3, unit(1001)));
    cycle(queue, Inputs { insert: next, ..IDLE }, leaves(behind + 1));
    while queue.peek(&IDLE).count > 0 {
        cycle(queue, IDLE, true);
    }
}

#[test]
fn heads_may_leave_in_any_cycles_of_a_shift() {
    for entries in [2, 4, 8] {
        let mut queue = shifting(entries, 3);
        for behind in 0..entries {
            for ahead in 0..entries - behind {
                for leaves in 0..1_u32 << (behind + 2) {
                    filled(&mut queue, leaves as usize % entries, ahead, behind);
                    shift(&mut queue, behind, |cycle| leaves >> cycle & 1 != 0);
                }
            }
        }
    }
}

#[test]
fn banks_of_a_register_file_and_of_srams_shift_alike() {
    let mut random = random(24);
    for entries in [16, 32] {
        let mut queue = shifting(entries, 3);
        for _ in 0..100 {
            let behind = random.random_range(0..entries);
            let ahead = random.random_range(0..entries - behind);
            let leaves: u64 = random.random();
            filled(&mut queue, random.random_range(0..entries), ahead, behind);
            shift(&mut queue, behind, |cycle| leaves >> cycle & 1 != 0);
        }
    }
}

#[test]
fn a_shift_of_all_128_entries_goes_on_while_heads_leave() {
    let mut queue = shifting(128, 3);
    for ahead in [0, 1, 2, 63, 126] {
        for period in [1, 2, 3, 127, 1000] {
            filled(&mut queue, 100, ahead, 127 - ahead);
            shift(&mut queue, 127 - ahead, |cycle| cycle % period == period - 1);
        }
    }
}

#[test]
fn a_reset_in_any_cycle_of_a_shift_leaves_nothing() {
    let mut queue = shifting(8, 3);
    for resets in 0..8 {
        for leaves in [false, true] {
            filled(&mut queue, 3, 2, 5);
            cycle(&mut queue, insert(2, 9), leaves);
            for _ in 0..resets {
                cycle(&mut queue, IDLE, leaves);
            }
            queue.cycle(&RESET);
            let seen = queue.cycle(&insert(1, 5));
            assert_eq!((seen.ready, seen.head, seen.count), (true, None, 0));
            assert_eq!(queue.cycle(&LEAVES).head.map(|head| head.entry.kernel.0), Some(5));
        }
    }
}

#[test]
fn one_unit_that_leaves_as_another_one_comes_is_followed_by_it() {
    for entries in [2, 128] {
        for levels in [(1, 1), (3, 1), (1, 3)] {
            let mut queue = shifting(entries, 3);
            queue.cycle(&insert(levels.0, 7));
            queue.cycle(&Inputs { step: true, remove: true, ..insert(levels.1, 8) });
            let moved = usize::from(levels.1 > levels.0);
            for _ in 0..moved {
                let seen = queue.cycle(&IDLE);
                assert_eq!((seen.ready, seen.head, seen.count), (false, None, 1));
            }
            let seen = queue.cycle(&LEAVES);
            assert_eq!(seen.head.map(|head| head.entry.kernel.0), Some(8));
            assert_eq!(queue.cycle(&IDLE).count, 0);
        }
    }
}

#[test]
fn a_full_queue_takes_a_unit_in_the_cycle_after_one_left() {
    for entries in [1, 2, 4, 128] {
        let mut queue = shifting(entries, 3);
        filled(&mut queue, 0, 0, entries);
        for number in 0..entries + 4 {
            let seen = queue.cycle(&LEAVES);
            assert_eq!((seen.ready, seen.count), (false, entries));
            // Of the level of the others, then of a higher one, which moves all that are left.
            let level = if number < 4 { 1 } else { 2 };
            queue.cycle(&insert(level, number as u8 % 32));
            for _ in 0..entries {
                queue.cycle(&IDLE);
            }
        }
    }
}

#[test]
fn random_units_of_one_block_come_and_leave_in_every_cycle() {
    for (entries, seed) in [(2, 0), (4, 1), (8, 2), (32, 3), (128, 4), (128, 5)] {
        let mut queue = shifting(entries, 4);
        let mut random = random(seed);
        let mut moved = 0;
        for number in 0..8_000_usize {
            let seen = queue.peek(&IDLE);
            let level = random.random_range(1..=4);
            let comes = seen.ready && random.random_bool(0.9);
            let inserted = comes.then(|| (level, unit(number)));
            let drains = [0.1, 0.9, 1.0, 0.3][number / 300 % 4];
            let leaves = random.random_bool(drains);
            moved += u32::from(!seen.ready && leaves && seen.head.is_some());
            cycle(&mut queue, Inputs { insert: inserted, ..IDLE }, leaves);
        }
        assert!(moved > 100, "{moved} removals in shifts");
    }
}
