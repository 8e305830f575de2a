//! Flight networks: hubs and spokes, weighted by distance.
//!
//! Every airport has flights, and the number of those that it begins falls off exponentially from 1
//! on. They lead to busy airports: the nearest of a few, of which each is drawn as often as its
//! rank says. The network of the world's 3,883 cities with airports has 13.9 neighbours a city,
//! Paris has 250 (Guimera, Mossa, Turtschi, Amaral, PNAS 2005); of how many have more than k, k to
//! the power -1 is the law, cut off at the top (Guimera, Amaral, Eur. Phys. J. B 2004).

use rand::{seq::SliceRandom, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::geometric::Geometric;
use super::undirected::{targets, undirected};
use crate::graph::{Csr, EdgeList};

/// Where the law is cut off: one airport in so many is about as busy as the busiest. With 3,883
/// that one has 250 neighbours or so.
const AIRPORTS: u32 = 130;
/// Airports of which a flight takes the nearest.
const CHOICES: u32 = 4;
/// The country is a square with this side in km, the width of the contiguous United States.
const SIDE: f64 = 4500.0;

/// An undirected flight network, about `degree` neighbours an airport; weights are whole km, at
/// least 1.
///
/// # Panics
/// When `degree` is less than 2, or edges do not count in 32 bits.
pub fn flight(vertices: u32, degree: u32, seed: u64) -> Csr {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut by_rank: Vec<u32> = (0..vertices).collect();
    by_rank.shuffle(&mut random);
    let mut sum = 0.0;
    let mut frequency = |rank: u32| {
        sum += 1.0 / f64::from(1 + rank + vertices / AIRPORTS);
        sum
    };
    // Of an airport by its rank and all that are busier.
    let up_to: Vec<f64> = (0..vertices).map(&mut frequency).collect();
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
            let mut airport = || {
                let drawn = random.random::<f64>() * sum;
                by_rank[up_to.partition_point(|&sum| sum <= drawn).min(by_rank.len() - 1)]
            };
            let choices = (1..CHOICES).map(|_| airport()).collect::<Vec<_>>();
            choices.into_iter().fold(airport(), |best, next| {
                if square(vertex, next) < square(vertex, best) {
                    next
                } else {
                    best
                }
            })
        });
        pairs.extend(flights.into_iter().map(|airport| (vertex, airport)));
    }
    let mut list = EdgeList::weighted(vertices);
    for (source, target) in undirected(vertices, &pairs).edges {
        list.push_weighted(source, target, square(source, target).sqrt().ceil().max(1.0));
    }
    Csr::from_edges(&list)
}
