//! Compressed sparse rows: the form in which the kernels walk a graph.

use super::edge_list::EdgeList;

/// A directed graph as compressed sparse rows.
///
/// The edges of vertex `v` are `columns()[offsets()[v] .. offsets()[v + 1]]`, in the order in
/// which they were listed. Duplicates and self loops are kept: a kernel walks what the file holds.
/// An undirected edge is two directed ones; a self loop is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    weights: Option<Vec<f64>>,
}

impl Csr {
    /// Groups a list of edges by source, keeping their order within a row (a counting sort, linear
    /// in vertices and edges).
    ///
    /// # Panics
    /// When the list has more than `u32::MAX` edges.
    pub fn from_edges(list: &EdgeList) -> Self {
        assert!(u32::try_from(list.len()).is_ok(), "edges count in 32 bits");
        let vertices = list.vertices() as usize;
        let mut offsets = vec![0u32; vertices + 1];
        for &(source, _) in &list.edges {
            offsets[source as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            offsets[vertex + 1] += offsets[vertex];
        }
        let mut place = offsets.clone();
        let mut columns = vec![0; list.len()];
        let mut weights = list.weights.as_ref().map(|w| vec![0.0; w.len()]);
        for (i, &(source, target)) in list.edges.iter().enumerate() {
            let slot = &mut place[source as usize];
            columns[*slot as usize] = target;
            if let (Some(to), Some(from)) = (&mut weights, &list.weights) {
                to[*slot as usize] = from[i];
            }
            *slot += 1;
        }
        Self { offsets, columns, weights }
    }

    /// Rows that a file holds ready-made. The caller has checked that offsets start at 0, never
    /// decrease and end at the number of columns, and that columns are vertices.
    pub(super) fn from_rows(
        offsets: Vec<u32>,
        columns: Vec<u32>,
        weights: Option<Vec<f64>>,
    ) -> Self {
        debug_assert_eq!(offsets.first(), Some(&0));
        debug_assert_eq!(offsets.last().map(|&o| o as usize), Some(columns.len()));
        Self { offsets, columns, weights }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// Number of directed edges.
    pub fn edges(&self) -> u32 {
        self.columns.len() as u32
    }

    /// `vertices + 1` positions in [`Csr::columns`]: where each row begins, and the end.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The target of every edge, row after row.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The weight of every edge, parallel to [`Csr::columns`], where the source had weights.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Out-degree of `vertex`, duplicates and self loops included.
    ///
    /// # Panics
    /// When `vertex` is not a vertex.
    pub fn degree(&self, vertex: u32) -> u32 {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }

    /// Targets of the edges of `vertex`.
    ///
    /// # Panics
    /// When `vertex` is not a vertex.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let row =
            self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize;
        &self.columns[row]
    }

    /// The first vertex of highest out-degree, or `None` in a graph without vertices.
    pub fn busiest_vertex(&self) -> Option<u32> {
        (0..self.vertices()).max_by_key(|&v| (self.degree(v), std::cmp::Reverse(v)))
    }

    /// The edges, row after row.
    pub fn to_edges(&self) -> EdgeList {
        let mut list = EdgeList::new(self.vertices());
        list.edges.reserve(self.columns.len());
        for source in 0..self.vertices() {
            let row = self.neighbours(source);
            list.edges.extend(row.iter().map(|&target| (source, target)));
        }
        list.weights.clone_from(&self.weights);
        list
    }

    /// The undirected graph: every edge whose reverse is missing gets it, with the same weight,
    /// behind the edges that the source vertex already has. Nothing is removed, so a graph that
    /// lists both directions stays as it is.
    ///
    /// # Panics
    /// When the result has more than `u32::MAX` edges.
    pub fn symmetric(&self) -> Self {
        let mut sorted = self.columns.clone();
        for row in self.offsets.windows(2) {
            sorted[row[0] as usize..row[1] as usize].sort_unstable();
        }
        let has = |source: u32, target: u32| {
            let row = self.offsets[source as usize]..self.offsets[source as usize + 1];
            sorted[row.start as usize..row.end as usize].binary_search(&target).is_ok()
        };
        let mut list = self.to_edges();
        for i in 0..self.columns.len() {
            let (source, target) = list.edges[i];
            if !has(target, source) {
                let weight = self.weights.as_ref().map_or(1.0, |w| w[i]);
                list.push_weighted(target, source, weight);
            }
        }
        Self::from_edges(&list)
    }
}
