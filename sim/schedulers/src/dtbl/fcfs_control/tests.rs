use super::*;

fn mark(k: u8) -> FcfsControlInputs {
    FcfsControlInputs { mark: Some(KernelEntry(k)), ..FcfsControlInputs::default() }
}

fn again(k: u8) -> FcfsControlInputs {
    FcfsControlInputs { again: true, ..mark(k) }
}

const NATIVE_DONE: FcfsControlInputs =
    FcfsControlInputs { reset: false, mark: None, again: false, unmark: false, native_done: true };
const UNMARK: FcfsControlInputs =
    FcfsControlInputs { reset: false, mark: None, again: false, unmark: true, native_done: false };
const BOTH: FcfsControlInputs =
    FcfsControlInputs { reset: false, mark: None, again: false, unmark: true, native_done: true };

/// Head, `head_first` and marks in a cycle with some inputs, which must not matter.
fn state(fcfs: &FcfsControl) -> (Option<u8>, bool, u32) {
    let outputs = fcfs.evaluate(&FcfsControlInputs::default());
    let other = fcfs.evaluate(&FcfsControlInputs { mark: Some(KernelEntry(9)), ..BOTH });
    assert_eq!(FcfsControlOutputs { next_head: outputs.next_head, ..other }, outputs);
    (outputs.head.map(|k| k.0), outputs.head_first, outputs.marked)
}

#[test]
fn a_new_kernel_is_marked_for_the_first_time_and_one_marked_again_is_not() {
    let mut fcfs = FcfsControl::new();
    assert_eq!(state(&fcfs), (None, false, 0));
    assert_eq!(fcfs.clock(&mark(4)), Activity::Busy);
    assert_eq!(state(&fcfs), (Some(4), true, 1 << 4));
    assert_eq!(fcfs.clock(&BOTH), Activity::Busy);
    assert_eq!(state(&fcfs), (None, false, 0), "low without a head");
    assert_eq!(fcfs.clock(&again(4)), Activity::Busy);
    assert_eq!(state(&fcfs), (Some(4), false, 1 << 4));
}

#[test]
fn first_is_cleared_with_the_last_native_block_and_the_kernel_stays_the_head() {
    let mut fcfs = FcfsControl::new();
    fcfs.clock(&mark(31));
    fcfs.clock(&mark(0));
    assert_eq!(fcfs.clock(&NATIVE_DONE), Activity::Busy);
    assert_eq!(state(&fcfs), (Some(31), false, 1 << 31 | 1));
    assert_eq!(fcfs.clock(&UNMARK), Activity::Busy);
    assert_eq!(state(&fcfs), (Some(0), true, 1), "the next one has not begun");
}

#[test]
fn a_kernel_that_is_unmarked_with_its_last_native_block_leaves_the_next_ones_bit_alone() {
    let mut fcfs = FcfsControl::new();
    fcfs.clock(&mark(1));
    fcfs.clock(&mark(2));
    fcfs.clock(&FcfsControlInputs { mark: Some(KernelEntry(3)), ..BOTH });
    assert_eq!(state(&fcfs), (Some(2), true, 0b1100));
    fcfs.clock(&FcfsControlInputs { again: true, mark: Some(KernelEntry(1)), ..BOTH });
    assert_eq!(state(&fcfs), (Some(3), true, 0b1010));
    fcfs.clock(&BOTH);
    assert_eq!(state(&fcfs), (Some(1), false, 0b0010));
}

#[test]
fn the_head_is_the_kernel_that_was_marked_first_whether_again_or_not() {
    let mut fcfs = FcfsControl::new();
    for k in 0..32 {
        fcfs.clock(&FcfsControlInputs { again: k % 2 == 1, ..mark(k) });
    }
    for k in 0..32 {
        assert_eq!(state(&fcfs), (Some(k), k % 2 == 0, u32::MAX << k));
        fcfs.clock(&UNMARK);
    }
}

#[test]
fn the_next_head_is_the_head_after_this_cycle() {
    let next = |fcfs: &FcfsControl, inputs| fcfs.evaluate(&inputs).next_head.map(|k| k.0);
    let mut fcfs = FcfsControl::new();
    assert_eq!(next(&fcfs, FcfsControlInputs::default()), None);
    assert_eq!(next(&fcfs, mark(4)), Some(4), "it becomes the head at once");
    fcfs.clock(&mark(4));
    assert_eq!(next(&fcfs, NATIVE_DONE), Some(4));
    assert_eq!(next(&fcfs, BOTH), None);
    let replaced = FcfsControlInputs { mark: Some(KernelEntry(9)), ..BOTH };
    assert_eq!(next(&fcfs, replaced.clone()), Some(9), "marked as the head is unmarked");
    fcfs.clock(&mark(7));
    assert_eq!(next(&fcfs, mark(2)), Some(4));
    assert_eq!(next(&fcfs, replaced), Some(7), "the one that waits longest");
}

#[test]
fn nothing_marked_and_nothing_unmarked_is_quiet() {
    let mut fcfs = FcfsControl::new();
    assert_eq!(fcfs.clock(&FcfsControlInputs::default()), Activity::Quiet);
    fcfs.clock(&again(1));
    assert_eq!(fcfs.clock(&FcfsControlInputs::default()), Activity::Quiet);
    assert_eq!(fcfs.clock(&NATIVE_DONE), Activity::Quiet, "it was low");
}

#[test]
fn reset_empties_the_queue_whatever_else_the_cycle_carries() {
    let mut fcfs = FcfsControl::new();
    fcfs.clock(&mark(1));
    let reset = FcfsControlInputs { reset: true, ..mark(2) };
    assert_eq!(fcfs.clock(&reset), Activity::Busy);
    assert_eq!(fcfs, FcfsControl::new());
    assert_eq!(fcfs.clock(&reset), Activity::Quiet);
}
