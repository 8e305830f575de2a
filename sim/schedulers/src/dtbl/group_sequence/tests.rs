use super::*;

const GRID: Dim3 = Dim3::new(2, 2, 2);
const NEXT: Option<GroupReference> = Some(GroupReference::on_chip(9));
const STALE: Option<GroupReference> = Some(GroupReference::on_chip(8));

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

fn fetched(next: Option<GroupReference>) -> GroupSequenceInputs {
    GroupSequenceInputs { fetched: Some(FetchedGroup { grid: GRID, next }), ..in_memory() }
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
fn a_group_on_chip_is_ready_in_its_first_cycle_and_asks_nothing_of_memory() {
    let mut sequence = GroupSequence::new();
    let outputs = sequence.evaluate(&on_chip());
    assert!(outputs.ready);
    assert_eq!((outputs.at, outputs.grid, outputs.after), (Dim3::default(), GRID, NEXT));
    assert_eq!(outputs.fetch, None);
    assert_eq!(sequence.clock(&on_chip()), Activity::Quiet);
    distribute(&mut sequence, &on_chip());
    assert_eq!(sequence, GroupSequence::new(), "the next group begins with its first block");
}

#[test]
fn without_native_blocks_done_or_without_a_group_nothing_is_ready_or_fetched() {
    let mut sequence = GroupSequence::new();
    for inputs in [
        GroupSequenceInputs { distributing: false, ..on_chip() },
        GroupSequenceInputs { distributing: false, ..in_memory() },
        GroupSequenceInputs { reference: None, ..on_chip() },
    ] {
        let outputs = sequence.evaluate(&inputs);
        assert_eq!((outputs.ready, outputs.fetch), (false, None));
        assert_eq!(sequence.clock(&inputs), Activity::Quiet);
    }
}

#[test]
fn a_group_in_memory_is_asked_for_once_and_ready_in_the_cycle_after_it_came() {
    let mut sequence = GroupSequence::new();
    assert_eq!(sequence.evaluate(&in_memory()).fetch, Some(77));
    assert_eq!(sequence.clock(&in_memory()), Activity::Busy);
    assert!(sequence.awaits_memory());
    let outputs = sequence.evaluate(&in_memory());
    assert_eq!((outputs.ready, outputs.fetch), (false, None));
    assert_eq!(sequence.clock(&in_memory()), Activity::Quiet);
    assert!(!sequence.evaluate(&fetched(NEXT)).ready, "not yet in that cycle");
    assert_eq!(sequence.clock(&fetched(NEXT)), Activity::Busy);
    let outputs = sequence.evaluate(&in_memory());
    assert_eq!((outputs.ready, outputs.grid, outputs.after), (true, GRID, NEXT));
    assert_eq!(outputs.fetch, None);
    distribute(&mut sequence, &in_memory());
    assert_eq!(sequence.evaluate(&in_memory()).fetch, Some(77), "the next one is asked for anew");
}

#[test]
fn a_link_made_before_during_or_after_the_fetch_hides_the_next_that_memory_knew() {
    let linked = |inputs| GroupSequenceInputs { linked: true, link_next: NEXT, ..inputs };
    let native = GroupSequenceInputs { distributing: false, ..in_memory() };
    let cycles = [native, in_memory(), in_memory(), fetched(STALE), in_memory()];
    for with_link in 0..cycles.len() {
        let mut sequence = GroupSequence::new();
        for (cycle, inputs) in cycles.iter().enumerate() {
            let inputs = if cycle == with_link { linked(inputs.clone()) } else { inputs.clone() };
            sequence.clock(&inputs);
        }
        assert_eq!(sequence.evaluate(&in_memory()).after, NEXT, "linked in cycle {with_link}");
        distribute(&mut sequence, &in_memory());
        assert_eq!(sequence, GroupSequence::new(), "the link is not the next group's");
    }
}

#[test]
fn without_a_link_on_chip_the_fetched_next_counts() {
    for next in [STALE, None] {
        let mut sequence = GroupSequence::new();
        sequence.clock(&in_memory());
        sequence.clock(&fetched(next));
        assert_eq!(sequence.evaluate(&in_memory()).after, next);
    }
}

#[test]
fn a_link_behind_a_group_on_chip_is_the_tables_alone() {
    let mut sequence = GroupSequence::new();
    let linked = GroupSequenceInputs { linked: true, link_next: STALE, ..on_chip() };
    assert_eq!(sequence.clock(&linked), Activity::Quiet);
    assert_eq!(sequence.evaluate(&on_chip()).after, NEXT);
}

#[test]
fn a_block_that_is_not_dispatched_stays_the_next_one() {
    let mut sequence = GroupSequence::new();
    sequence.clock(&GroupSequenceInputs { step: true, ..on_chip() });
    assert_eq!(sequence.clock(&on_chip()), Activity::Quiet);
    assert_eq!(sequence.evaluate(&on_chip()).at, Dim3::new(1, 0, 0));
}

#[test]
fn reset_forgets_block_fetch_and_link_whatever_else_the_cycle_carries() {
    let mut sequence = GroupSequence::new();
    sequence.clock(&GroupSequenceInputs { linked: true, link_next: NEXT, ..in_memory() });
    let reset = GroupSequenceInputs { reset: true, ..fetched(NEXT) };
    assert_eq!(sequence.clock(&reset), Activity::Busy);
    assert_eq!(sequence, GroupSequence::new());
    assert_eq!(sequence.clock(&reset), Activity::Quiet);
}
