//! R-MAT graphs with the parameters of Graph500: few vertices of very high degree.
//!
//! Each edge descends `scale` times into one of the four quadrants of the adjacency matrix, chosen
//! with probabilities A, B, C and D. As in Graph500 (specification, section 3, Kronecker
//! generator), vertices are renamed by a random permutation afterwards, or the busiest ones would
//! all be in the first thread block. The order of edges is random by construction; duplicates and
//! self loops are kept, as Graph500's edge list has them.

use rand::{seq::SliceRandom, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::graph::{Csr, EdgeList};

/// Probability of the quadrant in which both vertices are in the lower half.
const A: f64 = 0.57;
/// Probability of the quadrant in which only the target is in the upper half.
const B: f64 = 0.19;
/// Probability of the quadrant in which only the source is in the upper half.
const C: f64 = 0.19;

/// A directed R-MAT graph of `2^scale` vertices and `edge_factor * 2^scale` edges.
///
/// # Panics
/// When vertices or edges do not count in 32 bits.
pub fn rmat(scale: u32, edge_factor: u32, seed: u64) -> Csr {
    let vertices = 1u32.checked_shl(scale).expect("vertices count in 32 bits");
    let edges = vertices.checked_mul(edge_factor).expect("edges count in 32 bits");
    let mut random = Pcg64::seed_from_u64(seed);
    let mut names: Vec<u32> = (0..vertices).collect();
    names.shuffle(&mut random);
    let mut list = EdgeList::new(vertices);
    for _ in 0..edges {
        let (mut source, mut target) = (0usize, 0usize);
        for _ in 0..scale {
            let quadrant: f64 = random.random();
            let (down, right) = match quadrant {
                q if q < A => (0, 0),
                q if q < A + B => (0, 1),
                q if q < A + B + C => (1, 0),
                _ => (1, 1),
            };
            source = source << 1 | down;
            target = target << 1 | right;
        }
        list.push(names[source], names[target]);
    }
    Csr::from_edges(&list)
}
