use super::*;

/// A launch of so many blocks is accepted into that entry.
fn accepts(entry: u8, blocks: u32, follows: Option<u8>) -> WaitingInputs {
    let follows = follows.map(KernelEntry);
    WaitingInputs { accepted: Some(KernelEntry(entry)), blocks, follows, ..Default::default() }
}

/// Blocks of these kernels trigger, one an SMX.
fn triggers(kernels: &[u8]) -> WaitingInputs {
    let triggered = kernels.iter().map(|&kernel| Some(KernelEntry(kernel))).collect();
    WaitingInputs { triggered, ..Default::default() }
}

fn nothing() -> WaitingInputs {
    WaitingInputs::default()
}

/// Which kernel is marked in a cycle with these inputs.
fn marked(waiting: &mut Waiting, inputs: &WaitingInputs) -> Option<u8> {
    let outputs = waiting.evaluate(inputs);
    assert_eq!(outputs.waits, waiting.evaluate(&nothing()).waits, "state alone");
    waiting.clock(inputs);
    outputs.mark.map(|entry| entry.0)
}

fn waits(waiting: &Waiting) -> u32 {
    waiting.evaluate(&nothing()).waits
}

#[test]
fn a_launch_without_predecessor_is_marked_in_the_cycle_in_which_it_is_accepted() {
    let mut waiting = Waiting::new();
    for (entry, blocks) in [(0, 7), (31, 0)] {
        assert_eq!(marked(&mut waiting, &accepts(entry, blocks, None)), Some(entry));
        assert_eq!((waits(&waiting), marked(&mut waiting, &nothing())), (0, None));
    }
}

#[test]
fn one_that_follows_is_marked_in_the_cycle_after_the_last_trigger() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 3, None));
    assert_eq!(marked(&mut waiting, &accepts(1, 5, Some(0))), None);
    assert_eq!(waits(&waiting), 1 << 1);
    for inputs in [nothing(), triggers(&[0, 0]), nothing(), triggers(&[0])] {
        assert_eq!(marked(&mut waiting, &inputs), None);
    }
    assert_eq!(waits(&waiting), 1 << 1);
    assert_eq!(marked(&mut waiting, &nothing()), Some(1));
    assert_eq!(waits(&waiting), 0);
    assert_eq!(marked(&mut waiting, &nothing()), None);
}

#[test]
fn where_nothing_is_pending_it_is_marked_in_the_cycle_after_it_was_accepted() {
    for blocks in [0, 1] {
        let mut waiting = Waiting::new();
        waiting.clock(&accepts(4, blocks, None));
        waiting.clock(&triggers(&[4][..blocks as usize]));
        assert_eq!(marked(&mut waiting, &accepts(2, 9, Some(4))), None);
        assert_eq!(marked(&mut waiting, &nothing()), Some(2), "{blocks} blocks");
    }
}

#[test]
fn a_launch_without_predecessor_is_marked_before_those_that_wait_and_those_in_order_of_entry() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 1, None));
    for entry in [9, 3, 30] {
        waiting.clock(&accepts(entry, 1, Some(0)));
    }
    waiting.clock(&triggers(&[0]));
    assert_eq!(marked(&mut waiting, &accepts(5, 1, None)), Some(5));
    assert_eq!(waits(&waiting), 1 << 3 | 1 << 9 | 1 << 30);
    // One that waits itself takes no cycle from the others.
    assert_eq!(marked(&mut waiting, &accepts(1, 1, Some(5))), Some(3));
    assert_eq!(
        [nothing(), nothing(), nothing()].map(|i| marked(&mut waiting, &i)),
        [Some(9), Some(30), None]
    );
    assert_eq!(waits(&waiting), 1 << 1);
}

#[test]
fn a_kernel_that_follows_may_be_followed_and_waits_for_its_own_predecessor_alone() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 1, None));
    waiting.clock(&accepts(1, 1, Some(0)));
    waiting.clock(&accepts(2, 1, Some(1)));
    assert_eq!(marked(&mut waiting, &triggers(&[0])), None);
    assert_eq!(marked(&mut waiting, &nothing()), Some(1));
    assert_eq!(marked(&mut waiting, &triggers(&[1])), None);
    assert_eq!(marked(&mut waiting, &nothing()), Some(2));
}

