//! Breadth-first search with a queue: what graphs say of themselves, and what kernels are checked
//! against.

use std::collections::VecDeque;

use super::Csr;

/// The level of a vertex that the search has not reached.
pub const UNVISITED: u32 = u32::MAX;

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
