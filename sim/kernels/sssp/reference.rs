//! Dijkstra's algorithm, against which the kernels are checked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use blockyard_workloads::graph::Csr;

use super::{FARTHEST, UNREACHED};

/// The length of the shortest path from `source` to every vertex, at most [`FARTHEST`];
/// [`UNREACHED`] where there is none. `weights` are parallel to the columns of `csr`.
///
/// # Panics
/// When `source` is not a vertex, or an edge has no weight.
pub fn reference_sssp(csr: &Csr, weights: &[u32], source: u32) -> Vec<u32> {
    let mut distances = vec![UNREACHED; csr.vertices() as usize];
    distances[source as usize] = 0;
    let mut open = BinaryHeap::from([Reverse((0, source))]);
    while let Some(Reverse((distance, vertex))) = open.pop() {
        if distance > distances[vertex as usize] {
            continue;
        }
        let first = csr.offsets()[vertex as usize] as usize;
        for (&next, &weight) in csr.neighbours(vertex).iter().zip(&weights[first..]) {
            let length = distance.saturating_add(weight).min(FARTHEST);
            if length < distances[next as usize] {
                distances[next as usize] = length;
                open.push(Reverse((length, next)));
            }
        }
    }
    distances
}
