use proptest::prelude::*;

use super::super::Class::{self, General, Predicate};
use super::super::{Lifetimes, Node, Slots};
use super::arbitrary::function;
use super::liveness_reference::needed;
use super::row;

fn slots(nodes: &[Node], classes: &[Class]) -> Slots {
    Slots::new(&Lifetimes::new(nodes, classes.len()), classes).expect("few registers")
}

#[test]
fn a_function_without_instructions_needs_no_slots() {
    let none = Slots { slot_of: vec![0], general: 0, predicates: 0 };
    assert_eq!(slots(&[], &[General]), none);
}

#[test]
fn a_register_that_no_instruction_names_needs_no_slot() {
    let nodes = row(&[(&[], &[1]), (&[1], &[])]);
    let one = Slots { slot_of: vec![0, 0], general: 1, predicates: 0 };
    assert_eq!(slots(&nodes, &[General; 2]), one);
}

#[test]
fn a_register_that_nobody_reads_needs_a_slot_where_it_is_written() {
    let nodes = row(&[(&[], &[0]), (&[], &[1]), (&[0], &[])]);
    let two = Slots { slot_of: vec![0, 1], general: 2, predicates: 0 };
    assert_eq!(slots(&nodes, &[General; 2]), two);
}

#[test]
fn all_that_one_instruction_writes_lies_apart() {
    let nodes = row(&[(&[], &[0, 1, 2])]);
    assert_eq!(slots(&nodes, &[General; 3]).slot_of, [0, 1, 2]);
}

#[test]
fn a_result_may_take_the_slot_of_an_operand_read_last() {
    let nodes = row(&[(&[], &[0]), (&[0], &[1]), (&[1], &[])]);
    let one = Slots { slot_of: vec![0, 0], general: 1, predicates: 0 };
    assert_eq!(slots(&nodes, &[General; 2]), one);
}

#[test]
fn predicates_are_counted_apart() {
    let nodes = row(&[(&[], &[0]), (&[0], &[1]), (&[0, 1], &[])]);
    let apart = Slots { slot_of: vec![0, 0], general: 1, predicates: 1 };
    assert_eq!(slots(&nodes, &[General, Predicate]), apart);
}

#[test]
fn a_register_may_lie_in_the_hole_of_another() {
    // 0 rests between 1 and 3: 1 has room there, 2 does not.
    let nodes = row(&[(&[], &[0]), (&[0], &[1]), (&[1], &[]), (&[], &[0, 2]), (&[0, 2], &[])]);
    let two = Slots { slot_of: vec![0, 0, 1], general: 2, predicates: 0 };
    assert_eq!(slots(&nodes, &[General; 3]), two);
}

#[test]
fn a_register_too_long_for_a_hole_lies_elsewhere() {
    let nodes = row(&[(&[], &[0]), (&[0], &[1]), (&[], &[0]), (&[0, 1], &[])]);
    assert_eq!(slots(&nodes, &[General; 2]).slot_of, [0, 1]);
}

#[test]
fn what_is_read_unwritten_shares_its_slot_with_nothing_before() {
    // Only one way writes 1, so that 0 must not have its slot at first.
    let mut nodes = row(&[(&[], &[0]), (&[0], &[]), (&[], &[1]), (&[1], &[])]);
    nodes[1].successors = vec![2, 3];
    assert_eq!(slots(&nodes, &[General; 2]).slot_of, [1, 0]);
}

#[test]
fn more_registers_at_once_than_numbers_have_no_slots() {
    let most = |count: u32| {
        let nodes = row(&[(&[], &(0..count).collect::<Vec<u32>>())]);
        let classes = vec![General; count as usize];
        Slots::new(&Lifetimes::new(&nodes, classes.len()), &classes)
    };
    assert_eq!(most(65_535).map(|slots| slots.general), Some(65_535));
    assert_eq!(most(65_536), None);
}

#[test]
fn long_functions_of_short_lives_need_few_slots() {
    // 5,000 ifs: each writes a register that the 39th after it reads, and one for its body alone.
    let mut nodes = Vec::new();
    for at in 0..5_000u32 {
        let (long, short, next) = (2 * at, 2 * at + 1, 4 * at);
        let old = 2 * at.saturating_sub(39);
        for (reads, writes, successors) in [
            (vec![old], vec![long], vec![next + 1, next + 3]),
            (vec![long], vec![short], vec![next + 2]),
            (vec![short], vec![], vec![next + 3]),
            (vec![long], vec![], vec![next + 4]),
        ] {
            nodes.push(Node { reads, writes, successors, ..Node::default() });
        }
    }
    assert_eq!(slots(&nodes, &[General; 10_000]).general, 40);
}

/// Registers of the function `nodes` that are needed at once, at the point where these are most.
fn most_at_once(nodes: &[Node], registers: impl Iterator<Item = u32>) -> usize {
    let needed: Vec<Vec<bool>> = registers.map(|one| needed(nodes, one).concat()).collect();
    let at_once = |point: usize| needed.iter().filter(|needed| needed[point]).count();
    (0..2 * nodes.len()).map(at_once).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn registers_needed_at_once_share_no_slot(nodes in function(8)) {
        let classes: Vec<Class> =
            (0..8).map(|register| if register % 4 == 3 { Predicate } else { General }).collect();
        let slots = slots(&nodes, &classes);
        let needed: Vec<Vec<bool>> = (0..8).map(|one| needed(&nodes, one).concat()).collect();
        for one in 0..8 {
            let count = if one % 4 == 3 { slots.predicates } else { slots.general };
            prop_assert!(slots.slot_of[one] < count || !needed[one].contains(&true));
            for other in (0..one).filter(|&other| classes[other] == classes[one]) {
                let together = needed[one].iter().zip(&needed[other]).any(|(a, b)| *a && *b);
                prop_assert!(!together || slots.slot_of[one] != slots.slot_of[other]);
            }
        }
        let least = most_at_once(&nodes, (0..8).filter(|register| register % 4 != 3));
        prop_assert!(usize::from(slots.general) >= least);
    }

    #[test]
    fn lives_without_holes_take_no_slot_more_than_needed(
        reads in proptest::collection::vec(proptest::collection::vec(0u32..30, 0..4), 30),
    ) {
        // Every instruction writes a register of its own and reads some written before it.
        let nodes: Vec<Node> = (0..30)
            .zip(&reads)
            .map(|(at, reads)| Node {
                reads: reads.iter().copied().filter(|&register| register < at).collect(),
                writes: vec![at],
                successors: vec![at + 1],
                ..Node::default()
            })
            .collect();
        let slots = slots(&nodes, &[General; 30]);
        prop_assert_eq!(usize::from(slots.general), most_at_once(&nodes, 0..30));
    }
}
