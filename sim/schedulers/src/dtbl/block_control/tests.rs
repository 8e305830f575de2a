use super::super::super::mask;
use super::*;

const MEMORY: Option<GroupReference> = Some(GroupReference::in_memory(5));

/// A block of kernel `kernel` goes to these SMXs.
fn take(smxs: &[usize], kernel: u8, group: Option<GroupReference>) -> BlockControlInputs {
    let taken = mask::of(smxs.iter().copied());
    BlockControlInputs { taken, kernel: KernelEntry(kernel), group, ..Default::default() }
}

fn finish(smx: usize, slot: u8) -> BlockControlInputs {
    let mut inputs = BlockControlInputs { finished: mask::of([smx]), ..Default::default() };
    inputs.finished_slot[smx] = slot;
    inputs
}

fn slot(control: &BlockControl, inputs: &BlockControlInputs, smx: usize) -> Option<u8> {
    control.evaluate(inputs).slot[smx]
}

#[test]
fn a_block_takes_the_lowest_free_slot_of_its_smx() {
    let mut control = BlockControl::new(2, 3);
    let none = BlockControlInputs::default();
    for expected in 0..3 {
        assert_eq!(slot(&control, &none, 1), Some(expected));
        assert_eq!(control.clock(&take(&[1], 0, None)), Activity::Busy);
    }
    assert_eq!((slot(&control, &none, 1), slot(&control, &none, 0)), (None, Some(0)));
}

#[test]
fn the_slot_of_a_block_that_ends_counts_as_free_in_that_cycle() {
    let mut control = BlockControl::new(1, 3);
    (0..3).for_each(|_| assert_eq!(control.clock(&take(&[0], 0, None)), Activity::Busy));
    assert_eq!(slot(&control, &finish(0, 1), 0), Some(1));
    control.clock(&finish(0, 1));
    assert_eq!(slot(&control, &finish(0, 0), 0), Some(0), "lower than the free one");
    assert_eq!(slot(&control, &finish(0, 2), 0), Some(1), "higher than the free one");
}

/// The group of the block that ended on an SMX in the cycle before.
fn ended_group(control: &BlockControl, smx: usize) -> Option<GroupReference> {
    control.evaluate(&BlockControlInputs::default()).ended_group[smx]
}

#[test]
fn the_kernel_of_a_block_that_ends_comes_from_its_slot_and_its_group_a_cycle_later() {
    let mut control = BlockControl::new(32, 2);
    control.clock(&take(&[31], 4, None));
    control.clock(&take(&[31], 30, MEMORY));
    let outputs = control.evaluate(&finish(31, 0));
    assert_eq!(outputs.finished_kernel[31], Some(KernelEntry(4)));
    assert_eq!(outputs.finished_kernel[30], None, "nothing ends there");
    assert_eq!((outputs.ended, outputs.ended_group[31]), (SmxMask::ZERO, None), "nothing ended");
    assert_eq!(control.clock(&finish(31, 0)), Activity::Busy);
    assert_eq!(control.evaluate(&finish(31, 1)).finished_kernel[31], Some(KernelEntry(30)));
    assert_eq!(control.evaluate(&finish(31, 1)).ended, mask::of([31]));
    assert_eq!(ended_group(&control, 31), None, "a native block");
    assert_eq!(control.clock(&finish(31, 1)), Activity::Busy);
    assert_eq!(ended_group(&control, 31), MEMORY);
    assert_eq!(control.clock(&BlockControlInputs::default()), Activity::Busy);
    assert_eq!(control.evaluate(&BlockControlInputs::default()).ended, SmxMask::ZERO);
    assert_eq!(control.clock(&BlockControlInputs::default()), Activity::Quiet);
}

#[test]
fn a_block_that_replaces_another_one_is_seen_from_the_next_cycle_on() {
    let mut control = BlockControl::new(1, 1);
    control.clock(&take(&[0], 1, None));
    let mut replace = finish(0, 0);
    (replace.taken, replace.kernel, replace.group) = (mask::of([0]), KernelEntry(2), MEMORY);
    assert_eq!(control.evaluate(&replace).finished_kernel[0], Some(KernelEntry(1)));
    assert_eq!(control.clock(&replace), Activity::Busy);
    assert_eq!(ended_group(&control, 0), None, "that of the one that ended");
    assert_eq!(control.clock(&replace), Activity::Busy);
    assert_eq!(ended_group(&control, 0), MEMORY);
    assert_eq!(control.clock(&replace), Activity::Quiet, "one like it takes its place");
}

#[test]
fn an_smx_of_sixty_three_slots_fills_to_the_last_one() {
    let mut control = BlockControl::new(1, 63);
    (0..62).for_each(|_| assert_eq!(control.clock(&take(&[0], 0, None)), Activity::Busy));
    assert_eq!(slot(&control, &BlockControlInputs::default(), 0), Some(62));
    control.clock(&take(&[0], 0, None));
    assert_eq!(slot(&control, &BlockControlInputs::default(), 0), None);
}

#[test]
fn a_slot_that_does_not_exist_ends_nothing() {
    let mut control = BlockControl::new(1, 2);
    assert_eq!(control.evaluate(&finish(0, 255)).finished_kernel[0], None);
    assert_eq!(control.clock(&finish(0, 255)), Activity::Busy, "that one ended is kept");
    let after = control.evaluate(&BlockControlInputs::default());
    assert_eq!((after.ended_group[0], after.slot[0]), (None, Some(0)));
}

#[test]
fn reset_frees_all_slots_whatever_else_the_cycle_carries() {
    let mut control = BlockControl::new(2, 2);
    control.clock(&take(&[1], 3, None));
    let reset = BlockControlInputs { reset: true, ..take(&[0], 4, None) };
    assert_eq!(control.clock(&reset), Activity::Busy);
    assert_eq!(control, BlockControl::new(2, 2));
    assert_eq!(control.clock(&reset), Activity::Quiet);
}