/// Kernel 4 has no blocks left to trigger, 2, 3 and 9 follow it, and one of 5 blocks comes to its
/// entry while 3 and 9 wait to be marked.
fn entry_taken_again(follows: Option<u8>) -> Waiting {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(4, 1, None));
    for entry in [2, 3, 9] {
        waiting.clock(&accepts(entry, 1, Some(4)));
    }
    assert_eq!(marked(&mut waiting, &triggers(&[4])), None);
    let first = follows.map_or(4, |_| 2);
    assert_eq!(marked(&mut waiting, &accepts(4, 5, follows)), Some(first));
    waiting
}

#[test]
fn who_may_be_marked_still_may_when_another_kernel_comes_to_its_predecessors_entry() {
    let mut waiting = entry_taken_again(None);
    assert_eq!(waiting.explain().count(), 0, "none waits for that kernel");
    let idle = [nothing(), nothing(), nothing(), nothing()];
    assert_eq!(idle.map(|i| marked(&mut waiting, &i)), [Some(2), Some(3), Some(9), None]);
}

#[test]
fn a_kernel_that_comes_to_the_predecessors_entry_and_follows_the_one_that_waits_is_no_deadlock() {
    let mut waiting = entry_taken_again(Some(9));
    assert_eq!([nothing(), nothing()].map(|i| marked(&mut waiting, &i)), [Some(3), Some(9)]);
    assert_eq!(marked(&mut waiting, &triggers(&[9])), None);
    assert_eq!(marked(&mut waiting, &nothing()), Some(4));
}

#[test]
fn a_dependent_of_the_kernel_that_came_later_waits_for_it_for_all_that_others_did_not() {
    let mut waiting = entry_taken_again(None);
    assert_eq!(marked(&mut waiting, &accepts(10, 1, Some(4))), Some(2));
    // That 9 might be marked is forgotten when it is: the next kernel of its entry waits.
    assert_eq!([nothing(), nothing()].map(|i| marked(&mut waiting, &i)), [Some(3), Some(9)]);
    assert_eq!(marked(&mut waiting, &accepts(9, 1, Some(4))), None);
    assert_eq!(marked(&mut waiting, &triggers(&[4, 4, 4, 4])), None);
    assert_eq!(marked(&mut waiting, &triggers(&[4])), None);
    assert_eq!([nothing(), nothing()].map(|i| marked(&mut waiting, &i)), [Some(9), Some(10)]);
}

#[test]
fn all_smxs_may_trigger_at_once_for_any_kernels() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 143, None));
    waiting.clock(&accepts(1, 1, None));
    waiting.clock(&accepts(2, 1, Some(0)));
    waiting.clock(&accepts(3, 1, Some(1)));
    let mut all = vec![0; 144];
    all[77] = 1;
    assert_eq!(marked(&mut waiting, &triggers(&all)), None);
    assert_eq!([nothing(), nothing()].map(|i| marked(&mut waiting, &i)), [Some(2), Some(3)]);
}

#[test]
fn the_most_blocks_are_pending_until_each_has_triggered() {
    let most = crate::port::MAX_BLOCKS;
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, most, None));
    waiting.clock(&accepts(1, 1, Some(0)));
    waiting.clock(&triggers(&[0; 144]));
    assert_eq!(waiting.pending[0], most - 144);
    assert_eq!(marked(&mut waiting, &nothing()), None);
}

#[test]
fn reset_forgets_who_waits_whatever_else_the_cycle_carries() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 1, None));
    waiting.clock(&accepts(1, 1, Some(0)));
    let reset = WaitingInputs { reset: true, ..accepts(2, 1, Some(1)) };
    assert_eq!(waiting.clock(&reset), Activity::Busy);
    assert_eq!(waiting, Waiting::new());
    assert_eq!(waiting.clock(&reset), Activity::Quiet);
}

#[test]
fn a_cycle_is_quiet_when_nothing_is_accepted_triggered_or_marked() {
    let mut waiting = Waiting::new();
    waiting.clock(&accepts(0, 1, None));
    waiting.clock(&accepts(1, 1, Some(0)));
    assert_eq!(waiting.clock(&nothing()), Activity::Quiet);
    assert_eq!(waiting.clock(&triggers(&[0])), Activity::Busy);
    assert_eq!(waiting.clock(&nothing()), Activity::Busy, "it is marked");
    assert_eq!(waiting.clock(&nothing()), Activity::Quiet);
}
