//! Citation networks: degrees by a power law, in communities of vertices that are close in number.
//!
//! A vertex cites earlier ones in proportion to 1 more than they are cited (Price, J. Am. Soc. Inf.
//! Sci. 1976): those of its own community, or any. How many it cites falls off exponentially
//! (Vazquez, cond-mat/0105031). The sizes of communities follow a power law (exponent 2:
//! Lancichinetti, Fortunato, Radicchi, Phys. Rev. E 2008, take 1 to 2). The graph is undirected, as
//! citationCiteseer of the 10th DIMACS challenge, with 8.6 neighbours a vertex and at most 1,318.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::geometric::Geometric;
use super::undirected::{targets, undirected};
use crate::graph::Csr;

/// Vertices of the smallest community.
const SMALLEST: u32 = 16;
/// Vertices of the largest community.
const LARGEST: u32 = 2048;

/// An undirected citation network, about `degree` neighbours a vertex; of 1000 edges about `far`
/// leave the community.
///
/// # Panics
/// When `degree` is less than 2, or edges do not count in 32 bits.
pub fn citation(vertices: u32, degree: u32, far: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let counts = Geometric::of_mean(f64::from(degree) / 2.0);
    let mut pairs = Vec::new();
    // Every vertex once, and again for each time that it is cited: in all, and in the community.
    let (mut all, mut own) = (Vec::new(), Vec::new());
    let (mut begin, mut end) = (0, 0);
    for vertex in 0..vertices {
        if vertex == end {
            let larger = 1.0 - random.random::<f64>();
            let size = (f64::from(SMALLEST) / larger).min(f64::from(LARGEST)) as u32;
            (begin, end) = (vertex, vertex.saturating_add(size));
            own.clear();
        }
        let count = if all.is_empty() { 0 } else { counts.draw(&mut random) };
        let cited = targets(vertex, count, || {
            let leaves = own.is_empty() || random.random_range(0..1000) < far;
            let from = if leaves { &all } else { &own };
            from[random.random_range(0..from.len())]
        });
        all.push(vertex);
        all.extend(&cited);
        own.push(vertex);
        own.extend(cited.iter().filter(|&&target| target >= begin));
        pairs.extend(cited.into_iter().map(|target| (vertex, target)));
    }
    Csr::from_edges(&undirected(vertices, &pairs))
}
