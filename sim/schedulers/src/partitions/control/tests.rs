use super::*;

fn mark(k: u8, partition: u8) -> ControlInputs {
    ControlInputs { mark: Some(KernelEntry(k)), partition, ..ControlInputs::default() }
}

fn unmark() -> ControlInputs {
    ControlInputs { unmark: true, ..ControlInputs::default() }
}

/// Head, turn and marks in a cycle with these inputs, which must not matter.
fn state(control: &Control) -> (Option<u8>, Option<usize>, u32) {
    let outputs = control.evaluate(&ControlInputs::default());
    assert_eq!(outputs, control.evaluate(&ControlInputs { unmark: true, ..mark(9, 7) }));
    (outputs.head.map(|k| k.0), outputs.turn, outputs.marked)
}

/// Partition and head of so many cycles in which nothing is marked, nor unmarked.
fn turns(control: &mut Control, cycles: usize) -> Vec<(usize, u8)> {
    let mut turns = Vec::new();
    for _ in 0..cycles {
        let (head, turn, _) = state(control);
        turns.push((turn.unwrap(), head.unwrap()));
        control.clock(&ControlInputs::default());
    }
    turns
}

#[test]
fn what_is_marked_can_be_head_in_the_next_cycle_of_its_partitions_turn() {
    let mut control = Control::new(3);
    assert_eq!(state(&control), (None, None, 0));
    assert_eq!(control.clock(&mark(5, 2)), Activity::Busy);
    assert_eq!(state(&control), (Some(5), Some(2), 1 << 5));
    assert_eq!(control.clock(&mark(4, 1)), Activity::Busy);
    assert_eq!(state(&control), (Some(4), Some(1), 1 << 5 | 1 << 4), "the pointer wrapped to 0");
}

#[test]
fn the_turn_goes_round_over_queues_that_are_not_empty_whether_a_block_goes_or_not() {
    let mut control = Control::new(4);
    for (k, partition) in [(0, 0), (1, 1), (3, 3)] {
        control.clock(&mark(k, partition));
    }
    let first = turns(&mut control, 6);
    assert_eq!(first, [(3, 3), (0, 0), (1, 1), (3, 3), (0, 0), (1, 1)]);
}

#[test]
fn while_all_queues_are_empty_the_pointer_stays() {
    let mut control = Control::new(3);
    control.clock(&mark(0, 1));
    assert_eq!(state(&control).1, Some(1));
    control.clock(&unmark());
    for _ in 0..5 {
        assert_eq!(control.clock(&ControlInputs::default()), Activity::Quiet);
    }
    assert_eq!(control.pointer, 2, "after the partition that had the turn");
    control.clock(&mark(1, 0));
    assert_eq!((state(&control).1, control.pointer), (Some(0), 2));
}

#[test]
fn one_queue_alone_has_the_turn_in_every_cycle_and_is_quiet() {
    let mut control = Control::new(4);
    control.clock(&mark(7, 2));
    control.clock(&ControlInputs::default());
    assert_eq!(control.clock(&ControlInputs::default()), Activity::Quiet);
    assert_eq!(turns(&mut control, 3), [(2, 7); 3]);
    control.clock(&mark(8, 0));
    assert_eq!(control.clock(&ControlInputs::default()), Activity::Busy, "the turn moves");
}

#[test]
fn a_number_beyond_the_last_partition_counts_as_the_last() {
    for partitions in 1..=8 {
        let mut control = Control::new(partitions);
        let last = partitions as u8 - 1;
        for (k, partition) in [(1, last), (2, 7), (3, last)] {
            control.clock(&mark(k, partition));
        }
        for k in [1, 2, 3] {
            assert_eq!(state(&control).0, Some(k), "{partitions} partitions");
            control.clock(&unmark());
        }
    }
}

#[test]
fn unmark_removes_the_head_that_is_shown_and_nothing_of_the_other_queues() {
    let mut control = Control::new(2);
    for (k, partition) in [(0, 0), (1, 1), (2, 0), (3, 1)] {
        control.clock(&mark(k, partition));
    }
    let mut order = Vec::new();
    while let (Some(head), Some(turn), _) = state(&control) {
        order.push((turn, head));
        control.clock(&unmark());
    }
    assert_eq!(order, [(1, 1), (0, 0), (1, 3), (0, 2)]);
    assert_eq!(control.clock(&unmark()), Activity::Quiet, "ignored when there is none");
}

#[test]
fn with_one_partition_it_is_first_come_first_served() {
    let mut control = Control::new(1);
    let mut fcfs = FcfsControl::new();
    for step in 0..40u8 {
        let inputs = match step % 3 {
            0 | 1 => mark(step % 32, step % 8),
            _ => ControlInputs { unmark: true, ..mark(step % 32, 3) },
        };
        let ControlInputs { reset, mark, unmark, .. } = inputs;
        if state(&control).2 >> (step % 32) & 1 == 0 {
            let expected = fcfs.clock(&FcfsControlInputs { reset, mark, unmark });
            assert_eq!(control.clock(&inputs), expected);
        }
        let FcfsControlOutputs { head, marked } = shown(&fcfs);
        assert_eq!(state(&control), (head.map(|k| k.0), head.map(|_| 0), marked));
    }
}

#[test]
fn reset_empties_every_queue_and_turns_to_partition_0_whatever_else_the_cycle_carries() {
    let mut control = Control::new(3);
    for k in 0..3 {
        control.clock(&mark(k, k));
    }
    let reset = ControlInputs { reset: true, unmark: true, ..mark(9, 1) };
    assert_eq!(control.clock(&reset), Activity::Busy);
    assert_eq!(control, Control::new(3));
    assert_eq!(control.clock(&reset), Activity::Quiet);
}

#[test]
#[should_panic(expected = "9 partitions: expected 1 to 8")]
fn more_than_eight_partitions_are_refused() {
    Control::new(9);
}
