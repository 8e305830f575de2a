//! The latencies of `docs/cycle-contract.md`.

use super::super::{build, Composition};
use super::harness::*;
use crate::port::*;

fn times(record: &Record) -> Vec<(u64, usize)> {
    record.issues.iter().map(|issue| (issue.cycle, issue.smx)).collect()
}

#[test]
fn the_first_block_goes_one_cycle_after_the_launch_and_then_one_a_cycle() {
    for name in ["rr", "rr+claso(pa=1,pl=0)"] {
        let record = golden(name, 4, slots(3), &[Work::new(0, kernel(5), &[100])]);
        assert_eq!(record.accepted, [0]);
        assert_eq!(times(&record), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 0)], "{name}");
    }
}

#[test]
fn a_slot_is_filled_again_in_the_cycle_in_which_its_block_is_reported() {
    for duration in [1, 2, 7] {
        let record = golden("rr", 1, slots(1), &[Work::new(0, kernel(3), &[duration])]);
        let expected: Vec<_> = (0..3).map(|block| (1 + block * duration, 0)).collect();
        assert_eq!(times(&record), expected);
    }
}

#[test]
fn a_kernel_ends_one_cycle_after_its_last_block_and_only_once() {
    let record = golden("rr", 2, slots(1), &[Work::new(0, kernel(1), &[9])]);
    assert_eq!(record.finished, [(0, 1 + 9 + 1)]);
    let record = golden("rr", 2, slots(1), &[Work::new(0, kernel(2), &[9, 3])]);
    assert_eq!(record.finished, [(0, 1 + 9 + 1)], "the block that was dispatched first ends last");
}

#[test]
fn the_entry_is_free_two_cycles_after_the_last_block_was_reported() {
    let mut scheduler = build(&"rr".parse().unwrap(), 1, LIMITS);
    let mut outputs = Outputs::idle(1);
    let mut step = |launch, finished| {
        let inputs = Inputs { launch, finished: vec![finished], ..Inputs::default() };
        scheduler.cycle(&inputs, &mut outputs);
        (outputs.finished_kernels, outputs.launch_ready)
    };
    let entry = |k| Some(KernelEntry(k));
    assert_eq!(step(Some(kernel(1)), None), (0, entry(0)));
    assert_eq!(step(None, None), (0, entry(1)), "dispatched in this cycle");
    assert_eq!(step(None, entry(0)), (0, entry(1)), "reported");
    assert_eq!(step(None, None), (1, entry(1)), "finished");
    assert_eq!(step(None, None), (0, entry(0)), "free");
}

#[test]
fn an_empty_grid_finishes_two_cycles_after_it_was_accepted_and_costs_one_as_head() {
    for (x, y, z) in [(0, 1, 1), (1, 0, 1), (5, 5, 0)] {
        let empty = grid(Dim3::new(x, y, z));
        for name in ["rr", "rr+claso"] {
            let work = [Work::new(0, empty, &[1]), Work::new(1, kernel(1), &[4])];
            let record = golden(name, 2, slots(1), &work);
            assert_eq!(record.finished, [(0, 2), (1, 7)]);
            assert_eq!(times(&record), [(2, 0)], "the kernel behind it waits for no one");
        }
    }
    let behind = [Work::new(0, kernel(2), &[9]), Work::new(0, kernel(0), &[1])];
    let record = golden("rr", 2, slots(1), &behind);
    assert_eq!(record.finished[0], (1, 4), "head in cycle 3, after the last block went in 2");
    let between = [kernel(2), kernel(0), kernel(2)].map(|launch| Work::new(0, launch, &[9]));
    let record = golden("rr", 4, slots(1), &between);
    assert_eq!(times(&record), [(1, 0), (2, 1), (4, 2), (5, 3)]);
}

#[test]
fn the_next_kernel_follows_without_a_bubble_and_only_when_the_head_has_no_block_left() {
    let work = [Work::new(0, kernel(3), &[100]), Work::new(0, kernel(2), &[100])];
    let record = golden("rr", 2, slots(16), &work);
    let order: Vec<_> = record.issues.iter().map(|i| (i.cycle, i.kernel, i.block)).collect();
    assert_eq!(order, [(1, 0, 0), (2, 0, 1), (3, 0, 2), (4, 1, 0), (5, 1, 1)]);
}

#[test]
fn a_head_that_fits_nowhere_lets_no_younger_kernel_pass() {
    let mut large = kernel(2);
    large.needs.shared_memory = LIMITS.shared_memory;
    let work = [Work::new(0, large, &[50]), Work::new(0, kernel(1), &[1])];
    let record = golden("rr", 1, LIMITS, &work);
    let order: Vec<_> = record.issues.iter().map(|i| (i.cycle, i.kernel)).collect();
    assert_eq!(order, [(1, 0), (51, 0), (52, 1)]);
}

