//! Uniform random graphs (Erdos and Renyi's G(n, M), with replacement).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::graph::{Csr, EdgeList};

/// `edges` directed edges between vertices drawn independently and uniformly: duplicates and self
/// loops occur, and rare as they are in sparse graphs, they are kept.
///
/// # Panics
/// When there are edges but no vertices.
pub fn uniform(vertices: u32, edges: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut list = EdgeList::new(vertices);
    for _ in 0..edges {
        let source = random.random_range(0..vertices);
        list.push(source, random.random_range(0..vertices));
    }
    Csr::from_edges(&list)
}
