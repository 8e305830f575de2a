use proptest::prelude::*;

use super::super::{Lifetimes, Node};
use super::arbitrary::function;
use super::liveness_reference::needed;
use super::row;

/// The lifetime of the only register: beginning and end of each range.
fn lifetime(nodes: &[Node]) -> Vec<(u32, u32)> {
    Lifetimes::new(nodes, 1).ranges(0).iter().map(|range| (range.start, range.end)).collect()
}

#[test]
fn a_function_without_instructions_needs_nothing() {
    assert_eq!(lifetime(&[]), []);
    assert_eq!(Lifetimes::new(&[], 1).pressure(&[1]), 0);
    assert_eq!(Lifetimes::new(&[], 0).pressure(&[]), 0);
}

#[test]
fn a_register_lives_from_its_write_to_its_last_read() {
    let nodes = row(&[(&[], &[0]), (&[0], &[]), (&[0], &[]), (&[], &[])]);
    assert_eq!(lifetime(&nodes), [(1, 5)]);
}

#[test]
fn a_register_that_nobody_reads_lives_where_it_is_written() {
    assert_eq!(lifetime(&row(&[(&[], &[0])])), [(1, 2)]);
}

#[test]
fn a_register_that_nobody_writes_lives_from_the_beginning() {
    assert_eq!(lifetime(&row(&[(&[], &[]), (&[0], &[])])), [(0, 3)]);
}

#[test]
fn a_register_rests_between_a_read_and_the_next_write() {
    let nodes = row(&[(&[], &[0]), (&[0], &[]), (&[], &[]), (&[], &[0]), (&[0], &[])]);
    assert_eq!(lifetime(&nodes), [(1, 3), (7, 9)]);
}

#[test]
fn a_guarded_write_keeps_the_old_value_alive() {
    let mut nodes = row(&[(&[], &[0]), (&[], &[0]), (&[0], &[])]);
    assert_eq!(lifetime(&nodes), [(1, 2), (3, 5)]);
    nodes[1].keeps = true;
    assert_eq!(lifetime(&nodes), [(1, 5)]);
}

#[test]
fn a_guarded_write_that_nobody_reads_needs_no_old_value() {
    let mut nodes = row(&[(&[], &[0]), (&[], &[]), (&[], &[0])]);
    nodes[2].keeps = true;
    assert_eq!(lifetime(&nodes), [(1, 2), (5, 6)]);
}

#[test]
fn a_register_lives_over_the_way_back_of_a_loop() {
    // 1: reads; 2: writes and goes back or on.
    let mut nodes = row(&[(&[], &[0]), (&[0], &[]), (&[], &[0]), (&[], &[])]);
    nodes[2].successors = vec![1, 3];
    assert_eq!(lifetime(&nodes), [(1, 3), (5, 6)]);
    nodes[3].reads = vec![0];
    assert_eq!(lifetime(&nodes), [(1, 3), (5, 7)]);
}

#[test]
fn a_register_from_before_a_loop_lives_through_all_of_it() {
    let mut nodes = row(&[(&[], &[0]), (&[0], &[]), (&[], &[]), (&[], &[])]);
    nodes[2].successors = vec![1, 3];
    assert_eq!(lifetime(&nodes), [(1, 6)]);
}

#[test]
fn pressure_counts_sizes_where_most_is_needed() {
    // 0 and 1 are needed at once; 2 takes the place of both.
    let nodes = row(&[(&[], &[0]), (&[], &[1]), (&[0, 1], &[2]), (&[2], &[])]);
    let pressure = |sizes: &[u8]| Lifetimes::new(&nodes, 3).pressure(sizes);
    assert_eq!(pressure(&[1, 1, 1]), 2);
    assert_eq!(pressure(&[2, 1, 1]), 3);
    assert_eq!(pressure(&[2, 2, 1]), 4);
    assert_eq!(pressure(&[0, 1, 2]), 2);
    assert_eq!(pressure(&[0, 0, 0]), 0);
}

#[test]
fn pressure_counts_what_is_written_and_not_read() {
    let nodes = row(&[(&[], &[0]), (&[], &[1, 2, 2]), (&[0], &[])]);
    assert_eq!(Lifetimes::new(&nodes, 3).pressure(&[1, 1, 1]), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lifetimes_are_where_a_thread_may_still_read(nodes in function(4)) {
        let lifetimes = Lifetimes::new(&nodes, 4);
        let mut sums = vec![0; 2 * nodes.len()];
        for register in 0..4 {
            let ranges = lifetimes.ranges(register);
            prop_assert!(ranges.iter().all(|range| range.start < range.end));
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            let needed = needed(&nodes, register as u32).concat();
            for (point, needed) in needed.into_iter().enumerate() {
                let lives = ranges.iter().any(|range| range.contains(&(point as u32)));
                prop_assert_eq!(lives, needed, "register {} at {}", register, point);
                sums[point] += if lives { register as u32 } else { 0 };
            }
        }
        let most = sums.into_iter().max().unwrap_or(0);
        prop_assert_eq!(lifetimes.pressure(&[0, 1, 2, 3]), most);
    }
}
