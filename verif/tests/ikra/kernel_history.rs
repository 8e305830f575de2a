//! Rationale: 1. the state is four names, which of them are known, four grids and four flags;
//! random kernels of two grids that go back one to four, kept where that is allowed, reach every
//! order of names. 2. The rules one by one: a source, the free layout, a layout with two names, a
//! full queue.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::KernelHistory;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{KernelHistoryInputs as Inputs, KernelHistoryOutputs as Outputs};

impl Twinned for KernelHistory {
    type Twin = twin::KernelHistory;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.grid.next = ports::block_id(inputs.grid);
        self.back.next = U::new(inputs.back.into());
        self.plain.next = inputs.plain;
        self.begins.next = inputs.begins;
        self.load.next = inputs.load;
        self.filled.next = inputs.filled;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            keeps: self.keeps.val(),
            derives: self.derives.val(),
            source_known: self.source_known.val(),
            source: self.source.val().index(),
            target: self.target.val().index(),
            running_layout: self.running_layout.val().index(),
            told: self.told.val(),
        }
    }
    twin_calls!();
}

fn history() -> Lockstep<KernelHistory> {
    Lockstep::new(KernelHistory::new(), twin::KernelHistory::new())
}

/// A head of a grid of `x` blocks that depends on the same blocks of the kernel `back` before it.
fn head(x: u32, back: u8) -> Inputs {
    Inputs { grid: Dim3::new(x, 1, 1), back: back - 1, plain: true, ..Inputs::default() }
}

/// It begins, with new chunks if it must; its layout.
fn begin(history: &mut Lockstep<KernelHistory>, head: Inputs) -> usize {
    let load = !history.peek(&head).keeps;
    let seen = history.cycle(&Inputs { begins: true, load, ..head });
    if load {
        seen.target
    } else {
        seen.source
    }
}

#[test]
fn kernels_that_go_back_two_find_the_layout_of_the_one_before_the_last() {
    let mut history = history();
    assert_eq!(begin(&mut history, head(5, 2)), 0);
    assert_eq!(begin(&mut history, head(7, 2)), 1);
    for _ in 0..4 {
        assert_eq!(begin(&mut history, head(5, 2)), 0);
        assert_eq!(begin(&mut history, head(7, 2)), 1);
    }
    assert!(!history.cycle(&head(5, 1)).keeps, "the last one has seven blocks");
    assert!(history.cycle(&head(5, 2)).keeps);
}

#[test]
fn four_kernels_back_there_is_a_layout_and_before_the_fourth_there_is_none() {
    let mut history = history();
    for number in 0..4_u8 {
        for back in number + 1..=4 {
            assert!(!history.cycle(&head(9, back)).source_known, "{number} kernels, {back} back");
        }
        assert_eq!(begin(&mut history, head(number.into(), 4)), usize::from(number));
    }
    for back in 1..=4 {
        let seen = history.cycle(&head(u32::from(4 - back), back));
        assert!(seen.keeps && seen.source == usize::from(4 - back), "{back} back");
    }
}

#[test]
fn new_chunks_take_the_lowest_layout_that_none_of_the_last_three_kernels_used() {
    let mut history = history();
    for x in 1..=4 {
        begin(&mut history, head(x, 1));
    }
    assert_eq!(history.cycle(&head(9, 1)).target, 0, "the fourth kernel back is given up");
    assert_eq!(begin(&mut history, head(2, 3)), 1, "kept");
    // The last three used the layouts 1, 3 and 2.
    assert_eq!(begin(&mut history, head(9, 1)), 0);
    // 0, 1 and 3.
    assert_eq!(begin(&mut history, head(8, 1)), 2);
    assert_eq!(begin(&mut history, head(8, 1)), 2, "kept");
    // 2, 2 and 0: the layout 1 is that of the fourth kernel back.
    assert_eq!(history.cycle(&head(9, 1)).target, 1);
}

#[test]
fn a_relation_that_is_not_plain_derives_chunks_for_any_grid() {
    let mut history = history();
    let moved = |x| Inputs { plain: false, ..head(x, 1) };
    assert!(!history.cycle(&moved(5)).derives, "there is no source");
    begin(&mut history, head(5, 1));
    for x in [5, 6] {
        let seen = history.cycle(&moved(x));
        assert!(seen.derives && !seen.keeps, "{x} blocks");
    }
}

#[test]
fn a_full_queue_is_about_the_layout_of_the_kernel_that_ran() {
    let mut history = history();
    begin(&mut history, head(5, 1));
    begin(&mut history, head(7, 1));
    history.cycle(&Inputs { filled: true, ..head(5, 2) });
    let other = history.cycle(&head(5, 2));
    assert!(other.told && other.keeps, "the kernel before the last one kept its queues");
    for plain in [false, true] {
        let seen = history.cycle(&Inputs { plain, ..head(7, 1) });
        assert!(!seen.keeps && !seen.derives && seen.source_known);
    }
    assert_eq!(begin(&mut history, head(5, 2)), 0);
    assert!(!history.cycle(&head(5, 1)).told);
    // Layout 1 is named by the second kernel back until two more have begun.
    for x in [11, 12] {
        begin(&mut history, head(x, 1));
    }
    assert_eq!(begin(&mut history, head(13, 1)), 1);
    assert!(history.cycle(&head(13, 1)).keeps, "its chunks are new");
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    let (mut history, mut random) = (history(), random(3));
    for _ in 0..60_000 {
        let mut inputs = head(random.random_range(1..=2), random.random_range(1..=4));
        inputs.plain = random.random_bool(0.7);
        inputs.begins = random.random_bool(0.4);
        inputs.load = inputs.begins && (!history.peek(&inputs).keeps || random.random_bool(0.1));
        inputs.filled =
            !inputs.begins && history.peek(&head(1, 1)).source_known && random.random_bool(0.1);
        inputs.reset = random.random_range(0..200) == 0;
        history.cycle(&inputs);
    }
}
