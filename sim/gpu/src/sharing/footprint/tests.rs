use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Blocks by parent, unit and lines.
fn footprint(blocks: &[(Option<u32>, usize, &[u64])]) -> Footprint {
    let all: Vec<Block> =
        blocks.iter().map(|(parent, unit, _)| Block { parent: *parent, unit: *unit }).collect();
    let lines: Vec<Vec<u64>> = blocks.iter().map(|(.., lines)| lines.to_vec()).collect();
    of(&all, &lines)
}

fn seen(average: Average) -> (u64, Option<f64>) {
    (average.count, average.ratio())
}

#[test]
fn a_parent_and_two_children_that_share_two_lines() {
    let seen_of = footprint(&[
        (None, 0, &[1, 2, 3, 10]),
        // Together 1, 2, 4, 5, 6, of which the parent has 1 and 2.
        (Some(0), 1, &[1, 4, 5]),
        (Some(0), 2, &[2, 4, 5, 6]),
    ]);
    assert_eq!(seen(seen_of.parent_child), (1, Some(2.0 / 5.0)));
    // 4 and 5, of four lines of the second and three of the first.
    assert_eq!(seen(seen_of.child_sibling), (2, Some((2.0 / 4.0 + 2.0 / 3.0) / 2.0)));
    assert_eq!(seen(seen_of.parent_parents), (0, None), "it is the only block of its kernel");
}

#[test]
fn children_of_another_parent_are_no_siblings_and_blocks_of_a_parent_kernel_are_parents() {
    let seen_of = footprint(&[
        (None, 0, &[1, 2]),
        (None, 0, &[2, 3]),
        // It launches nothing.
        (None, 0, &[3, 4, 5]),
        // No block of this kernel launches.
        (None, 1, &[1, 2, 3]),
        (Some(0), 2, &[1, 7]),
        (Some(1), 2, &[7, 8]),
    ]);
    assert_eq!(seen(seen_of.parent_child), (2, Some((0.5 + 0.0) / 2.0)));
    assert_eq!(seen(seen_of.child_sibling), (0, None));
    // 2 of 2, 3, 4, 5; 2 and 3 of 1, 2, 3, 4, 5; 3 of 1, 2, 3.
    let expected = (1.0 / 4.0 + 2.0 / 5.0 + 1.0 / 3.0) / 3.0;
    assert_eq!(seen(seen_of.parent_parents), (3, Some(expected)));
}

#[test]
fn a_child_that_launches_is_a_parent_in_turn() {
    let seen_of = footprint(&[(None, 0, &[1]), (Some(0), 1, &[1, 2]), (Some(1), 2, &[2, 3, 4, 5])]);
    assert_eq!(seen(seen_of.parent_child), (2, Some((0.5 + 0.25) / 2.0)));
}

#[test]
fn who_touches_nothing_shares_nothing_and_is_no_denominator() {
    let seen_of = footprint(&[(None, 0, &[1]), (Some(0), 1, &[]), (Some(0), 1, &[])]);
    assert_eq!(seen_of, Footprint::default());
    // Beside one that touches something, the ratio of the other one has a denominator.
    let seen_of = footprint(&[(None, 0, &[1]), (Some(0), 1, &[]), (Some(0), 1, &[1])]);
    assert_eq!(seen(seen_of.parent_child), (1, Some(1.0)));
    assert_eq!(seen(seen_of.child_sibling), (1, Some(0.0)));
}

proptest! {
    #[test]
    fn ratios_are_those_of_sets(
        lines in prop::collection::vec(prop::collection::btree_set(0_u64..12, 0..8), 1..7),
    ) {
        // The first one is the parent of all others.
        let blocks: Vec<Block> = (0..lines.len())
            .map(|number| Block { parent: (number > 0).then_some(0), unit: number.min(1) })
            .collect();
        let sorted: Vec<Vec<u64>> =
            lines.iter().map(|set| set.iter().copied().collect()).collect();
        let mut expected = Footprint::default();
        let union = |without: usize| -> BTreeSet<u64> {
            let others = lines.iter().enumerate().skip(1).filter(|(number, _)| *number != without);
            others.flat_map(|(_, set)| set.iter().copied()).collect()
        };
        let children = union(0);
        expected.parent_child.add(lines[0].intersection(&children).count(), children.len());
        for (number, own) in lines.iter().enumerate().skip(1) {
            let siblings = union(number);
            expected.child_sibling.add(own.intersection(&siblings).count(), siblings.len());
        }
        prop_assert_eq!(of(&blocks, &sorted), expected);
    }
}
