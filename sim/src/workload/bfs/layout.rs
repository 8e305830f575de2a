//! Where the arrays of the search are in global memory.

use crate::workload::graph::Csr;

/// First byte of the first array. What is below belongs to the driver: parameters, code.
const BASE: u64 = 0x1000_0000;

/// `cudaMalloc` aligns to this many bytes.
const ALIGNMENT: u64 = 256;

/// Bytes of an element: all arrays hold 32-bit words.
const WORD: u64 = 4;

/// Base addresses in bytes, in the order of the fields, each a multiple of 256:
///
/// | array | elements of 4 bytes |
/// | --- | --- |
/// | row offsets | vertices + 1 |
/// | columns | edges |
/// | levels | vertices |
/// | changed flag | 1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Row offsets.
    pub offsets: u64,
    /// Columns: the target of each edge.
    pub columns: u64,
    /// Level of each vertex.
    pub levels: u64,
    /// The flag that a thread sets when it has found a vertex.
    pub changed: u64,
    /// The first byte behind all arrays.
    pub end: u64,
}

impl Layout {
    /// The arrays for `csr`, one behind the other.
    pub fn of(csr: &Csr) -> Self {
        let after = |base: u64, elements: u64| (base + elements * WORD).next_multiple_of(ALIGNMENT);
        let (vertices, edges) = (u64::from(csr.vertices()), u64::from(csr.edges()));
        let offsets = BASE;
        let columns = after(offsets, vertices + 1);
        let levels = after(columns, edges);
        let changed = after(levels, vertices);
        Self { offsets, columns, levels, changed, end: changed + WORD }
    }

    /// Address of the row offset with index `vertex`.
    pub fn offset(&self, vertex: u32) -> u64 {
        self.offsets + u64::from(vertex) * WORD
    }

    /// Address of the target of edge number `edge`.
    pub fn column(&self, edge: u32) -> u64 {
        self.columns + u64::from(edge) * WORD
    }

    /// Address of the level of `vertex`.
    pub fn level(&self, vertex: u32) -> u64 {
        self.levels + u64::from(vertex) * WORD
    }
}
