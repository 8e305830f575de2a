use super::super::reconvergence;
use super::graph;

/// The reconvergence points of those instructions that have one.
fn points(successors: &[&[u32]]) -> Vec<(usize, u32)> {
    let points = reconvergence(&graph(successors));
    assert_eq!(points.len(), successors.len());
    points.into_iter().enumerate().filter_map(|(at, point)| Some((at, point?))).collect()
}

#[test]
fn a_function_without_instructions_has_no_points() {
    assert_eq!(points(&[]), []);
}

#[test]
fn one_instruction_has_no_point() {
    assert_eq!(points(&[&[]]), []);
    assert_eq!(points(&[&[1]]), []);
    assert_eq!(points(&[&[0]]), []);
    assert_eq!(points(&[&[0, 1]]), []);
    assert_eq!(points(&[&[0, 0]]), []);
}

#[test]
fn an_if_meets_behind_its_body() {
    assert_eq!(points(&[&[1, 2], &[2], &[]]), [(0, 2)]);
}

#[test]
fn an_if_with_else_meets_behind_both() {
    assert_eq!(points(&[&[1, 3], &[2], &[4], &[4], &[5], &[]]), [(0, 4)]);
}

#[test]
fn a_branch_whose_ways_are_one_meets_there() {
    assert_eq!(points(&[&[1, 1], &[]]), [(0, 1)]);
}

#[test]
fn an_if_within_an_if_meets_before_the_outer_one() {
    let successors: &[&[u32]] = &[&[1, 4], &[2, 3], &[3], &[5], &[5], &[]];
    assert_eq!(points(successors), [(0, 5), (1, 3)]);
}

#[test]
fn a_loop_meets_behind_its_way_out() {
    // Tested at the end, then at the beginning.
    assert_eq!(points(&[&[1], &[2], &[1, 3], &[]]), [(2, 3)]);
    assert_eq!(points(&[&[1], &[2, 3], &[1], &[]]), [(1, 3)]);
}

#[test]
fn break_and_continue_of_nested_loops_meet_where_all_ways_do() {
    let successors: &[&[u32]] = &[
        &[1],    // 0
        &[2, 8], // 1 outer loop: on, or out
        &[3, 7], // 2 inner loop: on, or out
        &[4, 7], // 3 break of the inner loop
        &[5, 6], // 4 continue of the inner loop
        &[6],    // 5
        &[2],    // 6 next round of the inner loop
        &[1],    // 7 next round of the outer loop
        &[],     // 8
    ];
    assert_eq!(points(successors), [(1, 8), (2, 7), (3, 7), (4, 6)]);
}

#[test]
fn a_break_of_two_loops_meets_behind_the_outer_one() {
    // 3 leaves both loops.
    let successors: &[&[u32]] = &[&[1], &[2, 6], &[3, 5], &[4, 6], &[2], &[1], &[]];
    assert_eq!(points(successors), [(1, 6), (2, 6), (3, 6)]);
}

#[test]
fn an_early_return_leaves_only_the_end_to_meet_at() {
    assert_eq!(points(&[&[1, 2], &[], &[3, 4], &[4], &[]]), [(2, 4)]);
}

#[test]
fn a_guarded_return_leaves_only_the_end_to_meet_at() {
    assert_eq!(points(&[&[1, 9], &[]]), []);
}

#[test]
fn a_return_in_an_if_does_not_keep_the_other_lanes_apart() {
    // 2 returns; the rest meets at 4, from where two returns follow.
    assert_eq!(points(&[&[1, 4], &[2, 3], &[], &[4], &[5, 6], &[], &[]]), [(0, 4)]);
    // Both arms return, and nobody comes from there.
    assert_eq!(points(&[&[1, 2], &[], &[]]), []);
}

#[test]
fn a_return_out_of_a_loop_waits_for_nobody() {
    // 1 and 3 leave; a barrier may stand in 2.
    assert_eq!(points(&[&[1, 2], &[], &[3, 4], &[], &[0]]), []);
}

#[test]
fn a_failed_assertion_in_a_loop_does_not_keep_the_lanes_apart() {
    let mut nodes = graph(&[&[1, 4], &[2, 3], &[0], &[], &[]]);
    nodes[3].fails = true;
    assert_eq!(reconvergence(&nodes), [Some(4), Some(2), None, None, None]);
    // Where nothing but failures follows they are ends as all others.
    let mut nodes = graph(&[&[1, 2], &[3], &[3], &[]]);
    nodes[3].fails = true;
    assert_eq!(reconvergence(&nodes), [Some(3), None, None, None]);
}

#[test]
fn all_ways_of_a_switch_meet_behind_it() {
    // One falls through into the next; one is the default.
    assert_eq!(points(&[&[1, 2, 3, 4], &[4], &[3], &[4], &[]]), [(0, 4)]);
}

#[test]
fn lanes_in_a_loop_without_a_way_out_meet_before_they_go_round() {
    assert_eq!(points(&[&[1, 2], &[3], &[3], &[0]]), [(0, 3)]);
}

#[test]
fn a_loop_without_a_way_out_ends_beside_the_rest() {
    // Only the end is common to the loop of 1 and to 2; the branches in both ways meet.
    let successors: &[&[u32]] = &[&[1, 5], &[2, 3], &[4], &[4], &[1], &[6, 7], &[7], &[]];
    assert_eq!(points(successors), [(1, 4), (5, 7)]);
}

#[test]
fn two_loops_without_a_way_out_end_apart() {
    assert_eq!(points(&[&[1, 2], &[1], &[2]]), []);
}

#[test]
fn code_that_nothing_reaches_changes_no_point() {
    // 3 jumps into the if, and has branches of its own.
    let successors: &[&[u32]] = &[&[1, 2], &[2], &[], &[1, 4], &[1]];
    assert_eq!(points(successors), [(0, 2), (3, 1)]);
}

#[test]
fn a_loop_with_two_ways_in_has_points() {
    assert_eq!(points(&[&[1, 2], &[2], &[1, 3], &[]]), [(0, 2), (2, 3)]);
}

#[test]
fn long_functions_are_no_matter_of_depth() {
    // 20,000 ifs, each with its body, then 20,000 loops within each other.
    let count = 20_000;
    let mut nodes = Vec::new();
    for at in 0..count {
        nodes.push(super::go(&[2 * at + 1, 2 * at + 2]));
        nodes.push(super::go(&[2 * at + 2]));
    }
    for at in 0..count {
        nodes.push(super::go(&[2 * count - 1 - at, 2 * count + at + 1]));
    }
    nodes.push(super::go(&[]));
    let points = reconvergence(&nodes);
    assert_eq!(points[0], Some(2));
    assert_eq!(points[2 * count as usize], Some(2 * count + 1));
}
