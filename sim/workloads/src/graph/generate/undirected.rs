//! What the generators of undirected graphs share.

use crate::graph::EdgeList;

/// How often a target is drawn again that the vertex already has, before it goes without.
const TRIES: usize = 8;

/// Up to `count` different targets of `vertex`, none of them itself, from `draw`.
pub(super) fn targets(vertex: u32, count: u32, mut draw: impl FnMut() -> u32) -> Vec<u32> {
    let mut targets = Vec::new();
    for _ in 0..count {
        let mut tries = (0..TRIES).map(|_| draw());
        let new = tries.find(|target| *target != vertex && !targets.contains(target));
        targets.extend(new);
    }
    targets
}

/// The edges between `pairs` in both directions, in ascending order, each once.
pub(super) fn undirected(vertices: u32, pairs: &[(u32, u32)]) -> EdgeList {
    let mut list = EdgeList::new(vertices);
    list.edges = pairs.iter().flat_map(|&(one, other)| [(one, other), (other, one)]).collect();
    list.edges.sort_unstable();
    list.edges.dedup();
    list
}
