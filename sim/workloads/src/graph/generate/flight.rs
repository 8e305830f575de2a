//! Flight networks: hub and spoke, weighted by distance.
//!
//! One airport in 100 is a hub, and every flight leads to one: the nearest of a few, among which
//! larger hubs are more frequent. The number of flights of an airport falls off exponentially from
//! 1 on. The network of the world's airports has 13.9 neighbours a vertex (Guimera, Mossa,
//! Turtschi, Amaral, PNAS 2005), that of the routes of OpenFlights 11.

use rand::{seq::SliceRandom, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::geometric::Geometric;
use super::undirected::{targets, undirected};
use crate::graph::{Csr, EdgeList};

/// Airports for each hub.
const AIRPORTS: u32 = 100;
/// Hubs of which a flight takes the nearest.
const CHOICES: u32 = 4;
/// The country is a square with this side in km, the width of the contiguous United States.
const SIDE: f64 = 4500.0;

/// An undirected flight network, about `degree` neighbours an airport; weights are whole km, at least 1.
///
/// # Panics
/// When `degree` is less than 2, or edges do not count in 32 bits.
pub fn flight(vertices: u32, degree: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut hubs: Vec<u32> = (0..vertices).collect();
    hubs.shuffle(&mut random);
    hubs.truncate(vertices.div_ceil(AIRPORTS) as usize);
    let places: Vec<[f64; 2]> =
        (0..vertices).map(|_| [0, 1].map(|_| random.random::<f64>() * SIDE)).collect();
    let square = |one: u32, other: u32| {
        let ([x, y], [to_x, to_y]) = (places[one as usize], places[other as usize]);
        (x - to_x) * (x - to_x) + (y - to_y) * (y - to_y)
    };
    let counts = Geometric::of_mean(f64::from(degree) / 2.0);
    let mut pairs = Vec::new();
    for vertex in 0..vertices {
        let count = counts.draw(&mut random);
        let flights = targets(vertex, count, || {
            let mut hub = || {
                // The square: how frequent a hub is falls with the root of its rank.
                let drawn: f64 = random.random();
                hubs[(drawn * drawn * hubs.len() as f64) as usize]
            };
            let choices = (1..CHOICES).map(|_| hub()).collect::<Vec<_>>();
            choices.into_iter().fold(hub(), |best, next| {
                if square(vertex, next) < square(vertex, best) {
                    next
                } else {
                    best
                }
            })
        });
        pairs.extend(flights.into_iter().map(|hub| (vertex, hub)));
    }
    let mut list = EdgeList::weighted(vertices);
    for (source, target) in undirected(vertices, &pairs).edges {
        list.push_weighted(source, target, square(source, target).sqrt().ceil().max(1.0));
    }
    Csr::from_edges(&list)
}
