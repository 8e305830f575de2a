use super::*;

const GRID: Dim3 = Dim3::new(6, 4, 1);
const OTHER: Dim3 = Dim3::new(4, 6, 1);

/// The head; `back` as the launch states it.
fn head(grid: Dim3, back: u8, plain: bool) -> KernelHistoryInputs {
    KernelHistoryInputs { grid, back: back - 1, plain, ..Default::default() }
}

/// A head with a plain relation.
fn plain(grid: Dim3, back: u8) -> KernelHistoryInputs {
    head(grid, back, true)
}

/// One with another relation.
fn affine(back: u8) -> KernelHistoryInputs {
    head(GRID, back, false)
}

/// How a head gets its chunks.
fn chunks(history: &KernelHistory, head: &KernelHistoryInputs) -> &'static str {
    let outputs = history.evaluate(head);
    assert!(outputs.source_known || outputs.source == 0);
    match (outputs.keeps, outputs.derives) {
        (true, false) => "kept",
        (false, true) => "derived",
        (false, false) => "assigned",
        (true, true) => panic!("kept and derived"),
    }
}

/// A kernel begins as the rules say; the layout that it uses.
fn begin(history: &mut KernelHistory, head: &KernelHistoryInputs) -> usize {
    let KernelHistoryOutputs { keeps, source, target, .. } = history.evaluate(head);
    let load = !keeps;
    let edge = history.clock(&KernelHistoryInputs { begins: true, load, ..head.clone() });
    let used = if load { target } else { source };
    let outputs = history.evaluate(&KernelHistoryInputs::default());
    assert_eq!(outputs.running_layout, used);
    assert!(edge == Activity::Busy || !load);
    used
}

fn fill(history: &mut KernelHistory) -> Activity {
    history.clock(&KernelHistoryInputs { filled: true, ..Default::default() })
}

/// The source of each `back`, from 1 on, as long as there is one.
fn sources(history: &KernelHistory) -> Vec<usize> {
    let of = |back| history.evaluate(&plain(GRID, back));
    (1..=4).map(of).take_while(|o| o.source_known).map(|o| o.source).collect()
}

#[test]
fn before_the_first_kernel_there_is_no_source_and_everything_is_zero() {
    let history = KernelHistory::new();
    for head in [plain(GRID, 1), plain(Dim3::default(), 1), plain(GRID, 4), affine(1)] {
        assert_eq!(history.evaluate(&head), KernelHistoryOutputs::default());
    }
}

#[test]
fn a_begin_is_seen_one_cycle_later() {
    let mut history = KernelHistory::new();
    let begins = KernelHistoryInputs { begins: true, load: true, ..plain(GRID, 1) };
    assert_eq!(history.evaluate(&begins), KernelHistoryOutputs::default());
    assert_eq!(history.clock(&begins), Activity::Busy);
    assert_eq!(chunks(&history, &plain(GRID, 1)), "kept");
    assert_eq!(history.clock(&plain(OTHER, 2)), Activity::Quiet, "it only looks");
    let load = KernelHistoryInputs { load: true, ..plain(OTHER, 1) };
    assert_eq!(history.clock(&load), Activity::Quiet, "load without begins is not seen");
}

#[test]
fn chunks_are_kept_derived_or_assigned() {
    let mut history = KernelHistory::new();
    assert_eq!(chunks(&history, &plain(GRID, 1)), "assigned", "no source");
    assert_eq!(chunks(&history, &affine(1)), "assigned", "no source");
    begin(&mut history, &plain(GRID, 1));
    assert_eq!(chunks(&history, &plain(GRID, 1)), "kept");
    for (x, y, z) in [(7, 4, 1), (6, 5, 1), (6, 4, 2), (4, 6, 1)] {
        assert_eq!(chunks(&history, &plain(Dim3::new(x, y, z), 1)), "assigned");
    }
    assert_eq!(chunks(&history, &head(OTHER, 1, false)), "derived", "whatever the grid");
    assert_eq!(chunks(&history, &affine(1)), "derived");
    for back in 2..=4 {
        assert_eq!(chunks(&history, &plain(GRID, back)), "assigned", "only one kernel before");
        assert_eq!(chunks(&history, &affine(back)), "assigned");
    }
}

#[test]
fn four_kernels_are_remembered_and_not_five() {
    let mut history = KernelHistory::new();
    for (kernel, expected) in
        [vec![0], vec![1, 0], vec![2, 1, 0], vec![3, 2, 1, 0], vec![0, 3, 2, 1], vec![1, 0, 3, 2]]
            .iter()
            .enumerate()
    {
        let grid = Dim3::new(kernel as u32 + 1, 1, 1);
        begin(&mut history, &plain(grid, 1));
        assert_eq!(sources(&history), *expected);
    }
    let line = |blocks| Dim3::new(blocks, 1, 1);
    for back in 1..=4 {
        let grid = line(7 - u32::from(back));
        assert_eq!(chunks(&history, &plain(grid, back)), "kept", "the grid {back} back");
        assert_eq!(chunks(&history, &plain(line(2), back)), "assigned", "it is forgotten");
    }
}

