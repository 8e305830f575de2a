//! Public graphs whose sizes are known, where they are at hand.

use std::path::PathBuf;

use super::{read, read_with, Direction};
use crate::graph::{Graph, GraphStatistics};

/// The file `name` of the shared graphs, or `None` with a remark when there are none.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    if !std::path::Path::new(folder).exists() {
        println!("skipped: ../shared is absent");
        return None;
    }
    Some(PathBuf::from(format!("{folder}/data/graphs/{name}")))
}

fn size(graph: &Graph) -> (u32, u32) {
    (graph.csr.vertices(), graph.csr.edges())
}

#[test]
fn the_collaboration_network_lists_each_pair_once() {
    let Some(path) = shared("ca-CondMat.txt") else {
        return;
    };
    let graph = read(&path).unwrap();
    assert_eq!(size(&graph), (21_363, 91_286));
    let both = read_with(&path, Direction::Symmetric).unwrap();
    assert_eq!(size(&both), (21_363, 2 * 91_286));
    let busiest = both.csr.busiest_vertex().unwrap();
    let figures = GraphStatistics::of(&both.csr, busiest);
    assert_eq!(figures.reachable, 21_363, "the file is the largest component");
}

#[test]
fn the_citation_network_is_a_ligra_graph() {
    let Some(path) = shared("cit-HepTh.txt") else {
        return;
    };
    assert_eq!(size(&read(&path).unwrap()), (27_770, 352_807));
}

#[test]
fn the_random_dimacs_graph_has_weights_below_100() {
    let Some(path) = shared("256_16384.gr") else {
        return;
    };
    let graph = read(&path).unwrap();
    assert_eq!(size(&graph), (256, 16_384));
    let weights = graph.csr.weights().unwrap();
    assert_eq!(weights.iter().copied().fold(0.0, f64::max), 99.0);
    assert!(weights.iter().all(|&w| w >= 0.0));
}

#[test]
fn the_stiffness_matrix_is_symmetric_with_a_full_diagonal() {
    let Some(path) = shared("bcsstk13.mtx") else {
        return;
    };
    let graph = read(&path).unwrap();
    assert_eq!(size(&graph), (2_003, 2 * 42_943 - 2_003));
    assert!((0..2_003).all(|v| graph.csr.neighbours(v).contains(&v)));
    assert_eq!(graph.csr.symmetric(), graph.csr);
}
