use super::*;

const GRID: Dim3 = Dim3::new(2, 2, 2);
const NEXT: Option<GroupReference> = Some(GroupReference::on_chip(9));

fn on_chip() -> GroupSequenceInputs {
    GroupSequenceInputs {
        distributing: true,
        reference: Some(GroupReference::on_chip(1)),
        on_chip_grid: GRID,
        on_chip_next: NEXT,
        ..Default::default()
    }
}

fn in_memory() -> GroupSequenceInputs {
    GroupSequenceInputs { reference: Some(GroupReference::in_memory(77)), ..on_chip() }
}

fn come() -> GroupSequenceInputs {
    let in_memory_group = Some(FetchedGroup { grid: GRID, next: NEXT });
    GroupSequenceInputs { in_memory: in_memory_group, ..in_memory() }
}

/// All eight blocks of the group are dispatched.
fn distribute(sequence: &mut GroupSequence, of: &GroupSequenceInputs) {
    for block in 0..8 {
        let outputs = sequence.evaluate(of);
        assert!(outputs.ready && outputs.grid == GRID);
        assert_eq!(outputs.at.linear(GRID), block);
        let done = block == 7;
        sequence.clock(&GroupSequenceInputs { step: true, done, ..of.clone() });
    }
}

#[test]
fn a_group_on_chip_is_ready_in_its_first_cycle() {
    let mut sequence = GroupSequence::new();
    let outputs = sequence.evaluate(&on_chip());
    assert!(outputs.ready);
    assert_eq!((outputs.at, outputs.grid, outputs.after), (Dim3::default(), GRID, NEXT));
    assert_eq!(sequence.clock(&on_chip()), Activity::Quiet);
    distribute(&mut sequence, &on_chip());
    assert_eq!(sequence, GroupSequence::new(), "the next group begins with its first block");
}

#[test]
fn without_native_blocks_done_or_without_a_group_nothing_is_ready() {
    let mut sequence = GroupSequence::new();
    for inputs in [
        GroupSequenceInputs { distributing: false, ..on_chip() },
        GroupSequenceInputs { distributing: false, ..come() },
        GroupSequenceInputs { reference: None, ..on_chip() },
    ] {
        assert!(!sequence.evaluate(&inputs).ready);
        assert_eq!(sequence.clock(&inputs), Activity::Quiet);
    }
}

#[test]
fn a_group_in_memory_is_ready_when_it_has_come() {
    let mut sequence = GroupSequence::new();
    assert!(!sequence.evaluate(&in_memory()).ready);
    assert_eq!(sequence.clock(&in_memory()), Activity::Quiet);
    let outputs = sequence.evaluate(&come());
    assert_eq!((outputs.ready, outputs.grid, outputs.after), (true, GRID, NEXT));
    distribute(&mut sequence, &come());
    assert_eq!(sequence, GroupSequence::new(), "the next group begins with its first block");
}

#[test]
fn a_block_that_is_not_dispatched_stays_the_next_one() {
    let mut sequence = GroupSequence::new();
    sequence.clock(&GroupSequenceInputs { step: true, ..on_chip() });
    assert_eq!(sequence.clock(&on_chip()), Activity::Quiet);
    assert_eq!(sequence.evaluate(&on_chip()).at, Dim3::new(1, 0, 0));
}

#[test]
fn reset_forgets_the_block_whatever_else_the_cycle_carries() {
    let mut sequence = GroupSequence::new();
    let step = GroupSequenceInputs { step: true, ..on_chip() };
    sequence.clock(&step);
    let reset = GroupSequenceInputs { reset: true, ..step };
    assert_eq!(sequence.clock(&reset), Activity::Busy);
    assert_eq!(sequence, GroupSequence::new());
    assert_eq!(sequence.clock(&reset), Activity::Quiet);
}
