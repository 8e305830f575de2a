//! The plain search with a queue against which the kernels are checked.

use std::collections::VecDeque;

use super::UNVISITED;
use crate::graph::Csr;

/// The level of every vertex: its distance in edges from `source`, or [`UNVISITED`].
///
/// # Panics
/// When `source` is not a vertex.
pub fn reference_bfs(csr: &Csr, source: u32) -> Vec<u32> {
    let mut levels = vec![UNVISITED; csr.vertices() as usize];
    levels[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        for &next in csr.neighbours(vertex) {
            if levels[next as usize] == UNVISITED {
                levels[next as usize] = levels[vertex as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    levels
}