#[test]
fn completions_of_all_smxs_in_one_cycle_are_all_taken() {
    // Blocks are dispatched one a cycle and end together.
    let durations: Vec<u64> = (0..32).map(|block| 100 - block).collect();
    let work = [Work::new(0, kernel(32), &durations), Work::new(0, kernel(1), &[1])];
    let record = golden("rr", 32, slots(1), &work);
    assert_eq!(record.issues[32].cycle, 101, "the next kernel gets the first slot at once");
    assert_eq!(record.finished[0], (0, 102));
}

#[test]
fn the_thirty_third_kernel_waits_until_an_entry_is_released() {
    let work: Vec<_> = (0..33).map(|k| Work::new(0, kernel(1), &[1000 - k])).collect();
    let record = golden("rr", 32, slots(2), &work);
    assert_eq!(record.accepted[..32], (0..32).collect::<Vec<_>>());
    // All 32 blocks end in cycle 1001, each on an SMX of its own.
    assert!(record.finished[..32].iter().all(|&(_, cycle)| cycle == 1002));
    assert_eq!(record.accepted[32], 1003);
    assert_eq!(record.issues[32].cycle, 1004);
}

#[test]
fn lookup_answers_for_occupied_entries_in_the_same_cycle() {
    let mut scheduler = build(&"rr".parse().unwrap(), 1, LIMITS);
    let mut outputs = Outputs::idle(1);
    let launch = KernelLaunch { entry_pc: 7, parameter_address: 8, ..kernel(1) };
    let mut inputs = Inputs { launch: Some(launch), ..Inputs::idle(1) };
    inputs.lookup = Some(KernelEntry(0));
    scheduler.cycle(&inputs, &mut outputs);
    assert_eq!(outputs.context, None, "not before the entry is occupied");
    inputs.launch = None;
    scheduler.cycle(&inputs, &mut outputs);
    let block = Dim3::new(1, 1, 1);
    let context = KernelContext { entry_pc: 7, parameter_address: 8, block };
    assert_eq!(outputs.context, Some(context));
    inputs.lookup = Some(KernelEntry(1));
    scheduler.cycle(&inputs, &mut outputs);
    assert_eq!(outputs.context, None);
}

#[test]
fn after_reset_a_scheduler_behaves_as_a_new_one() {
    for name in ["rr", "rr+claso(pa=2,pl=1)"] {
        let composition: Composition = name.parse().unwrap();
        let work = [Work::new(0, kernel(40), &[13, 5, 8]), Work::new(3, kernel(7), &[4])];
        let mut scheduler = build(&composition, 3, slots(2));
        let fresh = run(scheduler.as_mut(), slots(2), &work, 10_000, false);
        // Left in the middle of a run, with the pointer and all tables in some state.
        run(scheduler.as_mut(), slots(2), &work, 21, false);
        let reset = Inputs { reset: true, launch: Some(kernel(3)), ..Inputs::idle(3) };
        let mut outputs = Outputs::default();
        assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Busy);
        assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Quiet, "nothing to reset");
        let again = run(scheduler.as_mut(), slots(2), &work, 10_000, false);
        assert_eq!(again, fresh, "{name}");
    }
}

#[test]
fn a_cycle_in_which_nothing_is_stored_is_quiet_and_any_other_is_busy() {
    let mut scheduler = build(&"rr+claso".parse().unwrap(), 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let mut step = |launch, finished| {
        let inputs = Inputs { launch, finished: vec![finished], ..Inputs::default() };
        scheduler.cycle(&inputs, &mut outputs)
    };
    let (none, done) = (None, Some(KernelEntry(0)));
    assert_eq!(step(none, None), Activity::Quiet);
    assert_eq!(step(Some(kernel(2)), None), Activity::Busy, "accepted");
    assert_eq!(step(none, None), Activity::Busy, "first block");
    assert_eq!(step(none, None), Activity::Quiet, "no room");
    assert_eq!(step(none, done), Activity::Busy, "first ends, second goes");
    assert_eq!(step(none, None), Activity::Quiet);
    assert_eq!(step(none, done), Activity::Busy, "second ends");
    assert_eq!(step(none, None), Activity::Busy, "released");
    assert_eq!(step(none, None), Activity::Quiet);
}

#[test]
#[should_panic(expected = "one `finished` for each SMX")]
fn inputs_for_another_number_of_smxs_are_refused() {
    let mut scheduler = build(&"rr".parse().unwrap(), 2, LIMITS);
    scheduler.cycle(&Inputs::idle(3), &mut Outputs::default());
}
