//! Rationale: 1. the state is an order of 0 to 32 entries; all 32, and where the queue begins, are
//! reached by going round. 2. There is no parameter.

use crate::harness::{random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::dispatch::FcfsControl;
use blockyard_rtl::module::Module;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::dispatch as twin;
use rand::RngExt;
use std::collections::VecDeque;
use twin::{FcfsControlInputs as Inputs, FcfsControlOutputs as Outputs};

impl Twinned for FcfsControl {
    type Twin = twin::FcfsControl;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.mark.next = ports::tagged(inputs.mark);
        self.unmark.next = inputs.unmark;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            head: self.head_valid.val().then(|| ports::entry(self.head.val())),
            marked: self.marked.val().raw() as u32,
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn control() -> Lockstep<FcfsControl> {
    Lockstep::new(FcfsControl::new(), twin::FcfsControl::new())
}

fn mark(entry: u8) -> Inputs {
    Inputs { mark: Some(KernelEntry(entry)), ..Inputs::default() }
}

const UNMARK: Inputs = Inputs { reset: false, mark: None, unmark: true };
const IDLE: Inputs = Inputs { reset: false, mark: None, unmark: false };

/// One cycle; the head and the marks in it.
#[track_caller]
fn step(control: &mut Lockstep<FcfsControl>, inputs: &Inputs) -> (Option<u8>, u32) {
    let outputs = control.cycle(inputs);
    (outputs.head.map(|entry| entry.0), outputs.marked)
}

#[test]
fn hardware_and_twin_agree_on_random_marks() {
    for seed in 0..40 {
        let mut random = random(seed);
        let mut control = control();
        let mut order: VecDeque<u8> = VecDeque::new();
        let mut deepest = 0;
        for cycle in 0..3_000 {
            // Phases that fill the queue and phases that drain it.
            let filling = cycle / 150 % 2 == 0;
            let unmark = !order.is_empty() && random.random_bool(if filling { 0.2 } else { 0.9 });
            let leaves = order.front().copied().filter(|_| unmark);
            let entry = random.random_range(0..32);
            // Marking the head again as it leaves is legal, too.
            let free = !order.contains(&entry) || leaves == Some(entry) && order.len() < 32;
            let marks = free && random.random_bool(if filling { 0.9 } else { 0.3 });
            let reset = random.random_range(0..1_000) == 0;
            let mark = marks.then_some(KernelEntry(entry));
            let (head, marked) = step(&mut control, &Inputs { reset, mark, unmark });
            if reset {
                order.clear();
                continue;
            }
            assert_eq!(head, order.front().copied(), "the oldest mark");
            assert_eq!(marked, order.iter().map(|&entry| 1u32 << entry).sum::<u32>());
            deepest = deepest.max(order.len());
            if unmark {
                order.pop_front();
            }
            order.extend(marks.then_some(entry));
        }
        assert!(deepest >= 20, "seed {seed}: at most {deepest} marks");
    }
}

#[test]
fn a_kernel_marked_in_a_cycle_is_seen_in_the_next_one() {
    let mut control = control();
    assert_eq!(step(&mut control, &mark(7)), (None, 0));
    assert_eq!(step(&mut control, &IDLE), (Some(7), 1 << 7));
}

#[test]
fn mark_and_unmark_in_one_cycle_both_count() {
    let mut control = control();
    step(&mut control, &mark(5));
    let both = Inputs { unmark: true, ..mark(6) };
    assert_eq!(step(&mut control, &both), (Some(5), 1 << 5));
    assert_eq!(step(&mut control, &IDLE), (Some(6), 1 << 6));
}

#[test]
fn the_head_may_be_marked_again_as_it_leaves_and_goes_to_the_end() {
    let mut control = control();
    step(&mut control, &mark(5));
    step(&mut control, &mark(6));
    step(&mut control, &Inputs { unmark: true, ..mark(5) });
    assert_eq!(step(&mut control, &UNMARK), (Some(6), 1 << 5 | 1 << 6));
    assert_eq!(step(&mut control, &UNMARK), (Some(5), 1 << 5));
    assert_eq!(step(&mut control, &IDLE), (None, 0));
}

#[test]
fn the_head_of_a_full_queue_may_be_marked_again_as_it_leaves() {
    let mut control = control();
    for entry in 0..32 {
        step(&mut control, &mark(entry));
    }
    step(&mut control, &Inputs { unmark: true, ..mark(0) });
    for entry in (1..32).chain([0]) {
        assert_eq!(step(&mut control, &UNMARK).0, Some(entry));
    }
    assert_eq!(step(&mut control, &IDLE), (None, 0));
}

#[test]
fn all_32_entries_fit_and_leave_in_the_order_in_which_they_came() {
    let mut control = control();
    // Several rounds with one mark more than the queue is deep in between: the queue begins
    // elsewhere each time and its end wraps.
    for round in 0..33u8 {
        let order: Vec<u8> = (0..32u32).map(|k| ((k * 13 + u32::from(round)) % 32) as u8).collect();
        for &entry in &order {
            step(&mut control, &mark(entry));
        }
        assert_eq!(step(&mut control, &IDLE).1, u32::MAX);
        for &entry in &order {
            assert_eq!(step(&mut control, &UNMARK).0, Some(entry));
        }
        assert_eq!(step(&mut control, &mark(round % 32)), (None, 0));
        assert_eq!(step(&mut control, &UNMARK), (Some(round % 32), 1 << (round % 32)));
    }
}

#[test]
fn with_31_marked_the_last_one_comes_as_the_head_leaves() {
    let mut control = control();
    for entry in 0..31 {
        step(&mut control, &mark(entry));
    }
    step(&mut control, &Inputs { unmark: true, ..mark(31) });
    assert_eq!(step(&mut control, &IDLE), (Some(1), u32::MAX ^ 1));
}

#[test]
fn reset_forgets_all_marks_and_the_one_that_comes_with_it() {
    let mut control = control();
    for entry in 0..32 {
        step(&mut control, &mark(entry));
    }
    step(&mut control, &UNMARK);
    control.cycle(&Inputs { reset: true, ..mark(0) });
    assert_eq!(step(&mut control, &mark(9)), (None, 0));
    assert_eq!(step(&mut control, &IDLE), (Some(9), 1 << 9));
}
