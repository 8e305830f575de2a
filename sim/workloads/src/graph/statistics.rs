//! Figures that characterise a graph and a search on it, for lists and logs.

use std::fmt;

use super::{reference_bfs, Csr, UNVISITED};

/// Figures of a graph and of the breadth-first search from one of its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphStatistics {
    /// Number of vertices.
    pub vertices: u32,
    /// Number of directed edges.
    pub edges: u32,
    /// Highest out-degree.
    pub max_degree: u32,
    /// Where the search begins.
    pub source: u32,
    /// Vertices that the search reaches, the source included.
    pub reachable: u32,
    /// Levels of the search, that of the source included: the kernels that it launches.
    pub levels: u32,
}

impl GraphStatistics {
    /// Measures `csr` and searches it from `source`.
    ///
    /// # Panics
    /// When `source` is not a vertex.
    pub fn of(csr: &Csr, source: u32) -> Self {
        let levels = reference_bfs(csr, source);
        let reached = levels.iter().filter(|&&level| level != UNVISITED);
        let (reachable, last) = reached.fold((0, 0), |(n, last), &level| (n + 1, last.max(level)));
        Self {
            vertices: csr.vertices(),
            edges: csr.edges(),
            max_degree: (0..csr.vertices()).map(|v| csr.degree(v)).max().unwrap_or(0),
            source,
            reachable,
            levels: last + 1,
        }
    }
}

impl fmt::Display for GraphStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} vertices, {} edges, max degree {}; from vertex {}: {} reachable in {} levels",
            self.vertices, self.edges, self.max_degree, self.source, self.reachable, self.levels
        )
    }
}
