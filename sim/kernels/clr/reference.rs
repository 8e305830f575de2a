//! The colouring one vertex after the other, against which the kernels are checked.

use std::cmp::Reverse;

use blockyard_workloads::graph::Csr;

use crate::graphs::priority;

/// The colour of every vertex of `csr`, an undirected graph: in order of falling priority, one more
/// than the highest colour among the neighbours that have one, from 0.
///
/// A vertex is the highest of those left in the round after that of its last higher neighbour: so
/// this is the round in which the kernels colour it.
pub fn reference_clr(csr: &Csr, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..csr.vertices()).collect();
    order.sort_unstable_by_key(|&vertex| Reverse(priority(vertex, seed)));
    let mut colours: Vec<Option<u32>> = vec![None; order.len()];
    for vertex in order {
        let neighbours = csr.neighbours(vertex).iter();
        let highest = neighbours.filter_map(|&next| colours[next as usize]).max();
        colours[vertex as usize] = Some(highest.map_or(0, |colour| colour + 1));
    }
    colours.into_iter().flatten().collect()
}
