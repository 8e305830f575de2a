//! Graphs for the irregular workloads: compressed rows, readers, generators.
//!
//! ```text
//!   read(path)  -- edge list, Ligra, DIMACS, MatrixMarket --+
//!                                                           +--> Graph { csr, labels }
//!   GraphSpec::build(seed)  -- R-MAT, grid, uniform, cage, --+
//!                              citation, road, flight
//! ```
//!
//! Vertices are numbered from 0. What a file calls a vertex is kept in [`Graph::label`].

mod csr;
mod edge_list;
mod error;
pub mod generate;
mod kind;
mod limits;
mod read;
mod search;
mod set_error;
mod spec;
mod statistics;

#[cfg(test)]
mod csr_tests;
#[cfg(test)]
mod spec_tests;

pub use csr::Csr;
pub use edge_list::EdgeList;
pub use error::{GraphError, Problem};
pub use kind::GraphKind;
pub use limits::{MAX_EDGES, MAX_VERTICES};
pub use read::{read, read_from, read_with, Direction};
pub use search::{reference_bfs, UNVISITED};
pub use set_error::SetError;
pub use spec::GraphSpec;
pub use statistics::GraphStatistics;

/// A graph and what its file calls the vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The edges.
    pub csr: Csr,
    /// How the numbers of [`Graph::csr`] map to those of the file.
    pub labels: Labels,
}

/// The numbers by which a graph's file names its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Vertex `v` is `v` in the file too: Ligra, and the generators.
    FromZero,
    /// Vertex `v` is `v + 1` in the file: DIMACS and MatrixMarket.
    FromOne,
    /// Vertex `v` is `labels[v]` in the file, in ascending order: an edge list.
    Listed(Vec<u32>),
}

impl Graph {
    /// A graph whose vertices have no names of their own.
    pub fn new(csr: Csr) -> Self {
        Self { csr, labels: Labels::FromZero }
    }

    /// What the graph's file calls `vertex`.
    ///
    /// # Panics
    /// When `vertex` is not a vertex of an edge list.
    pub fn label(&self, vertex: u32) -> u32 {
        match &self.labels {
            Labels::FromZero => vertex,
            Labels::FromOne => vertex + 1,
            Labels::Listed(labels) => labels[vertex as usize],
        }
    }
}
