//! Graphs in all four formats: the text decides, and where it does not, a name by its last byte.
//! A graph that is read must be sound, and symmetric when that was asked for.

#![no_main]

use std::path::Path;

use blockyard_fuzz::render;
use blockyard_sim::workload::graph::{read_from, Csr, Direction, GraphStatistics};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 5] = ["g.txt", "g.gr", "g.mtx", "g.adj", "g.el"];

fuzz_target!(|data: &[u8]| {
    let name = NAMES[usize::from(data.last().copied().unwrap_or(0)) % NAMES.len()];
    match read_from(data, Path::new(name), Direction::AsListed) {
        Err(error) => drop(render(&error)),
        Ok(graph) => {
            sound(&graph.csr);
            // A promise of many vertices in few bytes is fine, walking them here is slow.
            if graph.csr.vertices() > 1 << 16 {
                return;
            }
            for vertex in 0..graph.csr.vertices() {
                graph.label(vertex);
            }
            assert_eq!(Csr::from_edges(&graph.csr.to_edges()), graph.csr);
            let both = read_from(data, Path::new(name), Direction::Symmetric)
                .expect("it was read before")
                .csr;
            sound(&both);
            assert_eq!(both.symmetric(), both);
            if let Some(source) = both.busiest_vertex() {
                let statistics = GraphStatistics::of(&both, source);
                assert!(!format!("{statistics:?}").is_empty());
            }
        }
    }
});

fn sound(csr: &Csr) {
    let offsets = csr.offsets();
    assert_eq!(offsets.len(), csr.vertices() as usize + 1);
    assert!(offsets.is_sorted() && offsets[0] == 0);
    assert_eq!(offsets[offsets.len() - 1], csr.edges());
    assert!(csr.columns().iter().all(|&target| target < csr.vertices()));
    assert!(csr.weights().is_none_or(|weights| weights.len() == csr.columns().len()));
    assert!(csr.weights().is_none_or(|weights| weights.iter().all(|weight| weight.is_finite())));
}
