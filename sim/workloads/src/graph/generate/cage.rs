//! Banded graphs like the matrices of DNA electrophoresis, of which cage15 is the largest (van
//! Heukelom, Barkema, Bisseling, J. Comput. Phys. 2002).
//!
//! Most neighbours of a vertex are close in number, the farther the fewer; a few lead anywhere.
//! cage15 has 18.2 neighbours a vertex, at least 2 and at most 46 (10th DIMACS challenge). A vertex
//! draws from 1 to `degree - 1` neighbours with higher numbers, all alike often, and is drawn about
//! as often by lower ones: at 18 the standard deviation is the root of 24 (of the draws) and 9 (of
//! being drawn), 5.7.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::geometric::Geometric;
use super::undirected::{targets, undirected};
use crate::graph::Csr;

/// An undirected banded graph, about `degree` neighbours a vertex at a mean distance of `spread`
/// vertices; of 1000 edges about `far` lead anywhere.
///
/// # Panics
/// When `degree` is less than 2, `spread` is 0, or edges do not count in 32 bits.
pub fn cage(vertices: u32, degree: u32, spread: u32, far: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let distances = Geometric::of_mean(f64::from(spread));
    let mut pairs = Vec::new();
    for vertex in 0..vertices {
        let count = random.random_range(1..degree);
        let drawn = targets(vertex, count, || {
            if random.random_range(0..1000) < far {
                return random.random_range(0..vertices);
            }
            let distance = distances.draw(&mut random);
            let above = vertex + distance;
            if above < vertices {
                above
            } else {
                vertex.saturating_sub(distance)
            }
        });
        pairs.extend(drawn.into_iter().map(|target| (vertex, target)));
    }
    Csr::from_edges(&undirected(vertices, &pairs))
}
