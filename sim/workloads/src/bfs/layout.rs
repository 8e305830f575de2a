//! Where the arrays of the search are in global memory.

use std::ops::Deref;

use crate::graph::Csr;
use crate::vertex::{word, Allocator, GraphArrays};

/// Base addresses in bytes, in the order of memory, each a multiple of 256:
///
/// | array | elements of 4 bytes |
/// | --- | --- |
/// | row offsets | vertices + 1 |
/// | columns | edges |
/// | levels | vertices |
/// | changed flag | 1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Row offsets and columns.
    pub graph: GraphArrays,
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
        let mut memory = Allocator::new();
        Self {
            graph: GraphArrays::place(csr, &mut memory),
            levels: memory.array(csr.vertices()),
            changed: memory.array(1),
            end: memory.end(),
        }
    }

    /// Address of the level of `vertex`.
    pub fn level(&self, vertex: u32) -> u64 {
        word(self.levels, vertex)
    }
}

impl Deref for Layout {
    type Target = GraphArrays;

    fn deref(&self) -> &GraphArrays {
        &self.graph
    }
}
