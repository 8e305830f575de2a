//! Reconvergence by definition, against which the fast one is compared.

use proptest::prelude::*;

use super::super::{reconvergence, Node};
use super::arbitrary::function;

/// Where each instruction may go; `nodes.len()` is the exit. Loops without a way out get one at
/// their last instruction.
fn edges(nodes: &[Node]) -> Vec<Vec<usize>> {
    let exit = nodes.len();
    let to = |node: &Node| match node.successors.as_slice() {
        [] => vec![exit],
        some => some.iter().map(|&to| (to as usize).min(exit)).collect(),
    };
    let mut edges: Vec<Vec<usize>> = nodes.iter().map(to).chain([Vec::new()]).collect();
    let reach: Vec<Vec<bool>> = (0..exit).map(|from| reached(&edges, from, None)).collect();
    for node in 0..exit {
        let mut behind = (0..=exit).filter(|&other| reach[node][other]);
        let closed = behind.all(|other| other != exit && reach[other][node]);
        let last = (node + 1..exit).all(|other| !reach[node][other]);
        if closed && last {
            edges[node].push(exit);
        }
    }
    edges
}

/// What can be reached from `from` (itself included) without passing `removed`.
fn reached(edges: &[Vec<usize>], from: usize, removed: Option<usize>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        if Some(node) != removed && !std::mem::replace(&mut reached[node], true) {
            waiting.extend(&edges[node]);
        }
    }
    reached
}

/// The nearest of the instructions without which no way leads from `node` to the exit.
fn meets(edges: &[Vec<usize>], node: usize) -> Option<u32> {
    let exit = edges.len() - 1;
    let passed = |from: usize| {
        let misses = move |removed: &usize| !reached(edges, from, Some(*removed))[exit];
        (0..exit).filter(move |removed| *removed != from).filter(misses)
    };
    // The nearest is passed before all others: they are all passed on the way from it as well.
    let all = passed(node).count();
    passed(node).find(|&nearest| passed(nearest).count() + 1 == all).map(|nearest| nearest as u32)
}

/// Whether `point` may be where lanes part at `node` that have only the end of all in common:
/// whether all ways to one of the ends pass it, and two successors lead there without passing
/// `node` again.
fn may_meet(edges: &[Vec<usize>], node: usize, point: usize) -> bool {
    let exit = edges.len() - 1;
    let ends = (0..exit).filter(|&end| edges[end].contains(&exit));
    ends.into_iter().any(|end| {
        let leads = |&to: &usize| to != node && reached(edges, to, Some(node))[end];
        let mut ways: Vec<usize> = edges[node].iter().copied().filter(leads).collect();
        ways.sort_unstable();
        ways.dedup();
        point != node && ways.len() > 1 && !reached(edges, node, Some(point))[end]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lanes_meet_where_no_way_leads_round(nodes in function(1)) {
        let edges = edges(&nodes);
        for (index, (node, found)) in nodes.iter().zip(reconvergence(&nodes)).enumerate() {
            let expected = meets(&edges, index).filter(|_| node.successors.len() > 1);
            match found {
                Some(found) if expected.is_none() && node.successors.len() > 1 => {
                    prop_assert!(may_meet(&edges, index, found as usize), "{index} {found}");
                }
                found => {
                    prop_assert_eq!(found, expected, "{}", index);
                    let mut points = (0..nodes.len()).filter(|_| node.successors.len() > 1);
                    let missed = points.find(|&point| may_meet(&edges, index, point));
                    prop_assert!(found.is_some() || missed.is_none(), "{index} {missed:?}");
                }
            }
        }
    }
}
