//! Road networks: grids from which streets are missing, with a few diagonals.
//!
//! road_usa of the 10th DIMACS challenge has 2.4 neighbours a vertex and at most 9. Of a grid's 4,
//! 60 % leave 2.4; more than half of the edges have to stay, or the grid falls apart (bond
//! percolation on the square lattice: Kesten, Commun. Math. Phys. 1980).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::undirected::undirected;
use crate::graph::Csr;

/// Of 100 edges of the grid that many are there.
const STREETS: u32 = 60;
/// Of 100 squares that many have a diagonal.
const DIAGONALS: u32 = 1;

/// An undirected road network, its vertices row after row of the least square that holds them. A
/// few vertices have no road to the others.
pub fn road(vertices: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let width = f64::from(vertices).sqrt().ceil() as u32;
    let mut pairs = Vec::new();
    for vertex in 0..vertices {
        let inside = (vertex + 1) % width != 0;
        for (there, target, share) in [
            (inside, vertex + 1, STREETS),
            (true, vertex + width, STREETS),
            (inside, vertex + width + 1, DIAGONALS),
        ] {
            if there && target < vertices && random.random_range(0..100) < share {
                pairs.push((vertex, target));
            }
        }
    }
    Csr::from_edges(&undirected(vertices, &pairs))
}
