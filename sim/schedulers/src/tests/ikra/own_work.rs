//! Rule 10a: with `thief=executed` an SMX steals once what was its own has been executed. A block
//! that is reported in cycle `c` is resident as `c` begins, so its SMX's work is done in `c + 1` at
//! the earliest; from there it takes 4 cycles, without latency, until a block of a neighbour's
//! chunk arrives.

use super::*;

/// To which SMX a block of a kernel is dispatched, and when.
fn dispatched(record: &Record, kernel: usize, block: u64) -> (usize, u64) {
    let of = |issue: &&Issue| (issue.kernel, issue.block) == (kernel, block);
    record.issues.iter().find(of).map(|issue| (issue.smx, issue.cycle)).unwrap()
}

#[test]
fn a_thief_asks_in_the_cycle_after_its_last_block_was_reported_and_not_before() {
    // Block 3 is reported in 75, when 5 takes its slot, which is reported in 85: there is room from
    // then on. Block 4 is dispatched in 66.
    for (name, of_4, arrives) in [
        ("ikra/steal(thief=dispatched)", 20, 85 + 4),
        ("ikra/steal(thief=dispatched)", 21, 85 + 4),
        ("ikra/steal", 20, 66 + 20 + 1 + 4),
        ("ikra/steal", 21, 66 + 21 + 1 + 4),
        ("ikra/steal(latency=3)", 20, 66 + 20 + 1 + 4 * 4),
    ] {
        let work = [Work::new(0, kernel(6), &[1000, 1000, 1, 10, of_4, 10])];
        let record = golden(name, 2, slots(2), &work);
        assert_eq!(dispatched(&record, 0, 5), (1, 75), "{name}");
        assert_eq!(dispatched(&record, 0, 2), (1, arrives), "{name}, block 4 runs {of_4}");
    }
}

#[test]
fn a_stolen_block_in_execution_does_not_keep_its_thief_from_stealing_on() {
    let durations = [&[1000; 4][..], &[1; 4]].concat();
    let name = "ikra/steal(latency=2)";
    let record = golden(name, 2, slots(2), &[Work::new(0, kernel(8), &durations)]);
    assert_eq!(dispatched(&record, 0, 7), (1, 68), "reported in 69");
    assert_eq!(dispatched(&record, 0, 3), (1, 70 + 2 * 6), "the queue is asked before the chunk");
    assert_eq!(dispatched(&record, 0, 2), (1, 83 + 6), "block 3 runs until 1082");
}

#[test]
fn an_smx_whose_chunk_is_empty_from_the_start_asks_in_the_first_running_cycle() {
    for thief in ["executed", "dispatched"] {
        let name = format!("ikra/steal(relations=on,thief={thief})");
        // Block i depends on block i + 4, which SMX 1 ran: all blocks are SMX 1's.
        let relation = Relation { back: 1, ratio: 1, offset: 4 };
        let second = KernelLaunch { relation, ..kernel(8) };
        let work = [Work::new(0, kernel(8), &[10]), Work::new(0, second, &[1000])];
        let record = golden(&name, 2, slots(1), &work);
        // Four blocks of 10 cycles, reported in 105; chunks are derived from 107 on, and begin in
        // 203.
        assert_eq!(dispatched(&record, 1, 7), (1, 204), "backward");
        assert_eq!(dispatched(&record, 1, 0), (0, 204 + 4), "{thief}");
    }
}

#[test]
fn each_kernel_has_its_own_work_and_what_was_stolen_before_is_part_of_it() {
    // Forward: SMX 1 runs 4 to 7, reported in 105, and steals block 3, which lasts as long as SMX
    // 0's three.
    let first = [1000, 500, 545, 2000, 10, 10, 10, 10];
    // Backward, the queue first: SMX 1 runs 3, then 7 to 4; SMX 0 is busy with block 2.
    let second = [1, 1, 1000, 10, 10, 10, 10, 10];
    let record = golden("ikra/steal", 2, slots(1), &repeated(kernel(8), &[&first, &second]));
    assert_eq!(dispatched(&record, 0, 3), (1, 105 + 1 + 4));
    assert_eq!(record.finished[0], (0, 2110 + 1));
    assert_eq!(order(&record, 1, 1)[..5], [3, 7, 6, 5, 4]);
    assert_eq!(dispatched(&record, 1, 3), (1, 2113));
    assert_eq!(dispatched(&record, 1, 4), (1, 2153), "reported in 2163");
    assert_eq!(dispatched(&record, 1, 0), (1, 2163 + 1 + 4));
}

#[test]
fn a_single_smx_has_nobody_to_steal_from_whatever_it_waits_for() {
    let work = repeated(kernel(7), &[&[30, 1, 50], &[4, 90, 2]]);
    let runs = ["executed", "dispatched"]
        .map(|thief| golden(&format!("ikra/steal(thief={thief})"), 1, slots(2), &work));
    assert_eq!(runs[0].finished.len(), 2);
    assert_eq!((order(&runs[0], 0, 0).len(), order(&runs[0], 1, 0).len()), (7, 7));
    assert_eq!(runs[0].issues, runs[1].issues);
    assert_eq!(runs[0].finished, runs[1].finished);
}

#[test]
fn a_reset_clears_that_the_work_is_done() {
    let work = [Work::new(0, kernel(6), &[1, 1, 1, 1000, 1, 1])];
    let composition = "ikra/steal".parse().unwrap();
    let mut scheduler = crate::build(&composition, 2, slots(1));
    let limits = slots(1);
    let new = run(scheduler.as_mut(), limits, &work, 80, false);
    assert!(new.share(0, 0) > 3, "SMX 0 has stolen when the run is cut off");
    scheduler.cycle(&Inputs { reset: true, ..Inputs::idle(2) }, &mut Outputs::idle(2));
    let again = run(scheduler.as_mut(), limits, &work, 80, false);
    assert_eq!(again, new);
}
