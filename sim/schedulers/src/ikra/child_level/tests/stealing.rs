//! What victims answer: rule 26.

use super::*;

#[test]
fn the_lowest_thief_gets_the_far_block_and_the_others_wait() {
    let mut bench = Bench::new(4);
    bench.begin(1, 5, 4);
    let inputs = requests(&[(2, 1, true), (0, 1, true)]);
    let outputs = bench.evaluate(&inputs);
    assert_eq!((outputs.granted, outputs.refused), (mask::of([0]), SmxMask::ZERO));
    let loot = Loot { home: 1, kernel: KernelEntry(5), block: block(3) };
    assert_eq!((outputs.loot[0], outputs.loot[2]), (Some(loot), None));
    bench.clock(&inputs);
    assert_eq!(bench.grant(2, 1, true).block, block(2));
    assert_eq!(bench.run_chunk(1), [0, 1]);
}

#[test]
fn all_are_refused_when_nothing_is_left_after_the_victim_s_own_dispatch() {
    let mut bench = Bench::new(4);
    bench.begin(1, 5, 1);
    let mut inputs = requests(&[(0, 1, true), (2, 1, true)]);
    inputs.take_chunk = mask::of([1]);
    let outputs = bench.evaluate(&inputs);
    assert_eq!((outputs.granted, outputs.refused), (SmxMask::ZERO, mask::of([0, 2])));
    assert_eq!(outputs.asked_needs[0], NEEDS, "before that dispatch");
    assert_eq!(bench.chunk(1), Some((5, 0)));
    bench.clock(&inputs);
    assert_eq!(bench.evaluate(&requests(&[(0, 1, true)])).asked_needs[0], BlockNeeds::default());
}

#[test]
fn a_victim_may_dispatch_and_give_the_two_last_blocks_in_one_cycle() {
    let mut bench = Bench::new(4);
    bench.begin(1, 5, 2);
    let mut inputs = requests(&[(0, 1, true)]);
    inputs.take_chunk = mask::of([1]);
    assert_eq!(bench.evaluate(&inputs).loot[0].map(|loot| loot.block), Some(block(1)));
    bench.clock(&inputs);
    assert_eq!(bench.chunk(1), None);
}

#[test]
fn a_thief_without_room_is_refused_and_nobody_waits_for_it() {
    let mut bench = Bench::new(4);
    bench.begin(1, 5, 4);
    let mut inputs = requests(&[(0, 1, true), (2, 1, true)]);
    inputs.fits = mask::of([2]);
    let outputs = bench.evaluate(&inputs);
    assert_eq!((outputs.granted, outputs.refused), (mask::of([2]), mask::of([0])));
    assert_eq!((outputs.loot[0], outputs.loot[2].unwrap().block), (None, block(3)));
    inputs.fits = SmxMask::ZERO;
    let outputs = bench.evaluate(&inputs);
    assert_eq!((outputs.granted, outputs.refused), (SmxMask::ZERO, mask::of([0, 2])));
    bench.clock(&inputs);
    assert_eq!(bench.run_chunk(1), [0, 1, 2, 3], "nothing was stolen");
}

#[test]
fn a_victim_answers_for_its_queue_and_its_chunk_in_one_cycle_each_with_its_home() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 2);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 6, 2);
    bench.begin(1, 7, 2);
    let inputs = requests(&[(0, 1, true), (2, 1, false)]);
    let outputs = bench.evaluate(&inputs);
    assert_eq!(outputs.granted, mask::of([0, 2]));
    let of_chunk = Loot { home: 1, kernel: KernelEntry(7), block: block(1) };
    let of_queue = Loot { home: 0, kernel: KernelEntry(6), block: block(1) };
    assert_eq!((outputs.loot[0], outputs.loot[2]), (Some(of_chunk), Some(of_queue)));
    bench.clock(&inputs);
    assert_eq!(bench.queue(1), None);
    assert_eq!(bench.state().ends, 0);
}

#[test]
fn a_block_stolen_from_a_queue_leaves_it_for_good_and_joins_the_thief_s() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 3);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 3);
    assert_eq!(bench.steal(2, 1, false), 2);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 3);
    assert_eq!((bench.queue(1), bench.queue(2)), (None, Some((5, 2))));
}

#[test]
fn without_a_request_nobody_is_answered() {
    let mut bench = Bench::new(4);
    bench.begin(1, 5, 4);
    let outputs = bench.evaluate(&requests(&[]));
    assert_eq!((outputs.granted, outputs.refused), (SmxMask::ZERO, SmxMask::ZERO));
    assert_eq!((outputs.loot, outputs.asked_needs), Default::default());
}
