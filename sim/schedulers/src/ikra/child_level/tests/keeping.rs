//! What is kept from one tenant to the next: rules 24 and 27.

use super::*;

#[test]
fn what_was_stolen_belongs_to_the_thief_in_the_next_kernel_of_that_home_and_grid() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 4);
    assert_eq!(bench.steal(1, 0, true), 3, "the far block");
    assert_eq!(bench.queue(1), None, "it has run");
    assert_eq!(bench.run_chunk(0), [0, 1, 2]);
    bench.end(5);
    bench.begin(0, 6, 4);
    assert_eq!(bench.queue(1), Some((6, 3)), "of the kernel that runs now");
    assert_eq!(bench.run_queue(1), [3]);
    assert_eq!(bench.run_chunk(0), [2, 1, 0], "without it");
    bench.end(6);
}

#[test]
fn a_queue_runs_from_its_near_end_in_the_direction_of_its_home() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 5);
    assert_eq!([0; 2].map(|_| bench.steal(1, 0, true)), [4, 3]);
    bench.run_chunk(0);
    bench.end(5);
    // Backward: the near end is the top, where the last one was put.
    bench.begin(0, 5, 5);
    assert_eq!(bench.run_queue(1), [3, 4]);
    assert_eq!(bench.run_chunk(0), [2, 1, 0]);
    bench.end(5);
    bench.begin(0, 5, 5);
    assert_eq!(bench.run_queue(1), [4, 3]);
}

#[test]
fn kernels_of_other_homes_leave_a_queue_as_it_is() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 3);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.whole(1, 6, 3);
    bench.whole(2, 7, 9);
    bench.begin(0, 5, 3);
    assert_eq!(bench.queue(1), Some((5, 2)));
}

#[test]
fn another_grid_populates_the_chunk_and_empties_the_queues_of_that_home_alone() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 3);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(1, 6, 2);
    bench.steal(2, 1, true);
    bench.run_chunk(1);
    bench.end(6);
    bench.begin(0, 5, 4);
    assert_eq!((bench.queue(1), bench.queue(2)), (None, None));
    assert_eq!(bench.run_chunk(0), [3, 2, 1, 0], "the whole of it, backward");
    bench.end(5);
    bench.begin(1, 6, 2);
    assert_eq!(bench.queue(2), Some((6, 1)), "not of that home");
}

#[test]
fn an_insertion_that_makes_a_queue_full_tells_the_home_and_the_next_chunk_is_populated() {
    let mut bench = Bench::new(2);
    bench.begin(0, 5, 4);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 4);
    assert_eq!(bench.run_queue(1), [3], "one of two entries: kept");
    // Backward: the far block is the first one.
    assert_eq!(bench.steal(1, 0, true), 0);
    assert_eq!(bench.run_chunk(0), [2, 1]);
    bench.end(5);
    bench.begin(0, 5, 4);
    assert_eq!(bench.queue(1), None);
    assert_eq!(bench.run_chunk(0), [0, 1, 2, 3]);
    bench.end(5);
    // Told no more.
    bench.begin(0, 5, 4);
    bench.steal(2, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 4);
    assert_eq!(bench.queue(2), Some((5, 0)));
}

#[test]
fn a_block_that_comes_to_a_full_queue_is_not_inserted_and_its_home_is_told() {
    let mut bench = Bench::new(2);
    bench.begin(0, 5, 6);
    assert_eq!([0; 3].map(|_| bench.steal(1, 0, true)), [5, 4, 3]);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 6);
    assert_eq!(bench.run_chunk(0), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn a_queue_holds_blocks_of_one_home_and_a_block_of_another_one_tells_its_own() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 3);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(2, 6, 3);
    assert_eq!(bench.steal(1, 2, true), 2);
    bench.run_chunk(2);
    bench.end(6);
    bench.begin(2, 6, 3);
    assert_eq!(bench.queue(1), None, "it was not inserted");
    assert_eq!(bench.run_chunk(2), [2, 1, 0], "told: all of them again");
    bench.end(6);
    bench.begin(0, 5, 3);
    assert_eq!(bench.queue(1), Some((5, 2)), "what it holds was not told");
}

#[test]
fn a_queue_whose_last_block_was_stolen_takes_those_of_any_home() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 2);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 2);
    assert_eq!(bench.steal(2, 1, false), 1, "from the queue of SMX 1, with its home");
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(2, 6, 2);
    assert_eq!(bench.steal(1, 2, true), 1);
    bench.run_chunk(2);
    bench.end(6);
    bench.begin(2, 6, 2);
    bench.begin(0, 5, 2);
    assert_eq!((bench.queue(1), bench.queue(2)), (Some((6, 1)), Some((5, 1))));
}

#[test]
fn a_block_that_comes_while_something_is_left_of_the_queue_is_not_inserted() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 4);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 4);
    // Its request was under way as the kernel began.
    assert_eq!(bench.steal(1, 0, true), 0);
    assert_eq!(bench.run_queue(1), [3], "still to run, and alone");
    assert_eq!(bench.run_chunk(0), [2, 1]);
    bench.end(5);
    bench.begin(0, 5, 4);
    assert_eq!((bench.queue(1), bench.run_chunk(0)), (None, vec![0, 1, 2, 3]), "told");
}

#[test]
fn a_block_of_another_home_that_comes_as_the_tenant_of_a_queue_begins_is_not_inserted() {
    let mut bench = Bench::new(4);
    bench.begin(0, 5, 3);
    bench.steal(1, 0, true);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(2, 6, 3);
    let loot = bench.grant(1, 2, true);
    let mut inputs = begin(0, 5, 4);
    (inputs.arrives[1], inputs.owed[1]) = (Some(loot), Some(2));
    bench.clock(&inputs);
    assert_eq!(bench.queue(1), None, "emptied, and nothing was inserted");
    bench.run_chunk(2);
    bench.end(6);
    bench.begin(2, 6, 3);
    assert_eq!((bench.queue(1), bench.run_chunk(2)), (None, vec![2, 1, 0]), "told");
}

#[test]
fn a_block_for_an_empty_queue_follows_the_direction_of_its_home() {
    let mut bench = Bench::new(4);
    bench.whole(0, 5, 4);
    // Backward: the far end of a queue is the bottom.
    bench.begin(0, 5, 4);
    assert_eq!([0; 2].map(|_| bench.steal(1, 0, true)), [0, 1]);
    bench.run_chunk(0);
    bench.end(5);
    bench.begin(0, 5, 4);
    assert_eq!(bench.run_queue(1), [1, 0], "the youngest first");
    assert_eq!(bench.run_chunk(0), [2, 3]);
}
