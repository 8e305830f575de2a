//! Edges in the order in which they were listed, before they become rows.

/// A list of directed edges over the vertices `0 .. vertices`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeList {
    vertices: u32,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) weights: Option<Vec<f64>>,
}

impl EdgeList {
    /// An empty list without weights.
    pub fn new(vertices: u32) -> Self {
        Self { vertices, ..Self::default() }
    }

    /// An empty list whose edges have weights.
    pub fn weighted(vertices: u32) -> Self {
        Self { weights: Some(Vec::new()), ..Self::new(vertices) }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Adds the edge from `source` to `target`; a weighted list gives it the weight 1.
    ///
    /// # Panics
    /// When an endpoint is not a vertex.
    pub fn push(&mut self, source: u32, target: u32) {
        self.push_weighted(source, target, 1.0);
    }

    /// Adds the edge from `source` to `target`; a list without weights forgets `weight`.
    ///
    /// # Panics
    /// When an endpoint is not a vertex.
    pub fn push_weighted(&mut self, source: u32, target: u32, weight: f64) {
        assert!(
            source < self.vertices && target < self.vertices,
            "edge ({source}, {target}) in a graph of {} vertices",
            self.vertices
        );
        self.edges.push((source, target));
        if let Some(weights) = &mut self.weights {
            weights.push(weight);
        }
    }
}
