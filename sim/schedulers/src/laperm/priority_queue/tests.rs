use super::*;
use crate::port::KernelEntry;

fn grid(x: u32, y: u32, z: u32) -> QueueEntry {
    QueueEntry { grid: Dim3::new(x, y, z), ..QueueEntry::default() }
}

/// A unit of `blocks` blocks that its kernel's entry tells from others.
fn unit(kernel: u8, blocks: u32) -> QueueEntry {
    QueueEntry { kernel: KernelEntry(kernel), ..grid(blocks, 1, 1) }
}

fn insert(level: u8, entry: QueueEntry) -> PriorityQueueInputs {
    PriorityQueueInputs { insert: Some((level, entry)), ..Default::default() }
}

const IDLE: PriorityQueueInputs =
    PriorityQueueInputs { reset: false, insert: None, step: false, remove: false };
const STEP: PriorityQueueInputs = PriorityQueueInputs { step: true, ..IDLE };
const REMOVE: PriorityQueueInputs = PriorityQueueInputs { remove: true, ..IDLE };

fn shown(queue: &PriorityQueue) -> PriorityQueueOutputs {
    let outputs = queue.evaluate(&IDLE);
    let busy = PriorityQueueInputs { step: true, remove: true, ..insert(8, unit(9, 9)) };
    assert_eq!(queue.evaluate(&busy), outputs, "they depend on the state alone");
    outputs
}

/// Kernel of the head.
fn head(queue: &PriorityQueue) -> Option<u8> {
    shown(queue).head.map(|head| head.entry.kernel.0)
}

/// A queue with units of these levels, of kernels 0 and up; nothing is on its way to its place.
fn queue(kind: QueueKind, entries: usize, levels: &[u8]) -> PriorityQueue {
    let mut queue = PriorityQueue::new(kind, entries);
    for (kernel, &level) in (0..).zip(levels) {
        queue.clock(&insert(level, unit(kernel, 2)));
        while !shown(&queue).ready {
            queue.clock(&IDLE);
        }
    }
    queue
}

/// Cycles of `ready` low after a unit of `level` is inserted, with these inputs in the first of
/// them.
fn latency(queue: &mut PriorityQueue, level: u8, with: &PriorityQueueInputs) -> usize {
    let both = PriorityQueueInputs { insert: Some((level, unit(99, 1))), ..with.clone() };
    queue.clock(&both);
    let mut cycles = 0;
    while !shown(queue).ready {
        cycles += 1;
        queue.clock(&IDLE);
    }
    cycles
}

#[test]
fn units_leave_by_decreasing_level_and_first_come_first_served_within_a_level() {
    for kind in [QueueKind::Linked, QueueKind::Shifting] {
        let mut queue = queue(kind, 16, &[1, 3, 2, 3, 1, 8, 2]);
        let mut order = Vec::new();
        while let Some(kernel) = head(&queue) {
            order.push(kernel);
            assert_eq!(queue.clock(&REMOVE), Activity::Busy);
        }
        assert_eq!(order, [5, 1, 3, 2, 6, 0, 4], "{kind:?}");
    }
}

#[test]
fn a_linked_unit_is_in_its_place_from_the_next_cycle_on_whatever_is_behind_it() {
    let mut queue = queue(QueueKind::Linked, 8, &[1, 1, 2]);
    assert_eq!(head(&queue), Some(2));
    assert_eq!(queue.clock(&insert(3, unit(7, 1))), Activity::Busy);
    assert_eq!((head(&queue), shown(&queue).ready), (Some(7), true));
}

#[test]
fn a_shifting_insertion_takes_a_cycle_for_each_unit_of_a_lower_level_and_none_for_an_equal_one() {
    for (level, cycles) in [(1, 0), (2, 2), (3, 4), (4, 5)] {
        let mut queue = queue(QueueKind::Shifting, 8, &[1, 1, 2, 2, 3]);
        assert_eq!(latency(&mut queue, level, &IDLE), cycles, "level {level}");
    }
}

#[test]
fn a_shifting_insertion_is_done_in_its_last_cycle_and_not_one_before() {
    let mut queue = queue(QueueKind::Shifting, 8, &[1, 2]);
    queue.clock(&insert(3, unit(7, 1)));
    for _ in 0..2 {
        let outputs = shown(&queue);
        assert_eq!((head(&queue), outputs.ready, outputs.count), (Some(1), false, 3));
        assert_eq!(queue.clock(&IDLE), Activity::Busy);
    }
    assert_eq!((head(&queue), shown(&queue).ready, shown(&queue).count), (Some(7), true, 3));
}

#[test]
fn a_shifting_insertion_into_a_queue_of_128_entries_takes_128_cycles_in_the_worst_case() {
    let mut queue = queue(QueueKind::Shifting, 128, &[1; 127]);
    assert_eq!(latency(&mut queue, 2, &IDLE), 127, "and the cycle of the acceptance");
    assert_eq!((head(&queue), shown(&queue).count), (Some(99), 128));
}

#[test]
fn what_leaves_during_an_insertion_does_not_shorten_it() {
    let mut queue = queue(QueueKind::Shifting, 8, &[1, 1, 1]);
    queue.clock(&insert(2, unit(9, 1)));
    for left in [Some(0), Some(1), Some(2)] {
        assert_eq!((head(&queue), shown(&queue).ready), (left, false));
        assert_eq!(queue.clock(&REMOVE), Activity::Busy);
    }
    assert_eq!((head(&queue), shown(&queue).count), (Some(9), 1));
}