#[test]
fn a_kept_layout_is_named_twice_and_its_number_is_not_free_while_it_is_among_three_names() {
    let mut history = KernelHistory::new();
    begin(&mut history, &plain(GRID, 1));
    begin(&mut history, &plain(OTHER, 1));
    assert_eq!(begin(&mut history, &plain(GRID, 2)), 0, "used again in place");
    assert_eq!(sources(&history), [0, 1, 0]);
    assert_eq!(begin(&mut history, &plain(GRID, 3)), 0);
    assert_eq!(begin(&mut history, &plain(GRID, 2)), 0);
    assert_eq!(sources(&history), [0, 0, 0, 1]);
    // The fourth is about to be forgotten: its layout is the lowest one that is free.
    let outputs = history.evaluate(&affine(4));
    assert_eq!((outputs.source, outputs.target), (1, 1));
    assert_eq!(chunks(&history, &affine(4)), "derived", "the source is the target");
    assert_eq!(begin(&mut history, &affine(4)), 1);
    assert_eq!(sources(&history), [1, 0, 0, 0]);
    assert_eq!(begin(&mut history, &affine(1)), 2);
    assert_eq!(sources(&history), [2, 1, 0, 0]);
    assert_eq!(begin(&mut history, &affine(1)), 3);
    assert_eq!(sources(&history), [3, 2, 1, 0]);
    assert_eq!(begin(&mut history, &affine(1)), 0, "only three names count");
}

#[test]
fn a_kept_source_of_the_fourth_place_becomes_the_first() {
    let mut history = KernelHistory::new();
    for blocks in 1..=4 {
        begin(&mut history, &plain(Dim3::new(blocks, 1, 1), 1));
    }
    assert_eq!(begin(&mut history, &plain(Dim3::new(1, 1, 1), 4)), 0);
    assert_eq!(sources(&history), [0, 3, 2, 1]);
    assert_eq!(history.evaluate(&affine(1)).target, 1);
}

#[test]
fn a_broadcast_is_about_the_layout_that_runs_and_every_kernel_that_names_it() {
    let mut history = KernelHistory::new();
    begin(&mut history, &plain(GRID, 1));
    begin(&mut history, &plain(OTHER, 1));
    begin(&mut history, &plain(GRID, 2));
    assert_eq!(sources(&history), [0, 1, 0]);
    let filled = KernelHistoryInputs { filled: true, ..Default::default() };
    assert!(!history.evaluate(&filled).told, "in the next cycle");
    assert_eq!(fill(&mut history), Activity::Busy);
    assert!(history.evaluate(&filled).told);
    assert_eq!(fill(&mut history), Activity::Quiet, "told once");
    for (back, then) in [(1, "assigned"), (3, "assigned")] {
        assert_eq!(chunks(&history, &plain(GRID, back)), then);
        assert_eq!(chunks(&history, &affine(back)), then);
    }
    assert_eq!(chunks(&history, &plain(OTHER, 2)), "kept");
    assert_eq!(chunks(&history, &affine(2)), "derived");
    // The next kernel uses the other one: what it is told is about that.
    begin(&mut history, &plain(OTHER, 2));
    assert!(!history.evaluate(&filled).told);
    assert_eq!(chunks(&history, &plain(GRID, 2)), "assigned", "the flag stays");
    fill(&mut history);
    assert_eq!(chunks(&history, &plain(OTHER, 1)), "assigned");
}

#[test]
fn a_layout_with_new_chunks_needs_no_assignment_until_it_is_told_again() {
    let mut history = KernelHistory::new();
    begin(&mut history, &plain(GRID, 1));
    fill(&mut history);
    assert_eq!(begin(&mut history, &plain(GRID, 1)), 1, "another layout");
    assert_eq!(chunks(&history, &plain(GRID, 1)), "kept");
    assert_eq!(chunks(&history, &plain(GRID, 2)), "assigned", "that one is still flagged");
    fill(&mut history);
    assert_eq!(begin(&mut history, &plain(GRID, 2)), 2);
    assert_eq!(begin(&mut history, &affine(1)), 3);
    assert_eq!(chunks(&history, &affine(4)), "assigned");
    assert_eq!(begin(&mut history, &affine(4)), 0, "assigned over the flagged one");
    assert!(!history.evaluate(&affine(1)).told);
    assert_eq!(chunks(&history, &plain(GRID, 1)), "kept");
    fill(&mut history);
    assert_eq!(chunks(&history, &affine(1)), "assigned");
}

#[test]
fn reset_forgets_everything() {
    let mut history = KernelHistory::new();
    for blocks in 1..=3 {
        begin(&mut history, &plain(Dim3::new(blocks, 1, 1), 1));
    }
    fill(&mut history);
    let reset = KernelHistoryInputs {
        reset: true,
        begins: true,
        load: true,
        filled: true,
        ..plain(GRID, 1)
    };
    assert_eq!(history.clock(&reset), Activity::Busy);
    assert_eq!(history, KernelHistory::new());
    assert_eq!(history.clock(&reset), Activity::Quiet);
}
