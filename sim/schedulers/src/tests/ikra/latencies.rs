//! The latency table of `docs/ikra.md`, row by row, and the cycle contract.

use super::*;
use crate::{build, Composition};

#[test]
fn a_first_block_goes_65_cycles_after_a_launch_that_assigns_chunks_and_2_after_one_that_keeps_them()
{
    let work = [Work::new(0, kernel(4), &[50]), Work::new(1000, kernel(4), &[50])];
    for (name, kept) in NAMES.into_iter().zip([65, 2, 2, 2]) {
        let record = golden(name, 4, slots(1), &work);
        assert_eq!(record.accepted, [0, 1000]);
        assert_eq!(cycles(&record, 0), [65], "{name}");
        assert_eq!(cycles(&record, 1), [1000 + kept], "{name}");
    }
}

#[test]
fn a_kernel_ends_one_cycle_after_its_last_block_and_the_next_one_begins_3_or_66_cycles_after_it() {
    let work = [Work::new(0, kernel(4), &[50, 7]), Work::new(0, kernel(4), &[50])];
    for (name, next) in NAMES.into_iter().zip([66, 3, 3, 3]) {
        let record = golden(name, 4, slots(1), &work);
        let last = 65 + 50;
        assert_eq!(record.finished[0], (0, last + 1), "{name}");
        assert_eq!(cycles(&record, 1), [last + next], "{name}");
    }
    let other = [Work::new(0, kernel(4), &[50]), Work::new(0, kernel(5), &[50])];
    for name in NAMES {
        let record = golden(name, 4, slots(2), &other);
        assert_eq!(cycles(&record, 1)[0], 65 + 50 + 66, "{name}: another grid");
    }
}

#[test]
fn a_slot_is_filled_again_in_the_cycle_in_which_its_block_is_reported() {
    for name in NAMES {
        for duration in [1, 2, 7] {
            let record = golden(name, 1, slots(1), &[Work::new(0, kernel(3), &[duration])]);
            let expected: Vec<_> = (0..3).map(|block| 65 + block * duration).collect();
            assert_eq!(cycles(&record, 0), expected, "{name}");
        }
    }
}

/// On two SMXs of one slot each SMX 0 has run its three blocks when it asks SMX 1, which has run
/// none.
fn stolen(latency: u64, thief: &str) -> Record {
    let name = format!("ikra/steal(latency={latency},thief={thief})");
    golden(&name, 2, slots(1), &[Work::new(0, kernel(6), &[1, 1, 1, 1000, 1, 1])])
}

#[test]
fn a_stolen_block_and_each_refusal_before_it_take_2_cycles_and_2_latencies() {
    // Its last block is reported in cycle 68: there is room, and from the next cycle on its work is
    // done.
    for (thief, own, latency) in [
        ("dispatched", 68, 0),
        ("dispatched", 68, 4),
        ("executed", 69, 0),
        ("executed", 69, 1),
        ("executed", 69, 31),
    ] {
        let record = stolen(latency, thief);
        let way = 2 * (1 + latency);
        let theft: Vec<_> = record.issues.iter().filter(|i| i.smx == 0 && i.block > 2).collect();
        // SMX 1's queue is asked first, in vain; then its chunk, twice.
        let times: Vec<_> = theft.iter().map(|i| (i.block, i.cycle)).collect();
        assert_eq!(
            times,
            [(5, own + 2 * way), (4, own + 3 * way + 1)],
            "{thief}, latency {latency}"
        );
    }
}

