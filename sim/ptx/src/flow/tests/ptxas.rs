use super::super::ptxas::{leave_out_remade, registers};
use super::row;

#[test]
fn the_estimate_lies_above_the_pressure() {
    assert_eq!(registers(0, 52), 7);
    assert_eq!(registers(25, 90), 32);
}

#[test]
fn old_architectures_need_less_on_top() {
    assert_eq!(registers(20, 20), 23);
    assert_eq!(registers(20, 29), 23);
    assert_eq!(registers(20, 30), 27);
}

#[test]
fn the_estimate_stays_within_what_instructions_can_name() {
    assert_eq!(registers(60, 20), 63);
    assert_eq!(registers(61, 20), 63);
    assert_eq!(registers(57, 30), 63);
    assert_eq!(registers(57, 32), 64);
    assert_eq!(registers(248, 52), 255);
    assert_eq!(registers(249, 52), 255);
    assert_eq!(registers(u32::MAX, 90), 255);
}

#[test]
fn what_is_made_from_nothing_costs_nothing() {
    // 0 is a parameter, 1 the same in another address space, 2 computed from it.
    let nodes = row(&[(&[], &[0]), (&[0], &[1]), (&[1], &[2]), (&[2], &[])]);
    let mut sizes = [2, 2, 1];
    leave_out_remade(&nodes, &[true, true, false, false], &mut sizes);
    assert_eq!(sizes, [0, 0, 1]);
}

#[test]
fn what_is_made_from_a_computed_value_costs_as_before() {
    let nodes = row(&[(&[], &[0]), (&[0], &[1])]);
    let mut sizes = [1, 1];
    leave_out_remade(&nodes, &[false, true], &mut sizes);
    assert_eq!(sizes, [1, 1]);
}

#[test]
fn what_is_written_twice_costs_as_before() {
    let nodes = row(&[(&[], &[0]), (&[], &[0]), (&[], &[1])]);
    let mut sizes = [1, 1];
    leave_out_remade(&nodes, &[true; 3], &mut sizes);
    assert_eq!(sizes, [1, 0]);
}

#[test]
fn what_is_written_under_a_guard_costs_as_before() {
    let mut nodes = row(&[(&[], &[0])]);
    nodes[0].keeps = true;
    let mut sizes = [1];
    leave_out_remade(&nodes, &[true], &mut sizes);
    assert_eq!(sizes, [1]);
}

#[test]
fn a_function_without_instructions_leaves_nothing_out() {
    let mut sizes = [2];
    leave_out_remade(&[], &[], &mut sizes);
    assert_eq!(sizes, [2]);
}
