//! Kernels that execute instructions under a scheduler that knows dependents (`docs/dependent.md`),
//! cycle by cycle.

use super::*;
use crate::overlaps::{run_gpu, Seen};
use blockyard_sim::gpu::host::Overlap;

fn of(operation: Operation) -> Instruction {
    Instruction { operation, ..Instruction::default() }
}

/// So many instructions of which each waits for the one before, for 4 cycles; so does the exit
/// behind them.
fn work(count: usize) -> Vec<Instruction> {
    vec![add(Unit::Integer, Some(1), Some(1)); count]
}

/// One block of each of two kernels, whose warps have these scripts; the second one is a dependent.
fn pair(scheduler: &str, first: &[Vec<Instruction>], second: &[Vec<Instruction>]) -> Seen {
    let run = |skip| {
        let kernel = |name: &str, warps: &[Vec<Instruction>], dependent| HostLaunch {
            name: name.into(),
            overlap: Overlap { dependent, trigger: Some(1), prologue: Some(0) },
            ..launch(Rc::new(scripts(warps.to_vec())), 1, warps.len() as u32)
        };
        let both = vec![kernel("A", first, false), kernel("B", second, true)];
        run_gpu(scheduler, Gpu::new(config(&[]), Box::new(both)).unwrap(), skip)
    };
    let seen = run(true);
    assert_eq!(run(false), seen);
    seen
}

/// The cycles in which A triggers and ends, B is dispatched, triggers and ends.
fn cycles(seen: &Seen) -> [u64; 5] {
    let [.., (second, ..)] = seen.ports.dispatches[..] else { panic!("two blocks") };
    let [(first_trigger, ..), (second_trigger, ..)] = seen.ports.triggers[..] else {
        panic!("a trigger a block: {:?}", seen.ports.triggers)
    };
    let [(first_end, ..), (second_end, ..)] = seen.ports.ends[..] else { panic!("an end a block") };
    [first_trigger, first_end, second, second_trigger, second_end]
}

/// `before`, a trigger, and `after`.
fn with_trigger(before: usize, after: usize) -> Vec<Instruction> {
    [work(before), vec![of(Operation::Trigger)], work(after)].concat()
}

#[test]
fn a_dependent_begins_when_the_block_before_has_triggered_and_goes_on_when_that_kernel_has_finished(
) {
    let second = [vec![of(Operation::AwaitPredecessor)], work(1)].concat();
    let [trigger, end, dispatch, _, second_end] =
        cycles(&pair("dependent", &[with_trigger(0, 20)], &[second]));
    // The trigger issues in 2 and is seen in 3; the dependent is marked in 4.
    assert_eq!((trigger, dispatch), (3, 5));
    // 20 instructions from 3 on, four cycles apart, and the exit.
    assert_eq!(end, 3 + 20 * 4 + 1);
    // The kernel has finished in the cycle after. What is behind the wait issues in the next one.
    assert_eq!(second_end, end + 1 + 1 + 4 + 1);
}

#[test]
fn what_a_dependent_does_before_it_waits_overlaps_with_the_kernel_before() {
    let second = [work(9), vec![of(Operation::AwaitPredecessor)], work(1)].concat();
    let kernels =
        |scheduler| pair(scheduler, &[with_trigger(0, 20)], std::slice::from_ref(&second));
    let [_, end, .., second_end] = cycles(&kernels("dependent"));
    assert_eq!(second_end, end + 7);
    // Under rr it is launched when the first one has finished, nobody sees triggers, and the wait
    // is none.
    let after = kernels("rr");
    let [(first, ..), (second, ..)] = after.ports.ends[..] else { panic!("two blocks") };
    assert_eq!((after.ports.triggers.len(), after.kernels()[1].0), (0, first + 2));
    // Dispatched in the next cycle, nine instructions, the wait behind the last one's issue, one
    // more and the exit.
    assert_eq!(second, first + 2 + 1 + 1 + 9 * 4 + 4 + 1);
}

#[test]
fn a_block_triggers_when_all_its_warps_have_issued_it_or_exited() {
    let at = |warps: &[Vec<Instruction>]| {
        let [trigger, end, ..] = cycles(&pair("dependent", warps, &[vec![]]));
        (trigger, end)
    };
    // Alone, behind ten instructions four cycles apart.
    let (alone, _) = at(&[with_trigger(10, 40)]);
    assert_eq!(alone, 2 + 9 * 4 + 1 + 1);
    // A warp that triggers first, and one that exits first, change little: they take an issue cycle
    // each.
    for other in [with_trigger(0, 0), work(0)] {
        let (trigger, _) = at(&[with_trigger(10, 40), other]);
        assert!((alone..alone + 3).contains(&trigger), "{trigger}");
    }
    // One that exits without a trigger counts when it exits, also where the others have long
    // triggered.
    let (trigger, end) = at(&[with_trigger(0, 40), work(20)]);
    assert!((2 + 20 * 4..2 + 20 * 4 + 5).contains(&trigger) && trigger < end, "{trigger} {end}");
    // The last warp exits: the block ends in the cycle after, and triggers in it.
    let (trigger, end) = at(&[with_trigger(0, 3), work(20)]);
    assert_eq!(trigger, end);
}

#[test]
fn a_block_triggers_once_however_often_its_warps_say_so() {
    let often = [with_trigger(0, 2), with_trigger(0, 2), with_trigger(0, 0)].concat();
    let seen = pair("dependent", &[often.clone(), often], &[with_trigger(0, 1)]);
    assert_eq!(seen.ports.triggers.len(), 2);
}

#[test]
fn a_block_that_never_triggers_does_so_at_its_end() {
    let seen = pair("dependent", &[work(5)], &[work(5)]);
    assert_eq!((seen.ports.triggers.len(), &seen.ports.triggers), (2, &seen.ports.ends));
    let [trigger, _, dispatch, ..] = cycles(&seen);
    assert_eq!(dispatch, trigger + 2);
}

#[test]
fn a_dependent_that_does_not_wait_ends_behind_the_kernel_before() {
    let seen = pair("dependent", &[with_trigger(0, 40)], &[with_trigger(1, 0)]);
    let [_, end, dispatch, trigger, second_end] = cycles(&seen);
    assert!(dispatch < end && trigger < end, "it has triggered meanwhile");
    // The first kernel has finished in the cycle behind its end.
    assert_eq!(second_end, end + 2);
}

#[test]
fn who_waits_and_follows_nobody_goes_on_in_the_next_cycle() {
    let plain = add(Unit::Integer, None, None);
    for scheduler in ["dependent", "rr"] {
        let ends =
            |first: &Instruction| pair(scheduler, &[vec![first.clone()]], &[vec![]]).ports.ends;
        assert_eq!(ends(&of(Operation::AwaitPredecessor)), ends(&plain));
    }
}

#[test]
fn some_warps_wait_while_others_of_the_block_go_on() {
    let waits = vec![of(Operation::AwaitPredecessor)];
    let seen =
        pair("dependent", &[with_trigger(0, 40)], &[waits.clone(), with_trigger(3, 0), waits]);
    let [_, end, dispatch, trigger, second_end] = cycles(&seen);
    // The one that does not wait exits before; those that do have issued nothing that lets others
    // begin.
    assert!(dispatch < end && trigger == second_end && second_end > end, "{trigger} {second_end}");
}