#[test]
fn with_room_a_thief_asks_again_one_cycle_after_a_block_arrived() {
    let durations = [&[1000; 4][..], &[1; 8]].concat();
    // SMX 1 runs its chunk in no time; both slots of SMX 0 are taken for long, and two blocks are
    // left.
    for (thief, waits) in [("dispatched", 0), ("executed", 1)] {
        let name = format!("ikra/steal(thief={thief})");
        let record = golden(&name, 2, slots(2), &[Work::new(0, kernel(8), &durations)]);
        let theft: Vec<_> = record.issues.iter().filter(|i| i.smx == 1 && i.block < 4).collect();
        let times: Vec<_> = theft.iter().map(|i| (i.block, i.cycle)).collect();
        assert_eq!(order(&record, 0, 1)[..4], [4, 5, 6, 7]);
        let spent = record.issues.iter().find(|i| i.block == 7).unwrap().cycle + 1;
        let asks = spent + waits;
        assert_eq!(times, [(3, asks + 4), (2, asks + 4 + 1 + 2)], "{thief}");
    }
}

#[test]
fn after_reset_a_scheduler_behaves_as_a_new_one() {
    let more = ["ikra/steal(queue=2,latency=3)", "rr(start=last-finished)"];
    let names = [&NAMES[..3], &more].concat();
    for name in names {
        let composition: Composition = name.parse().unwrap();
        let work = [13, 5, 8, 40].map(|d| Work::new(0, kernel(20), &[d, 1, 9]));
        let mut scheduler = build(&composition, 3, slots(2));
        let setup = |last| Setup { last, rules: (&composition).into(), ..Setup::default() };
        let fresh = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
        assert_eq!(fresh.finished.len(), 4);
        let reset = Inputs { reset: true, launch: Some(kernel(3)), ..Inputs::idle(3) };
        let mut outputs = Outputs::default();
        // While chunks are assigned, in the first kernel, while it is stolen, in the second one.
        for last in [1, 2, 30, 64, 66, 75, 90, 130, 200, 260] {
            scheduler.cycle(&reset, &mut outputs);
            run_with(scheduler.as_mut(), slots(2), &work, &setup(last));
            scheduler.cycle(&reset, &mut outputs);
            assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Quiet, "nothing to reset");
            let again = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
            assert_eq!(again, fresh, "{name} after {last} cycles");
        }
    }
}

#[test]
fn a_cycle_in_which_nothing_is_stored_is_quiet_and_any_other_is_busy() {
    let mut scheduler = build(&"ikra/steal".parse().unwrap(), 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let mut step = |launch, finished| {
        let inputs = Inputs { launch, finished: vec![finished], ..Inputs::default() };
        scheduler.cycle(&inputs, &mut outputs)
    };
    let (none, done) = (None, Some(KernelEntry(0)));
    assert_eq!(step(none, None), Activity::Quiet);
    assert_eq!(step(Some(kernel(2)), None), Activity::Busy, "accepted");
    for _ in 1..=64 {
        assert_eq!(step(none, None), Activity::Busy, "chunks are assigned");
    }
    assert_eq!(step(none, None), Activity::Busy, "first block");
    assert_eq!(step(none, None), Activity::Quiet, "no room");
    assert_eq!(step(none, done), Activity::Busy, "first ends, second goes");
    assert_eq!(step(none, None), Activity::Quiet);
    assert_eq!(step(none, done), Activity::Busy, "second ends");
    assert_eq!(step(none, None), Activity::Busy, "released");
    assert_eq!(step(none, None), Activity::Quiet);
}

#[test]
fn lookup_answers_for_the_head_and_for_kernels_that_wait() {
    let mut scheduler = build(&"ikra/reset".parse().unwrap(), 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let mut inputs = Inputs::idle(1);
    let context = |k: u32| KernelContext {
        entry_pc: k,
        parameter_address: 100 + k,
        block: Dim3::new(1, 1, 1),
    };
    for k in 0..3 {
        let launch = KernelLaunch { entry_pc: k, parameter_address: 100 + k, ..kernel(1) };
        inputs.launch = Some(launch);
        inputs.lookup = Some(KernelEntry(k as u8));
        scheduler.cycle(&inputs, &mut outputs);
        assert_eq!(outputs.context, None, "not before the entry is in use");
    }
    inputs.launch = None;
    for k in 0..3 {
        inputs.lookup = Some(KernelEntry(k as u8));
        scheduler.cycle(&inputs, &mut outputs);
        assert_eq!(outputs.context, Some(context(k)));
    }
}