#[test]
fn a_unit_that_leaves_in_the_cycle_of_an_acceptance_counts_as_behind() {
    let mut shifting = queue(QueueKind::Shifting, 8, &[1, 1]);
    assert_eq!(latency(&mut shifting, 2, &REMOVE), 2);
    assert_eq!(shown(&shifting).count, 2);
}

#[test]
fn an_empty_queue_during_an_insertion_has_no_head() {
    let mut queue = queue(QueueKind::Shifting, 8, &[1]);
    queue.clock(&PriorityQueueInputs { remove: true, ..insert(2, unit(9, 1)) });
    let outputs = shown(&queue);
    assert_eq!((outputs.head, outputs.ready, outputs.count), (None, false, 1));
    queue.clock(&IDLE);
    assert_eq!(head(&queue), Some(9));
}

#[test]
fn the_head_is_distributed_while_another_unit_is_inserted() {
    let mut queue = queue(QueueKind::Shifting, 8, &[1, 1]);
    queue.clock(&insert(2, unit(9, 1)));
    queue.clock(&STEP);
    assert_eq!(shown(&queue).head.unwrap().at, Dim3::new(1, 0, 0));
    queue.clock(&IDLE);
    assert_eq!(head(&queue), Some(9));
    queue.clock(&REMOVE);
    assert_eq!(shown(&queue).head.unwrap().at, Dim3::new(1, 0, 0), "where it stopped");
}

#[test]
fn a_head_that_has_begun_goes_on_where_it_stopped_when_a_higher_level_has_gone() {
    let mut queue = PriorityQueue::new(QueueKind::Linked, 4);
    queue.clock(&insert(1, unit(0, 5)));
    (0..2).for_each(|_| assert_eq!(queue.clock(&STEP), Activity::Busy));
    // It steps in the cycle in which the other one comes, too.
    queue.clock(&PriorityQueueInputs { step: true, ..insert(2, unit(1, 2)) });
    let first = shown(&queue).head.unwrap();
    assert_eq!((first.entry.kernel.0, first.level, first.at), (1, 2, Dim3::default()));
    queue.clock(&STEP);
    queue.clock(&PriorityQueueInputs { step: true, ..REMOVE });
    let head = shown(&queue).head.unwrap();
    assert_eq!((head.entry.kernel.0, head.level, head.at), (0, 1, Dim3::new(3, 0, 0)));
}

#[test]
fn an_equal_level_does_not_overtake_a_head_that_has_begun() {
    let mut queue = PriorityQueue::new(QueueKind::Linked, 4);
    queue.clock(&insert(2, unit(0, 5)));
    queue.clock(&STEP);
    queue.clock(&insert(2, unit(1, 5)));
    assert_eq!(head(&queue), Some(0));
}

#[test]
fn blocks_go_in_order_x_y_z_and_the_last_one_ends() {
    let mut queue = PriorityQueue::new(QueueKind::Linked, 1);
    queue.clock(&insert(1, grid(2, 2, 2)));
    for id in 0..8 {
        let head = shown(&queue).head.unwrap();
        assert_eq!(head.at, Dim3::new(id % 2, id / 2 % 2, id / 4));
        assert_eq!((head.ends, head.empty), (id == 7, false), "block {id}");
        let remove = head.ends;
        queue.clock(&PriorityQueueInputs { remove, ..STEP });
    }
    assert_eq!((shown(&queue).head, shown(&queue).count), (None, 0));
}

#[test]
fn an_empty_grid_is_shown_as_such_and_leaves_without_a_step() {
    for entry in [grid(0, 1, 1), grid(1, 0, 1), grid(1, 1, 0)] {
        let mut queue = PriorityQueue::new(QueueKind::Linked, 2);
        queue.clock(&insert(1, entry));
        queue.clock(&insert(1, unit(3, 1)));
        assert!(shown(&queue).head.unwrap().empty);
        queue.clock(&REMOVE);
        assert_eq!(head(&queue), Some(3));
    }
}

#[test]
fn a_unit_that_takes_the_place_of_one_like_it_is_quiet() {
    let mut queue = PriorityQueue::new(QueueKind::Linked, 2);
    queue.clock(&insert(1, unit(3, 2)));
    let both = PriorityQueueInputs { remove: true, ..insert(1, unit(3, 2)) };
    assert_eq!(queue.clock(&both), Activity::Quiet);
    queue.clock(&STEP);
    assert_eq!(queue.clock(&both), Activity::Busy, "it starts from its first block");
    assert_eq!(queue.clock(&IDLE), Activity::Quiet);
    assert_eq!(queue.clock(&REMOVE), Activity::Busy);
}

#[test]
fn reset_empties_the_queue_in_the_middle_of_an_insertion_whatever_else_the_cycle_carries() {
    let mut queue = queue(QueueKind::Shifting, 8, &[1, 1]);
    queue.clock(&insert(2, unit(9, 1)));
    let reset = PriorityQueueInputs { reset: true, ..REMOVE };
    assert_eq!(queue.clock(&reset), Activity::Busy);
    assert_eq!(queue, PriorityQueue::new(QueueKind::Shifting, 8));
    assert_eq!(queue.clock(&reset), Activity::Quiet);
}
