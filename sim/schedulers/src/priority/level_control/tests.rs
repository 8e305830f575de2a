use super::*;

fn mark(k: u8, level: u8) -> LevelControlInputs {
    LevelControlInputs { mark: Some(KernelEntry(k)), level, ..LevelControlInputs::default() }
}

fn unmark() -> LevelControlInputs {
    LevelControlInputs { unmark: true, ..LevelControlInputs::default() }
}

/// Head and marks in a cycle with these inputs, which must not matter.
fn state(control: &LevelControl) -> (Option<u8>, u32) {
    let outputs = control.evaluate(&LevelControlInputs::default());
    assert_eq!(outputs, control.evaluate(&LevelControlInputs { unmark: true, ..mark(9, 7) }));
    (outputs.head.map(|k| k.0), outputs.marked)
}

/// Unmarks all, and says in which order.
fn drained(control: &mut LevelControl) -> Vec<u8> {
    let mut order = Vec::new();
    while let (Some(head), _) = state(control) {
        order.push(head);
        assert_eq!(control.clock(&unmark()), Activity::Busy);
    }
    order
}

#[test]
fn the_head_is_the_oldest_of_the_most_urgent_level() {
    let mut control = LevelControl::new(8);
    for (k, level, head) in [(3, 0, 3), (0, 7, 0), (31, 7, 0), (5, 4, 0), (6, 0, 0)] {
        assert_eq!(control.clock(&mark(k, level)), Activity::Busy);
        assert_eq!(state(&control).0, Some(head));
    }
    assert_eq!(state(&control).1, 1 << 3 | 1 | 1 << 31 | 1 << 5 | 1 << 6);
    assert_eq!(drained(&mut control), [0, 31, 5, 3, 6]);
    assert_eq!(state(&control), (None, 0));
}

#[test]
fn a_level_above_the_highest_counts_as_the_highest() {
    for levels in 1..=8 {
        let mut control = LevelControl::new(levels);
        let top = levels as u8 - 1;
        control.clock(&mark(1, top));
        control.clock(&mark(2, 7));
        assert_eq!(drained(&mut control), [1, 2], "{levels} levels");
        control.clock(&mark(1, 7));
        control.clock(&mark(2, top));
        assert_eq!(drained(&mut control), [1, 2], "{levels} levels");
    }
}

#[test]
fn unmark_takes_the_head_of_the_cycle_away_whatever_is_marked_in_it() {
    let mut control = LevelControl::new(2);
    control.clock(&mark(5, 0));
    assert_eq!(control.clock(&LevelControlInputs { unmark: true, ..mark(6, 1) }), Activity::Busy);
    assert_eq!(state(&control), (Some(6), 1 << 6));
    assert_eq!(control.clock(&LevelControlInputs { unmark: true, ..mark(7, 0) }), Activity::Busy);
    assert_eq!(state(&control), (Some(7), 1 << 7));
}

#[test]
fn nothing_marked_and_nothing_unmarked_is_quiet() {
    let mut control = LevelControl::new(3);
    assert_eq!(control.clock(&LevelControlInputs::default()), Activity::Quiet);
    control.clock(&mark(1, 2));
    assert_eq!(
        control.clock(&LevelControlInputs { level: 1, ..Default::default() }),
        Activity::Quiet
    );
}

#[test]
fn reset_empties_every_queue_whatever_else_the_cycle_carries() {
    let mut control = LevelControl::new(3);
    for level in 0..3 {
        control.clock(&mark(level, level));
    }
    let reset = LevelControlInputs { reset: true, unmark: true, ..mark(9, 1) };
    assert_eq!(control.clock(&reset), Activity::Busy);
    assert_eq!(control, LevelControl::new(3));
    assert_eq!(control.clock(&reset), Activity::Quiet);
}
